"""Features of the elements around a line: tags, roles and class names."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from specfactory.extract.articles import MEANINGS, marks_reviews, meanings
from specfactory.extract.body.lines import Line
from specfactory.proof import Element

_HOLDERS = ("p", "li", "div", "h2", "figcaption")
_AROUND = ("article", "main", "aside", "nav", "footer", "header", "form", "figure", "table", "ul",
           "section", "blockquote", "h2")  # fmt: skip
_OWN = ("figure", "share", "by")
_NEAR = ("content", "comment", "nav", "by", "figure", "ask")
_OVER = (*(name for name in MEANINGS if name not in ("lead", "ad")), "review")
_TAG_BITS = {tag: 1 << at for at, tag in enumerate(_AROUND)}
_REVIEW = 1 << len(MEANINGS)
_MOST = 0.75  # an element with more of the page's text is its frame; its class names say nothing

NAMES: tuple[str, ...] = (
    *(f"is_{tag}" for tag in _HOLDERS), *(f"in_{tag}" for tag in _AROUND),
    *(f"own_{name}" for name in _OWN), *(f"near_{name}" for name in _NEAR),
    *(f"over_{name}" for name in _OVER), "hidden", "depth",
)  # fmt: skip


class _Known(NamedTuple):
    """Meanings and tags of an element and its ancestors, one bit each."""

    own: int
    near: int  # of its two nearest ancestors
    over: int  # of itself and all ancestors
    tags: int
    depth: int


class Around:
    """Elements around the lines of one page; each is looked up once."""

    def __init__(self, size: int) -> None:
        self._most = _MOST * size
        self._known: dict[int, _Known] = {}

    def row(self, line: Line) -> list[float]:
        """Features of the elements around a line."""
        known = self._of(line.block)
        holder = line.holder
        tag = line.block.tag if holder.tag == "span" else holder.tag
        mine = known.own if holder is line.block else known.own | meanings(holder.hints)
        row = [float(tag == each) for each in _HOLDERS]
        row += _tags(known.tags)
        row += _own(mine)
        row += _near(known.near)
        row += _over(known.over)
        row += (float(line.block.hidden), float(known.depth))
        return row

    def _of(self, element: Element) -> _Known:
        unknown = []
        at: Element | None = element
        while at is not None and at.index not in self._known:
            unknown.append(at)
            at = at.parent
        for each in reversed(unknown):  # outermost first: an element builds on its parent
            own, hints = 0, each.hints
            if hints and each.end - each.start <= self._most:
                own = meanings(hints) | (_REVIEW if marks_reviews(hints) else 0)
            tags, parent = _TAG_BITS.get(each.tag, 0), each.parent
            if parent is None:
                self._known[each.index] = _Known(own, 0, own, tags, 0)
                continue
            outer = self._known[parent.index]
            near = outer.own
            if parent.parent is not None:
                near |= self._known[parent.parent.index].own
            self._known[each.index] = _Known(
                own, near, outer.over | own, outer.tags | tags, outer.depth + 1
            )
        return self._known[element.index]


def _flags(all_names: tuple[str, ...], some: tuple[str, ...]) -> Callable[[int], tuple[float, ...]]:
    """Make a reader of bits into features, cached because few combinations occur."""
    places = tuple(all_names.index(name) for name in some)

    @lru_cache(maxsize=8192)
    def read(bits: int) -> tuple[float, ...]:
        return tuple(float(bits >> at & 1) for at in places)

    return read


_tags = _flags(_AROUND, _AROUND)
_own = _flags(MEANINGS, _OWN)
_near = _flags(MEANINGS, _NEAR)
_over = _flags((*MEANINGS, "review"), _OVER)
