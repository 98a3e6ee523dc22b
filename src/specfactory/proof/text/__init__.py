"""Bytes → characters → text view and outline."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .characters import decode, is_pdf
    from .charsets import garbled_share, misread_charset, web_name, written_in
    from .depth_guard import cut_excess, has_little_markup
    from .outline import EMPTY_OUTLINE, TURNED_MARK, UNSEEN_MARK, Element, Outline
    from .parsed import Parsed, parse_page
    from .pdf_view import PdfText, read_pdf, why_empty
    from .quoted_words import VIEW_VERSIONS, cut_quote, decoded, reading
    from .text_view import BLOCKS, DROPPED, HAIR_SPACE, OVERRIDES, read_text
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
