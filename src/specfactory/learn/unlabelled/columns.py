"""Columns: texts that stand in the same place on the pages of a layout.

A place is named by features, as rules name it; places that select the same texts on all pages
are one column. What a column is called is read from the fixed words around it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from specfactory.extract.templates import KINDS, Key, PageIndex

_SINGLE = tuple(
    KINDS.index(kind)
    for kind in (
        "steps", "places", "tail_places", "long_tail", "id_path", "id_places", "class_path",
        "class_places", "own", "mark", "anchor_distance", "anchor_own", "anchors",
        "next_anchor_distance", "row_column", "bold", "prefix",
    )
)  # fmt: skip
_PAIRED = tuple(
    (KINDS.index(one), KINDS.index(two))
    for one, two in (
        ("anchor", "steps"), ("anchor", "tail"), ("heading", "tail_places"), ("row_head", "path"),
        ("bold", "own"), ("h1", "steps"), ("title", "steps"), ("anchor", "shape"),
        ("before", "steps"),
    )
)  # fmt: skip
Spot = tuple[int, int, bool]  # page, text, and whether the place holds more
_LEAST_FILL = 0.4
_MAX_COLUMNS = 4000
_MAX_TEXTS = 3000  # of a page; what comes later is hardly what the page is about


@dataclass(slots=True)
class Column:
    """The text of every page that stands in one place; None where the page has none."""

    at: tuple[int | None, ...]
    forms: int  # the ways in which the place can be named
    several: float  # the share of pages on which the place holds more than one text
    values: list[str] = field(default_factory=list)


def find_columns(pages: Sequence[PageIndex], known: Container[str] = ()) -> list[Column]:
    """All columns that most pages have; what is the same everywhere must be a known value."""
    places: dict[tuple[Key, ...], list[Spot]] = {}
    for number, page in enumerate(pages):
        for keys, at, several in _firsts(page):
            places.setdefault(keys, []).append((number, at, several))
    least = max(min(2, len(pages)), _LEAST_FILL * len(pages))
    often = (spots for spots in places.values() if len(spots) >= least)
    columns = _columns(often, len(pages))
    for one in columns:
        one.values = _values(pages, one)
    varied = [one for one in columns if len(set(one.values)) > 1 or one.values[0] in known]
    return sorted(varied, key=lambda one: -one.forms)[:_MAX_COLUMNS]


def _columns(places: Iterable[list[Spot]], pages: int) -> list[Column]:
    """Places that hold the same texts are one column."""
    found: dict[tuple[int | None, ...], list[float]] = {}
    for spots in places:
        column: list[int | None] = [None] * pages
        for number, at, _ in spots:
            column[number] = at
        several = sum(several for _, _, several in spots) / len(spots)
        found.setdefault(tuple(column), []).append(several)
    return [Column(at, len(several), min(several)) for at, several in found.items()]


def _values(pages: Sequence[PageIndex], column: Column) -> list[str]:
    return [page.folded[at] for page, at in zip(pages, column.at, strict=True) if at is not None]


def _firsts(page: PageIndex) -> Iterator[tuple[tuple[Key, ...], int, bool]]:
    """Every place of a page with its first free text, and whether there are more."""
    first: dict[tuple[Key, ...], int] = {}
    more: Counter[tuple[Key, ...]] = Counter()
    for at, row in enumerate(page.rows[:_MAX_TEXTS]):
        if not page.free >> at & 1 or page.texts[at].frame.tag == "title":
            continue  # the title of the page says more than a value
        for keys in _keys(row):
            first.setdefault(keys, at)
            more[keys] += 1
    for keys, at in first.items():
        yield keys, at, more[keys] > 1


def _keys(row: tuple[str, ...]) -> Iterator[tuple[Key, ...]]:
    for kind in _SINGLE:
        if row[kind]:
            yield ((kind, row[kind]),)
    for one, two in _PAIRED:
        if row[one] and row[two]:
            yield (one, row[one]), (two, row[two])
