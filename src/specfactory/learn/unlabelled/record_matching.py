"""Matching of pages with known records of the things they are about.

For some pages the thing is known (``matched`` has their words that match its record); for the
others a record is found by several of its values.
"""

import math
import re
from collections import defaultdict
from collections.abc import Sequence

from specfactory.extract.templates import PageIndex, folded
from specfactory.learn.unlabelled.columns import Column
from specfactory.learn.unlabelled.known_values import Words

_MAX_HITS = 200  # a value in more records identifies nothing
_LEAST_WEIGHT = 7.0  # two rare values, or one and several common ones
_NEAR_BEST = 0.7
_MAX_JOINED = 3
_SAME_NUMBERS, _SOME_NUMBERS, _WORDS = 0.8, 0.4, 0.8
_NUMBER = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]+")


class Joined:
    """Records that are probably about the same thing, for every page."""

    def __init__(
        self,
        pages: Sequence[PageIndex],
        sources: Sequence[Sequence[Words]],
        names: Sequence[str],
        matched: Sequence[Words] = (),
    ) -> None:
        self._pages = pages
        self._compared: dict[tuple[str, int, int], float] = {}
        records = [record for source in sources for record in source]
        holders: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for at, record in enumerate(records):
            for name in names:
                for value in record.get(name, ()):
                    holders[folded(value)].append((at, name))
        self._records = records
        self._weights = [_weigh(page, holders, len(records)) for page in pages]
        self._matched = matched or [{}] * len(pages)
        found = [_nearest(weights) for weights in self._weights]
        self._values = {
            name: [
                _values(name, [page] if name in page else [records[at] for at in several])
                for page, several in zip(self._matched, found, strict=True)
            ]
            for name in names
        }

    def agreement(self, name: str, column: Column) -> float:
        """Mean agreement of a column with the records, on the pages that have one."""
        total, count = 0.0, 0
        for number, (at, values) in enumerate(zip(column.at, self._values[name], strict=True)):
            if at is not None and values:
                key = name, number, at
                found = self._compared.get(key)
                if found is None:  # many columns share a text
                    words = self._pages[number].folded[at]
                    found = self._compared[key] = max(sameness(words, value) for value in values)
                total += found
                count += 1
        return total / (count + 1)

    def witnesses(self, name: str, number: int) -> list[str]:
        """Known values of a field for a page's thing, matched by its other fields."""
        matched = self._matched[number]
        if name in matched:
            return _values(name, [matched])
        near = _nearest(self._weights[number], without=name)
        return _values(name, [self._records[at] for at in near])


def _values(name: str, records: Sequence[Words]) -> list[str]:
    return sorted({folded(value) for record in records for value in record.get(name, ())})


def _weigh(
    page: PageIndex, holders: dict[str, list[tuple[int, str]]], count: int
) -> dict[int, dict[str, float]]:
    """Weigh the records whose values are on a page, by field; rare values count most."""
    weights: dict[int, dict[str, float]] = defaultdict(dict)
    for value in dict.fromkeys(page.folded):
        hits = holders.get(value, ())
        if not hits or len(hits) > _MAX_HITS:
            continue
        weight = math.log(count / len(hits))
        for at, name in hits:
            weights[at][name] = max(weight, weights[at].get(name, 0.0))
    return weights


def _nearest(weights: dict[int, dict[str, float]], without: str = "") -> list[int]:
    """Records that share most with a page, one field left out."""
    sums = ((sum(each.values()) - each.get(without, 0.0), at) for at, each in weights.items())
    ranked = sorted(sums, reverse=True)
    least = max(_LEAST_WEIGHT, _NEAR_BEST * ranked[0][0]) if ranked else 0.0
    return [at for weight, at in ranked[:_MAX_JOINED] if weight >= least]


def sameness(one: str, other: str) -> float:
    """Similarity of two spellings; their numbers must be equal."""
    if one == other:
        return 1.0
    numbers, others = _NUMBER.findall(one), _NUMBER.findall(other)
    words, theirs = set(_LETTERS.findall(one)), set(_LETTERS.findall(other))
    if numbers and others:
        same = [n.lstrip("0") for n in numbers] == [n.lstrip("0") for n in others]
        fits = not words or not theirs or bool(words & theirs)
        return (_SAME_NUMBERS if fits else _SOME_NUMBERS) if same else 0.0
    if words and theirs:
        return _WORDS * len(words & theirs) / len(words | theirs)
    return 0.0
