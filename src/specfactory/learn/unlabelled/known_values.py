"""What values of a field look like, told by records that other sources gave.

A text is held against known values in three ways: is it one of them, has it their signs
(threes of characters, words), has it their measures (length, digits, size of its number).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from specfactory.extract.templates import folded
from specfactory.model import Contract, Field

Words = Mapping[str, Sequence[str]]
Measures = tuple[float, ...]
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_NUMBER = re.compile(r"\d[\d,]{0,15}(?:\.\d{1,6})?")
_PREFIX = re.compile(r"^([^\W\d][^:\d]{1,30}):\s*(?=\S)")
_MONEY = re.compile("[$€£¥₹₽₩₺]")
_MAX_CHARACTERS = 80
_MAX_VALUES = 2_000  # of one field and source
_SMOOTH = 0.5
_MOST = 4.0  # what a single sign or measure may weigh
_LEAST_SPREADS: Final = (0.25, 0.1, 0.1, 0.3, 0.3, 0.2, 0.2, 0.2)
_SAMPLE = 20  # values among which the distinct ones are counted


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of the fields before a page is seen.

    ``names`` gives words for each field: its name, its synonyms. ``sources`` are the records
    that other sources gave, each {field: values}; there may be none.
    """

    names: Mapping[str, Sequence[str]]
    sources: Sequence[Sequence[Words]] = ()


NOTHING_KNOWN: Final = Knowledge({})


def knowledge_of(contract: Contract, sources: Sequence[Sequence[Words]] = ()) -> Knowledge:
    """What a contract and the records of other sources tell of its fields."""
    return Knowledge({name: _names(one) for name, one in contract.fields.items()}, sources)


def _names(one: Field) -> list[str]:
    labels = (label for several in one.labels.values() for label in several)
    return list(dict.fromkeys([one.name.replace("_", " "), *labels]))


@dataclass(frozen=True, slots=True)
class Spread:
    """The middle and the spread of every measure over several values."""

    middles: Measures
    spreads: Measures

    def distance(self, other: Spread) -> float:
        """How unlike these values are the others, in spreads of the others."""
        found = 0.0
        for mine, wide, theirs, least in zip(
            self.middles, self.spreads, other.middles, other.spreads, strict=True
        ):
            found += min(abs(mine - theirs) / least, _MOST) + 0.5 * abs(math.log(wide / least))
        return found


@dataclass(slots=True)
class Signs:
    """In how many values each sign is seen."""

    counts: Counter[str] = field(default_factory=Counter)
    total: float = 0.0

    def add(self, signs: Iterable[str]) -> None:
        self.total += 1
        self.counts.update(signs)

    def take(self, other: Signs) -> None:
        self.total += other.total
        self.counts.update(other.counts)

    def share(self, sign: str) -> float:
        return (self.counts[sign] + _SMOOTH) / (self.total + 2 * _SMOOTH)


class OtherSigns:
    """The signs in the values of all other fields: those of all without a field's own."""

    def __init__(self, every: Signs, own: Signs) -> None:
        self._every, self._own = every, own

    def share(self, sign: str) -> float:
        seen = self._every.counts[sign] - self._own.counts[sign]
        return (seen + _SMOOTH) / (self._every.total - self._own.total + 2 * _SMOOTH)


class KnownField:
    """All that is known of the values of one field."""

    def __init__(self, name: str, sources: Sequence[Sequence[Words]]) -> None:
        self.name = name
        self.values: Counter[str] = Counter()
        self.threes, self.words = Signs(), Signs()
        self.other_threes = OtherSigns(self.threes, self.threes)
        self.other_words = OtherSigns(self.words, self.words)
        self.near: list[Spread] = []
        firsts = [_firsts(name, records) for records in sources]
        firsts = [values for values in firsts if values]
        self.all = spread_of([value for values in firsts for value in values]) if firsts else None
        self.distinct = sum(map(_distinct, firsts)) / len(firsts) if firsts else 0.5
        for values in firsts:
            self.near.append(spread_of(values))
        for records in sources:
            self._take(records)

    def _take(self, records: Sequence[Words]) -> None:
        for record in records[:_MAX_VALUES]:
            for value in {unlabelled(folded(value)) for value in record.get(self.name, ())}:
                if any(map(str.isalnum, value)):
                    self.values[value] += 1
                    self.threes.add(threes_of(value))
                    self.words.add(words_of(value))


def known_fields(knowledge: Knowledge) -> list[KnownField]:
    """All fields, each held against the others."""
    found = [KnownField(name, knowledge.sources) for name in knowledge.names]
    threes, words = Signs(), Signs()
    for one in found:
        threes.take(one.threes)
        words.take(one.words)
    for one in found:
        one.other_threes = OtherSigns(threes, one.threes)
        one.other_words = OtherSigns(words, one.words)
    return found


def _firsts(name: str, records: Sequence[Words]) -> list[str]:
    """The first value of every record that has one."""
    values = (record.get(name, ()) for record in records[:_MAX_VALUES])
    found = (unlabelled(folded(several[0])) for several in values if several)
    return [value for value in found if any(map(str.isalnum, value))]


def _distinct(values: Sequence[str]) -> float:
    """The share of distinct values in a sample as large as those that are learned from."""
    steps = max(1, len(values) // _SAMPLE)
    parts = [values[at::steps] for at in range(steps)]
    return sum(len(set(part)) / len(part) for part in parts) / len(parts)


def unlabelled(value: str) -> str:
    """A value without the label that stands in the same text: "Publisher: Knopf"."""
    return _PREFIX.sub("", value)


def threes_of(value: str) -> set[str]:
    """Threes of characters; digits are taken alike."""
    masked = f"^{_DIGIT.sub('0', value[:_MAX_CHARACTERS])}$"
    return {masked[at : at + 3] for at in range(len(masked) - 2)}


def words_of(value: str) -> set[str]:
    """Its words and numbers."""
    return set(_WORD.findall(value[:_MAX_CHARACTERS]))


def weigh(sign: str, values: Signs, others: Signs | OtherSigns) -> float:
    """How much more often a sign is in the values than in the others."""
    return max(-_MOST, min(_MOST, math.log(values.share(sign) / others.share(sign))))


def measures_of(value: str) -> Measures:
    """Length, digits, letters, words, the size of its number, money, no letters, no digits."""
    count = max(1, len(value))
    digits = sum(map(str.isdigit, value)) / count
    letters = sum(map(str.isalpha, value)) / count
    number = _NUMBER.search(value)
    size = math.log10(1 + float(number[0].replace(",", ""))) if number else -1.0
    return (
        math.log(count), digits, letters, min(value.count(" "), 12) / 3, size,
        float(bool(_MONEY.search(value))), float(not letters), float(not digits),
    )  # fmt: skip


def spread_of(values: Iterable[str]) -> Spread:
    """The measures of several values."""
    return spread_of_measures([measures_of(value) for value in values])


def spread_of_measures(measured: Sequence[Measures]) -> Spread:
    count = len(measured)
    middles, spreads = [], []
    for column, least in zip(zip(*measured, strict=True), _LEAST_SPREADS, strict=True):
        middle = sum(column) / count
        middles.append(middle)
        spreads.append(math.sqrt(sum((x - middle) ** 2 for x in column) / count) + least)
    return Spread(tuple(middles), tuple(spreads))
