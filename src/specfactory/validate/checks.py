"""Checks of one value against its field, of values across fields, and of components."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from specfactory.model import Candidate, CheckResult, Dropped, Field, FieldType, Money, Value

if TYPE_CHECKING:
    from specfactory.contract import CompiledContract

Problem = tuple[str, str]  # a code and the words for a person

_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:T[\d:.+Z-]+)?)?)?")
_CURRENCY = re.compile(r"[A-Z]{3}")
_LONGEST_TEXT = 1_000_000  # a body of text is a value too


def validate(candidate: Candidate, compiled: CompiledContract) -> Dropped | None:
    """None when the value fits its field; else the candidate as dropped, with the reason."""
    field = compiled.contract.fields.get(candidate.field)
    problem = (
        ("unknown_field", "the contract has no such field")
        if field is None
        else _problem(field, candidate.value)
    )
    if problem is None:
        return None
    evidence = candidate.evidence
    quote = " ".join(snippet.quote for snippet in evidence.values)
    return Dropped(candidate.field, *problem, quote, evidence.page_id, evidence.url)


def cross_check(values: Mapping[str, Value], compiled: CompiledContract) -> tuple[CheckResult, ...]:
    """Run the contract's checks across the fields of one product."""
    return compiled.checks(values)


def component_flag(field: str, value: Value, compiled: CompiledContract) -> str | None:
    """The reason to ask for review of a component that is in no list; None when it is known."""
    if compiled.contract.fields[field].component is None:
        return None
    parts = value if isinstance(value, tuple) else (value,)
    strange = [part for part in parts if compiled.component(field, part) is None]
    return f"extracted {str(strange[0])!r} but not in component_db" if strange else None


def _problem(field: Field, value: Value) -> Problem | None:
    if not _FITS[field.type](value):
        return "wrong_type", f"{value!r} is no {field.type}"
    if field.low is not None or field.high is not None:
        unit = f" {field.unit}" if field.unit else ""
        for number in _numbers(value):
            if field.low is not None and number < field.low:
                return "out_of_range", f"{number:g} is below {field.low:g}{unit}"
            if field.high is not None and number > field.high:
                return "out_of_range", f"{number:g} is above {field.high:g}{unit}"
    if field.allowed and not isinstance(value, bool):
        for part in value if isinstance(value, tuple) else (value,):
            if str(part) not in field.allowed:
                known = list(field.allowed)
                more = ", …" if len(known) > 8 else ""
                return "not_allowed", f"{part!r} is none of {', '.join(known[:8])}{more}"
    return None


def _numbers(value: Value) -> Iterator[float]:
    if isinstance(value, Money):
        yield value.amount
    elif isinstance(value, tuple):
        for part in value:
            yield from _numbers(part)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_text(value: Value) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= _LONGEST_TEXT


def _is_price(value: Value) -> bool:
    return (
        isinstance(value, Money)
        and _is_number(value.amount)
        and value.amount >= 0
        and _CURRENCY.fullmatch(value.currency) is not None
    )


def _is_dimensions(value: Value) -> bool:
    return (
        isinstance(value, tuple)
        and 2 <= len(value) <= 4
        and all(isinstance(side, int | float) and _is_number(side) and side > 0 for side in value)
    )


_FITS: Mapping[FieldType, Callable[[Value], bool]] = {
    FieldType.NUMBER: _is_number,
    FieldType.INTEGER: lambda value: isinstance(value, int) and not isinstance(value, bool),
    FieldType.TEXT: _is_text,
    FieldType.BOOLEAN: lambda value: isinstance(value, bool),
    FieldType.ENUMERATION: _is_text,
    FieldType.LIST: lambda value: (
        isinstance(value, tuple) and bool(value) and all(map(_is_text, value))
    ),
    FieldType.DATE: lambda value: isinstance(value, str) and _DATE.fullmatch(value) is not None,
    FieldType.PRICE: _is_price,
    FieldType.DIMENSIONS: _is_dimensions,
}
