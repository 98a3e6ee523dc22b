"""Stock: short lines and buttons that say whether a product can be bought."""

import re
from collections.abc import Mapping, Sequence
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
_PRESSED_LEVELS = 4  # elements looked at upwards for the button around a line
_IF_EVER = re.compile(
    r"notif|\bwhen\b|as soon as|\bonce\b|benachricht|sobald|\bwenn\b|prévenez|avertir|lorsqu|"
    r"\bquand\b|dès que|cuando|av[ií]s|quando|avvis|zodra|powiadom|když|ког?да|сообщ|уведом|알림"
)  # "tell me when it is in stock": it is not
MANNERS = ("buy", "none", "stock", "loose", "offer", "named", "state")
_EDGES = " .!*:;,›»>→+✓✔✅●•|()[]"


class StockHint(NamedTuple):
    """A place that says whether the product can be bought.

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


def find_stock_lines(
    views: PageViews, places: Places, compiled: CompiledContract, field: Field
) -> list[StockHint]:
    """Find short lines and buttons that speak of the stock, in order."""
    known = stock_words(compiled, field)
    lines = views.text.split("\n")
    values = known.values_of({line for line in lines if 2 <= len(line) <= _MAX_LINE})
    found: list[StockHint] = []
    at = 0
    for line in lines:
        start, at = at, at + len(line) + 1
        value = values.get(line)
        if value is None or len(found) >= _MAX_FOUND:
            continue
        span = start, start + len(line)
        quote, element = snippet(views, ViewName.TEXT, *span), places.at(*span)
        button, level = element, 0
        while button is not None and button.tag not in _PRESSED and button.get("role") != "button":
            level += 1
            button = button.parent if level < _PRESSED_LEVELS else None
        off, manner = is_off(button, places), manner_of(quote.quote, known)
        found.append(StockHint(value, quote, element, button is not None, off, manner))
    return found


class StockWords:
    """The contract's words for stock; each line is looked up once."""

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
        self._held: dict[str, str | None] = {}
        self._values: dict[str, str | None] = {}

    def values_of(self, lines: set[str]) -> Mapping[str, str]:
        """The values that lines give; cached, as lines repeat over the pages of a site."""
        if len(self._values) > _MAX_KNOWN:
            self._values.clear()
        new = {line: line.casefold() for line in lines if line not in self._values}
        # Most anchors occur in none of the lines: they are ruled out for all lines at once.
        folded = "\n".join(new.values())
        some = _PLAIN_ANCHORS if folded.isascii() else STOCK_ANCHORS
        anchors = [anchor for anchor in some if anchor in folded]
        for line, small in new.items():
            self._values[line] = self.value_of(line, small, anchors)
        return {line: value for line in lines if (value := self._values[line]) is not None}

    def value_of(self, line: str, folded: str, anchors: Sequence[str]) -> str | None:
        """The value a line gives: it is one of the contract's words, or holds one."""
        head = folded.strip(_EDGES)[:2]
        if head in self._beginnings or not (self._plain and head.isalpha() and line.isascii()):
            exact = self._exact.get(normal(line.strip(_EDGES)))
            if exact is not None:
                return exact
        for anchor in anchors:
            if anchor in folded:
                return None if _IF_EVER.search(folded) else self.held_value(line)
        return None

    def is_exact(self, line: str) -> bool:
        """True when a line is one of the contract's words, and nothing else."""
        return normal(line.strip(_EDGES)) in self._exact

    def held_value(self, line: str) -> str | None:
        """The value that a line holds somewhere."""
        if line not in self._held:
            if len(self._held) > _MAX_KNOWN:
                self._held.clear()
            try:
                self._held[line] = str(self._compiled.derive(self._field, line))
            except NotDerivable:
                self._held[line] = None
        return self._held[line]


_PREPARED: WeakKeyDictionary[CompiledContract, dict[str, StockWords]] = WeakKeyDictionary()


def stock_words(compiled: CompiledContract, field: Field) -> StockWords:
    """The contract's words for a field, prepared once."""
    by_field = _PREPARED.setdefault(compiled, {})
    if field.name not in by_field:
        by_field[field.name] = StockWords(compiled, field)
    return by_field[field.name]


def manner_of(words: str, known: StockWords) -> str:
    """Tell in which manner words speak of stock."""
    if button := button_says(words):
        return button
    folded = words.casefold()
    if not any(anchor in folded for anchor in STOCK_WORDS):
        return "offer"
    return "stock" if known.is_exact(words) else "loose"


def is_off(button: Element | None, places: Places) -> bool:
    """True when a button cannot be pressed."""
    if button is None:
        return False
    return (
        "disabled" in button.attributes
        or button.get("aria-disabled") == "true"
        or "disabled" in places.tokens(button)
    )
