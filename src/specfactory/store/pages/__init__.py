"""Stored pages, what they gave, and how they were fetched."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .pages import PageLists, Pages
    from .readings import PageReading, Reading, Readings, ReadPage
    from .visits import Visits
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
