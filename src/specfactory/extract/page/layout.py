"""A page's elements as extraction needs them: blocks, headings, what is struck out."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from specfactory.model import Method, ViewName
from specfactory.proof import Element, PageViews
from specfactory.proof.text import BLOCKS

HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6, "caption": 6, "legend": 6,
            "summary": 6}  # fmt: skip
GRID = frozenset(("table", "dl", "tr", "td", "th", "dt", "dd", "tbody", "thead", "tfoot"))
_BLOCKISH = BLOCKS | GRID
_MAX_HEADING = 120

Span = tuple[int, int]
Heading = tuple[Element, int, int]  # the element, its level, and where its section ends


class Pair(NamedTuple):
    """Where a label and its value stand; ``place`` is the element they stand in.

    ``section`` is the nearest heading above. ``subject`` is whose value it is, where the pair's
    own surroundings (a column head) say so.
    """

    label: Span
    values: tuple[Span, ...]
    method: Method
    place: Element | None = None
    section: Span | None = None
    subject: str | None = None
    view: ViewName = ViewName.TEXT
    more: tuple[Span, ...] = ()  # the rows below without a label, which go on with the value


class Layout:
    """The outline of one page, prepared once for all methods."""

    def __init__(self, views: PageViews) -> None:
        self.views = views
        self.outline = views.outline
        self.text = views.text
        self.elements = views.outline.elements
        self.words = views.outline.words  # the visible text of an element

    def read(self, span: Span) -> str:
        """The visible text at a span."""
        return self.text[span[0] : span[1]]

    def trimmed(self, start: int, end: int, extra: str = "") -> Span | None:
        """The span without white space (and ``extra``) at its ends; None when nothing is left."""
        words = self.text[start:end]
        start += len(words) - len(words.lstrip(f" \t\n\r\u00a0\u200a{extra}"))
        end -= len(words) - len(words.rstrip(" \t\n\r\u00a0\u200a"))
        return (start, end) if start < end else None

    @cached_property
    def leaves(self) -> list[Element]:
        """Blocks with words and without blocks inside, in order."""
        found: list[Element] = []
        holds_blocks: set[Element] = set()
        for element in reversed(self.elements):
            if element.tag in _BLOCKISH:
                if element not in holds_blocks and element.start >= 0:
                    found.append(element)
            elif element not in holds_blocks:
                continue
            if element.parent is not None:
                holds_blocks.add(element.parent)
        found.reverse()
        return found

    @cached_property
    def _leaf_starts(self) -> list[int]:
        return [leaf.start for leaf in self.leaves]

    def leaf_at(self, offset: int) -> Element | None:
        """The block in which an offset of the text stands."""
        at = bisect_right(self._leaf_starts, offset) - 1
        if at < 0:
            return None
        leaf = self.leaves[at]
        while leaf.end <= offset and leaf.parent is not None:
            leaf = leaf.parent
        return leaf

    @cached_property
    def struck(self) -> list[Span]:
        """Spans that are struck out: old prices, old values."""
        return [
            element.span
            for element in self.elements
            if element.struck
            and element.start >= 0
            and not (element.parent is not None and element.parent.struck)
        ]

    def is_hidden(self, element: Element) -> bool:
        """True when no reader can see any of an element's words."""
        never = self.views.unseen.never
        return bool(never) and element.start >= 0 and not self.without_unseen(element.span)

    def without_unseen(self, span: Span) -> tuple[Span, ...]:
        """The parts of a span that a reader can see."""
        never = spans_within(self.views.unseen.never, span)
        return tuple(self.parts_without(never, span)) if never else (span,)

    def struck_within(self, span: Span) -> list[Span]:
        """The struck-out spans inside a span, in order."""
        return spans_within(self.struck, span)

    @cached_property
    def _links(self) -> list[Span]:
        """Spans of links and buttons, in order and apart from each other."""
        found: list[Span] = []
        for element in self.outline.tagged("a", "button"):
            if element.start >= 0 and (not found or element.start >= found[-1][1]):
                found.append(element.span)
        return found

    def links_within(self, span: Span) -> list[Span]:
        """The links and buttons inside a span, in order."""
        return spans_within(self._links, span)

    def unstruck(self, span: Span) -> tuple[Span, ...]:
        """The parts of a span that can be seen and are not struck out."""
        found: list[Span] = []
        for part in self.without_unseen(span):
            struck = self.struck_within(part)
            found += self.parts_without(struck, part) if struck else [part]
        return tuple(found)

    def parts_without(self, spans: list[Span], whole: Span) -> Iterator[Span]:
        """The parts of a span that some others inside it, in order, do not cover."""
        starts = [whole[0], *(end for _, end in spans)]
        ends = [*(start for start, _ in spans), whole[1]]
        return filter(None, map(self.trimmed, starts, ends))

    @cached_property
    def headings(self) -> list[Heading]:
        """Headings with their level and where their section ends, in order."""
        found = []
        by_role = [each for each in self.outline.marked("role") if _aria_level(each)]
        some = self.outline.tagged(*HEADINGS)
        if by_role:
            some = sorted({*some, *by_role}, key=attrgetter("index"))
        for element in some:
            if 0 < element.end - element.start <= _MAX_HEADING:
                # A section ends with the box that holds its heading and more than that.
                box = element.parent
                while box is not None and box.end == element.end and box.start == element.start:
                    box = box.parent
                level = HEADINGS.get(element.tag) or _aria_level(element)
                found.append((element, level, box.end if box is not None else -1))
        return found

    @cached_property
    def _heading_stacks(self) -> tuple[list[int], list[list[Heading]]]:
        """The index of every heading, and the headings open after it: itself and those above."""
        stacks: list[list[Heading]] = []
        stack: list[Heading] = []
        for heading in self.headings:
            stack = _still_open(stack, heading[0].start)
            while stack and stack[-1][1] >= heading[1]:
                stack.pop()
            stack.append(heading)
            stacks.append(stack)
        return [heading.index for heading, _, _ in self.headings], stacks

    def headings_above(self, element: Element) -> tuple[Element, ...]:
        """The headings under which an element stands, the nearest last."""
        indexes, stacks = self._heading_stacks
        before = bisect_left(indexes, element.index) - 1
        if before < 0:
            return ()
        at = element.index  # an element without words stands where the last words were read
        while at > 0 and self.elements[at].start < 0:
            at -= 1
        return tuple(
            heading for heading, _, _ in _still_open(stacks[before], self.elements[at].start)
        )


