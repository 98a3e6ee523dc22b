"""Whether a thing can be bought: short phrases and buttons that say so, by the contract's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from specfactory.contract import CompiledContract
from specfactory.contract.text import normal
from specfactory.errors import NotDerivable
from specfactory.extract.unlabelled.places import Places
from specfactory.extract.unlabelled.shop_words import STOCK_ANCHORS, STOCK_WORDS, button_says
from specfactory.model import Field, Snippet, ViewName
from specfactory.proof import Element, PageViews, snippet

_MAX_LINE = 60
_MAX_KNOWN = 20_000
_PLAIN_ANCHORS = tuple(anchor for anchor in STOCK_ANCHORS if anchor.isascii())
_MAX_FOUND = 60
_PRESSED = frozenset(("button", "a", "input"))
_IF_EVER = re.compile(
    r"notif|\bwhen\b|as soon as|\bonce\b|benachricht|sobald|\bwenn\b|prévenez|avertir|lorsqu|"
    r"\bquand\b|dès que|cuando|av[ií]s|quando|avvis|zodra|powiadom|když|ког?да|сообщ|уведом|알림"
)  # "tell me when it is in stock": it is not
MANNERS = ("buy", "none", "stock", "loose", "offer", "named", "state")
_EDGES = " .!*:;,›»>→+✓✔✅●•|()[]"


class Saying(NamedTuple):
    """A place that says whether the thing can be bought.

    ``manner``: "buy" a button to buy it, "none" one that says why not, "stock" words of stock
    alone, "loose" words of stock in a sentence, "offer" words of an offer, "named" markup that
    is named for buying, "state" what a script says.
    """

    value: str
    quote: Snippet
    element: Element | None
    pressed: bool  # a button
    off: bool  # a button that cannot be pressed
    manner: str


def find_sayings(
    views: PageViews, places: Places, compiled: CompiledContract, field: Field
) -> list[Saying]:
    """What short lines and buttons say of the stock, in order."""
    known = known_words(compiled, field)
    lines = views.text.split("\n")
    told = known.told({line for line in lines if 2 <= len(line) <= _MAX_LINE})
    found: list[Saying] = []
    at = 0
    for line in lines:
        start, at = at, at + len(line) + 1
        value = told.get(line)
        if value is not None and len(found) < _MAX_FOUND:
            found.append(_saying(views, places, known, value, (start, start + len(line))))
    return found


def _anchors(lines: Iterable[str]) -> list[str]:
    """Those of the anchors that some lines have at all: a few, to be looked for in each."""
    folded = "\n".join(lines)
    if folded.isascii():
        return [anchor for anchor in _PLAIN_ANCHORS if anchor in folded]
    return [anchor for anchor in STOCK_ANCHORS if anchor in folded]


class Known:
    """The contract's words for stock, each line looked up once."""

    def __init__(self, compiled: CompiledContract, field: Field) -> None:
        self._compiled = compiled
        self._field = field.name
        self._exact = {
            normal(name): value
            for value, synonyms in field.allowed.items()
            for name in (value, *synonyms)
        }
        self._beginnings = {name[:2] for name in self._exact}
        self._plain = all(begin.isalpha() and len(begin) == 2 for begin in self._beginnings)
        self._lines: dict[str, str | None] = {}
        self._told: dict[str, str | None] = {}

    def told(self, lines: set[str]) -> Mapping[str, str]:
        """The values that lines give; they repeat over the pages of a site, and are asked once."""
        if len(self._told) > _MAX_KNOWN:
            self._told.clear()
        new = {line: line.casefold() for line in lines if line not in self._told}
        anchors = _anchors(new.values())
        for line, folded in new.items():
            self._told[line] = self.said(line, folded, anchors)
        return {line: value for line in lines if (value := self._told[line]) is not None}

    def said(self, line: str, folded: str, anchors: Sequence[str]) -> str | None:
        """The value a line gives: it is one of the contract's words, or holds one."""
        head = folded.strip(_EDGES)[:2]
        if head in self._beginnings or not (self._plain and head.isalpha() and line.isascii()):
            exact = self._exact.get(normal(line.strip(_EDGES)))
            if exact is not None:
                return exact
        for anchor in anchors:
            if anchor in folded:
                return None if _IF_EVER.search(folded) else self.holding(line)
        return None

    def is_exact(self, line: str) -> bool:
        """Whether a line is one of the contract's words, and nothing else."""
        return normal(line.strip(_EDGES)) in self._exact

    def holding(self, line: str) -> str | None:
        """The value that a line holds somewhere."""
        if line not in self._lines:
            if len(self._lines) > _MAX_KNOWN:
                self._lines.clear()
            self._lines[line] = self._derived(line)
        return self._lines[line]

    def _derived(self, line: str) -> str | None:
        try:
            return str(self._compiled.derive(self._field, line))
        except NotDerivable:
            return None


_PREPARED: WeakKeyDictionary[CompiledContract, dict[str, Known]] = WeakKeyDictionary()


def known_words(compiled: CompiledContract, field: Field) -> Known:
    """The contract's words for a field, prepared once."""
    by_field = _PREPARED.setdefault(compiled, {})
    if field.name not in by_field:
        by_field[field.name] = Known(compiled, field)
    return by_field[field.name]


def _saying(
    views: PageViews, places: Places, known: Known, value: str, span: tuple[int, int]
) -> Saying:
    element = places.at(*span)
    pressed = _pressed(element)
    quote = snippet(views, ViewName.TEXT, *span)
    manner = manner_of(quote.quote, known)
    return Saying(value, quote, element, pressed is not None, is_off(pressed, places), manner)


def manner_of(words: str, known: Known) -> str:
    """In which manner words speak of stock."""
    if said := button_says(words):
        return said
    folded = words.casefold()
    of_stock = any(anchor in folded for anchor in STOCK_WORDS)
    if known.is_exact(words):
        return "stock" if of_stock else "offer"
    return "loose" if of_stock else "offer"


def _pressed(element: Element | None) -> Element | None:
    """The button or link in which something stands."""
    at, level = element, 0
    while at is not None and level < 4:
        if at.tag in _PRESSED or at.get("role") == "button":
            return at
        at, level = at.parent, level + 1
    return None


def is_off(button: Element | None, places: Places) -> bool:
    """Whether a button cannot be pressed."""
    if button is None:
        return False
    return (
        "disabled" in button.attributes
        or button.get("aria-disabled") == "true"
        or "disabled" in places.tokens(button)
    )
