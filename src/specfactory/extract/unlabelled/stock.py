"""Stock: lines, buttons and scripts that say whether a product can be bought."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from specfactory.contract import CompiledContract
from specfactory.contract.text import normal
from specfactory.errors import NotDerivable
from specfactory.extract.page import RegionKind
from specfactory.extract.unlabelled import shop_words
from specfactory.extract.unlabelled.places import Places
from specfactory.extract.unlabelled.shop_words import STOCK_ANCHORS, button_says
from specfactory.model import Field, Snippet, ViewName
from specfactory.proof import Element, PageViews, snippet

_MAX_LINE = 60
_MAX_KNOWN = 20_000
_PLAIN_ANCHORS = tuple(anchor for anchor in STOCK_ANCHORS if anchor.isascii())
_MAX_FOUND = 60
_PRESSED = frozenset(("button", "a", "input"))
_PRESSED_LEVELS = 4  # elements looked at upwards for the button around a line
_IF_EVER = re.compile(shop_words.PHRASES["if ever"])
MANNERS = ("buy", "none", "stock", "loose", "offer", "named", "state")
_EDGES = " .!*:;,›»>→+✓✔✅●•|()[]"
_SPOKEN = ("aria-label", "title", "alt", "value", "data-label", "data-text")
_NAMED = ("id", "class", "name", "action", "data-action", "data-testid", "data-test", "onclick")
_SPEAKING = frozenset(_SPOKEN)
_RANKS = {name: rank for rank, name in enumerate(_NAMED)}
_TO_CART = re.compile(shop_words.PHRASES["to cart"], re.I)
_ACTIVE = frozenset(("button", "a", "input", "form"))
_CARTS = ("cart", "basket", "bag", "trolley", "buy", "order", "purchase", "warenkorb", "panier",
          "carrito", "comprar", "carrello", "koszyk", "kosik", "korzin", "sepet")  # fmt: skip
# States in scripts, by the end of their key; one search for the colon finds them all.
_STATES = {
    "able": re.compile(r"""able["']\s?:\s?(?:true|false)"""),
    "tock": re.compile(r"""tock["']\s?:\s?(?:true|false)"""),
    "tatus": re.compile(r"""tatus["']\s?:\s?["']((?i:in_?stock|out_?of_?stock|sold_?out))["']"""),
    "vailability": re.compile(r"""vailability["']\s?:\s?["']([^"']+)["']"""),
}
_SAID = re.compile(
    r""":(?:(?<=["']:)|(?<=["']\s:))\s?(?:(?:true|false)(?![a-z])"""
    r"""|["'](?i:in_?stock|available|out_?of_?stock|sold_?out|unavailable)["'])"""
)
_STATE_KEY = re.compile(r"(?<![a-z])(?:is_?)?(?:in_?s|avail|buy|purchase?|order|sale)$", re.I)
_MAX_KEY = 16
_MAX_STATES = 400
_MAX_SOURCE = 3_000_000
_MAX_NAME = 300
_MAX_BUTTON = 80
_SURE = frozenset(("buy", "stock", "none"))


class StockHint(NamedTuple):
    """A place that says whether the product can be bought.

    ``manner``: "buy" a button to buy it, "none" one that says why not, "stock" words of stock
    alone, "loose" words of stock in a sentence, "offer" words of an offer, "named" markup that
    is named for buying, "state" what a script says.
    """

    value: str
    quote: Snippet
    element: Element | None
    off: bool  # a button that cannot be pressed
    manner: str


def find_stock_hints(
    views: PageViews, places: Places, compiled: CompiledContract, field: Field
) -> list[StockHint]:
    """Find what a page says of the stock; where no words are clear, by what buttons are named."""
    finder = _Finder(views, places, _stock_words(compiled, field.name))
    found = [*islice(finder.lines(), _MAX_FOUND), *islice(finder.inputs(), _MAX_FOUND)]
    if not finder.is_clear(found):
        outline = places.layout.outline
        pressable = outline.tagged(*_ACTIVE)
        scripted = [
            element
            for element in outline.marked("role", "onclick")
            if element.get("role") == "button" or "onclick" in element.attributes
        ]
        if scripted:
            pressable = sorted({*pressable, *scripted}, key=attrgetter("index"))
        found += islice(finder.opening(pressable), _MAX_FOUND)
        if not finder.is_clear(found):
            found += islice(finder.named(pressable), _MAX_FOUND)
    return found or finder.states()


