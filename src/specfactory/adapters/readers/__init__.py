"""The Readers port on processes that can be ended: fetched bytes in, values out."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .blocking import read_within
    from .pool import ReaderPool
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
