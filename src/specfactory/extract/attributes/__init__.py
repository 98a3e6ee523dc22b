"""Attributes out of titles and descriptions (library only; no command uses it)."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.extract.attributes.reader import (
        Knowledge,
        Known,
        Look,
        Own,
        TextReader,
        forms,
        shares,
    )
    from specfactory.extract.attributes.spans import Span, fold, shape_of, spans_of
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "Knowledge",
    "Known",
    "Look",
    "Own",
    "Span",
    "TextReader",
    "fold",
    "forms",
    "shape_of",
    "shares",
    "spans_of",
]
