"""All quantities of a running text: numbers in digits or words, with what they measure.

A range is one quantity with two ends; ordinals, times of day and parts of names are none.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from specfactory.contract.values.composed_units import (
    PLAIN,
    Compound,
    currency,
    parse_unit,
    unit_at,
)
from specfactory.contract.values.currencies import SIGN_CHARACTERS, currencies_of
from specfactory.contract.values.multipliers import multiple_behind
from specfactory.contract.values.number_words import word_numbers

MAX_TEXT = 100_000
_MAX_PLAIN = 80
_WORDY = re.compile(r"\d\s?[^\W\d_]{2}")  # a number with a word behind it
_THOUSANDS = re.compile(r"\d[.,]\d{3}(?!\d)")  # a group, or three decimals


class FoundQuantity(NamedTuple):
    """A quantity in a text; ``low`` and ``high`` differ where it is a range."""

    low: float
    high: float
    unit: Compound
    start: int
    end: int

    @property
    def value(self) -> float:
        """The number, or the middle of a range."""
        return (self.low + self.high) / 2


_DIGITS = re.compile(
    r"(?<![\w.,])(?<![^\W\d_]-)(?P<sign>[-−+](?=[\d.]))?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])"
    r"|\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+|,\d{1,2}(?![\d,]))?|\.\d+)"
    r"(?:e(?P<power>[-+−]?\d{1,3})|\s?[x×*]\s?10\^?(?P<ten>[-+−]?\d{1,3}))?"
    r"(?:[\s-](?P<top>\d{1,3})/(?P<bottom>\d{1,3})(?!\d|/)|/(?P<over>\d{1,4})(?!\d|/))?",
    re.I,
)
_GROUPING = re.compile(r"[, \u00a0\u202f]")
_DECIMAL_COMMA = re.compile(r"\d+,\d{1,2}")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b", re.I)
_DECADE = re.compile(r"\d\d(?:\d0|0)(?=['’]?s\b)")
_HOURS = re.compile(r"(?<![\d:])\d{1,2}:\d\d(?::\d\d)?(?![\d:])")
_SPREAD = re.compile(r"\s?(?:±|\+\s?/\s?[-−–])\s?\d+(?:\.\d+)?(?:e[-+]?\d+)?", re.I)
_CLOCK = re.compile(r"\s?(?:[ap]\.?m\.?)(?![^\W\d_])", re.I)
_HOUR = re.compile(r"(?:1[0-2]|0?[1-9])(?:\.[0-5]\d)?")
_IN_WHAT = re.compile(
    r"\s*(?:$|[.,;:)×x]|(?:thick|wide|long|deep|high|tall|in diameter|diameter|by|of|and|or)\b)",
    re.I,
)
_RANGE = re.compile(r"\s?(?:-|–|—|to|~)\s?", re.I)
_AND = re.compile(r"\s(?:and|or|to)\s", re.I)
_BETWEEN = re.compile(r"\bbetween\s$", re.I)
_PER = re.compile(r"\s?(?:/|per\s|a\s(?=day|week|month|year|hour|minute))\s?")
_GLUE = re.compile(r"-(?=[^\W\d])|[\s\u00a0]?")
_ALWAYS_WORDS = frozenset({"a", "as", "at", "am", "an", "is", "are", "has", "do", "pa", "mad"})


def find_quantities(text: str) -> list[FoundQuantity]:
    """Find every quantity of a text, in order."""
    text = text[:MAX_TEXT]
    found: list[FoundQuantity] = []
    clocks = [match.span() for match in _HOURS.finditer(text)]
    for match in _DIGITS.finditer(text):
        # what belongs to a quantity (its power, its spread) is no other
        inside = bool(found) and match.start() < found[-1].end
        inside = inside or any(start <= match.start() < end for start, end in clocks)
        if not inside and (quantity := _in_digits(text, match)) is not None:
            found.append(quantity)
    taken = [(q.start, q.end) for q in found]
    for number in word_numbers(text):
        if any(start < number.end and number.start < end for start, end in taken):
            continue
        unit, end = _unit(text, number.end)
        if not number.plain_one or unit is not PLAIN:
            found.append(FoundQuantity(number.value, number.value, unit, number.start, end))
    found.sort(key=lambda q: q.start)
    strange: set[int] = set()  # "245 23 yen": numbers with nothing between them are no quantities
    for at in range(1, len(found)):
        before, here = found[at - 1], found[at]
        if before.unit is PLAIN and not text[before.end : here.start].strip(" "):
            strange |= {at - 1, at}
    return _joined(text, [quantity for at, quantity in enumerate(found) if at not in strange])


def written_plainly(words: str, units: Iterable[str]) -> str | None:
    """Write the only quantity of the words in the one of these units it is in; None otherwise.

    ``5 cubic centimetres`` are ``5 cm³``: a field takes a unit however it is spelled.
    """
    if len(words) > _MAX_PLAIN or not _WORDY.search(words) or _THOUSANDS.search(words):
        return None
    found = find_quantities(words)
    if len(found) != 1 or found[0].low != found[0].high or found[0].unit is PLAIN:
        return None
    for name in units:
        known = parse_unit(name)
        if known is not None and known.is_same(found[0].unit):
            return f"{found[0].low:.12g} {name}"
    return None


def _in_digits(text: str, match: re.Match[str]) -> FoundQuantity | None:
    # "2 pm" and "2.13 am" are times of day; but "2.1 pm" are picometres
    is_clock = _CLOCK.match(text, match.end()) and _HOUR.fullmatch(match["digits"])
    if is_clock or _ORDINAL.match(text, match.end()) or _DECADE.match(text, match.start()):
        return None
    digits = match["digits"]
    if _DECIMAL_COMMA.fullmatch(digits):
        digits = digits.replace(",", ".")
    value = float(_GROUPING.sub("", digits))
    if power := match["power"] or match["ten"]:
        value *= 10.0 ** int(power.replace("−", "-"))
    if match["over"] and int(match["over"]):
        value /= int(match["over"])
    elif match["bottom"] and int(match["bottom"]):
        value += int(match["top"]) / int(match["bottom"])
    value = -value if match["sign"] in ("-", "−") else value
    start, end, money = match.start(), match.end(), None
    before = text[:start].rstrip(" \u00a0")
    if before and before[-1] in SIGN_CHARACTERS and start - len(before) <= 1:  # "$15", "US$ 15"
        money, start = currency(currencies_of(before[-1])[0]), len(before) - 1
        if text[start : match.start()].endswith(("-", "−")):
            value = -value
    if (spread := _SPREAD.match(text, end)) is not None:
        end = spread.end()
    times, behind = multiple_behind(text, end)
    if len(text[end:behind].strip()) > 1 or money is not None:  # a letter multiplies money only
        value, end = value * times, behind
    if money is not None:
        per = _PER.match(text, end)
        unit = unit_at(text, per.end()) if per else None
        if unit is None:
            return FoundQuantity(value, value, money, start, end)
        return FoundQuantity(value, value, money.times(unit.unit, -1), start, unit.end)
    measure, stop = _unit(text, end)
    if measure is PLAIN and text[end : end + 1].isalpha():
        return None  # "3D", "2x": a part of a name
    return FoundQuantity(value, value, measure, start, stop)


def _unit(text: str, at: int) -> tuple[Compound, int]:
    """The unit behind a number, PLAIN when there is none."""
    glue = _GLUE.match(text, at)
    start = glue.end() if glue else at
    if start < len(text) and text[start] in SIGN_CHARACTERS:
        return currency(currencies_of(text[start])[0]), start + 1
    found = unit_at(text, start)
    if found is None:
        return PLAIN, at
    word = text[start : found.end]
    if word in ('"', "”"):  # the end of what was quoted is no inch
        is_unit = text.count('"', 0, start) % 2 == 0 and text.count("“", 0, start) == 0
    elif word == "in":
        is_unit = _IN_WHAT.match(text, found.end) is not None
    elif word.casefold() in ("am", "pm"):
        is_unit = word.islower()
    else:
        is_unit = start == at or word not in _ALWAYS_WORDS
    return (found.unit, found.end) if is_unit else (PLAIN, at)


def _joined(text: str, found: list[FoundQuantity]) -> list[FoundQuantity]:
    """Join ranges into one quantity; numbers listed before a unit share it."""
    made: list[FoundQuantity] = []
    for here in found:
        before = made[-1] if made else None
        joined = _as_range(text, before, here) if before else None
        if joined is not None:
            made[-1] = joined
            continue
        shares = before and before.unit is PLAIN and here.unit is not PLAIN
        if before and shares and _AND.fullmatch(text[before.end : here.start]):
            made[-1] = before._replace(unit=here.unit)
        made.append(here)
    return made


def _as_range(text: str, before: FoundQuantity, here: FoundQuantity) -> FoundQuantity | None:
    between = text[before.end : here.start]
    ranged = _RANGE.fullmatch(between) is not None
    if not ranged and _AND.fullmatch(between):
        ranged = _BETWEEN.search(text, max(0, before.start - 9), before.start) is not None
    minus = between == "" and here.low < 0 and text[here.start] in "-−–"  # "78-0": a dash
    low, high = before.low, abs(here.high) if minus else here.high
    same = before.unit is PLAIN or before.unit == here.unit
    if not (ranged or minus) or not same or low > high or before.low != before.high:
        return None
    return FoundQuantity(low, high, here.unit, before.start, here.end)
