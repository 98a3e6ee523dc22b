"""Buy buttons that the lines of a page do not show: by their markup or by what scripts say."""

import re
from functools import lru_cache
from itertools import islice
from operator import attrgetter

from specfactory.contract import CompiledContract
from specfactory.extract.page import RegionKind
from specfactory.extract.unlabelled.places import Places
from specfactory.extract.unlabelled.shop_words import STOCK_ANCHORS, button_opens, button_says
from specfactory.extract.unlabelled.stock import (
    StockHint,
    StockWords,
    find_stock_lines,
    is_off,
    stock_words,
)
from specfactory.model import Field, ViewName
from specfactory.proof import Element, PageViews, snippet

_MAX_FOUND = 60
_SPOKEN = ("aria-label", "title", "alt", "value", "data-label", "data-text")
_NAMED = ("id", "class", "name", "action", "data-action", "data-testid", "data-test", "onclick")
_SPEAKING = frozenset(_SPOKEN)
_RANKS = {name: rank for rank, name in enumerate(_NAMED)}
_TO_CART = re.compile(
    r"add[-_ ]?(?:(?:item|product)[-_ ]?)?(?:to|in|2)[-_ ]?(?:cart|basket|bag|trolley)|"
    r"(?:cart|basket)[-_/]?add(?![a-z])|(?<![a-z])to[-_]?(?:cart|basket)(?![a-z])|"
    r"(?<![a-z])buy[-_ ]?(?:now|it|btn|button|link|form|box|block)(?![a-z])|"
    r"(?<![a-z])(?:btn|button)[-_]?(?:buy|order|purchase)(?![a-z])|"
    r"(?<![a-z])(?:order|purchase)[-_]?(?:now|btn|button)(?![a-z])|in[-_]?den[-_]?warenkorb|"
    r"ajouter[-_]?au[-_]?panier|(?:agregar|a[nñ]adir)[-_]?(?:al[-_]?)?carrito|"
    r"(?<![a-z])comprar[-_](?:btn|button|ahora|agora)|aggiungi[-_]?al[-_]?carrello|"
    r"do[-_]koszyka|do[-_]kosik[au]|v[-_]korzinu|sepete[-_]?ekle",
    re.I,
)
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


def find_stock_hints(
    views: PageViews, places: Places, compiled: CompiledContract, field: Field
) -> list[StockHint]:
    """Find what a page says of the stock; where no words are clear, by what buttons are named."""
    known = stock_words(compiled, field)
    found = find_stock_lines(views, places, compiled, field) + _inputs(views, places, known)
    if not _is_clear(found, places):
        outline = places.layout.outline
        pressable = outline.tagged(*_ACTIVE)
        scripted = [
            element
            for element in outline.marked("role", "onclick")
            if element.get("role") == "button" or "onclick" in element.attributes
        ]
        if scripted:
            pressable = sorted({*pressable, *scripted}, key=attrgetter("index"))
        found += _opening(views, places, known, pressable)
        if not _is_clear(found, places):
            found += _by_markup(views, places, known, pressable)
    return found or _by_state(views, known)


def _is_clear(found: list[StockHint], places: Places) -> bool:
    """True when the page's own part says for sure whether the product can be bought."""
    return any(one.manner in _SURE and places.kind(one.element) is RegionKind.OWN for one in found)


def _inputs(views: PageViews, places: Places, known: StockWords) -> list[StockHint]:
    """Buttons whose words stand in an attribute: <input type=submit value="Add to cart">."""
    found: list[StockHint] = []
    for element in places.layout.outline.tagged("input"):
        if element.get("type") not in ("submit", "button", "image"):
            continue
        words = element.get("value") or element.get("alt")
        if not button_says(words) or places.kind(element.parent) is RegionKind.HIDDEN:
            continue
        value = known.value_of(words, words.casefold(), STOCK_ANCHORS)
        at = views.source.find(words)
        if value is not None and at >= 0 and len(found) < _MAX_FOUND:
            quote = snippet(views, ViewName.SOURCE, at, at + len(words))
            off = is_off(element, places)
            found.append(StockHint(value, quote, element, True, off, button_says(words)))
    return found


def _opening(
    views: PageViews, places: Places, known: StockWords, pressable: list[Element]
) -> list[StockHint]:
    """Buttons whose words begin with an offer and go on: "Add to bag – $20.00"."""
    found: list[StockHint] = []
    for element in pressable:
        size = element.end - element.start
        if not element.start >= 0 or not 3 <= size <= _MAX_BUTTON or len(found) >= _MAX_FOUND:
            continue
        words = views.text[element.start : element.end]
        if not button_says(words) and button_opens(words) and (value := known.held_value(words)):
            quote = snippet(views, ViewName.TEXT, element.start, element.end)
            found.append(StockHint(value, quote, element, True, is_off(element, places), "buy"))
    return found


def _by_markup(
    views: PageViews, places: Places, known: StockWords, pressable: list[Element]
) -> list[StockHint]:
    """Buttons and forms named for what they do, where no words speak."""
    found: list[StockHint] = []
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
        if not words:
            continue
        value, at = known.value_of(words, words.casefold(), _CARTS), views.source.find(words)
        if value is None or at < 0 or places.kind(element) is RegionKind.HIDDEN:
            continue
        quote = snippet(views, ViewName.SOURCE, at, at + len(words))
        found.append(StockHint(value, quote, element, True, is_off(element, places), "named"))
        if len(found) >= _MAX_FOUND:
            break
    return found


@lru_cache(maxsize=8192)
def _to_cart(written: str) -> str:
    """The part of a class, an id or an address that speaks of a cart; they repeat."""
    folded = written.lower()
    found = _TO_CART.search(written) if any(cart in folded for cart in _CARTS) else None
    return found[0] if found else ""


def _by_state(views: PageViews, known: StockWords) -> list[StockHint]:
    """States in scripts, where nothing on the page speaks; one variant in stock is enough."""
    found: dict[str, StockHint] = {}
    source = views.source
    colons = [match.start() for match in _SAID.finditer(source, 0, _MAX_SOURCE)]
    ends = [colon - 1 if source[colon - 1] in "\"'" else colon - 2 for colon in colons]
    for ending, pattern in _STATES.items():
        keys = (end - len(ending) for end in ends if source.endswith(ending, 0, end))
        for match in islice(filter(None, (pattern.match(source, at) for at in keys)), _MAX_STATES):
            if pattern.groups:
                span = match.span(1)
            else:
                before = max(0, match.start() - _MAX_KEY)
                key = _STATE_KEY.search(source[before : match.start()])
                if key is None:
                    continue
                span = before + key.start(), match.end()
            value = known.held_value(source[slice(*span)])
            if value is not None and value not in found:
                quote = snippet(views, ViewName.SOURCE, *span)
                found[value] = StockHint(value, quote, None, False, False, "state")
    return list(found.values())
