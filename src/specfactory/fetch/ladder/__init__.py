"""Ways to the network: HTTP, proxy, browser; which one a host needs."""

from .decoding import BrokenEncoding, EndlessEncoding, decode, make_decoders
from .ladder import begin_at, learned, next_rung, rung_with
from .ways import NO_BROWSER, NONE_READY, UNUSABLE, Room, Way, Ways
