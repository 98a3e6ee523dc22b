"""Main text of a page: its lines, their features, and the choice of those that are content."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .main_text import find_body
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
