"""The page as nested elements, each with the span of its words in the text view."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Final

from msgspec import Struct

from specfactory.word_lists import word_set

NO_ATTRIBUTES: Mapping[str, str | None] = {}
NO_CHILDREN: list[Element] = []
UNSEEN_MARK: Final = "data-spec-unseen"
"""Written by our browser on elements that it does not show, with the way in which they are hidden,
and "?" where another state may show them; empty on the root, and on elements inside hidden ones
that it does show."""
TURNED_MARK: Final = "data-spec-turned"
"""Written by our browser on elements whose letters run in another order."""
# Attributes that are looked up by name: the walk notes the elements that have one.
MARKS = word_set(
    "hidden style role itemprop itemscope itemtype itemref property typeof onclick popover",
    UNSEEN_MARK,
    TURNED_MARK,
)


class Element(Struct, eq=False):
    """One element of a page; ``start:end`` are its words in the text view, trimmed.

    ``hidden`` and ``struck`` are inherited: an element inside a hidden one is hidden.
    """

    index: int
    tag: str
    parent: Element | None
    attributes: Mapping[str, str | None]
    hidden: bool
    struck: bool
    children: list[Element]
    start: int = -1
    end: int = -1

    def __repr__(self) -> str:
        return f"<{self.tag} {self.start}:{self.end}>"

    @property
    def has_words(self) -> bool:
        """True when it contains text."""
        return self.start >= 0

    @property
    def span(self) -> tuple[int, int]:
        """Span of its words."""
        return self.start, self.end

    def get(self, name: str) -> str:
        """An attribute, empty when it is missing."""
        return self.attributes.get(name) or ""

    @property
    def hints(self) -> str:
        """Its class, id and role: words that may tell its purpose."""
        given = self.attributes
        if not given or not ("class" in given or "id" in given or "role" in given):
            return ""
        return f"{self.get('class')} {self.get('id')} {self.get('role')}"

    def ancestors(self) -> Iterator[Element]:
        """Parents, the nearest first."""
        at = self.parent
        while at is not None:
            yield at
            at = at.parent

    def descendants(self) -> Iterator[Element]:
        """Everything inside it, in document order."""
        waiting = self.children[::-1]
        while waiting:
            at = waiting.pop()
            yield at
            waiting.extend(reversed(at.children))


class Outline:
    """All elements of a page in document order, over the text view."""

    def __init__(
        self,
        text: str,
        elements: list[Element],
        node_ids: Callable[[], Iterable[int]] = tuple,
        marked: Sequence[Element] = (),
        turned: Sequence[int] = (),
    ) -> None:
        self.text = text
        self.turned = turned  # offsets behind characters that turn the order of letters
        self.elements = elements
        self._node_ids = node_ids  # of the parsed nodes, one per element
        self._marked = marked  # those that have one of MARKS
        self._by_mark: dict[str, list[Element]] = {}

    @cached_property
    def by_node(self) -> Mapping[int, Element]:
        """Elements by the ids of their parsed nodes."""
        return dict(zip(self._node_ids(), self.elements, strict=False))

    @cached_property
    def _by_tag(self) -> dict[str, list[Element]]:
        found: defaultdict[str, list[Element]] = defaultdict(list)
        for element in self.elements:
            found[element.tag].append(element)
        return found

    def tagged(self, *tags: str) -> list[Element]:
        """The elements of these tags, in document order."""
        return _in_order([self._by_tag[tag] for tag in tags if tag in self._by_tag])

    def marked(self, *marks: str) -> list[Element]:
        """The elements that have one of these attributes, in document order."""
        some = []
        for mark in marks:
            if mark not in self._by_mark:
                looked_at = self._marked if mark in MARKS else self.elements
                self._by_mark[mark] = [each for each in looked_at if mark in each.attributes]
            if self._by_mark[mark]:
                some.append(self._by_mark[mark])
        return _in_order(some)

    @cached_property
    def shown(self) -> list[Element]:
        """The elements with text, in document order."""
        return [element for element in self.elements if element.start >= 0]

    @cached_property
    def _starts(self) -> list[int]:
        return [element.start for element in self.shown]

    def holder(self, start: int, end: int) -> Element | None:
        """The smallest element that holds a span of the text."""
        at = bisect_right(self._starts, start) - 1
        element = self.shown[at] if at >= 0 else None
        while element is not None and element.end < end:
            element = element.parent
        return element

    def words(self, element: Element) -> str:
        """The text of an element."""
        return self.text[element.start : element.end] if element.start >= 0 else ""


def _in_order(some: list[list[Element]]) -> list[Element]:
    if len(some) < 2:
        return some[0] if some else []
    return sorted(set(chain(*some)), key=attrgetter("index"))


EMPTY_OUTLINE = Outline("", [])