class _Finder:
    """The places of one page that speak of the stock, by the contract's words."""

    def __init__(self, views: PageViews, places: Places, known: "StockWords") -> None:
        self._views, self._places, self._known = views, places, known

    def is_clear(self, found: list[StockHint]) -> bool:
        """True when the page's own part says for sure whether the product can be bought."""
        sure = (one.element for one in found if one.manner in _SURE)
        return any(self._places.kind(element) is RegionKind.OWN for element in sure)

    def lines(self) -> Iterator[StockHint]:
        """Short lines and buttons that speak of the stock, in order."""
        lines = self._views.text.split("\n")
        values = self._known.values_of({line for line in lines if 2 <= len(line) <= _MAX_LINE})
        at = 0
        for line in lines:
            start, at = at, at + len(line) + 1
            value = values.get(line)
            if value is None:
                continue
            element = self._places.at(start, start + len(line))
            button, level = element, 0
            while button and button.tag not in _PRESSED and button.get("role") != "button":
                level += 1
                button = button.parent if level < _PRESSED_LEVELS else None
            manner = button_says(line)
            if not manner:
                folded = line.casefold()
                manner = "stock" if self._known.is_exact(line) else "loose"
                if not any(anchor in folded for anchor in shop_words.STOCK_WORDS):
                    manner = "offer"
            quote = snippet(self._views, ViewName.TEXT, start, start + len(line))
            off = button is not None and self._is_off(button)
            yield StockHint(value, quote, element, off, manner)

    def inputs(self) -> Iterator[StockHint]:
        """Buttons whose words stand in an attribute: <input type=submit value="Add to cart">."""
        for element in self._places.layout.outline.tagged("input"):
            if element.get("type") in ("submit", "button", "image"):
                words = element.get("value") or element.get("alt")
                says = button_says(words)
                if says and self._places.kind(element.parent) is not RegionKind.HIDDEN:
                    yield from self._in_source(element, words, STOCK_ANCHORS, says)

    def opening(self, pressable: list[Element]) -> Iterator[StockHint]:
        """Buttons whose words begin with an offer and go on: "Add to bag – $20.00"."""
        for element in pressable:
            if element.start < 0 or not 3 <= element.end - element.start <= _MAX_BUTTON:
                continue
            words = self._views.text[element.start : element.end]
            opens = not button_says(words) and shop_words.button_opens(words)
            if opens and (value := self._known.held_value(words)):
                quote = snippet(self._views, ViewName.TEXT, *element.span)
                yield StockHint(value, quote, element, self._is_off(element), "buy")

    def named(self, pressable: list[Element]) -> Iterator[StockHint]:
        """Buttons and forms named for what they do, where no words speak."""
        for element in pressable:
            given, words = element.attributes, ""
            if not _SPEAKING.isdisjoint(given):
                spoken = (given.get(name) or "" for name in _SPOKEN)
                words = next((each for each in spoken if button_says(each)), "")
            if not words:
                carts = [
                    (_RANKS[name], cart)
                    for name, written in given.items()
                    if written and name in _RANKS and (cart := _to_cart(written[:_MAX_NAME]))
                ]
                words = min(carts)[1] if carts else ""
            if words and self._places.kind(element) is not RegionKind.HIDDEN:
                yield from self._in_source(element, words, _CARTS, "named")

    def _in_source(
        self, button: Element, words: str, anchors: Sequence[str], manner: str
    ) -> Iterator[StockHint]:
        value = self._known.value_of(words, words.casefold(), anchors)
        at = self._views.source.find(words)
        if value is not None and at >= 0:
            quote = snippet(self._views, ViewName.SOURCE, at, at + len(words))
            yield StockHint(value, quote, button, self._is_off(button), manner)

    def _is_off(self, button: Element) -> bool:
        return (
            "disabled" in button.attributes
            or button.get("aria-disabled") == "true"
            or "disabled" in self._places.tokens(button)
        )

    def states(self) -> list[StockHint]:
        """States in scripts, where nothing on the page speaks; one variant in stock is enough."""
        found: dict[str, StockHint] = {}
        source = self._views.source
        colons = [match.start() for match in _SAID.finditer(source, 0, _MAX_SOURCE)]
        ends = [colon - 1 if source[colon - 1] in "\"'" else colon - 2 for colon in colons]
        for ending, pattern in _STATES.items():
            keys = (end - len(ending) for end in ends if source.endswith(ending, 0, end))
            matches = filter(None, (pattern.match(source, at) for at in keys))
            for match in islice(matches, _MAX_STATES):
                if pattern.groups:
                    span = match.span(1)
                else:
                    before = max(0, match.start() - _MAX_KEY)
                    key = _STATE_KEY.search(source[before : match.start()])
                    if key is None:
                        continue
                    span = before + key.start(), match.end()
                value = self._known.held_value(source[slice(*span)])
                if value is not None and value not in found:
                    quote = snippet(self._views, ViewName.SOURCE, *span)
                    found[value] = StockHint(value, quote, None, False, "state")
        return list(found.values())


@lru_cache(maxsize=8192)
def _to_cart(written: str) -> str:
    """The part of a class, an id or an address that speaks of a cart; they repeat."""
    folded = written.lower()
    found = _TO_CART.search(written) if any(cart in folded for cart in _CARTS) else None
    return found[0] if found else ""


class StockWords:
    """The contract's words for stock; each line is looked up once."""

    def __init__(self, compiled: CompiledContract, field: str) -> None:
        self._compiled = compiled
        self._field = field
        self._exact = {
            normal(name): value
            for value, synonyms in compiled.contract.fields[field].allowed.items()
            for name in (value, *synonyms)
        }
        self._beginnings = {name[:2] for name in self._exact}
        self._plain = all(begin.isalpha() and len(begin) == 2 for begin in self._beginnings)
        self.held_value = lru_cache(maxsize=_MAX_KNOWN)(self._held_value)
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

    def _held_value(self, line: str) -> str | None:
        try:
            return str(self._compiled.derive(self._field, line))
        except NotDerivable:
            return None


_stock_words = lru_cache(maxsize=64)(StockWords)  # those of the contracts in use
