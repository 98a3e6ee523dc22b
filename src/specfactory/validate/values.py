"""One value against its field: type, range, allowed values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from specfactory.model import Candidate, Dropped, Field, FieldType, Money, Value

if TYPE_CHECKING:
    from specfactory.contract import CompiledContract

Problem = tuple[str, str]  # a code and the words for a person

_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:T[\d:.+Z-]+)?)?)?")
_CURRENCY = re.compile(r"[A-Z]{3}")
_NUMBERS = (int, float)
_LONGEST_TEXT = 1_000_000  # a body of text is a value too


def validate(candidate: Candidate, compiled: CompiledContract) -> Dropped | None:
    """None when the value fits its field; else the candidate as dropped, with the reason."""
    field = compiled.contract.fields.get(candidate.field)
    if field is None:
        return _dropped(candidate, ("unknown_field", "the contract has no such field"))
    for check in (_type_problem, _range_problem, _allowed_problem):
        if (problem := check(field, candidate.value)) is not None:
            return _dropped(candidate, problem)
    return None


def _dropped(candidate: Candidate, problem: Problem) -> Dropped:
    evidence = candidate.evidence
    quote = " ".join(snippet.quote for snippet in evidence.values)
    return Dropped(candidate.field, *problem, quote, evidence.page_id, evidence.url)


def _type_problem(field: Field, value: Value) -> Problem | None:
    if not _FITS[field.type](value):
        return "wrong_type", f"{value!r} is no {field.type}"
    return None


def _is_number(value: Value) -> bool:
    return isinstance(value, _NUMBERS) and not isinstance(value, bool) and math.isfinite(value)


def _is_integer(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: Value) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= _LONGEST_TEXT


def _is_date(value: Value) -> bool:
    return isinstance(value, str) and _DATE.fullmatch(value) is not None


def _is_list(value: Value) -> bool:
    return isinstance(value, tuple) and bool(value) and all(map(_is_text, value))


def _is_price(value: Value) -> bool:
    return (
        isinstance(value, Money)
        and _is_number(value.amount)
        and value.amount >= 0
        and _CURRENCY.fullmatch(value.currency) is not None
    )


def _is_dimensions(value: Value) -> bool:
    return isinstance(value, tuple) and 2 <= len(value) <= 4 and all(map(_is_length, value))


def _is_length(value: Value) -> bool:
    return isinstance(value, int | float) and _is_number(value) and value > 0


_FITS = {
    FieldType.NUMBER: _is_number,
    FieldType.INTEGER: _is_integer,
    FieldType.TEXT: _is_text,
    FieldType.BOOLEAN: lambda value: isinstance(value, bool),
    FieldType.ENUMERATION: _is_text,
    FieldType.LIST: _is_list,
    FieldType.DATE: _is_date,
    FieldType.PRICE: _is_price,
    FieldType.DIMENSIONS: _is_dimensions,
}


def _range_problem(field: Field, value: Value) -> Problem | None:
    if field.low is None and field.high is None:
        return None
    for number in _numbers(value):
        if field.low is not None and number < field.low:
            return "out_of_range", f"{number:g} is below {field.low:g}{_unit(field)}"
        if field.high is not None and number > field.high:
            return "out_of_range", f"{number:g} is above {field.high:g}{_unit(field)}"
    return None


def _numbers(value: Value) -> Iterator[float]:
    if isinstance(value, Money):
        yield value.amount
    elif isinstance(value, tuple):
        for part in value:
            yield from _numbers(part)
    elif isinstance(value, _NUMBERS) and not isinstance(value, bool):
        yield value


def _unit(field: Field) -> str:
    return f" {field.unit}" if field.unit else ""


def _allowed_problem(field: Field, value: Value) -> Problem | None:
    if not field.allowed or isinstance(value, bool):
        return None
    parts = value if isinstance(value, tuple) else (value,)
    strange = next((part for part in parts if str(part) not in field.allowed), None)
    if strange is None:
        return None
    known = list(field.allowed)
    more = ", …" if len(known) > 8 else ""
    return "not_allowed", f"{strange!r} is none of {', '.join(known[:8])}{more}"
