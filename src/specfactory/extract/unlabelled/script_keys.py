"""Values that a page's scripts name by a plain key, where nothing else says them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from specfactory.extract.page import CandidateMaker, Proposal
from specfactory.model import Candidate, ViewName
from specfactory.proof import snippet

_KEYS: Mapping[str, str] = {  # a schema.org name -> keys by which programs call the same
    "latitude": "latitude lat",
    "longitude": "longitude lng lon long",
    "addressLocality": "addressLocality city cityName locality town",
    "addressRegion": "addressRegion region regionName state stateCode province county",
    "postalCode": "postalCode postcode postCode zip zipCode zipcode postal_code",
    "streetAddress": "streetAddress street streetName displayAddress streetLine addressLine1",
    "numberOfBedrooms": "numberOfBedrooms bedrooms beds bedroomCount bedroomsCount",
    "numberOfBathroomsTotal": "numberOfBathroomsTotal bathrooms baths bathroomCount",
    "yearBuilt": "yearBuilt year_built constructionYear buildYear",
    "addressCountry": "addressCountry countryCode",
    "additionalType": "additionalType propertyType homeType propertySubType property_type",
    "numberOfRooms": "numberOfRooms roomCount rooms",
}
_Span = tuple[int, int]
_LOCATION = re.compile(r"(?i)(?:location|geo|coordinates|position)\W{1,4}:\s{0,3}\{")
_MAX_FOUND = 400
_MAX_SOURCE = 3_000_000
_SINGLE = 0.7  # likelihood of a value that its key has everywhere on the page
_SEVERAL = 0.4
_FLOOR_SHARE = 0.3
_BESIDE = 80  # characters between a latitude and its longitude
_SWITCH = re.compile(r"[a-z]{1,3}|[A-Z_]{6,}")  # "on", "LOADED": states of a program, not names


def add_keyed(maker: CandidateMaker) -> None:
    """Add what scripts say for fields of which nothing else speaks."""
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
    _pair_position(found, views.source)
    for name, leaf in open_fields.items():
        candidate = _chosen(name, found.get(leaf, []), maker)
        if candidate is not None:
            maker.candidates.append(candidate)


def _pair_position(found: dict[str, list[tuple[int, int]]], source: str) -> None:
    """A longitude belongs to the latitude it stands beside; the commonest place is the page's."""
    east = found.get("longitude", [])
    pairs = [
        (north, span)
        for north in found.get("latitude", [])
        if (span := min(east, key=lambda one: abs(one[0] - north[0]), default=None))
        and abs(span[0] - north[0]) <= _BESIDE
    ]
    if pairs:
        chosen = _own_place(pairs, source)
        found["latitude"] = [chosen[0]] if chosen else []
        found["longitude"] = [chosen[1]] if chosen else []


def _own_place(pairs: list[tuple[_Span, _Span]], source: str) -> tuple[_Span, _Span] | None:
    """The one place that is named, that is named again, or that alone is called a location."""
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
    by_key = {key: leaf for leaf in sorted(leaves) for key in _KEYS[leaf].split()}
    keys = "|".join(sorted(by_key, key=len, reverse=True))
    pattern = re.compile(
        rf"""\\?["']({keys})\\?["']\s?:\s{{0,3}}\\?["']?([^"'\\,}}\]\[{{<]{{1,60}})"""
    )
    return pattern, by_key


def _scan(source: str, leaves: frozenset[str]) -> dict[str, list[tuple[int, int]]]:
    pattern, by_key = _pattern(leaves)
    found: dict[str, list[tuple[int, int]]] = {}
    for count, match in enumerate(pattern.finditer(source[:_MAX_SOURCE])):
        if count >= _MAX_FOUND:
            break
        words = match[2]
        if words.strip() and words.strip() not in _NOTHING and not _SWITCH.fullmatch(words):
            start = match.start(2) + len(words) - len(words.lstrip())
            found.setdefault(by_key[match[1]], []).append((start, start + len(words.strip())))
    return found


_NOTHING = frozenset(("null", "undefined", "true", "false", "0", "NaN"))


def _chosen(name: str, spans: Iterable[tuple[int, int]], maker: CandidateMaker) -> Candidate | None:
    """The value a key has most often, the first of equals; None when it has too many."""
    views = maker.views
    read = [(views.source[start:end], (start, end)) for start, end in spans]
    counts = Counter(words for words, _ in read)
    if not counts:
        return None
    words, most = counts.most_common(1)[0]
    if most < _FLOOR_SHARE * len(read) and words != read[0][0]:
        return None
    span = next(span for each, span in read if each == words)
    likelihood = _SINGLE if len(counts) == 1 else _SEVERAL
    proposal = Proposal((snippet(views, ViewName.SOURCE, *span),), likelihood)
    candidate, again = maker.guess(name, proposal, "en"), maker.guess(name, proposal)
    if candidate is None or again is None or candidate.value != again.value:
        return None  # what a program writes must read the same in the page's language
    return candidate
