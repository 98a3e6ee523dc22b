"""Features of the boxes around a line: their share of the page's text, and repeated siblings."""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from specfactory.extract.body.lines import Line
from specfactory.proof import Element

_FAR = 40
_NEAR = 4
_GROUP = 3  # siblings of one shape that make a list
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
        self._words_upto = [0, *accumulate(words)]
        self._linked_upto = [0, *accumulate(line.linked for line in lines)]
        self._words = words
        self._rows: dict[int, tuple[float, ...]] = {}
        self._shapes: dict[int, dict[int, int]] = {}
        self._groups: dict[int, tuple[float, ...]] = {}
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

    @property
    def words_total(self) -> int:
        """Words of the page, at least one."""
        return self._words_upto[-1] or 1

    def words_before(self, at: int) -> int:
        """Words before a line."""
        return self._words_upto[at]

    def words_in(self, element: Element) -> int:
        """Words in an element."""
        first, last = self._reach(element)
        return self._words_upto[last] - self._words_upto[first]

    def _linked_in(self, element: Element) -> float:
        first, last = self._reach(element)
        linked = self._linked_upto[last] - self._linked_upto[first]
        return linked / max(1, element.end - element.start)

    def _reach(self, element: Element) -> tuple[int, int]:
        return bisect_left(self._starts, element.start), bisect_left(self._starts, element.end)

    def row(self, at: int) -> tuple[float, ...]:
        """Features of the boxes around a line, the same for all lines of a box."""
        box = self._lines[at].box
        known = self._rows.get(box.index)
        if known is not None:
            return known
        row: list[float] = []
        level_box: Element | None = box
        for level in range(_LEVELS):  # share of the running text
            index = level_box.index if level_box is not None else -1
            row.append(self._text[index] / self.total)
            if level == 0:
                row.append(math.log1p(self._count[index]))
            row.append(self._linked[index] / (self._size[index] or 1))
            level_box = level_box.parent if level_box is not None else None
        row.append(float(self._steps(box)))
        outer = box.parent or box
        fourth = outer.parent or outer
        fourth = fourth.parent or fourth
        row += [self.words_in(each) / self.words_total for each in (box, outer, fourth)]
        row.append(self._linked_in(fourth))
        made = self._rows[box.index] = tuple(row)
        return made

    def is_near_best(self, box: Element) -> bool:
        """Check whether a box is the best one or a sibling of it."""
        return 0 <= self._steps(box) <= 1

    def _steps(self, box: Element) -> int:
        """Levels from the best box up to the common ancestor; -1 without a best box."""
        at: Element | None = box
        while at is not None:
            if at.index in self._path:
                return self._path[at.index]
            at = at.parent
        return -1

    def group(self, at: int) -> tuple[float, ...]:
        """Features of the nearest two lists around a line: cards, posts, items."""
        block = self._lines[at].block
        known = self._groups.get(block.index)
        if known is not None:
            return known
        found: list[tuple[int, int, float]] = []
        element: Element | None = block
        for _ in range(_MAX_LEVELS):
            if element is None or element.parent is None or len(found) == 2:
                break
            size = self._alike(element, element.parent)
            if size >= _GROUP:
                found.append((size, self.words_in(element), self._linked_in(element)))
            element = element.parent
        first, second = [*found, _NO_GROUP, _NO_GROUP][:2]
        row = math.log1p(first[0]), math.log1p(first[1]), first[2], math.log1p(second[0])
        self._groups[block.index] = row
        return row

    def _alike(self, element: Element, parent: Element) -> int:
        """Count the siblings with an element's tag and class, itself included."""
        sizes = self._shapes.get(parent.index)
        if sizes is None:
            shapes = {
                child.index: (child.tag, child.get("class").partition(" ")[0])
                for child in parent.children
                if child.start >= 0
            }
            counted = Counter(shapes.values())
            sizes = {index: counted[shape] for index, shape in shapes.items()}
            self._shapes[parent.index] = sizes
        return sizes.get(element.index, 1)

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
