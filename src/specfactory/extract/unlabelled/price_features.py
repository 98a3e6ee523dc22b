"""Features of each amount on a page, by which the price of its own product is ranked."""

import math
import re
from functools import cached_property, lru_cache
from itertools import islice
from typing import Final

from specfactory.extract.page import OTHER_BOX_HINTS, RegionKind
from specfactory.extract.unlabelled.places import FAR, Places, upwards
from specfactory.extract.unlabelled.prices import Amount
from specfactory.extract.unlabelled.shop_words import BESIDE, HINTS, UNIT_WORDS
from specfactory.proof import Element

Features = dict[str, float]
_NEAR = 120  # characters between an old price and the new one
_BEFORE = 40
_BEHIND = 30
_STRONG = frozenset(("strong", "b", "h1", "h2", "h3", "h4", "ins", "big", "em"))
_PERCENT = re.compile(r"\d(?<![\d.,]\d)\d?(?=(?:[.,]\d)?\s?%)")
_SIDE_HINTS = HINTS["ship"] | HINTS["save"] | HINTS["unit"] | HINTS["rate"]
_SIDE = ("ship_word", "save_word", "rate_word", "unit_word", "if_word", "side_hint", "hidden",
         "instalment", "saving")  # fmt: skip
_DIGIT = re.compile(r"\d")  # words behind the next amount belong to that one
_MAX_PERCENTS = 400
_MAX_KNOWN = 4_096
_PARTNERS = 3  # amounts looked at on either side
_MOST_PARTS = 60
_ROUNDED = 0.011  # a share is rounded to the cent
_LEAST_LEFT = 0.2  # of a price after a discount
_LEVELS = 9  # elements looked at upwards for what an amount stands in
_LOG_FAR: Final = math.log(FAR)


