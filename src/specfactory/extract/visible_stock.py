"""Whether a thing can be bought: short phrases and buttons that say so, by the contract's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple
from weakref import WeakKeyDictionary

from specfactory.contract import CompiledContract
from specfactory.contract.normal import normal
from specfactory.errors import NotDerivable
from specfactory.extract.regions import Kind
from specfactory.extract.visible_places import Places
from specfactory.extract.visible_words import STOCK_ANCHORS, button_says
from specfactory.model import Field, Snippet, ViewName
from specfactory.proof import Element, Outline, PageViews, snippet

_MAX_LINE = 60
_MAX_FOLDED = _MAX_LINE + 20  # a letter may fold into several
_MAX_KNOWN = 20_000
_PLAIN_ANCHORS = tuple(anchor for anchor in STOCK_ANCHORS if anchor.isascii())
_MAX_FOUND = 60
_PRESSED = frozenset(("button", "a", "input"))
_SPOKEN = ("aria-label", "title", "alt", "value", "data-label", "data-text")
_NAMED = ("id", "class", "name", "action", "data-action", "data-testid", "data-test", "onclick")
_TO_CART = re.compile(
    r"add[-_ ]?(?:item[-_ ]?)?to[-_ ]?(?:cart|basket|bag|trolley)|(?:cart|basket)[-_/]add|"
    r"buy[-_ ]?now|in[-_]?den[-_]?warenkorb|ajouter[-_]?au[-_]?panier",
    re.I,
)
_ACTIVE = frozenset(("button", "a", "input", "form"))
_CARTS = ("cart", "basket", "bag", "trolley", "buy", "warenkorb", "panier")
_MAX_NAME = 300
_EDGES = " .!*:;,›»>→+✓✔✅●•|()[]"


class Saying(NamedTuple):
    """A place that says whether the thing can be bought."""

    value: str
    quote: Snippet
    element: Element | None
    pressed: bool  # a button
    off: bool  # a button that cannot be pressed


def find_sayings(
    views: PageViews, places: Places, compiled: CompiledContract, field: Field
) -> list[Saying]:
    """What short lines and buttons say of the stock, in order."""
    known = _known(compiled, field)
    found: list[Saying] = []
    at = 0
    lines = views.text.split("\n")
    folded = views.text.casefold().split("\n")
    anchors = _anchors({line for line in folded if len(line) <= _MAX_FOLDED})
    for line, small in zip(lines, folded, strict=True):
        start, at = at, at + len(line) + 1
        if not 2 <= len(line) <= _MAX_LINE:
            continue
        value = known.said(line, small, anchors)
        if value is not None and len(found) < _MAX_FOUND:
            found.append(_saying(views, places, value, (start, start + len(line))))
    found += _inputs(views, places, known)
    return found or _by_markup(views, places, known)


def _anchors(lines: Iterable[str]) -> list[str]:
    """Those of the anchors that the page has at all: a few, to be looked for in each line."""
    folded = "\n".join(lines)
    if folded.isascii():
        return [anchor for anchor in _PLAIN_ANCHORS if anchor in folded]
    return [anchor for anchor in STOCK_ANCHORS if anchor in folded]


class _Known:
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

    def said(self, line: str, folded: str, anchors: Sequence[str]) -> str | None:
        """The value a line gives: it is one of the contract's words, or holds one."""
        head = folded.strip(_EDGES)[:2]
        if head in self._beginnings or not (self._plain and head.isalpha() and line.isascii()):
            exact = self._exact.get(normal(line.strip(_EDGES)))
            if exact is not None:
                return exact
        for anchor in anchors:
            if anchor in folded:
                return self._holding(line)
        return None

    def _holding(self, line: str) -> str | None:
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


_PREPARED: WeakKeyDictionary[CompiledContract, dict[str, _Known]] = WeakKeyDictionary()


def _known(compiled: CompiledContract, field: Field) -> _Known:
    by_field = _PREPARED.setdefault(compiled, {})
    if field.name not in by_field:
        by_field[field.name] = _Known(compiled, field)
    return by_field[field.name]


def _saying(views: PageViews, places: Places, value: str, span: tuple[int, int]) -> Saying:
    element = places.at(*span)
    pressed = _pressed(element)
    quote = snippet(views, ViewName.TEXT, *span)
    return Saying(value, quote, element, pressed is not None, _is_off(pressed, places))


def _pressed(element: Element | None) -> Element | None:
    """The button or link in which something stands."""
    at, level = element, 0
    while at is not None and level < 4:
        if at.tag in _PRESSED or at.get("role") == "button":
            return at
        at, level = at.parent, level + 1
    return None


def _is_off(button: Element | None, places: Places) -> bool:
    if button is None:
        return False
    return (
        "disabled" in button.attributes
        or button.get("aria-disabled") == "true"
        or "disabled" in places.tokens(button)
    )


def _inputs(views: PageViews, places: Places, known: _Known) -> list[Saying]:
    """Buttons whose words stand in an attribute: <input type=submit value="Add to cart">."""
    found: list[Saying] = []
    for element in places.layout.outline.tagged("input"):
        if element.get("type") not in ("submit", "button", "image"):
            continue
        words = element.get("value") or element.get("alt")
        if not button_says(words) or places.kind(element.parent) is Kind.HIDDEN:
            continue
        value, at = known.said(words, words.casefold(), STOCK_ANCHORS), views.source.find(words)
        if value is not None and at >= 0 and len(found) < _MAX_FOUND:
            quote = snippet(views, ViewName.SOURCE, at, at + len(words))
            found.append(Saying(value, quote, element, True, _is_off(element, places)))
    return found


def _by_markup(views: PageViews, places: Places, known: _Known) -> list[Saying]:
    """Where no words speak: buttons and forms that are named for what they do."""
    found: list[Saying] = []
    for element in _pressable(places.layout.outline):
        words = _named_for(element.attributes)
        if not words:
            continue
        value, at = known.said(words, words.casefold(), _CARTS), views.source.find(words)
        if value is None or at < 0 or places.kind(element) is Kind.HIDDEN:
            continue
        quote = snippet(views, ViewName.SOURCE, at, at + len(words))
        found.append(Saying(value, quote, element, True, _is_off(element, places)))
        if len(found) >= _MAX_FOUND:
            break
    return found


def _pressable(outline: Outline) -> list[Element]:
    """What can be pressed or sent, in document order."""
    some = outline.tagged(*_ACTIVE)
    said = [element for element in outline.marked("role") if element.get("role") == "button"]
    return sorted({*some, *said}, key=attrgetter("index")) if said else some


def _named_for(given: Mapping[str, str | None]) -> str:
    """What a button is for, by what it is called or by its markup; empty when that says nothing."""
    for name in _SPOKEN:
        if (words := given.get(name)) and button_says(words):
            return words
    for name in _NAMED:
        if (words := given.get(name)) and (found := _to_cart(words[:_MAX_NAME])):
            return found
    return ""


@lru_cache(maxsize=8192)
def _to_cart(written: str) -> str:
    """The part of a class, an id or an address that speaks of a cart; they repeat."""
    folded = written.lower()
    found = _TO_CART.search(written) if any(cart in folded for cart in _CARTS) else None
    return found[0] if found else ""
