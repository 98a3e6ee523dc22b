"""Measures of the likeness of a column of texts and a field, from which guesses are made.

They are comparable over all sites and fields.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from specfactory.extract.templates import KINDS, PageIndex
from specfactory.learn.unlabelled.columns import Column
from specfactory.learn.unlabelled.known_values import (
    KnownField,
    Signs,
    Spread,
    measures_of,
    spread_of,
    threes_of,
    unlabelled,
    weigh,
    words_of,
)
from specfactory.learn.unlabelled.record_matching import Joined

Signature = tuple[float, float, float, float]
_KIND: Final = {kind: at for at, kind in enumerate(KINDS)}
_LABELS: Final = ("before", "block_before", "anchor", "row_head", "bold", "prefix", "heading")
_MARKS: Final = ("own", "outer", "mark", "class", "id")
_HUMP = re.compile("([a-z])([A-Z])")
_LETTERS = re.compile(r"[^\W\d_]+")
_FAR_LABEL = 0.6  # a heading covers all texts below it
_NOT_WHOLE = 0.7
_HEAD = 3  # first letters that similar words share
_OWN = 0.5  # a value is the field's own when most records with it have it there
_UNUSUAL = 0.7  # a field with a larger share of distinct values names the thing itself


class Likeness(NamedTuple):
    """Measures of one column for one field."""

    threes: float
    words: float
    threes_of_others: float
    words_of_others: float
    near: float
    near_all: float
    known: float
    known_any: float
    joined: float
    label: float
    mark: float
    title: float
    h1: float
    title_named: float
    h1_named: float
    distinct: float
    distinct_off: float
    fill: float
    forms: float
    several: float
    order: float
    place: float


class Likenesses:
    """Compares all columns of a layout with all fields."""

    def __init__(
        self,
        pages: Sequence[PageIndex],
        columns: Sequence[Column],
        fields: Sequence[KnownField],
        names: Mapping[str, Sequence[str]],
        joined: Joined,
    ) -> None:
        self._pages = pages
        self._fields = fields
        self._joined = joined
        self._names = {name: FieldNames(words) for name, words in names.items()}
        self._total: Counter[str] = Counter()
        self._threes, self._words = Signs(), Signs()  # of all fields
        for one in fields:
            self._total.update(one.values)
            self._threes.take(one.threes)
            self._words.take(one.words)
        values = {value for column in columns for value in column.values}
        self._site_threes, self._site_words = Signs(), Signs()
        for value in values:
            self._site_threes.add(threes_of(unlabelled(value)))
            self._site_words.add(words_of(unlabelled(value)))
        self._weights: dict[str, dict[str, float]] = {}
        self._signs: dict[tuple[str, str], Signature] = {}
        self._measures = {value: measures_of(unlabelled(value)) for value in values}

    def of(self, column: Column) -> list[Likeness]:
        """Measures of a column for every field, in the order of the fields."""
        seen = _Context(column, self._pages)
        spread = spread_of([self._measures[value] for value in column.values])
        return [self._likeness(one, column, seen, spread) for one in self._fields]

    def _likeness(
        self, one: KnownField, column: Column, seen: _Context, spread: Spread
    ) -> Likeness:
        signs = [self._signs_of(one, value) for value in column.values]
        threes, words, other_threes, other_words = map(_mean, zip(*signs, strict=True))
        known: dict[str, float] = {}
        for value in column.values:
            bare = unlabelled(value)
            known[value] = one.values[bare] / self._total[bare] if bare in self._total else 0.0
        names = self._names[one.name]
        named = one.distinct - _UNUSUAL
        return Likeness(
            threes,
            words,
            other_threes,
            other_words,
            near=min((spread.distance(other) for other in one.near), default=0.0),
            near_all=spread.distance(one.all) if one.all else 0.0,
            known=_mean(known.values()),
            known_any=float(max(known.values()) > _OWN),
            joined=self._joined.agreement(one.name, column),
            label=seen.label(names),
            mark=seen.mark(names),
            title=seen.title,
            h1=seen.h1,
            title_named=seen.title * named,
            h1_named=seen.h1 * named,
            distinct=seen.distinct,
            distinct_off=abs(seen.distinct - one.distinct),
            fill=len(column.values) / len(self._pages),
            forms=math.log(column.forms),
            several=column.several,
            order=seen.order,
            place=seen.place,
        )

    def _signs_of(self, one: KnownField, value: str) -> Signature:
        """Weight of a value's features for a field: against the site, and against other fields."""
        key = one.name, value
        if key not in self._signs:
            bare = unlabelled(value)
            threes, words = threes_of(bare), words_of(bare)
            self._signs[key] = (
                self._weight(threes, f"{one.name} threes", one.threes, self._site_threes),
                self._weight(words, f"{one.name} words", one.words, self._site_words),
                self._weight(threes, f"{one.name} others", one.threes, self._threes, one.threes),
                self._weight(words, f"{one.name} other words", one.words, self._words, one.words),
            )
        return self._signs[key]

    def _weight(
        self, signs: set[str], key: str, mine: Signs, others: Signs, without: Signs | None = None
    ) -> float:
        """Mean weight of features; each is weighed once per key."""
        weights = self._weights.setdefault(key, {})
        for sign in signs:
            if sign not in weights:
                weights[sign] = weigh(sign, mine, others, without)
        return sum(map(weights.__getitem__, signs)) / len(signs) if signs else 0.0


