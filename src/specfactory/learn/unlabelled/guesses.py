"""Guesses of the column that holds a field, without a label of this source.

Every column is compared with every field; weights learned on sites of many trades turn the
measures into one likelihood. No two fields share a column.
"""

import math
from collections.abc import Callable, Sequence
from typing import Final

from specfactory.extract.templates import PageIndex
from specfactory.learn.pauses import pause
from specfactory.learn.samples import Sample, index_pages, static_texts
from specfactory.learn.unlabelled.column_measures import Likeness, Likenesses
from specfactory.learn.unlabelled.columns import Column, find_columns
from specfactory.learn.unlabelled.known_values import Knowledge, KnownField, Words
from specfactory.learn.unlabelled.record_matching import Joined
from specfactory.model import Frozen

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
_MAX_COMPARED = 10_000  # columns times fields; columns with most names come first
_NEVER = -math.inf
_SHARED = 0.5  # columns with a larger share of common texts are one place


class Guess(Frozen):
    """Field and the column that probably holds it."""

    field: str
    column: Column
    likelihood: float


class Compared(Frozen):
    """Columns of a layout, and their measures for every field."""

    pages: list[PageIndex]
    columns: list[Column]
    likenesses: dict[str, list[Likeness]]
    joined: Joined


def compare(
    samples: Sequence[Sample], knowledge: Knowledge, matched: Sequence[Words] = ()
) -> Compared:
    """Find the columns of a layout and compare them with the known values of the fields.

    ``matched`` has, for every page, the words that match the record of its own thing.
    """
    names = list(knowledge.names)
    fields = [KnownField(name, knowledge.sources) for name in names]
    known = {value for one in fields for value in one.values}
    statics = static_texts(samples, known)
    indexes = index_pages([sample.page for sample in samples], statics)
    columns = find_columns(indexes, known)[: _MAX_COMPARED // max(len(fields), 1)]
    joined = Joined(indexes, knowledge.sources, names, matched)
    likenesses = Likenesses(indexes, columns, fields, knowledge.names, joined)
    rows = []
    for column in columns:
        rows.append(likenesses.of(column))
        pause()
    found = {one.name: [row[at] for row in rows] for at, one in enumerate(fields)}
    return Compared(indexes, columns, found, joined)


def guess_columns(compared: Compared, fits: Fits = lambda field, column: True) -> list[Guess]:
    """Assign to every field its likeliest fitting column, the surest field first."""
    scores = {name: scores_of(compared, name) for name, rows in compared.likenesses.items() if rows}
    columns, left = compared.columns, list(range(len(compared.columns)))
    found: list[Guess] = []
    while scores and left:
        best: list[tuple[float, str, int]] = []
        for name, each in scores.items():
            at = max(left, key=each.__getitem__)
            # Only columns in the lead are checked: to check all of them would take too long.
            while each[at] > _NEVER and not fits(name, columns[at]):
                each[at] = _NEVER
                at = max(left, key=each.__getitem__)
            total = sum(math.exp(each[one] - each[at]) for one in left) if each[at] > _NEVER else 0
            best.append((1 / total if total else 0.0, name, at))
        likelihood, name, at = max(best, key=lambda one: one[0])
        if likelihood:
            taken = columns[at]
            found.append(Guess(name, taken, likelihood))
            left = [one for one in left if common_share(columns[one], taken) <= _SHARED]
        del scores[name]
    return found


def scores_of(compared: Compared, field: str) -> list[float]:
    """Scores of all columns for a field; of one that nothing is known of, by fill and order."""
    rows = compared.likenesses.get(field)
    if rows is None:
        return [len(one.values) - at / _MAX_COMPARED for at, one in enumerate(compared.columns)]
    return [sum(w * one for w, one in zip(WEIGHTS, row, strict=True)) for row in rows]


def common_share(one: Column, other: Column) -> float:
    """Share of the texts of the smaller column that both have."""
    same = sum(a == b for a, b in zip(one.at, other.at, strict=True) if a is not None)
    return same / min(len(one.values), len(other.values))
