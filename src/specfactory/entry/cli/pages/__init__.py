"""Commands about pages: extract, evaluate, stored pages, archives, timings."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .page_input import read_place
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