class _Context:
    """Measures that do not depend on a field: words around a column, its place, the title."""

    def __init__(self, column: Column, pages: Sequence[PageIndex]) -> None:
        spots = [(page, at) for page, at in zip(pages, column.at, strict=True) if at is not None]
        count = len(spots)
        rows = [page.rows[at] for page, at in spots]
        self._labels = [(kind, stems(words)) for kind, words in _usual(rows, _LABELS)]
        self._marks = []  # words in classes and ids
        for _, step in _usual(rows, _MARKS):
            tag, _, names = step.partition("." if "." in step else "#")
            self._marks.append(stems(_HUMP.sub(r"\1 \2", names or tag)))
        self.title = sum(_headline(row[_KIND["title"]]) for row in rows) / count
        self.h1 = sum(_headline(row[_KIND["h1"]]) for row in rows) / count
        self.distinct = len(set(column.values)) / count
        self.order = math.log(1 + sum(at for _, at in spots) / count)
        self.place = sum(at / len(page.texts) for page, at in spots) / count

    def label(self, names: FieldNames) -> float:
        weights = {"heading": _FAR_LABEL}
        found = (names.similarity(label) * weights.get(kind, 1.0) for kind, label in self._labels)
        return max(found, default=0.0)

    def mark(self, names: FieldNames) -> float:
        return max(map(names.similarity, self._marks), default=0.0)


class FieldNames:
    """Names of a field; labels that share no word beginning with them are skipped."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = [stems(name) for name in names]
        self._heads = frozenset(word[:_HEAD] for name in self._names for word in name)

    def similarity(self, label: Sequence[str]) -> float:
        """Similarity of a label and the most similar name."""
        if self._heads.isdisjoint([word[:_HEAD] for word in label]):
            return 0.0
        return max((similarity(name, label) for name in self._names), default=0.0)


def _usual(rows: Sequence[tuple[str, ...]], kinds: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Words around a column that most of its texts share."""
    for kind in kinds:
        words, times = Counter(row[_KIND[kind]] for row in rows).most_common(1)[0]
        if words and 2 * times >= len(rows):
            yield kind, words


def _headline(relation: str) -> float:
    return 1.0 if relation in ("is", "begins") else 0.5 if relation == "within" else 0.0


def _mean(numbers: Collection[float]) -> float:
    return sum(numbers) / len(numbers)


def stems(words: str) -> list[str]:
    """Split into words for comparison: no case, no numbers, no plural s."""
    found = (word.casefold() for word in _LETTERS.findall(words))
    return [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in found]


def similarity(name: Sequence[str], label: Sequence[str]) -> float:
    """Share of a name's words in a label, lowered by other words in the label."""
    if not name or not label:
        return 0.0
    hits = sum(max(_alike(word, other) for other in label) for word in name)
    return hits / (len(name) + 0.5 * max(0.0, len(label) - hits))


def _alike(one: str, other: str) -> float:
    if one == other:
        return 1.0
    short = min(len(one), len(other))
    return _NOT_WHOLE if short >= _HEAD and one[:short] == other[:short] else 0.0
