"""Where prices stand in the text of a page: an amount with its currency before or behind it.

This is the search; ``prices`` reads what it finds. Both take signs from the table of currencies.
"""

import re
from typing import NamedTuple

from specfactory.contract.values.currencies import (
    CENTS_FOLLOW,
    ISO_CODES,
    PAGE_SIGNS,
    SIGN_CHARACTERS,
    SURE_SIGNS,
    split_signs,
)
from specfactory.contract.values.multipliers import MULTIPLE_STARTS, multiple_behind
from specfactory.contract.values.numbers import RAISED

Span = tuple[int, int]

_REACH = 14  # characters before an amount in which its currency may stand
_HAIR_SPACE = "\u200a"  # between elements of a page that touch each other
_GAP = f"\u00a0\u202f\u2009{_HAIR_SPACE} "
_GAPS = f"{_GAP}\n"
# A digit comes first, then what may not stand before it: a search for digits is fastest.
AMOUNT = re.compile(
    rf"\d(?<![\d.,٫٬]\d)(?:\d{{0,2}}(?:[{_GAP}.,'’٬]\d{{3}}(?!\d))+(?:[.,٫]\d{{1,2}}(?!\d))?"
    rf"|\d{{0,8}}(?:[.,٫]\d{{1,2}}(?!\d))?)"
)
_CENTS = re.compile(rf"[.,]?[{RAISED}]{{2}}|[.,]{_HAIR_SPACE}\d\d(?![\d.,])|[.,][-–—]{{1,2}}|/-")
_CENT_STARTS = frozenset(f".,/{RAISED}")
_WORDS, _SYMBOLS = split_signs(PAGE_SIGNS)
_SYMBOL = "|".join(map(re.escape, _SYMBOLS))
_ONLY_BEFORE = ("R", *(word for word in _WORDS if word.endswith("/")))
_WORD = "|".join(re.escape(word) for word in _WORDS if word not in _ONLY_BEFORE)
_NAME = rf"(?:(?i:{_WORD})|[A-Z]{{3}})(?![^\W\d_])\.?"
_BEFORE = re.compile(
    rf"(?P<currency>(?<![^\W_])(?<![-/]){_NAME}|{_SYMBOL}|"
    rf"(?<![^\W\d_])(?:R|(?i:{'|'.join(_ONLY_BEFORE[1:])})\.?))[{_GAPS}]{{0,3}}$"
)
_FIRSTS = {char for sign in PAGE_SIGNS for char in (sign[0], sign[0].upper())}
_BEHIND = re.compile(
    rf"[{_GAPS}]{{0,3}}+(?=[{re.escape(''.join(sorted(_FIRSTS)))}]|[A-Z]{{3}}(?![^\W\d_]))"
    rf"(?P<currency>{_NAME}|{_SYMBOL})(?:(?<=[{CENTS_FOLLOW}])\d\d(?![\d.,]))?"
)
_ENDINGS = {
    last: tuple(sign for sign in PAGE_SIGNS if sign != "R" and sign[-1].casefold() == last)
    for last in {sign[-1].casefold() for sign in PAGE_SIGNS}
}
_LONE = frozenset(SIGN_CHARACTERS)  # signs that need nothing beside them
_GLUED = re.compile(r"\d(?!\d?(?![\d.,]))")
_DIGIT = re.compile(rf"[{_GAP}]{{0,2}}\d")

_SURE_WORDS, _SURE_SYMBOLS = split_signs([sign for sign in SURE_SIGNS if sign != "R"])
_BEGIN = "".join({char for sign in SURE_SIGNS for char in (sign[0], sign[0].upper())})
# Before an amount: words of two letters, "kr" and "Rs"; longer ones stand there as a code.
_SHORT = [word for word in _SURE_WORDS if len(word) == 2 and word.isalpha() and word[0].isascii()]
_SHORT_BEFORE = "|".join(f"(?<=[{word[0]}{word[0].upper()}])(?i:{word[1]})" for word in _SHORT)
_CODE = rf"(?<={'|'.join(sorted(ISO_CODES))})"
# One character comes first, which is fast to search for; then what it may begin.
ANY_PRICE = re.compile(
    rf"[{SIGN_CHARACTERS}A-Zkz\d](?:(?<=\d)\s?(?=[{re.escape(_BEGIN)}A-Z])"
    rf"(?:{'|'.join(map(re.escape, _SURE_SYMBOLS))}"
    rf"|(?:[A-Z]{{3}}{_CODE}|(?i:{'|'.join(map(re.escape, _SURE_WORDS))}))(?![^\W\d_]))"
    rf"|(?:(?<=[{SIGN_CHARACTERS}])|(?<![^\W\d_].)"
    rf"(?:[A-Z]{{2}}{_CODE}|{_SHORT_BEFORE})\.?)\s?\d)"
)
"""Finds that there is a price, not where it begins and ends."""


class Figure(NamedTuple):
    """A number that is an amount of money, if its sign or the page's currency says so."""

    span: Span
    sign: Span | None  # the currency's own span inside ``span``


def amount_end(text: str, end: int) -> int:
    """End of an amount together with the cents or the multiplier behind its digits."""
    if text[end : end + 1] in _CENT_STARTS and (cents := _CENTS.match(text, end)):
        return cents.end()
    if text[end : end + 3].lstrip(_GAP)[:1] in MULTIPLE_STARTS:
        return multiple_behind(text, end)[1]
    return end


def may_be_price(text: str, start: int, end: int) -> bool:
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


def with_currency(text: str, start: int, end: int) -> Figure | None:
    """A number with the sign behind or before it; None when it has none of its own."""
    if text[end : end + 1] == _HAIR_SPACE or text[start - 1 : start] == _HAIR_SPACE:
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