class PriceFeatures:
    """The features of all amounts of one page."""

    def __init__(self, places: Places, amounts: list[Amount]) -> None:
        self._places = places
        self._text = places.text
        self._amounts = amounts
        self._title = places.title
        self._title_end = self._title.end if self._title is not None else 0

    @cached_property
    def _percents(self) -> list[tuple[int, int]]:
        if "%" not in self._text:
            return []
        found = islice(_PERCENT.finditer(self._text), _MAX_PERCENTS)
        return [(each.start(), int(each[0])) for each in found]

    def of_all(self) -> list[Features]:
        """One set of features per amount, in their order."""
        amounts = self._amounts
        found = [self._of(amount) for amount in amounts]
        self._mark_parts(found)
        plain = [at for at, features in enumerate(found) if not any(map(features.get, _SIDE))]
        # The first plain amount after the title is seldom another product's.
        seen, counted = 0, frozenset(plain)
        for at, (amount, features) in enumerate(zip(amounts, found, strict=True)):
            after = amount.span[0] >= self._title_end
            features["order"] = 1 / (1 + seen) if after else 0.0
            apart = features["old"] or features["apart_region"]
            seen += after and at in counted and not apart
            features |= {"lower_near": 0.0, "higher_near": 0.0, "fits_discount": 0.0}
        for index, at in enumerate(plain):
            apart = found[at]["apart_region"]
            near = [amounts[other] for other in plain[max(0, index - 2) : index + 3]
                    if found[other]["apart_region"] == apart]  # fmt: skip
            found[at] |= self._neighbours(amounts[at], near)
        return found

    def _mark_parts(self, found: list[Features]) -> None:
        """Mark amounts that are parts of another one: an instalment, or what is saved."""
        for at, mine in enumerate(self._amounts):
            near = [
                other
                for other in self._amounts[max(0, at - _PARTNERS) : at + _PARTNERS + 1]
                if _gap(mine, other) <= _NEAR
            ]
            found[at]["instalment"] = float(any(self._is_share(mine, one) for one in near))
            sums, saved = {one.money.amount for one in near}, mine.money.amount
            found[at]["saving"] = float(
                any(
                    saved < other and abs(higher - other - saved) < _ROUNDED
                    for other in sums
                    for higher in sums
                    if saved > 0
                )
            )

    def _is_share(self, mine: Amount, whole: Amount) -> bool:
        """True when a number beside an amount says how many of it make the whole."""
        part, total = mine.money.amount, whole.money.amount
        if not 0 < part < total:
            return False
        count = round(total / part)
        if not 2 <= count <= _MOST_PARTS or abs(total / count - part) > _ROUNDED:
            return False
        start, end = mine.span
        beside = f"{self._text[max(0, start - _BEFORE) : start]} {self._text[end : end + _BEHIND]}"
        return re.search(rf"(?<![\d.,]){count}(?![\d.,%]\d?)", beside) is not None

    def _of(self, amount: Amount) -> Features:
        start, end = amount.span
        element = amount.element
        around = list(islice(upwards(element), _LEVELS))
        tokens = self._places.tokens_around(element)
        priced = [each for each in around[:2] if each.attributes]
        before, behind = map(str.lower, self._beside(start, end))
        kind = self._places.kind(element)
        struck = element is not None and element.struck
        button = self._places.nearest_button(start)
        to_button = abs(button.start - start) if button is not None else FAR
        title_near = 0.0
        if self._title is not None:
            title_near = 1 - math.log(1 + min(abs(start - self._title_end), FAR - 1)) / _LOG_FAR
        return {
            "price_hint": float(not HINTS["price"].isdisjoint(tokens)),
            "price_own": float(any(self._has(each, HINTS["price"]) for each in priced)),
            "now_hint": float(not HINTS["now"].isdisjoint(tokens)),
            "old": float(struck or not HINTS["old"].isdisjoint(tokens)),
            "side_hint": float(not _SIDE_HINTS.isdisjoint(tokens)),
            "other_hint": float(
                any(each.attributes and self._has(each, OTHER_BOX_HINTS) for each in around)
            ),
            **_words_beside(before, behind),
            "apart_region": float(kind in (RegionKind.OTHER, RegionKind.CARD)),
            "post_region": float(kind is RegionKind.POST),
            "hidden": float(kind is RegionKind.HIDDEN or (element is not None and element.hidden)),
            "link": float(
                any(each.tag == "a" and each.get("href").strip("# ") for each in around[:5])
            ),
            "after_title": float(start >= self._title_end > 0),
            "title_near": title_near,
            "title_box": self._box(element, self._title),
            "button_box": self._box(element, button),
            "button_near": 1 - math.log(1 + to_button) / _LOG_FAR,
            "alone": float(not before.strip() and not behind.strip(" .,*")),
            "strong": float(any(each.tag in _STRONG for each in around[:3])),
            "nothing": float(amount.money.amount <= 0),
            "own_sign": float(amount.apart is None),
        }

    def _has(self, element: Element, hints: frozenset[str]) -> bool:
        return not hints.isdisjoint(self._places.tokens(element))

    def _beside(self, start: int, end: int) -> tuple[str, str]:
        """The words on the amount's own line, before and behind it."""
        near = self._text[max(0, start - _BEFORE) : start]
        before = near.rpartition("\n")[2]
        behind = self._text[end : end + _BEHIND].partition("\n")[0]
        if not before.strip():
            # A short line right above may name the amount: "Was:".
            above = near.rstrip().rpartition("\n")[2]
            named = len(above) <= 24 and above.rstrip().endswith((":", "："))
            before = above if named else ""
        return before, behind

    def _box(self, element: Element | None, other: Element | None) -> float:
        """Closeness of two elements by the smallest box around both, 1 for the smallest."""
        if other is None:
            return 0.0
        size = min(self._places.common_size(element, other), len(self._text))
        return 1 - math.log(1 + size) / math.log(2 + len(self._text))

    def _neighbours(self, mine: Amount, near: list[Amount]) -> Features:
        """Features of lower and higher amounts nearby, and of a discount between them.

        1 for the lower one of two that a percentage near them explains, -1 for the higher one.
        """
        lower = higher = fits = 0.0
        price = mine.money.amount
        for other in near:
            if other is mine or _gap(mine, other) > _NEAR:
                continue
            low, high = sorted((price, other.money.amount))
            if _LEAST_LEFT * price < other.money.amount < price:
                lower = 1.0
            elif other.money.amount > price:
                higher = 1.0
            if not fits and 0 < low < high:
                off = 100 * (1 - low / high)
                start = min(mine.span[0], other.span[0]) - _NEAR
                end = max(mine.span[1], other.span[1]) + _NEAR
                if any(start <= at <= end and abs(off - said) <= 1 for at, said in self._percents):
                    fits = 1.0 if price == low else -1.0
        return {"lower_near": lower, "higher_near": higher, "fits_discount": fits}


def _gap(one: Amount, other: Amount) -> int:
    return max(one.span[0], other.span[0]) - min(one.span[1], other.span[1])


@lru_cache(maxsize=_MAX_KNOWN)
def _words_beside(before: str, behind: str) -> Features:
    """Tell by the words beside it whether an amount is an old price, shipping, a saving, a rate.

    Cached, as most amounts stand alone or beside the same few words.
    """
    near, both = _DIGIT.split(behind[:16], maxsplit=1)[0], f"{before} {behind}"
    return {
        "old_word": float(bool(BESIDE["old"].search(before))),
        "ship_word": float(bool(BESIDE["ship"].search(before) or BESIDE["ship"].search(near)
                                or before.rstrip().endswith("+"))),
        "save_word": float(bool(BESIDE["save"].search(before) or BESIDE["save"].search(near))),
        "rate_word": float(bool(BESIDE["rate"].search(before) or BESIDE["rate"].search(behind))),
        "unit_word": float(bool(UNIT_WORDS.match(behind.lstrip()) or UNIT_WORDS.search(before))),
        "from_word": float(bool(BESIDE["from"].search(before))),
        "if_word": float(bool(BESIDE["if"].search(both))),
        "tax_word": float(bool(BESIDE["tax"].search(both))),
    }  # fmt: skip
