"""Columns: texts in the same place on the pages of a layout.

A place is given by features, as in rules; places that select the same texts on all pages are
one column. The name of a column is read from the fixed words around it.
"""

from collections.abc import Container, Iterator, Sequence

from msgspec import Struct, field

from specfactory.extract.templates import KINDS, Key, PageIndex
from specfactory.learn.pauses import pause

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
Spot = tuple[int, int, bool]  # page, text, and whether the place has more texts
_LEAST_FILL = 0.4
_MAX_COLUMNS = 4000
_MAX_TEXTS = 3000  # of a page; later ones are hardly about its thing


class Column(Struct):
    """Text of every page in one place; None where the page has none."""

    at: tuple[int | None, ...]
    forms: int  # number of features that give the place
    several: float  # share of pages with more than one text in the place
    values: list[str] = field(default_factory=list)


def find_columns(pages: Sequence[PageIndex], known: Container[str] = ()) -> list[Column]:
    """Find all columns that most pages have; constant ones only if they are a known value."""
    places: dict[tuple[Key, ...], list[Spot]] = {}
    for number, page in enumerate(pages):
        pause()
        for keys, at, several in _firsts(page):
            places.setdefault(keys, []).append((number, at, several))
    least = max(min(2, len(pages)), _LEAST_FILL * len(pages))
    same: dict[tuple[int | None, ...], list[float]] = {}  # places by the texts they hold
    for spots in places.values():
        if len(spots) >= least:
            texts: list[int | None] = [None] * len(pages)
            for number, at, _ in spots:
                texts[number] = at
            more = sum(several for _, _, several in spots) / len(spots)
            same.setdefault(tuple(texts), []).append(more)
    columns = []
    for column, shares in same.items():
        spotted = zip(pages, column, strict=True)
        values = [page.folded[text] for page, text in spotted if text is not None]
        if len(set(values)) > 1 or values[0] in known:
            columns.append(Column(column, len(shares), min(shares), values))
    return sorted(columns, key=lambda one: -one.forms)[:_MAX_COLUMNS]


def _firsts(page: PageIndex) -> Iterator[tuple[tuple[Key, ...], int, bool]]:
    """All places of a page with their first free text, and whether they have more."""
    first: dict[tuple[Key, ...], int] = {}
    more: set[tuple[Key, ...]] = set()
    for at, row in enumerate(page.rows[:_MAX_TEXTS]):
        if not page.free >> at & 1 or page.texts[at].frame.tag == "title":
            continue  # the title of the page holds more than a value
        places: list[tuple[Key, ...]] = [((kind, row[kind]),) for kind in _SINGLE if row[kind]]
        places += [
            ((one, row[one]), (two, row[two])) for one, two in _PAIRED if row[one] and row[two]
        ]
        for keys in places:
            if first.setdefault(keys, at) != at:
                more.add(keys)
    for keys, at in first.items():
        yield keys, at, keys in more
