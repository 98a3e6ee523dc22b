"""Statistics of a field's values, taken from records of other sources.

A text is compared with known values in three ways: equality, common features (trigrams, words),
and measures (length, digits, size of its number).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from specfactory.contract.values import SIGN_CHARACTERS
from specfactory.extract.templates import folded
from specfactory.model import Contract, Frozen, field

Words = Mapping[str, Sequence[str]]
Measures = tuple[float, ...]
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_NUMBER = re.compile(r"\d[\d,]{0,15}(?:\.\d{1,6})?")
_PREFIX = re.compile(r"^([^\W\d][^:\d]{1,30}):\s*(?=\S)")
_MONEY = re.compile(f"[{SIGN_CHARACTERS}]")
_MAX_CHARACTERS = 80
_MAX_VALUES = 2_000  # of one field and source
_SMOOTH = 0.5
_MOST = 4.0  # weight of a single feature or measure, at the most
_LEAST_SPREADS: Final = (0.25, 0.1, 0.1, 0.3, 0.3, 0.2, 0.2, 0.2)
_SAMPLE = 20  # values among which the distinct ones are counted


class Knowledge(Frozen):
    """Knowledge of the fields before a page is seen.

    ``names`` has words for each field: its name and synonyms. ``sources`` are the records of
    other sources, each {field: values}; there may be none.
    """

    names: Mapping[str, Sequence[str]]
    sources: Sequence[Sequence[Words]] = ()


NOTHING_KNOWN: Final = Knowledge({})


def knowledge_of(contract: Contract, sources: Sequence[Sequence[Words]] = ()) -> Knowledge:
    """Take names from a contract and values from the records of other sources."""
    names: dict[str, list[str]] = {}
    for name, one in contract.fields.items():
        labels = (label for several in one.labels.values() for label in several)
        names[name] = list(dict.fromkeys([name.replace("_", " "), *labels]))
    return Knowledge(names, sources)


class Spread(Frozen):
    """Mean and spread of every measure over several values."""

    middles: Measures
    spreads: Measures

    def distance(self, other: Spread) -> float:
        """Distance to other values, in spreads of the others."""
        found = 0.0
        for mine, wide, theirs, least in zip(
            self.middles, self.spreads, other.middles, other.spreads, strict=True
        ):
            found += min(abs(mine - theirs) / least, _MOST) + 0.5 * abs(math.log(wide / least))
        return found


class Signs(Struct):
    """Number of values that have each feature."""

    counts: Counter[str] = field(default_factory=Counter)
    total: float = 0.0

    def add(self, signs: Iterable[str]) -> None:
        self.total += 1
        self.counts.update(signs)

    def take(self, other: Signs) -> None:
        self.total += other.total
        self.counts.update(other.counts)

    def share(self, sign: str, without: Signs | None = None) -> float:
        """Share of the values that have a feature, some of them left out."""
        seen, total = self.counts[sign], self.total
        if without is not None:
            seen, total = seen - without.counts[sign], total - without.total
        return (seen + _SMOOTH) / (total + 2 * _SMOOTH)


class KnownField:
    """Statistics of the known values of one field."""

    def __init__(self, name: str, sources: Sequence[Sequence[Words]]) -> None:
        self.name = name
        self.values: Counter[str] = Counter()
        self.threes, self.words = Signs(), Signs()
        firsts: list[list[str]] = []  # of every source, the first value of each record
        for records in sources:
            several = (record.get(name, ()) for record in records[:_MAX_VALUES])
            found = (unlabelled(folded(values[0])) for values in several if values)
            if values := [value for value in found if any(map(str.isalnum, value))]:
                firsts.append(values)
        measured = [[measures_of(value) for value in values] for values in firsts]
        self.near = [spread_of(several) for several in measured]
        self.all = spread_of([one for several in measured for one in several]) if firsts else None
        self.distinct = sum(map(_distinct, firsts)) / len(firsts) if firsts else 0.5
        for record in (record for records in sources for record in records[:_MAX_VALUES]):
            for value in {unlabelled(folded(value)) for value in record.get(self.name, ())}:
                if any(map(str.isalnum, value)):
                    self.values[value] += 1
                    self.threes.add(threes_of(value))
                    self.words.add(words_of(value))


def _distinct(values: Sequence[str]) -> float:
    """Share of distinct values in samples of the usual size."""
    steps = max(1, len(values) // _SAMPLE)
    parts = [values[at::steps] for at in range(steps)]
    return sum(len(set(part)) / len(part) for part in parts) / len(parts)


def unlabelled(value: str) -> str:
    """Remove a label in the same text: "Publisher: Knopf"."""
    return _PREFIX.sub("", value)


def threes_of(value: str) -> set[str]:
    """Character trigrams, digits masked."""
    masked = f"^{_DIGIT.sub('0', value[:_MAX_CHARACTERS])}$"
    return {masked[at : at + 3] for at in range(len(masked) - 2)}


def words_of(value: str) -> set[str]:
    """Words and numbers."""
    return set(_WORD.findall(value[:_MAX_CHARACTERS]))


def weigh(sign: str, values: Signs, others: Signs, without: Signs | None = None) -> float:
    """Log ratio of a feature's frequency in the values and in the others."""
    return max(-_MOST, min(_MOST, math.log(values.share(sign) / others.share(sign, without))))


def measures_of(value: str) -> Measures:
    """Length, digits, letters, words, size of the number, money, no letters, no digits."""
    count = max(1, len(value))
    digits = sum(map(str.isdigit, value)) / count
    letters = sum(map(str.isalpha, value)) / count
    number = _NUMBER.search(value)
    size = math.log10(1 + float(number[0].replace(",", ""))) if number else -1.0
    return (
        math.log(count), digits, letters, min(value.count(" "), 12) / 3, size,
        float(bool(_MONEY.search(value))), float(not letters), float(not digits),
    )  # fmt: skip


def spread_of(measured: Sequence[Measures]) -> Spread:
    """Spread of the measures of several values."""
    count = len(measured)
    middles, spreads = [], []
    for column, least in zip(zip(*measured, strict=True), _LEAST_SPREADS, strict=True):
        middle = sum(column) / count
        middles.append(middle)
        spreads.append(math.sqrt(sum((x - middle) ** 2 for x in column) / count) + least)
    return Spread(tuple(middles), tuple(spreads))
