"""What speaks for and against each amount on a page being the price of its own thing."""

from __future__ import annotations

import math
import re
from functools import cached_property, lru_cache
from itertools import islice
from typing import Final

from specfactory.extract.page import Kind
from specfactory.extract.unlabelled.places import FAR, Places
from specfactory.extract.unlabelled.prices import Amount
from specfactory.extract.unlabelled.shop_words import (
    FROM_WORDS,
    IF_WORDS,
    NOW_HINTS,
    OLD_HINTS,
    OLD_WORDS,
    OTHER_HINTS,
    PRICE_HINTS,
    RATE_HINTS,
    RATE_WORDS,
    SAVE_HINTS,
    SAVE_WORDS,
    SHIP_HINTS,
    SHIP_WORDS,
    TAX_WORDS,
    UNIT_HINTS,
    UNIT_WORDS,
)
from specfactory.proof import Element

Features = dict[str, float]
_NEAR = 120  # characters between an old price and the new one
_BEFORE = 40
_BEHIND = 30
_STRONG = frozenset(("strong", "b", "h1", "h2", "h3", "h4", "ins", "big", "em"))
_PERCENT = re.compile(r"\d(?<![\d.,]\d)\d?(?=(?:[.,]\d)?\s?%)")
_SIDE_HINTS = SHIP_HINTS | SAVE_HINTS | UNIT_HINTS | RATE_HINTS
_SIDE = ("ship_word", "save_word", "rate_word", "unit_word", "if_word", "side_hint", "hidden",
         "instalment", "saving")  # fmt: skip
_DIGIT = re.compile(r"\d")  # what stands behind the next amount is said of that one
_MAX_PERCENTS = 400
_MAX_KNOWN = 4_096
_PARTNERS = 3  # amounts on either side of which another may be a part
_MOST_PARTS = 60
_ROUNDED = 0.011  # a share is rounded to the cent
_LEAST_LEFT = 0.2  # of a price after a discount
_LOG_FAR: Final = math.log(FAR)


class PriceFeatures:
    """The features of all amounts of one page."""

    def __init__(self, places: Places, amounts: list[Amount]) -> None:
        self._places = places
        self._text = places.text
        self._amounts = amounts
        title = places.title
        self._title = title
        self._title_end = title.end if title is not None else 0

    @cached_property
    def _percents(self) -> list[tuple[int, int]]:
        """The percentages of the page, with where they stand."""
        if "%" not in self._text:
            return []
        found = islice(_PERCENT.finditer(self._text), _MAX_PERCENTS)
        return [(each.start(), int(each[0])) for each in found]

    def of_all(self) -> list[Features]:
        """One set of features per amount, in their order."""
        found = [self._of(amount) for amount in self._amounts]
        self._mark_parts(found)
        plain = [at for at, features in enumerate(found) if not any(map(features.get, _SIDE))]
        self._count_order(found, plain)
        for features in found:
            features |= {"lower_near": 0.0, "higher_near": 0.0, "fits_discount": 0.0}
        for index, at in enumerate(plain):
            apart = found[at]["apart_region"]
            near = [self._amounts[other] for other in plain[max(0, index - 2) : index + 3]
                    if found[other]["apart_region"] == apart]  # fmt: skip
            found[at] |= self._neighbours(self._amounts[at], near)
        return found

    def _mark_parts(self, found: list[Features]) -> None:
        """Tell amounts that are shares of another one: an instalment, or what is saved."""
        amounts = self._amounts
        for at, mine in enumerate(amounts):
            near = [
                other
                for other in amounts[max(0, at - _PARTNERS) : at + _PARTNERS + 1]
                if _gap(mine, other) <= _NEAR
            ]
            found[at]["instalment"] = float(any(self._is_share(mine, one) for one in near))
            found[at]["saving"] = float(_is_difference(mine, near))

    def _is_share(self, mine: Amount, whole: Amount) -> bool:
        """Whether so many of mine, as a number beside it says, make the whole."""
        part, total = mine.money.amount, whole.money.amount
        if not 0 < part < total:
            return False
        count = round(total / part)
        if not 2 <= count <= _MOST_PARTS or abs(total / count - part) > _ROUNDED:
            return False
        start, end = mine.span
        beside = f"{self._text[max(0, start - _BEFORE) : start]} {self._text[end : end + _BEHIND]}"
        return re.search(rf"(?<![\d.,]){count}(?![\d.,%]\d?)", beside) is not None

    def _count_order(self, found: list[Features], plain: list[int]) -> None:
        """Which plain amount after the title this is: the first one is seldom another's."""
        seen, counted = 0, frozenset(plain)
        for at, (amount, features) in enumerate(zip(self._amounts, found, strict=True)):
            after = amount.span[0] >= self._title_end
            features["order"] = 1 / (1 + seen) if after else 0.0
            apart = features["old"] or features["apart_region"]
            seen += after and at in counted and not apart

    def _of(self, amount: Amount) -> Features:
        start, end = amount.span
        element = amount.element
        tokens = self._places.tokens_around(element)
        before, behind = map(str.lower, self._beside(start, end))
        kind = self._places.kind(element)
        struck = element is not None and element.struck
        return {
            "price_hint": float(not PRICE_HINTS.isdisjoint(tokens)),
            "price_own": float(self._is_priced(element)),
            "now_hint": float(not NOW_HINTS.isdisjoint(tokens)),
            "old": float(struck or not OLD_HINTS.isdisjoint(tokens)),
            "side_hint": float(not _SIDE_HINTS.isdisjoint(tokens)),
            "other_hint": float(self._other_hint(element)),
            **_words_beside(before, behind),
            "apart_region": float(kind in (Kind.OTHER, Kind.CARD)),
            "post_region": float(kind is Kind.POST),
            "hidden": float(kind is Kind.HIDDEN or (element is not None and element.hidden)),
            "link": float(_in_link(element)),
            "after_title": float(start >= self._title_end > 0),
            "title_near": self._title_near(start),
            "title_box": self._box(element, self._title),
            "button_box": self._box(element, self._places.nearest_button(start)),
            "button_near": 1 - math.log(1 + self._places.to_button(start)) / _LOG_FAR,
            "alone": float(not before.strip() and not behind.strip(" .,*")),
            "strong": float(_is_strong(element)),
            "nothing": float(amount.money.amount <= 0),
            "own_sign": float(amount.apart is None),
        }

    def _beside(self, start: int, end: int) -> tuple[str, str]:
        """The words on the amount's own line, before and behind it."""
        before = self._text[max(0, start - _BEFORE) : start].rpartition("\n")[2]
        behind = self._text[end : end + _BEHIND].partition("\n")[0]
        if not before.strip():
            before = self._line_above(start)
        return before, behind

    def _line_above(self, start: int) -> str:
        """A short line right above, which may name the amount: "Was:"."""
        above = self._text[max(0, start - _BEFORE) : start].rstrip().rpartition("\n")[2]
        return above if len(above) <= 24 and above.rstrip().endswith((":", "：")) else ""

    def _is_priced(self, element: Element | None) -> bool:
        """Whether the amount's own markup, or that right around it, speaks of a price."""
        near = (element, element.parent) if element is not None else ()
        return any(
            each is not None and not PRICE_HINTS.isdisjoint(self._places.tokens(each))
            for each in near
        )

    def _other_hint(self, element: Element | None) -> bool:
        at, level = element, 0
        while at is not None and level < 9:
            if at.attributes and not OTHER_HINTS.isdisjoint(self._places.tokens(at)):
                return True
            at, level = at.parent, level + 1
        return False

    def _title_near(self, start: int) -> float:
        if self._title is None:
            return 0.0
        return 1 - math.log(1 + min(abs(start - self._title_end), FAR - 1)) / _LOG_FAR

    def _box(self, element: Element | None, other: Element | None) -> float:
        """How small the box is that holds both an amount and another, 1 for the smallest."""
        if other is None:
            return 0.0
        size = min(self._places.common_size(element, other), len(self._text))
        return 1 - math.log(1 + size) / math.log(2 + len(self._text))

    def _neighbours(self, mine: Amount, near: list[Amount]) -> Features:
        """Whether a lower and a higher amount stand near, and how a percentage fits the two.

        1 for the lower one of two that a percentage near them explains, -1 for the higher one.
        """
        lower = higher = fits = 0.0
        for other in near:
            if other is mine or _gap(mine, other) > _NEAR:
                continue
            if _LEAST_LEFT * mine.money.amount < other.money.amount < mine.money.amount:
                lower = 1.0
            elif other.money.amount > mine.money.amount:
                higher = 1.0
            if not fits and self._explained(mine, other):
                fits = 1.0 if mine.money.amount < other.money.amount else -1.0
        return {"lower_near": lower, "higher_near": higher, "fits_discount": fits}

    def _explained(self, one: Amount, other: Amount) -> bool:
        low, high = sorted((one.money.amount, other.money.amount))
        if low <= 0 or low == high:
            return False
        off = 100 * (1 - low / high)
        start = min(one.span[0], other.span[0]) - _NEAR
        end = max(one.span[1], other.span[1]) + _NEAR
        return any(start <= at <= end and abs(off - said) <= 1 for at, said in self._percents)


