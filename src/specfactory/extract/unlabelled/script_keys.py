"""Values that a page's scripts and markup name by a plain key: "price": 129.9, "zip": "8001".

Keyed prices tell which of the visible amounts is the price; alone they are candidates only
where the page shows no amount at all. Other keys count where nothing else names the field.
"""

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache

from specfactory.contract.values import SIGN_CHARACTERS
from specfactory.extract.page import CandidateMaker, Proposal, Span
from specfactory.model import Frozen, ViewName
from specfactory.proof import snippet
from specfactory.word_lists import read_words

_KEYS = read_words("extract/unlabelled/data/script_keys.txt")
_LOCATION = re.compile(r"(?i)(?:location|geo|coordinates|position)\W{1,4}:\s{0,3}\{")
_MAX_KEYED = 400
_MAX_SOURCE = 3_000_000
_SINGLE = 0.7  # likelihood of a value that its key has everywhere on the page
_SEVERAL = 0.4
_FLOOR_SHARE = 0.3
_BESIDE = 80  # characters between a latitude and its longitude
_SWITCH = re.compile(r"[a-z]{1,3}|[A-Z_]{6,}")  # "on", "LOADED": states of a program, not names
_NOTHING = frozenset(("null", "undefined", "true", "false", "0", "NaN"))

_MAX_PRICES = 600
# Patterns begin with letters that every such key has: a plain search finds where to try them.
_RICE = re.compile("rice")
_KEYED = re.compile(
    rf"""rice(?:[-_]?(?:amount|value))?(?:\\?["'])?\s?[=:]\s?(?:\\?["'])?[{SIGN_CHARACTERS}]?"""
    r"""(\d{1,9}(?:\.\d{1,4})?)(?=\\?["'\s,;}>]|$)"""
)
_INPUT = re.compile(r"""rice["']?\s[^<>]{0,80}?\bvalue=["']?(\d{1,9}(?:\.\d{1,4})?)(?=["'\s>])""")
_NAMED = re.compile(r"""\bname=["']?(?:product[-_])?[pP]$""")
_CURRENCY = re.compile(
    r"""urrency(?:[-_]?[cC]ode)?(?:\\?["'])?\s?[=:]\s?\\?["']([A-Z]{3})\\?["']"""
)
_MOST = 0.6  # of all that is called a price
_BEFORE = 24
_OTHER_PRICE = re.compile(
    r"(?:old|was|list|regular|compare|original|rrp|msrp|retail|ship\w*|delivery|min|max|low|high|"
    r"unit|base|from|to|total|cart|subtotal|tax|before|full|strike\w*|discount|saving)[-_]?$",
    re.IGNORECASE,
)


class KeyedPrices(Frozen):
    """The amounts that are called a price, by how often, with a place of each."""

    counts: Mapping[float, int]
    places: Mapping[float, Span]

    def share(self, amount: float) -> float:
        """Share of this amount in all that is called a price."""
        return self.counts.get(amount, 0) / max(sum(self.counts.values()), 1)

    def only(self) -> Span | None:
        """Where the amount stands that most of them are; None when they differ."""
        best = max(self.counts, key=lambda one: self.counts[one], default=None)
        return self.places[best] if best is not None and self.share(best) >= _MOST else None


def find_currency(source: str) -> Span | None:
    """Where the source names its currency; None when it names several."""
    found = [match.span(1) for match in _CURRENCY.finditer(source, 0, _MAX_SOURCE)][:_MAX_PRICES]
    return found[0] if len({source[start:end] for start, end in found}) == 1 else None


