"""What a reader can open: told by the controls of a page."""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from functools import cache, cached_property, lru_cache
from operator import attrgetter

from specfactory.proof.text import UNSEEN_MARK, Element, Outline
from specfactory.word_lists import read_patterns, word_set

_PHRASES = read_patterns("proof/visibility/data/opener_words.txt")
_HINTS = re.compile(rf"\b(?:{_PHRASES['opening hints']})\b")
_CONTROL_HINTS = re.compile(rf"\b(?:{_PHRASES['control hints']})\b")
_MORE = re.compile(rf"\b(?:{_PHRASES['more words']})\b")
_OTHER_BUTTONS = re.compile(rf"\b(?:{_PHRASES['other buttons']})\b")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOT_WORD = re.compile(r"[^a-z0-9äöüß]+")
_MAX_HINTS = 300
_MAX_CONTROL = 120  # characters of a control's words
_MAX_NAMED = 300  # characters of an attribute that may name what it opens
_LOOKED_AT = 8  # elements inside a neighbour
_NEAREST = 10  # siblings on either side
_NAME = re.compile(r"\.?[\w\u0080-\U0010ffff-]+")
_NAMING = word_set("aria-controls for href commandfor popovertarget xlink:href")
_PRESSED = word_set("aria-expanded onclick aria-controls data-toggle data-bs-toggle @click")
_ROLES = word_set("tab button menuitem switch")
_ICONS = word_set("img svg i")
_PARTS = word_set("tr tbody thead td th li dt dd option")  # of a table or list
_WHOLES = word_set("table ul ol dl")


class Openers:
    """Finds the control that opens a hidden element. ``hidden`` are those that begin one."""

    def __init__(
        self, outline: Outline, hidden: Collection[Element], before: "Openers | None" = None
    ) -> None:
        self._outline = outline
        self._before = before  # of a round in which more were hidden
        self._hidden = {element.index for element in hidden}
        self._names = {name for element in hidden for name in _names(element)}
        self._is_hidden = cache(self._stands_hidden)

    def opens(self, element: Element) -> bool:
        """True when a control that a reader sees, or can open, opens the element."""
        if not self._named.isdisjoint(_names(element)) or self._is_switched(element):
            return True
        if element.get("role") == "tabpanel" and self._has_tabs:
            return True
        return self._is_beside(element)

    def hints(self, element: Element) -> bool:
        """True when its class or that of the box around it says that it opens."""
        around = (element, element.parent) if element.parent else (element,)
        return any(_HINTS.search(_words(each.hints)) for each in around)

    @cached_property
    def _named(self) -> frozenset[str]:
        """Ids and classes of hidden elements that controls name."""
        found: set[str] = set()
        for element, names in self._mentions:
            said = self._names & names
            if said and self._is_control(element):
                found |= said
        return frozenset(found)

    @cached_property
    def _mentions(self) -> list[tuple[Element, set[str]]]:
        """Elements whose attributes have names of hidden ones, and these; the same each round."""
        if self._before is not None:
            return self._before._mentions
        found: list[tuple[Element, set[str]]] = []
        for element in self._outline.elements:
            given = element.attributes
            if not given or element.tag in ("html", "body", "link"):
                continue
            for name, value in given.items():
                if not value or not _may_name(name) or len(value) > _MAX_NAMED:
                    continue
                if name == "href" and not value.startswith("#"):
                    continue
                if said := self._names.intersection(_NAME.findall(value)):
                    found.append((element, said))
        return found

    @cached_property
    def _has_tabs(self) -> bool:
        roles = self._outline.marked("role")
        return any(one.get("role") == "tab" and self._is_control(one) for one in roles)

    def _is_switched(self, element: Element) -> bool:
        """True for what follows a box that a label ticks: the style sheet shows it then."""
        above = element
        for _ in range(2):
            for before in _siblings(above, -1):
                if before.tag == "input" and before.get("id") in self._ticked:
                    return True
            if above.parent is None:
                return False
            above = above.parent
        return False

    @cached_property
    def _ticked(self) -> frozenset[str]:
        """Ids of the inputs that visible labels are for."""
        labels = self._outline.tagged("label")
        return frozenset(
            one.get("for") for one in labels if one.get("for") and self._is_control(one)
        )

    def _is_beside(self, element: Element) -> bool:
        """True when a control stands before or behind it: a heading to press, "read more"."""
        for neighbour in self._neighbours(element):
            if any(self._is_pressed(one) for one in _first(neighbour)):
                return True
        whole: Element | None = element
        if element.tag in _PARTS:  # "show all" stands beside the table
            while whole is not None and whole.tag not in _WHOLES:
                whole = whole.parent
            if whole is not None:
                for neighbour in self._neighbours(whole):
                    words = self._outline.words(neighbour).casefold()
                    pressed = any(self._is_pressed(one) for one in _first(neighbour))
                    if pressed and _MORE.search(words):
                        return True
        return False

    def _neighbours(self, element: Element) -> Iterator[Element]:
        for step in (-1, 1):
            for one in _siblings(element, step):
                if one.has_words and one.index not in self._hidden:
                    if one.end - one.start <= _MAX_CONTROL:
                        yield one
                    break

    def _is_pressed(self, element: Element) -> bool:
        tag = element.tag
        if tag == "a":
            target = element.get("href").strip()
            pressed = not target or target.startswith(("#", "javascript:"))
        elif tag == "button":
            pressed = element.get("type") != "submit"
        else:
            pressed = (
                tag == "summary"
                or element.get("role") in _ROLES
                or not _PRESSED.isdisjoint(element.attributes)
                or bool(_CONTROL_HINTS.search(_words(element.hints)))
            )
        if not pressed or not self._is_control(element):
            return False
        return not _OTHER_BUTTONS.search(self._outline.words(element).casefold())

    def _is_control(self, element: Element) -> bool:
        """True for what a reader sees and can press: it has words, a name or an icon."""
        if element.end - element.start > _MAX_NAMED or self._is_hidden(element):
            return False
        if element.has_words or element.get("aria-label") or element.get("title"):
            return True
        return element.tag == "button" or any(one.tag in _ICONS for one in _first(element))

    def _stands_hidden(self, element: Element) -> bool:
        return any(one.index in self._hidden for one in (element, *element.ancestors()))


@lru_cache(maxsize=1024)
def _may_name(attribute: str) -> bool:
    """True if an attribute may name what its element opens."""
    if attribute == UNSEEN_MARK:
        return False
    return attribute in _NAMING or attribute.startswith(("data-", "on", "@", "x-on"))


def _names(element: Element) -> Iterable[str]:
    """The names by which a control may mean an element."""
    return (*element.get("id").split(), *(f".{name}" for name in element.get("class").split()))


def _words(hints: str) -> str:
    return _NOT_WORD.sub(" ", _CAMEL.sub(" ", hints[:_MAX_HINTS]).lower()).strip()


def _first(element: Element) -> Iterator[Element]:
    """An element and the first ones inside it."""
    yield element
    for _, one in zip(range(_LOOKED_AT), element.descendants(), strict=False):
        yield one


def _siblings(element: Element, step: int) -> Iterator[Element]:
    """The nearest siblings before or behind an element."""
    if element.parent is None:
        return
    children = element.parent.children
    at = bisect_left(children, element.index, key=attrgetter("index"))
    for place in range(at + step, at + step * (_NEAREST + 1), step):
        if 0 <= place < len(children):
            yield children[place]
