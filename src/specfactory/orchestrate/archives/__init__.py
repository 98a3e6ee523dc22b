"""Stored pages as web archives, and back."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .export_import import Exported, Imported, PageImporter, export_pages
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
