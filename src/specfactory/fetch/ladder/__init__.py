"""Ways to the network: HTTP, proxy, browser; which one a host needs."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.fetch.ladder.browser_slots import Room
    from specfactory.fetch.ladder.decoding import (
        BrokenEncoding,
        EndlessEncoding,
        decode,
        make_decoders,
    )
    from specfactory.fetch.ladder.ladder import (
        begin_at,
        helpful_rung,
        learned,
        next_rung,
        rung_with,
    )
    from specfactory.fetch.ladder.ways import NO_BROWSER, NONE_READY, UNUSABLE, Way, Ways
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "NONE_READY", "NO_BROWSER", "UNUSABLE", "BrokenEncoding", "EndlessEncoding", "Room", "Way",
    "Ways", "begin_at", "decode", "helpful_rung", "learned", "make_decoders", "next_rung",
    "rung_with",
]  # fmt: skip