def _gap(one: Amount, other: Amount) -> int:
    return max(one.span[0], other.span[0]) - min(one.span[1], other.span[1])


def _is_difference(mine: Amount, near: list[Amount]) -> bool:
    """Whether mine is what two others near it differ by, and the least of the three."""
    amounts = {one.money.amount for one in near}
    saved = mine.money.amount
    return any(
        saved < other and abs(higher - other - saved) < _ROUNDED
        for other in amounts
        for higher in amounts
        if saved > 0
    )


@lru_cache(maxsize=_MAX_KNOWN)
def _words_beside(before: str, behind: str) -> Features:
    """What the words beside an amount make it: an old price, shipping, a saving, a rate ...

    Most amounts stand alone or beside the same few words, so each are looked at once.
    """
    near, both = _DIGIT.split(behind[:16], maxsplit=1)[0], f"{before} {behind}"
    return {
        "old_word": float(bool(OLD_WORDS.search(before))),
        "ship_word": float(bool(SHIP_WORDS.search(before) or SHIP_WORDS.search(near)
                                or before.rstrip().endswith("+"))),
        "save_word": float(bool(SAVE_WORDS.search(before) or SAVE_WORDS.search(near))),
        "rate_word": float(bool(RATE_WORDS.search(before) or RATE_WORDS.search(behind))),
        "unit_word": float(bool(UNIT_WORDS.match(behind.lstrip()) or UNIT_WORDS.search(before))),
        "from_word": float(bool(FROM_WORDS.search(before))),
        "if_word": float(bool(IF_WORDS.search(both))),
        "tax_word": float(bool(TAX_WORDS.search(both))),
    }  # fmt: skip


def _in_link(element: Element | None) -> bool:
    at, level = element, 0
    while at is not None and level < 5:
        if at.tag == "a" and at.get("href").strip("# "):
            return True
        at, level = at.parent, level + 1
    return False


def _is_strong(element: Element | None) -> bool:
    at, level = element, 0
    while at is not None and level < 3:
        if at.tag in _STRONG:
            return True
        at, level = at.parent, level + 1
    return False
