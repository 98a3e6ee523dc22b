"""Columns: texts that stand in the same place on the pages of a layout.

A place is named by features, as rules name it; places that select the same texts on all pages
are one column. What a column is called is read from the fixed words around it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field

from specfactory.extract.template_features import KINDS
from specfactory.extract.template_index import Key, PageIndex

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
_LEAST_FILL = 0.4
_MAX_COLUMNS = 4000


@dataclass(slots=True)
class Column:
    """The text of every page that stands in one place; None where the page has none."""

    at: tuple[int | None, ...]
    forms: int  # the ways in which the place can be named
    several: float  # the share of pages on which the place holds more than one text
    values: list[str] = field(default_factory=list)


def find_columns(pages: Sequence[PageIndex], known: Container[str] = ()) -> list[Column]:
    """All columns that most pages have; what is the same everywhere must be a known value."""
    places: dict[tuple[Key, ...], list[tuple[int, int, bool]]] = {}
    for number, page in enumerate(pages):
        for keys, at, more in _firsts(page):
            places.setdefault(keys, []).append((number, at, more))
    least = max(min(2, len(pages)), _LEAST_FILL * len(pages))
    found: dict[tuple[int | None, ...], list[float]] = {}
    for spots in places.values():
        if len(spots) >= least:
            column: list[int | None] = [None] * len(pages)
            for number, at, _ in spots:
                column[number] = at
            more = sum(more for _, _, more in spots) / len(spots)
            found.setdefault(tuple(column), []).append(more)
    columns = [Column(at, len(more), min(more)) for at, more in found.items()]
    for one in columns:
        one.values = _values(pages, one)
    varied = [one for one in columns if len(set(one.values)) > 1 or one.values[0] in known]
    return sorted(varied, key=lambda one: -one.forms)[:_MAX_COLUMNS]


def _values(pages: Sequence[PageIndex], column: Column) -> list[str]:
    return [page.folded[at] for page, at in zip(pages, column.at, strict=True) if at is not None]


def _firsts(page: PageIndex) -> Iterator[tuple[tuple[Key, ...], int, bool]]:
    """Every place of a page with its first free text, and whether there are more."""
    first: dict[tuple[Key, ...], int] = {}
    more: Counter[tuple[Key, ...]] = Counter()
    for at, row in enumerate(page.rows):
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
