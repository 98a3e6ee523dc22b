"""Features of what is around a line: tags and class names of the elements it stands in, the
share of the page's text in its boxes, and repeated siblings.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import NamedTuple

from specfactory.extract.articles import MEANINGS, meanings
from specfactory.extract.body.lines import Line
from specfactory.proof import Element

_HOLDERS = ("p", "li", "div", "h2", "figcaption")
_AROUND = ("article", "main", "aside", "nav", "footer", "header", "form", "figure", "table", "ul",
           "section", "blockquote", "h2")  # fmt: skip
_OWN = ("figure", "share", "by")
_CLOSE = ("content", "comment", "nav", "by", "figure", "ask")
_OVER = tuple(name for name in MEANINGS if name not in ("lead", "ad"))
_TAG_BITS = {tag: 1 << at for at, tag in enumerate(_AROUND)}
_MOST = 0.75  # an element with more of the page's text is its frame; its class names say nothing
_FAR = 40
_NEAR = 4
_GROUP = 3  # siblings of one shape that make a list
_MAX_LEVELS = 8
_LEVELS = 3
_NO_GROUP = (1, 0, 0.0)

AROUND_NAMES: tuple[str, ...] = (
    *(f"is_{tag}" for tag in _HOLDERS), *(f"in_{tag}" for tag in _AROUND),
    *(f"own_{name}" for name in _OWN), *(f"near_{name}" for name in _CLOSE),
    *(f"over_{name}" for name in _OVER), "hidden", "depth",
)  # fmt: skip
BOX_NAMES: tuple[str, ...] = (
    "box_share", "box_lines", "box_linked", "outer_share", "outer_linked", "third_share",
    "third_linked", "steps_to_best", "box_words", "outer_words", "fourth_words", "fourth_linked",
)  # fmt: skip
GROUP_NAMES: tuple[str, ...] = ("group_size", "group_words", "group_linked", "outer_group_size")
NEIGHBOUR_NAMES: tuple[str, ...] = (
    "same_kind", "same_kind_linked", "previous_words", "previous_linked", "next_words",
    "around_paragraphs", "next_paragraph_far",
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
                own = meanings(hints)
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


def _alike(parent: Element) -> dict[int, int]:
    """Count, for each child, the children with its tag and class, itself included."""
    shapes = {
        child.index: (child.tag, child.get("class").partition(" ")[0])
        for child in parent.children
        if child.start >= 0
    }
    counted = Counter(shapes.values())
    return {index: counted[shape] for index, shape in shapes.items()}


def _flags(all_names: tuple[str, ...], some: tuple[str, ...]) -> Callable[[int], tuple[float, ...]]:
    """Make a reader of bits into features, cached because few combinations occur."""
    places = tuple(all_names.index(name) for name in some)

    @lru_cache(maxsize=8192)
    def read(bits: int) -> tuple[float, ...]:
        return tuple(float(bits >> at & 1) for at in places)

    return read


_tags = _flags(_AROUND, _AROUND)
_own = _flags(MEANINGS, _OWN)
_near = _flags(MEANINGS, _CLOSE)
_over = _flags(MEANINGS, _OVER)


class Boxes:
    """Boxes of one page; ``paragraphs`` has the words of running lines, 0 for others."""

    def __init__(self, lines: Sequence[Line], words: list[int], paragraphs: list[int]) -> None:
        self._lines = lines
        self.paragraphs = paragraphs
        self._text: Counter[int] = Counter()
        self._size: Counter[int] = Counter()
        self._linked: Counter[int] = Counter()
        self._count: Counter[int] = Counter()
        self._kinds: Counter[tuple[int, str, str]] = Counter()
        self._kinds_linked: Counter[tuple[int, str, str]] = Counter()
        self._kind_of: list[tuple[int, str, str]] = []
        for line, size in zip(lines, paragraphs, strict=True):
            self._add(line, size)
        self.total = sum(paragraphs) or 1
        self._choose()
        self._starts = [line.start for line in lines]
        self.words_upto = [0, *accumulate(words)]
        self.words_total = self.words_upto[-1] or 1
        self._linked_upto = [0, *accumulate(line.linked for line in lines)]
        self._words = words
        # The same for all lines of a box, of a block, and below a parent.
        self._row, self._group = cache(self._row_of), cache(self._group_of)
        self._sizes = cache(_alike)
        self._running_upto = [0, *accumulate(int(size > 0) for size in paragraphs)]
        self._next_far: list[float] = []  # distance of every line to the next running one
        far = _FAR
        for size in reversed(paragraphs):
            self._next_far.append(float(far))
            far = 0 if size else min(far + 1, _FAR)
        self._next_far.reverse()

    def _add(self, line: Line, words: int) -> None:
        size = line.end - line.start
        box: Element | None = line.box
        for _ in range(_LEVELS):
            if box is not None:
                index = box.index
                self._text[index] += words
                self._size[index] += size
                self._linked[index] += line.linked
                self._count[index] += 1
                box = box.parent
        outer = line.box.parent
        kind = (outer.index if outer else -1), line.block.tag, line.box.get("class")
        self._kind_of.append(kind)
        self._kinds[kind] += 1
        self._kinds_linked[kind] += line.linked > 0.5 * size

    def _choose(self) -> None:
        """Find the box that directly holds most running text."""
        direct: Counter[int] = Counter()
        boxes: dict[int, Element] = {}
        for line, words in zip(self._lines, self.paragraphs, strict=True):
            direct[line.box.index] += words
            boxes[line.box.index] = line.box
        best = max(direct, key=lambda index: direct[index], default=None)
        self.best = boxes[best] if best is not None and direct[best] else None
        self.best_share = direct[best] / self.total if best is not None else 0.0
        chain = (self.best, *self.best.ancestors()) if self.best is not None else ()
        self._path = {element.index: at for at, element in enumerate(chain)}

    def words_in(self, element: Element) -> int:
        """Words in an element."""
        first, last = self._reach(element)
        return self.words_upto[last] - self.words_upto[first]

    def _linked_in(self, element: Element) -> float:
        first, last = self._reach(element)
        linked = self._linked_upto[last] - self._linked_upto[first]
        return linked / max(1, element.end - element.start)

    def _reach(self, element: Element) -> tuple[int, int]:
        return bisect_left(self._starts, element.start), bisect_left(self._starts, element.end)

    def row(self, at: int) -> tuple[float, ...]:
        """Features of the boxes around a line."""
        return self._row(self._lines[at].box)

    def _row_of(self, box: Element) -> tuple[float, ...]:
        row: list[float] = []
        level_box: Element | None = box
        for level in range(_LEVELS):  # share of the running text
            index = level_box.index if level_box is not None else -1
            row.append(self._text[index] / self.total)
            if level == 0:
                row.append(math.log1p(self._count[index]))
            row.append(self._linked[index] / (self._size[index] or 1))
            level_box = level_box.parent if level_box is not None else None
        row.append(float(self.steps(box)))
        outer = box.parent or box
        fourth = outer.parent or outer
        fourth = fourth.parent or fourth
        row += [self.words_in(each) / self.words_total for each in (box, outer, fourth)]
        row.append(self._linked_in(fourth))
        return tuple(row)

    def steps(self, box: Element) -> int:
        """Levels from the best box up to the common ancestor; -1 without a best box."""
        around = (box, *box.ancestors())
        return next((self._path[at.index] for at in around if at.index in self._path), -1)

    def group(self, at: int) -> tuple[float, ...]:
        """Features of the nearest two lists around a line: cards, posts, items."""
        return self._group(self._lines[at].block)

    def _group_of(self, block: Element) -> tuple[float, ...]:
        found: list[tuple[int, int, float]] = []
        element: Element | None = block
        for _ in range(_MAX_LEVELS):
            if element is None or element.parent is None or len(found) == 2:
                break
            size = self._sizes(element.parent).get(element.index, 1)
            if size >= _GROUP:
                found.append((size, self.words_in(element), self._linked_in(element)))
            element = element.parent
        first, second = [*found, _NO_GROUP, _NO_GROUP][:2]
        return math.log1p(first[0]), math.log1p(first[1]), first[2], math.log1p(second[0])

    def neighbours(self, at: int) -> list[float]:
        """Features of the lines beside a line, and of all lines of its kind."""
        same, last = self._kinds[self._kind_of[at]], len(self._lines) - 1
        row = [math.log1p(same), self._kinds_linked[self._kind_of[at]] / same]
        before = self._lines[at - 1] if at else None
        row.append(math.log1p(self._words[at - 1]) if at else -1.0)
        row.append(before.linked / (before.end - before.start) if before is not None else -1.0)
        row.append(math.log1p(self._words[at + 1]) if at < last else -1.0)
        upto = self._running_upto
        row.append(float(upto[min(at + _NEAR, last) + 1] - upto[max(0, at - _NEAR)]))
        row.append(self._next_far[at])
        return row
