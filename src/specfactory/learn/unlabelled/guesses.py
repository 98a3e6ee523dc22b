"""Guesses: which column of a layout holds which field, without a label of this source.

Every column is compared with every field; weights that were learned on sites of many trades
make one likelihood of the measures. No two fields share a column.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from specfactory.extract.templates import PageIndex
from specfactory.learn.samples import Sample, static_texts
from specfactory.learn.unlabelled.column_measures import Likeness, Likenesses
from specfactory.learn.unlabelled.columns import Column, find_columns
from specfactory.learn.unlabelled.known_values import Knowledge, Words, known_fields
from specfactory.learn.unlabelled.record_matching import Joined

# learned by benchmarks/train_guesses.py from 30 sites of six trades
WEIGHTS: Final = Likeness(
    threes=0.177,
    words=0.426,
    threes_of_others=0.610,
    words_of_others=2.083,
    near=-0.103,
    near_all=-0.106,
    known=-1.903,
    known_any=2.220,
    joined=4.720,
    label=4.975,
    mark=4.813,
    title=1.093,
    h1=2.131,
    title_named=1.786,
    h1_named=4.863,
    distinct=2.643,
    distinct_off=-3.623,
    fill=10.455,
    forms=1.200,
    several=-0.504,
    order=0.523,
    place=-8.406,
)
Fits = Callable[[str, Column], bool]
_MAX_COMPARED = 10_000  # columns times fields; those that can be named in most ways come first
_NEVER = -math.inf
_SHARED = 0.5  # columns that have more texts than this in common are one place


@dataclass(frozen=True, slots=True)
class Guess:
    """A field and the column that probably holds it."""

    field: str
    column: Column
    likelihood: float


@dataclass(frozen=True, slots=True)
class Compared:
    """The columns of a layout, and for every field how each is like it."""

    pages: list[PageIndex]
    columns: list[Column]
    likenesses: dict[str, list[Likeness]]
    joined: Joined


def compare(
    samples: Sequence[Sample], knowledge: Knowledge, told: Sequence[Words] = ()
) -> Compared:
    """Find the columns of a layout and compare them with what is known of the fields.

    ``told`` has the words of every page that say what the record of its thing says.
    """
    fields, names = known_fields(knowledge), list(knowledge.names)
    known = {value for one in fields for value in one.values}
    statics = static_texts(samples, known)
    indexes = [PageIndex(sample.page, statics) for sample in samples]
    columns = find_columns(indexes, known)[: _MAX_COMPARED // max(len(fields), 1)]
    joined = Joined(indexes, knowledge.sources, names, told)
    likenesses = Likenesses(indexes, columns, fields, knowledge.names, joined)
    rows = [likenesses.of(column) for column in columns]
    found = {one.name: [row[at] for row in rows] for at, one in enumerate(fields)}
    return Compared(indexes, columns, found, joined)


def guess_columns(compared: Compared, fits: Fits = lambda field, column: True) -> list[Guess]:
    """For every field its likeliest column of those that fit it, the surest field first."""
    scores = {
        name: [_score(one) for one in rows] for name, rows in compared.likenesses.items() if rows
    }
    left = list(range(len(compared.columns)))
    found: list[Guess] = []
    while scores and left:
        for name, each in scores.items():
            _rule_out(each, left, compared.columns, partial(fits, name))
        name, at, likelihood = max(_best(scores, left), key=lambda best: best[2])
        if likelihood:
            found.append(Guess(name, compared.columns[at], likelihood))
            taken = compared.columns[at]
            left = [one for one in left if _shared(compared.columns[one], taken) <= _SHARED]
        del scores[name]
    return found


def _score(likeness: Likeness) -> float:
    return sum(weight * one for weight, one in zip(WEIGHTS, likeness, strict=True))


def _rule_out(
    scores: list[float],
    left: Sequence[int],
    columns: Sequence[Column],
    fits: Callable[[Column], bool],
) -> None:
    """Leave only columns in the lead that fit; to ask all of them would take too long."""
    at = max(left, key=scores.__getitem__)
    while scores[at] > _NEVER and not fits(columns[at]):
        scores[at] = _NEVER
        at = max(left, key=scores.__getitem__)


def _best(scores: dict[str, list[float]], left: Sequence[int]) -> Iterator[tuple[str, int, float]]:
    """The best column of every field with its share of the likelihood of all columns."""
    for name, each in scores.items():
        at = max(left, key=each.__getitem__)
        if each[at] > _NEVER:
            yield name, at, 1 / sum(math.exp(each[one] - each[at]) for one in left)
        else:
            yield name, at, 0.0


def _shared(one: Column, other: Column) -> float:
    same = sum(a == b for a, b in zip(one.at, other.at, strict=True) if a is not None)
    return same / min(len(one.values), len(other.values))
