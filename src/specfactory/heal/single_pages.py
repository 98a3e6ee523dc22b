"""Pages that fail while others of their host are well: trouble of their own, not of the host.

Pages that failed are tried again when all others are done. So a host with a few broken pages
ends in a row of failures, and would be taken for ill.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from specfactory.heal.signs import PASSES_BY, is_bad
from specfactory.model import Sign

Shown = tuple[str, Sign]  # the URL of a visit, and what it shows

NEIGHBOURS = 2  # visits to other pages that are looked at, before and after a failure
OF_THE_HOST = frozenset({Sign.RATE, Sign.DNS, Sign.TLS, Sign.PROXY, Sign.BROWSER})
"""Signs that no page can show alone."""


def own_troubles(shown: Sequence[Shown]) -> set[int]:
    """Places of failures that say nothing about the host; ``shown`` has the newest visit first.

    A page whose failure stood alone among good ones is broken; until it is well again, its
    further failures are its own.
    """
    broken: set[str] = set()
    found: set[int] = set()
    for place in range(len(shown) - 1, -1, -1):
        url, sign = shown[place]
        if not _is_failure(sign):
            if _is_well(sign):
                broken.discard(url)
        elif url in broken:
            found.add(place)
        elif _stands_alone(shown, place):
            broken.add(url)
    return found


def _stands_alone(shown: Sequence[Shown], place: int) -> bool:
    before = _nearest(shown, place, range(place + 1, len(shown)))
    after = _nearest(shown, place, range(place - 1, -1, -1))
    return any(map(_is_well, before)) and any(map(_is_well, after))


def _nearest(shown: Sequence[Shown], place: int, others: range) -> Iterator[Sign]:
    """What the nearest visits to other pages show."""
    url = shown[place][0]
    visits = (shown[other] for other in others)
    signs = (sign for other, sign in visits if other != url and sign not in PASSES_BY)
    return islice(signs, NEIGHBOURS)


def _is_failure(sign: Sign) -> bool:
    return is_bad(sign) and sign not in OF_THE_HOST


def _is_well(sign: Sign) -> bool:
    return not is_bad(sign) and sign not in PASSES_BY
