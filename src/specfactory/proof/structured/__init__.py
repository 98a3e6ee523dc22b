"""Structured data with the span of every value."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.proof.structured.collect import PageWords, read_items
    from specfactory.proof.structured.item_draft import SourceCut
    from specfactory.proof.structured.items import Item, Property
    from specfactory.proof.structured.page_language import (
        declared_language,
        guess_language,
        language_code,
    )
    from specfactory.proof.structured.page_titles import breadcrumbs_of
    from specfactory.proof.structured.tags import SourceTag, source_tags
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "Item", "PageWords", "Property", "SourceCut", "SourceTag", "breadcrumbs_of",
    "declared_language", "guess_language", "language_code", "read_items", "source_tags",
]  # fmt: skip
