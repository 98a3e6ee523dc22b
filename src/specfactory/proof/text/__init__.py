"""Bytes → characters → text view and outline."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.proof.text.characters import decode, is_pdf
    from specfactory.proof.text.charsets import web_name, written_in
    from specfactory.proof.text.depth_guard import cut_excess
    from specfactory.proof.text.outline import EMPTY_OUTLINE, Element, Outline
    from specfactory.proof.text.parsed import Parsed, parse_page
    from specfactory.proof.text.pdf_view import read_pdf, why_empty
    from specfactory.proof.text.quoted_words import reading
    from specfactory.proof.text.text_view import BLOCKS, HAIR_SPACE, read_text
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "BLOCKS", "EMPTY_OUTLINE", "HAIR_SPACE", "Element", "Outline", "Parsed", "cut_excess",
    "decode", "is_pdf", "parse_page", "read_pdf", "read_text", "reading", "web_name", "why_empty",
    "written_in",
]  # fmt: skip
