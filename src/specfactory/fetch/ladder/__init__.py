"""Ways to the network: HTTP, proxy, browser; which one a host needs."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .decoding import BrokenEncoding, EndlessEncoding, decode, make_decoders
    from .ladder import begin_at, learned, next_rung, rung_with
    from .ways import NO_BROWSER, NONE_READY, UNUSABLE, Room, Way, Ways
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
