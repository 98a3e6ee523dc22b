"""How much a page tells in the boxes around a line, and what recurs around it."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from specfactory.extract.body.lines import Line
from specfactory.proof import Element

_FAR = 40
_NEAR = 4
_GROUP = 3  # as many of a shape stand beside one another on purpose
_MAX_LEVELS = 8
_LEVELS = 3
_NO_GROUP = (1, 0, 0.0)

BOX_NAMES: tuple[str, ...] = (
    "box_share", "box_lines", "box_linked", "outer_share", "outer_linked", "third_share",
    "third_linked", "steps_to_best", "box_words", "outer_words", "fourth_words", "fourth_linked",
)  # fmt: skip
GROUP_NAMES: tuple[str, ...] = ("group_size", "group_words", "group_linked", "outer_group_size")
NEIGHBOUR_NAMES: tuple[str, ...] = (
    "same_kind", "same_kind_linked", "previous_words", "previous_linked", "next_words",
    "around_paragraphs", "next_paragraph_far",
)  # fmt: skip


class Boxes:
    """The boxes of one page; ``paragraphs`` has the size of running lines, 0 for others."""

    def __init__(self, lines: Sequence[Line], words: list[int], paragraphs: list[int]) -> None:
        self._lines = lines
        self.paragraphs = paragraphs
        self._text: Counter[int] = Counter()
        self._size: Counter[int] = Counter()
        self._linked: Counter[int] = Counter()
        self._count: Counter[int] = Counter()
        self._kinds: Counter[tuple[int, str, str]] = Counter()
        self._kinds_linked: Counter[tuple[int, str, str]] = Counter()
        self._kind_of = [_kind(line) for line in lines]
        for line, size, kind in zip(lines, paragraphs, self._kind_of, strict=True):
            self._add(line, size, kind)
        self.total = sum(paragraphs) or 1
        self._choose()
        self._starts = [line.start for line in lines]
        self._words_upto = [0, *accumulate(words)]
        self._linked_upto = [0, *accumulate(line.linked for line in lines)]
        self._words = words
        self._rows: dict[int, tuple[float, ...]] = {}
        self._shapes: dict[int, dict[int, int]] = {}
        self._groups: dict[int, tuple[float, ...]] = {}
        self._running_upto = [0, *accumulate(int(size > 0) for size in paragraphs)]
        self._next_far = self._distances()

    def _add(self, line: Line, words: int, kind: tuple[int, str, str]) -> None:
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
        self._kinds[kind] += 1
        self._kinds_linked[kind] += line.linked > 0.5 * size

    def _choose(self) -> None:
        """The box that directly holds most running text."""
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

    @property
    def words_total(self) -> int:
        """The words of the page, at least one."""
        return self._words_upto[-1] or 1

    def words_before(self, at: int) -> int:
        """How many words stand before a line."""
        return self._words_upto[at]

    def words_in(self, element: Element) -> int:
        """How many words stand in an element."""
        first, last = self._reach(element)
        return self._words_upto[last] - self._words_upto[first]

    def _linked_in(self, element: Element) -> float:
        first, last = self._reach(element)
        linked = self._linked_upto[last] - self._linked_upto[first]
        return linked / max(1, element.end - element.start)

    def _reach(self, element: Element) -> tuple[int, int]:
        return bisect_left(self._starts, element.start), bisect_left(self._starts, element.end)

    def row(self, at: int) -> tuple[float, ...]:
        """What the boxes around a line hold; the lines of a box share it."""
        box = self._lines[at].box
        row = self._rows.get(box.index)
        if row is None:
            row = self._rows[box.index] = (*self._shares(box), *self._spread(box))
        return row

    def _shares(self, box: Element) -> list[float]:
        """The share of the page's running text, level by level."""
        row: list[float] = []
        at: Element | None = box
        for level in range(_LEVELS):
            index = at.index if at is not None else -1
            row.append(self._text[index] / self.total)
            if level == 0:
                row.append(math.log1p(self._count[index]))
            row.append(self._linked[index] / (self._size[index] or 1))
            at = at.parent if at is not None else None
        row.append(float(self._steps(box)))
        return row

    def _spread(self, box: Element) -> list[float]:
        """The share of all words, further out."""
        outer = box.parent or box
        fourth = outer.parent or outer
        fourth = fourth.parent or fourth
        shares = [self.words_in(each) / self.words_total for each in (box, outer, fourth)]
        return [*shares, self._linked_in(fourth)]

    def is_near_best(self, box: Element) -> bool:
        """Whether a box is the best one or stands right beside it."""
        return 0 <= self._steps(box) <= 1

    def _steps(self, box: Element) -> int:
        """How far up from the best box the line's own box meets it; -1 without a best one."""
        at: Element | None = box
        while at is not None:
            if at.index in self._path:
                return self._path[at.index]
            at = at.parent
        return -1

    def group(self, at: int) -> tuple[float, ...]:
        """The nearest two rows of like elements in which a line stands: cards, posts, items."""
        block = self._lines[at].block
        row = self._groups.get(block.index)
        if row is None:
            row = self._groups[block.index] = self._grouped(block)
        return row

    def _grouped(self, block: Element) -> tuple[float, ...]:
        found: list[tuple[int, int, float]] = []
        at: Element | None = block
        for _ in range(_MAX_LEVELS):
            if at is None or at.parent is None or len(found) == 2:
                break
            size = self._alike(at, at.parent)
            if size >= _GROUP:
                found.append((size, self.words_in(at), self._linked_in(at)))
            at = at.parent
        first, second = [*found, _NO_GROUP, _NO_GROUP][:2]
        return math.log1p(first[0]), math.log1p(first[1]), first[2], math.log1p(second[0])

    def _alike(self, element: Element, parent: Element) -> int:
        """How many of an element's tag and class stand beside it, itself counted."""
        sizes = self._shapes.get(parent.index)
        if sizes is None:
            shapes = {c.index: _shape(c) for c in parent.children if c.start >= 0}
            counted = Counter(shapes.values())
            sizes = {index: counted[shape] for index, shape in shapes.items()}
            self._shapes[parent.index] = sizes
        return sizes.get(element.index, 1)

    def neighbours(self, at: int) -> list[float]:
        """What stands beside a line, and how many others are of its kind."""
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

    def _distances(self) -> list[float]:
        """How far the next running text is from every line."""
        found, far = [], _FAR
        for size in reversed(self.paragraphs):
            found.append(float(far))
            far = 0 if size else min(far + 1, _FAR)
        found.reverse()
        return found


def _kind(line: Line) -> tuple[int, str, str]:
    box = line.box
    return (box.parent.index if box.parent else -1), line.block.tag, box.get("class")


def _shape(element: Element) -> tuple[str, str]:
    return element.tag, element.get("class").partition(" ")[0]
