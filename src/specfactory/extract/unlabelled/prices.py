"""Amounts of money on a page that carry no label: where they stand and what is around them."""

import re
from collections import Counter
from typing import NamedTuple

from msgspec import Struct

from specfactory.contract import CompiledContract
from specfactory.contract.values import (
    CENTS_FOLLOW,
    ISO_CODES,
    MULTIPLE_STARTS,
    PAGE_SIGNS,
    SIGN_CHARACTERS,
    multiple_behind,
    split_signs,
)
from specfactory.errors import NotDerivable
from specfactory.extract.page import Span
from specfactory.extract.unlabelled.places import Places
from specfactory.extract.unlabelled.shop_words import PRICE_HINTS
from specfactory.model import Money, Snippet, ViewName
from specfactory.proof import Element, PageViews, reading, snippet
from specfactory.proof.text import HAIR_SPACE

_MAX_AMOUNTS = 400
_MAX_NUMBERS = 6_000
_REACH = 14  # characters before an amount in which its currency may stand
_GAP = "\u00a0\u202f\u2009\u200a "
# A digit comes first, then what may not stand before it: a search for digits is fastest.
_NUMBER = re.compile(
    rf"\d(?<![\d.,٫٬]\d)(?:\d{{0,2}}(?:[{_GAP}.,'’٬]\d{{3}}(?!\d))+(?:[.,٫]\d{{1,2}}(?!\d))?"
    rf"|\d{{0,8}}(?:[.,٫]\d{{1,2}}(?!\d))?)"
)
_CENTS = re.compile(r"[.,]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{2}|[.,]\u200a\d\d(?![\d.,])|[.,][-–—]{1,2}|/-")
_WORDS, _SYMBOLS = split_signs(PAGE_SIGNS)
_SYMBOL = "|".join(map(re.escape, _SYMBOLS))
_ONLY_BEFORE = ("R", *(word for word in _WORDS if word.endswith("/")))
_WORD = "|".join(re.escape(word) for word in _WORDS if word not in _ONLY_BEFORE)
_NAME = rf"(?:(?i:{_WORD})|[A-Z]{{3}})(?![^\W\d_])\.?"
_BEFORE = re.compile(
    rf"(?P<currency>(?<![^\W_])(?<![-/]){_NAME}|{_SYMBOL}|"
    rf"(?<![^\W\d_])(?:R|(?i:{'|'.join(_ONLY_BEFORE[1:])})\.?))[{_GAP}\n]{{0,3}}$"
)
_FIRSTS = {char for sign in PAGE_SIGNS for char in (sign[0], sign[0].upper())}
_BEHIND = re.compile(
    rf"[{_GAP}\n]{{0,3}}+(?=[{re.escape(''.join(sorted(_FIRSTS)))}]|[A-Z]{{3}}(?![^\W\d_]))"
    rf"(?P<currency>{_NAME}|{_SYMBOL})(?:(?<=[{CENTS_FOLLOW}])\d\d(?![\d.,]))?"
)
_ENDINGS = {
    last: tuple(sign for sign in PAGE_SIGNS if sign != "R" and sign[-1].casefold() == last)
    for last in {sign[-1].casefold() for sign in PAGE_SIGNS}
}
_CENT_STARTS = frozenset(".,/⁰¹²³⁴⁵⁶⁷⁸⁹")
_LONE = frozenset(SIGN_CHARACTERS)  # signs that need nothing beside them
_LINE_ENDS = ("", "\n", "\t")
_GAPS = f"{_GAP}\n"
_CURRENCY_PATH = re.compile(r"(?:^|[.:])(?:priceCurrency|currency)$")
_GLUED = re.compile(r"\d(?!\d?(?![\d.,]))")
_DIGIT = re.compile(rf"[{_GAP}]{{0,2}}\d")


class Amount(NamedTuple):
    """Money on a page, and where its currency stands."""

    span: Span
    money: Money
    element: Element | None
    apart: Snippet | None = None  # the currency, from elsewhere on the page
    sign: Span | None = None  # the currency's own span inside ``span``


class Figure(Struct):
    """A number that is an amount of money, if its sign or the page's currency says so."""

    span: Span
    sign: Span | None


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
    for count, match in enumerate(_NUMBER.finditer(text)):
        if count >= _MAX_NUMBERS or len(found) >= _MAX_AMOUNTS:
            break
        start, end = match.span()
        if text[end : end + 1] in _CENT_STARTS and (cents := _CENTS.match(text, end)):
            end = cents.end()
        elif text[end : end + 3].lstrip(_GAP)[:1] in MULTIPLE_STARTS:
            _, end = multiple_behind(text, end)
        alone = text[start - 1 : start] in _LINE_ENDS and text[end : end + 1] in _LINE_ENDS
        if not (alone or _may_be_money(text, start, end)):
            continue
        one = _with_currency(text, start, end)
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


def _may_be_money(text: str, start: int, end: int) -> bool:
    """Cheap check before all signs are tried: most numbers have no currency beside them."""
    if _BEHIND.match(text, end):
        return True
    return _may_end(text[max(0, start - _REACH) : start].rstrip(_GAPS))


def _may_end(words: str) -> bool:
    """True when words may end with a currency; ruled out before all signs are tried."""
    if words[-1:] == ".":
        words = words[:-1]
    last, three = words[-1:], words[-3:]
    if words.casefold().endswith(_ENDINGS.get(last.casefold(), ())):
        return True
    return last == "R" or (three.isupper() and three.isalpha())


def _with_currency(text: str, start: int, end: int) -> Figure | None:
    """A number with the sign behind or before it; None when it has none of its own."""
    if text[end : end + 1] == HAIR_SPACE or text[start - 1 : start] == HAIR_SPACE:
        return None  # two numbers, or one in two elements: no telling which
    behind = None
    if not (start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_")):
        behind = _BEHIND.match(text, end)
        if behind is not None and not _is_currency(behind["currency"]):
            behind = None
    if behind is None:
        before, glued = _sign_before(text, start), False
    else:
        whole = Figure((start, behind.end()), behind.span("currency"))
        glued = _GLUED.match(text, behind.end()) is not None
        digit = _DIGIT.match(text, behind.end()) is not None
        # The sign belongs to the next amount in "Save 150$249.99", but not in "12€50" ...
        of_next = digit if "\n" in text[end : behind.start("currency")] else glued
        if not of_next and not digit:
            return whole
        # ... and where signs stand before their numbers: "€ 120,00 € 84,00".
        before = _sign_before(text, start)
        if not of_next and before is None:
            return whole
    # Letters behind the digits make them something else: "KR 12GB".
    if before is not None and not (text[end : end + 1].isalpha() and text[before[0]].isalpha()):
        return Figure((before[0], end), before)
    return None if behind is None or glued else whole


def _sign_before(text: str, start: int) -> Span | None:
    reach = max(0, start - _REACH)
    near = text[reach:start]
    words = near.rstrip(_GAPS)
    if words[-1:] in _LONE and len(near) - len(words) <= 3 and not words[-2:-1].isalpha():
        return reach + len(words) - 1, reach + len(words)
    before = _BEFORE.search(near) if _may_end(words) else None
    if before is None or not _is_currency(before["currency"]):
        return None
    return reach + before.start("currency"), reach + before.end("currency")


def _is_currency(written: str) -> bool:
    three = written.rstrip(".")
    return not (len(three) == 3 and three.isascii() and three.isupper()) or three in ISO_CODES
