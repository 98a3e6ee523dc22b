"""Amounts of money on a page that carry no label: where they stand and what is around them."""

import re
from collections import Counter
from typing import NamedTuple

from specfactory.contract import CompiledContract
from specfactory.contract.values import AMOUNT, Figure, amount_end, may_be_price, with_currency
from specfactory.errors import NotDerivable
from specfactory.extract.page import Span
from specfactory.extract.unlabelled.places import Places
from specfactory.extract.unlabelled.shop_words import PRICE_HINTS
from specfactory.model import Money, Snippet, ViewName
from specfactory.proof import Element, PageViews, reading, snippet

_MAX_AMOUNTS = 400
_MAX_NUMBERS = 6_000
_LINE_ENDS = ("", "\n", "\t")
_CURRENCY_PATH = re.compile(r"(?:^|[.:])(?:priceCurrency|currency)$")


class Amount(NamedTuple):
    """Money on a page, and where its currency stands."""

    span: Span
    money: Money
    element: Element | None
    apart: Snippet | None = None  # the currency, from elsewhere on the page
    sign: Span | None = None  # the currency's own span inside ``span``


def find_amounts(
    found: list[Figure], views: PageViews, places: Places, compiled: CompiledContract, field: str
) -> list[Amount]:
    """The figures of the text view that are amounts of money, in order."""
    # The currency of the page: what its structured data says, else its commonest sign.
    properties = (named for item in views.items for named in item.properties)
    fallback = next((one.snippet for one in properties if _CURRENCY_PATH.search(one.path)), None)
    if fallback is None:
        signs = [one.sign for one in found if one.sign]
        counts = Counter(views.text[start:end] for start, end in signs)
        for commonest, _ in counts.most_common(1):
            sign = next((a, b) for a, b in signs if views.text[a:b] == commonest)
            fallback = snippet(views, ViewName.TEXT, *sign)
    reader = _Reader(views, compiled, field, fallback)
    amounts = (reader.read(one, places) for one in found[:_MAX_AMOUNTS])
    return [amount for amount in amounts if amount is not None]


def find_bare(found: list[Figure], views: PageViews) -> Snippet | None:
    """The first amount in markup that speaks of a price, where nothing names a currency."""
    bare = next((one for one in found if one.sign is None), None)
    return snippet(views, ViewName.TEXT, *bare.span) if bare is not None else None


class _Reader:
    """Reads amounts by the contract's rule; words that repeat are read once."""

    def __init__(
        self, views: PageViews, compiled: CompiledContract, field: str, fallback: Snippet | None
    ) -> None:
        self._views = views
        self._compiled = compiled
        self._field = field
        self._fallback = fallback
        self._known: dict[str, Money | None] = {}

    def read(self, found: Figure, places: Places) -> Amount | None:
        """Read a figure with its own currency, else with that of the page."""
        start, end = found.span
        words = self._views.text[start:end]
        element = places.at(start, end)
        if found.sign is not None and (money := self._money(words)):
            return Amount(found.span, money, element, None, found.sign)
        if self._fallback is None:
            return None
        bare = start, end
        if found.sign is not None:
            sign = found.sign
            written = self._views.text[sign[0] : sign[1]]
            if written.isascii() and written.isalpha():
                return None  # these letters may as well be part of a model's name
            if sign[0] == start:
                bare = end - len(words[sign[1] - start :].lstrip()), end
            else:
                bare = start, start + len(words[: sign[0] - start].rstrip())
        whole = f"{self._views.text[bare[0] : bare[1]]} {reading(self._fallback)}"
        again = self._money(whole)
        return Amount(bare, again, element, self._fallback) if again else None

    def _money(self, words: str) -> Money | None:
        if words not in self._known:
            try:
                value = self._compiled.derive(self._field, words, "", self._views.language)
            except NotDerivable:
                value = None
            self._known[words] = value if isinstance(value, Money) else None
        return self._known[words]


def find_figures(text: str, places: Places) -> list[Figure]:
    """Every number of the text view beside a currency, or in markup that speaks of a price."""
    found: list[Figure] = []
    for count, match in enumerate(AMOUNT.finditer(text)):
        if count >= _MAX_NUMBERS or len(found) >= _MAX_AMOUNTS:
            break
        start, end = match.start(), amount_end(text, match.end())
        alone = text[start - 1 : start] in _LINE_ENDS and text[end : end + 1] in _LINE_ENDS
        if not (alone or may_be_price(text, start, end)):
            continue
        one = with_currency(text, start, end)
        if one is None and alone:
            # A bare number that fills an element whose markup speaks of a price.
            element = places.at(start, end)
            if element is not None and element.end - element.start == end - start:
                around = (element, element.parent) if element.parent else (element,)
                if any(not PRICE_HINTS.isdisjoint(places.tokens(each)) for each in around):
                    one = Figure((start, end), None)
        if one is not None and not (found and found[-1].span[1] > one.span[0]):
            found.append(one)
    return found