def line_spans(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The lines of a part of a text that are not blank, without white space at their ends."""
    for line in text[start:end].split("\n"):
        if words := line.strip():
            left = start + line.index(words)
            yield left, left + len(words)
        start += len(line) + 1


def lines_around(text: str, places: Iterable[int]) -> Iterator[Span]:
    """The lines in which offsets stand that come in rising order, each line once."""
    end = -1
    for place in places:
        if place > end:
            start = text.rfind("\n", 0, place) + 1
            end = text.find("\n", place)
            end = end if end >= 0 else len(text)
            yield start, end


def spans_within(spans: list[Span], whole: Span) -> list[Span]:
    """Those of some spans, in order and apart from each other, that lie in or across another."""
    first = max(bisect_right(spans, whole) - 1, 0)
    upto = bisect_right(spans, (whole[1], 0))
    return [(start, end) for start, end in spans[first:upto] if end > whole[0]]


def _aria_level(element: Element) -> int:
    if element.attributes and element.get("role") == "heading":
        level = element.get("aria-level")
        return int(level) if level in ("1", "2", "3", "4", "5", "6") else 2
    return 0


def _still_open(stack: list[Heading], offset: int) -> list[Heading]:
    """The headings of a stack whose sections reach past an offset, and all above those."""
    kept = len(stack)
    while kept and 0 <= stack[kept - 1][2] <= offset:
        kept -= 1
    return stack[:kept]
