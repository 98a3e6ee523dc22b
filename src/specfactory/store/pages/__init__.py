"""Stored pages, what they gave, and how they were fetched."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.store.pages.pages import PageLists, Pages, page_of
    from specfactory.store.pages.readings import PageReading, Reading, Readings, ReadPage
    from specfactory.store.pages.visits import Visits
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "PageLists", "PageReading", "Pages", "ReadPage", "Reading", "Readings", "Visits", "page_of",
]  # fmt: skip
