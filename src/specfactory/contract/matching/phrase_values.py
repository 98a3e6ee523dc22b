"""What ``{value}`` stands for in a phrase: one regular expression for each type of field."""

from __future__ import annotations

import re
from collections.abc import Iterable

from specfactory.contract.values import MULTIPLIERS, NO_WORDS, YES_WORDS, UnitTable, Vocabulary
from specfactory.contract.values.currencies import ISO_CODES, SIGN_CHARACTERS
from specfactory.model import Field, FieldType

_NUMBER = r"[-−]?\d(?:[\d.,'’\u00a0\u202f\u2009]{0,14}\d)?[⁰¹²³⁴-⁹]{0,2}"
_MULTIPLIER = (
    r"(?:[\s\u00a0]?(?-i:[kKM])(?![^\W\d_])|[\s\u00a0]?(?:"
    + "|".join(sorted((w for w in MULTIPLIERS if len(w) > 1), key=len, reverse=True))
    + r")\b\.?)"
)
_NAME = r"(?-i:[A-Z0-9][\w+./-]*(?:\s[A-Z0-9][\w+./-]*){0,5})"
_DAY = r"\d{1,2}(?:st|nd|rd|th|\.)?"
_YEAR = r"(?:19|20)\d\d"
_MONTH_DATE = rf"(?:{_DAY}\s)?[^\W\d_]{{3,10}}\.?\s(?:{_DAY},?\s)?{_YEAR}"
_DATE = rf"(?:{_MONTH_DATE}|{_YEAR}(?:-\d\d(?:-\d\d)?)?|\d{{1,2}}[./]\d{{1,2}}[./]{_YEAR})"
_SIGN = rf"(?-i:[A-Z]{{0,3}}[{SIGN_CHARACTERS}]|{'|'.join(sorted(ISO_CODES))})"
_PRICE = rf"(?:{_SIGN}\s?{_NUMBER}|{_NUMBER}\s?{_SIGN})"


def value_pattern(field: Field, table: UnitTable | None, words: Vocabulary | None) -> str:
    """The regular expression of a value of this field in running text."""
    if field.type in (FieldType.NUMBER, FieldType.INTEGER):
        return _quantity(table)
    if field.type is FieldType.DIMENSIONS:
        one = _NUMBER + (f"(?:{_unit(table)})?" if table else "")
        return rf"{one}(?:\s?(?:[x×]|by)\s?{one}){{1,3}}"
    if field.type is FieldType.DATE:
        return _DATE
    if field.type is FieldType.PRICE:
        return _PRICE
    if field.type is FieldType.BOOLEAN:
        spoken = (word for word in YES_WORDS | NO_WORDS if len(word) > 1)
        return _choice([*spoken, *(words.names if words else ())])
    one = _choice(words.names) if words else _NAME
    if field.type is FieldType.LIST:
        return rf"{one}(?:(?:,?\s(?:and|und|et|or)\s|,\s|\s?/\s?){one}){{0,8}}"
    return one


def _quantity(table: UnitTable | None) -> str:
    whole = rf"{_NUMBER}(?![.,]?\d){_MULTIPLIER}?"
    if table is None:
        return whole
    return whole + f"(?:{_unit(table)})" + ("?" if table.bare else "")


def _unit(table: UnitTable) -> str:
    spellings = sorted({s.casefold() for s in table.exact}, key=len, reverse=True)
    options = "|".join(re.escape(spelling) for spelling in spellings)
    return rf"[\s\u00a0-]{{0,2}}(?:{options})(?![^\W\d_])"


def _choice(names: Iterable[str]) -> str:
    """Any of the names, the longest first; spaces and hyphens are one and optional after digits."""
    spelled = sorted({name for name in names if name}, key=len, reverse=True)
    return "(?:" + "|".join(_spelled(name) for name in spelled) + ")"


def _spelled(name: str) -> str:
    return r"[\s\-‑]{0,2}".join(re.escape(part) for part in name.split())
