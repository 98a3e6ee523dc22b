"""What of a page's text a reader can see, can open, may be able to open, or can never see."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .unseen import EVERYTHING_SEEN, Unseen, find_unseen
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