def find_keyed(source: str) -> KeyedPrices:
    """Find what the source calls a price; old prices, shipping and the like are left out."""
    counts: Counter[float] = Counter()
    places: dict[float, Span] = {}
    named = [found.start() for found in _RICE.finditer(source, 0, _MAX_SOURCE)]
    for pattern in (_KEYED, _INPUT):
        end = seen = 0
        for place in named:
            match = pattern.match(source, place, _MAX_SOURCE) if place >= end else None
            if match is None:
                continue
            end, seen = match.end(), seen + 1
            if seen > _MAX_PRICES:
                break
            amount = round(float(match[1]), 2)
            before = source[max(0, place - _BEFORE) : place]
            if pattern is _INPUT:
                is_price = _NAMED.search(before) is not None
            else:
                is_price = before[-1:] in ("p", "P") and not _OTHER_PRICE.search(before[:-1])
            if amount > 0 and is_price:
                counts[amount] += 1
                places.setdefault(amount, match.span(1))
    return KeyedPrices(counts, places)


def add_keyed(maker: CandidateMaker) -> None:
    """Add candidates from script keys for fields that no other method has found."""
    views = maker.views
    taken = {candidate.field for candidate in maker.candidates}
    open_fields = {
        name: role.script_name
        for name, role in maker.compiled.roles.items()
        if name not in taken and role.script_name
    }
    if not open_fields or not views.text:
        return
    found = _scan(views.source, frozenset(open_fields.values()))
    for name, leaf in open_fields.items():
        spans = found.get(leaf, [])
        read = [views.source[start:end] for start, end in spans]
        counts = Counter(read)
        if not counts:
            continue
        words, most = counts.most_common(1)[0]
        if most < _FLOOR_SHARE * len(read) and words != read[0]:
            continue  # the page names too many things to tell which is its own
        likelihood = _SINGLE if len(counts) == 1 else _SEVERAL
        quote = snippet(views, ViewName.SOURCE, *spans[read.index(words)])
        proposal = Proposal((quote,), likelihood)
        candidate, again = maker.guess(name, proposal, "en"), maker.guess(name, proposal)
        # What a program writes must read the same in the page's language.
        if candidate is not None and again is not None and candidate.value == again.value:
            maker.candidates.append(candidate)


def _scan(source: str, leaves: frozenset[str]) -> dict[str, list[Span]]:
    """Where values stand behind the keys of the wanted names."""
    pattern, by_key = _pattern(leaves)
    found: dict[str, list[Span]] = {}
    for count, match in enumerate(pattern.finditer(source[:_MAX_SOURCE])):
        if count >= _MAX_KEYED:
            break
        words = match[2]
        if words.strip() and words.strip() not in _NOTHING and not _SWITCH.fullmatch(words):
            start = match.start(2) + len(words) - len(words.lstrip())
            found.setdefault(by_key[match[1]], []).append((start, start + len(words.strip())))
    # A longitude belongs to the latitude it stands beside; apart they may be of two places.
    east = found.get("longitude", [])
    pairs = [
        (north, span)
        for north in found.get("latitude", [])
        if (span := min(east, key=lambda one: abs(one[0] - north[0]), default=None))
        and abs(span[0] - north[0]) <= _BESIDE
    ]
    if pairs:
        chosen = _own_position(pairs, source)
        found["latitude"] = [chosen[0]] if chosen else []
        found["longitude"] = [chosen[1]] if chosen else []
    return found


def _own_position(pairs: list[tuple[Span, Span]], source: str) -> tuple[Span, Span] | None:
    """The only position, the most frequent one, or the only one called a location."""
    called = [pair for pair in pairs if _LOCATION.search(source, min(pair)[0] - 40, min(pair)[0])]
    for some in (pairs, called):
        places = Counter((source[a:b], source[c:d]) for (a, b), (c, d) in some)
        if not places:
            continue
        (words, count) = places.most_common(1)[0]
        if count > 1 or len(places) == 1:
            return next(p for p in some if words == tuple(source[a:b] for a, b in p))
    return None


@cache
def _pattern(leaves: frozenset[str]) -> tuple[re.Pattern[str], Mapping[str, str]]:
    by_key = {key: leaf for leaf in sorted(leaves) for key in sorted(_KEYS[leaf])}
    keys = "|".join(sorted(by_key, key=len, reverse=True))
    pattern = re.compile(
        rf"""\\?["']({keys})\\?["']\s?:\s{{0,3}}\\?["']?([^"'\\,}}\]\[{{<]{{1,60}})"""
    )
    return pattern, by_key
