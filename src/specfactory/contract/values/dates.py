"""Dates as pages write them, as precise as they are: YYYY, YYYY-MM or YYYY-MM-DD."""

import re
from collections.abc import Mapping
from datetime import date

from specfactory.contract.values.refusal import refuse
from specfactory.word_lists import read_lists

MONTHS: Mapping[str, int] = {
    word.casefold(): number
    for number, lines in enumerate(read_lists("contract/values/data/months.txt").values(), 1)
    for word in " ".join(lines).split()
}
"""Months by their names in lower case: the only table of them."""
_YEAR = r"(?P<{0}>(?:19|20)\d\d)"
_END = r"(?![\w/-]|[.,]\d)"
_NAME = r"(?P<{0}>[^\W\d_]{{3,12}})\.?"
_DATE = re.compile(
    "|".join(
        (
            rf"\b{_YEAR.format('y1')}(?:[-/](?=\d{{1,2}}\b|\d\d-\d\dT)|\.(?=\d\d?\.\d))(?P<m1>\d{{1,2}})"
            r"(?:[-/.](?P<d1>\d{1,2}))?(?!\d)",
            rf"(?<![\d.,/-])(?P<a>\d{{1,2}})(?P<sep>[./-])\s?(?P<b>\d{{1,2}})(?P=sep)\s?{_YEAR.format('y2')}\b",
            rf"(?<![\d.,/-])(?P<d3>\d{{1,2}})(?:st|nd|rd|th|er|\.|º)?\s+(?:of\s+|de\s+)?{_NAME.format('n3')}"
            rf",?\s+(?:de\s+|del\s+)?{_YEAR.format('y3')}{_END}",
            rf"\b{_NAME.format('n4')}\s+(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?,?\s+{_YEAR.format('y4')}{_END}",
            rf"\b{_NAME.format('n5')},?\s+(?:de\s+|del\s+)?{_YEAR.format('y5')}{_END}",
            rf"\b(?P<m6>0?[1-9]|1[0-2])/{_YEAR.format('y6')}\b",
            rf"\b{_YEAR.format('y8')}\s?[年년]\s?(?P<m8>\d{{1,2}})\s?[月월](?:\s?(?P<d8>\d{{1,2}})\s?[日일])?",
            rf"\b{_YEAR.format('y9')}\.?\s+{_NAME.format('n9')}\s+(?P<d9>\d{{1,2}})\b(?![\d.:]\d)",
            rf"(?<![\d.,/-]){_YEAR.format('y7')}{_END}",
        )
    )
)
_COMPACT = re.compile(r"((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?:T?\d{4,6}Z?)?")
# Day, month and two figures of the year: only with points does everybody mean this order.
_SHORT = re.compile(r"(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?(\d\d)(?![\d.])")
_MONTH_FIRST = frozenset({"en-us"})
_DAY_FIRST = frozenset({"en-gb", "en-au", "en-nz", "en-ie", "en-in"})


def derive_date(field: str, words: str, language: str = "") -> str:
    """Derive the date that the words give; raises NotDerivable otherwise."""
    compact = _COMPACT.fullmatch(words)
    if compact is not None:
        return _made(field, words, compact[1], compact[2], compact[3])
    dates = _DATE.finditer(words[:400])
    found = list(dict.fromkeys(_read(field, words, match, language) for match in dates))
    if not found and (short := _SHORT.search(words)):
        return _made(field, words, f"20{short[3]}", short[2], short[1])
    if not found:
        refuse(field, words, "not_a_date", "there is no date in it")
    longest = max(found, key=len)
    if any(not longest.startswith(one) for one in found):
        refuse(field, words, "several_values", f"it gives {' and '.join(found)}")
    return longest


def date_spans(words: str) -> list[tuple[int, int]]:
    """Spans of the dates with at least a month in a short text."""
    spans = []
    for match in _DATE.finditer(words[:400]):
        name = match["n3"] or match["n4"] or match["n5"] or match["n9"]
        if match["y7"] is None and (not name or name.casefold() in MONTHS):
            spans.append(match.span())
    return spans or [match.span() for match in _SHORT.finditer(words[:400])]


def _read(field: str, words: str, match: re.Match[str], language: str) -> str:
    got = match.groupdict()
    for at in "3459":  # the month by its name; a word that is none leaves the year
        if year := got["y" + at]:
            month = MONTHS.get(got["n" + at].casefold())
            return _made(field, words, year, month, got.get("d" + at)) if month else str(year)
    for at in "186":
        if year := got["y" + at]:
            return _made(field, words, year, got["m" + at], got.get("d" + at))
    if not got["y2"]:
        return str(got["y7"])
    # Day and month in figures: points mean day first, slashes only where it must be so.
    first, second = int(got["a"]), int(got["b"])
    tag = language.casefold()
    if (
        first > 12
        or first == second
        or got["sep"] == "."
        or tag.partition("-")[0] not in ("en", "")
    ):
        return _made(field, words, got["y2"], second, first)
    if second > 12 or tag in _MONTH_FIRST:
        return _made(field, words, got["y2"], first, second)
    if tag in _DAY_FIRST:
        return _made(field, words, got["y2"], second, first)
    return refuse(field, words, "ambiguous_date", "day and month cannot be told apart")


def _made(field: str, words: str, year: str, month: int | str, day: int | str | None) -> str:
    try:
        made = date(int(year), int(month), int(day or 1))
    except ValueError:
        refuse(field, words, "not_a_date", "there is no such day")
    return made.isoformat() if day else made.isoformat()[:7]
