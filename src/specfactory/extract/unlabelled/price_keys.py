"""Prices that the markup and the scripts of a page name: data-price="129.90", "price": 129.9.

They tell which of the visible amounts is the price; alone they are candidates only where the
page shows no amount at all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from specfactory.extract.page import Span

_MAX_SOURCE = 3_000_000
_MAX_FOUND = 600
# All begin with letters that every such key has: so they are found at a glance, and once.
_RICE = re.compile("rice")
_KEYED = re.compile(
    r"""rice(?:[-_]?(?:amount|value))?(?:\\?["'])?\s?[=:]\s?(?:\\?["'])?[$€£]?"""
    r"""(\d{1,9}(?:\.\d{1,4})?)(?=\\?["'\s,;}>]|$)"""
)
_INPUT = re.compile(r"""rice["']?\s[^<>]{0,80}?\bvalue=["']?(\d{1,9}(?:\.\d{1,4})?)(?=["'\s>])""")
_NAMED = re.compile(r"""\bname=["']?(?:product[-_])?[pP]$""")
_CURRENCY = re.compile(
    r"""urrency(?:[-_]?[cC]ode)?(?:\\?["'])?\s?[=:]\s?\\?["']([A-Z]{3})\\?["']"""
)
_MOST = 0.6  # of all that is called a price
_BEFORE = 24
_OTHER = re.compile(
    r"(?:old|was|list|regular|compare|original|rrp|msrp|retail|ship\w*|delivery|min|max|low|high|"
    r"unit|base|from|to|total|cart|subtotal|tax|before|full|strike\w*|discount|saving)[-_]?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class KeyedPrices:
    """The amounts that are called a price, by how often, with a place of each."""

    counts: Mapping[float, int]
    places: Mapping[float, Span]

    def share(self, amount: float) -> float:
        """How much of all that is called a price is this amount."""
        return self.counts.get(amount, 0) / max(sum(self.counts.values()), 1)

    def only(self) -> Span | None:
        """Where the amount stands that most of them are; None when they differ."""
        best = max(self.counts, key=lambda one: self.counts[one], default=None)
        return self.places[best] if best is not None and self.share(best) >= _MOST else None


def find_currency(source: str) -> Span | None:
    """Where the source names the one currency that it speaks of."""
    found = [match.span(1) for match in _CURRENCY.finditer(source, 0, _MAX_SOURCE)][:_MAX_FOUND]
    return found[0] if len({source[start:end] for start, end in found}) == 1 else None


def find_keyed(source: str) -> KeyedPrices:
    """What the source calls a price; old prices, shipping and the like are left out."""
    counts: Counter[float] = Counter()
    places: dict[float, Span] = {}
    named = [found.start() for found in _RICE.finditer(source, 0, _MAX_SOURCE)]
    for pattern in (_KEYED, _INPUT):
        for match in islice(_matches(pattern, source, named), _MAX_FOUND):
            amount = round(float(match[1]), 2)
            if amount > 0 and _is_price(source, match):
                counts[amount] += 1
                places.setdefault(amount, match.span(1))
    return KeyedPrices(counts, places)


def _matches(pattern: re.Pattern[str], source: str, places: list[int]) -> Iterator[re.Match[str]]:
    """The matches of a pattern that begin at some places, one behind the other."""
    end = 0
    for place in places:
        if place >= end and (match := pattern.match(source, place, _MAX_SOURCE)):
            end = match.end()
            yield match


def _is_price(source: str, match: re.Match[str]) -> bool:
    """Whether what stands before makes it the price of now."""
    before = source[max(0, match.start() - _BEFORE) : match.start()]
    if match.re is _INPUT:
        return _NAMED.search(before) is not None
    return before[-1:] in ("p", "P") and not _OTHER.search(before[:-1])
