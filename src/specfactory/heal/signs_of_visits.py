"""Signs of single visits, and failures that are the page's own."""

from collections.abc import Sequence
from itertools import islice

from specfactory.model import Fault, HostCare, Outcome, Sign, Visit, facts_of
from specfactory.settings import HealSettings

NO_ANSWER = frozenset({502, 504})  # a proxy's statuses when it did not reach the host
WELL = frozenset({Sign.WELL, Sign.SLOW, Sign.MOVED, Sign.GARBLED})  # the page was there
OF_PAGES = frozenset({Sign.NEUTRAL, Sign.GONE, Sign.HIDDEN})
"""Signs of single pages: they neither begin nor end a row of failures."""

OF_HOSTS = frozenset({Sign.RATE, Sign.DNS, Sign.TLS, Sign.PROXY, Sign.BROWSER})
"""Signs that a single page cannot cause."""

NEIGHBOURS = 2  # visits to other pages that are considered before and after a failure
ON_THE_WIRE = ("dns", "tcp", "tls", "ttfb", "download")


def sign_of(visit: Visit, care: HostCare, settings: HealSettings) -> Sign:
    """Give what a visit shows, under the remedies in force at its host."""
    facts = facts_of(visit.outcome, visit.cause)
    if facts.is_good:
        if visit.landed and visit.landed != care.moved_to:
            return Sign.MOVED
        if visit.garbled >= settings.garbled_share:
            return Sign.GARBLED
        return Sign.SLOW if seconds_of(visit) >= settings.slow_seconds else Sign.WELL
    # A proxy's own failure comes first: its 502 says nothing about the host.
    server_said = visit.outcome is Outcome.NETWORK_ERROR and facts.fault is not Fault.PROXY
    if server_said and visit.status >= 500:
        unreached = visit.proxy and visit.status in NO_ANSWER
        return Sign.CONNECTION if unreached else Sign.SERVER
    return facts.sign


def is_bad(sign: Sign) -> bool:
    """True if the visit failed for a reason that may lie with its host."""
    return sign not in WELL and sign not in OF_PAGES


def seconds_of(visit: Visit) -> float:
    """Seconds on the network."""
    return sum(visit.timings_ms.get(part, 0.0) for part in ON_THE_WIRE) / 1000


def own_failures(shown: Sequence[tuple[str, Sign]]) -> set[int]:
    """Places of failures that say nothing about the host; ``shown`` has the newest visit first.

    A page whose failure stood alone among good ones is broken, and so are its further failures
    until it is well again. Failed pages are retried when all others are done: without this, a
    host with a few broken pages would end in a row of failures and get a diagnosis.
    """
    broken: set[str] = set()
    found: set[int] = set()
    for place in range(len(shown) - 1, -1, -1):
        url, sign = shown[place]
        if not is_bad(sign) or sign in OF_HOSTS:
            if sign in WELL:
                broken.discard(url)
        elif url in broken:
            found.add(place)
        else:
            earlier, later = range(place + 1, len(shown)), range(place - 1, -1, -1)
            if _well_nearby(shown, url, earlier) and _well_nearby(shown, url, later):
                broken.add(url)
    return found


def _well_nearby(shown: Sequence[tuple[str, Sign]], url: str, places: range) -> bool:
    others = (shown[place] for place in places)
    signs = (sign for other, sign in others if other != url and sign not in OF_PAGES)
    return any(sign in WELL for sign in islice(signs, NEIGHBOURS))
