"""What one visit shows: its outcome and cause, read with its status."""

from __future__ import annotations

from specfactory.model import Fault, HostCare, Outcome, Sign, Visit, facts_of
from specfactory.settings import HealSettings

NO_ANSWER = frozenset({502, 504})  # how a proxy says that it did not reach the host
WELL = frozenset({Sign.WELL, Sign.SLOW, Sign.MOVED, Sign.GARBLED})
PASSES_BY = frozenset({Sign.NEUTRAL, Sign.GONE, Sign.HIDDEN})
"""Signs of single pages: they neither begin nor end a row of failures."""


def sign_of(visit: Visit, care: HostCare, settings: HealSettings) -> Sign:
    """What a visit shows, of a host that is treated like this."""
    facts = facts_of(visit.outcome, visit.cause)
    if facts.is_good:
        return _of_good(visit, care, settings)
    # A proxy's own failure comes first: its 502 says nothing of the host.
    server_said = visit.outcome is Outcome.NETWORK_ERROR and facts.fault is not Fault.PROXY
    if server_said and visit.status >= 500:
        unreached = visit.proxy and visit.status in NO_ANSWER
        return Sign.CONNECTION if unreached else Sign.SERVER
    return facts.sign


def is_bad(sign: Sign) -> bool:
    """Whether a visit with this sign has failed for a reason that may lie with its host."""
    return sign not in WELL and sign not in PASSES_BY


def seconds_of(visit: Visit) -> float:
    """How long the network took."""
    parts = ("dns", "tcp", "tls", "ttfb", "download")
    return sum(visit.timings_ms.get(part, 0.0) for part in parts) / 1000


def _of_good(visit: Visit, care: HostCare, settings: HealSettings) -> Sign:
    if visit.landed and visit.landed != care.moved_to:
        return Sign.MOVED
    if visit.garbled >= settings.garbled_share:
        return Sign.GARBLED
    return Sign.SLOW if seconds_of(visit) >= settings.slow_seconds else Sign.WELL
