"""Structured data that the visible page contradicts: a question to a person, not a value.

A page contradicts its own data when it says other values of the same field of its product, and
nowhere shows this one. Rounding, formats and other units do not count, nor do texts, which are
worded in many ways, or codes, of which a product has several.
"""

import re
from collections.abc import Sequence
from functools import cached_property

from specfactory.contract import CompiledContract
from specfactory.extract.page import LABELLED, Layout
from specfactory.model import Candidate, FieldType, Method, Money, Value, replace
from specfactory.proof import PageViews, reading

_READ = frozenset((*LABELLED, Method.PATTERN, Method.TEMPLATE))
_COMPARED = frozenset((FieldType.NUMBER, FieldType.INTEGER, FieldType.PRICE, FieldType.DIMENSIONS,
                       FieldType.BOOLEAN, FieldType.ENUMERATION))  # fmt: skip
_LIKELY = 0.1  # that an amount without a label is the price
_ROUNDED = 0.05  # numbers that differ by less may be one, rounded
_NUMBER = re.compile(r"\d++(?:[.,'’\u00a0\u202f\u2009 ]\d++)*+")
_DECIMALS = re.compile(r"[.,](\d{1,2})$")
_NOT_DIGIT = re.compile(r"\D")


def doubt_contradicted(
    candidates: Sequence[Candidate], views: PageViews, compiled: CompiledContract
) -> list[Candidate]:
    """Put structured values in doubt of which the visible page says others, and never these."""
    read: dict[str, list[Candidate]] = {}
    for one in candidates:
        if not one.subject and not one.doubt and _is_read(one):
            read.setdefault(one.field, []).append(one)
    shown = _Shown(views)
    found = []
    for given in candidates:
        one, others = given, read.get(given.field, ())
        if others and one.evidence.method is Method.STRUCTURED and not one.doubt:
            typed = compiled.contract.fields[one.field].type
            agree = any(
                _is_near(one.value, each.value) or compiled.same(one.field, one.value, each.value)
                for each in others
            )
            if typed in _COMPARED and not agree and not shown.says(one):
                said = " ".join(map(reading, others[0].evidence.values))
                one = replace(one, doubt=f"the visible page says {said[:80]!r} instead")
        found.append(one)
    return found


def _is_read(one: Candidate) -> bool:
    """True for what a reader is told of a field: by a label, or by an amount that stands out."""
    if one.evidence.method is Method.VISIBLE and isinstance(one.value, Money):
        return (one.likelihood or 0.0) >= _LIKELY
    return one.evidence.method in _READ


def _is_near(one: Value, other: Value) -> bool:
    if isinstance(one, Money) and isinstance(other, Money):
        return one.currency == other.currency and _is_near(float(one.amount), float(other.amount))
    if isinstance(one, bool) or isinstance(other, bool):
        return False
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= _ROUNDED * max(abs(one), abs(other))
    return False


class _Shown:
    """The numbers that a reader can see anywhere on the page."""

    def __init__(self, views: PageViews) -> None:
        self._views = views

    def says(self, one: Candidate) -> bool:
        """True if the numbers of a value all stand on the visible page."""
        words = " ".join(map(reading, one.evidence.values))
        numbers = [_bare(number) for number in _NUMBER.findall(words)]
        return bool(numbers) and self._numbers.issuperset(numbers)

    @cached_property
    def _numbers(self) -> frozenset[str]:
        text = self._views.text
        parts = Layout(self._views).without_unseen((0, len(text)))
        return frozenset(
            _bare(number) for start, end in parts for number in _NUMBER.findall(text[start:end])
        )


def _bare(number: str) -> str:
    """The digits of a number, without grouping and without zeros behind its decimal mark."""
    decimals = _DECIMALS.search(number)
    whole = number[: decimals.start()] if decimals else number
    tail = decimals[1].rstrip("0") if decimals else ""
    digits = _NOT_DIGIT.sub("", whole).lstrip("0") or "0"
    return f"{digits}.{tail}" if tail else digits
