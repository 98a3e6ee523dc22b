"""Values as JSON and back."""

from __future__ import annotations

import math
import re

from specfactory.errors import UsageError
from specfactory.model import Field, FieldType, Json, Money, Value

_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?", re.A)
_WANTED = {
    FieldType.NUMBER: "a number",
    FieldType.INTEGER: "a whole number",
    FieldType.TEXT: "a text",
    FieldType.BOOLEAN: "true or false",
    FieldType.ENUMERATION: "one of the allowed values",
    FieldType.LIST: "a list of texts",
    FieldType.DATE: "a date as YYYY, YYYY-MM or YYYY-MM-DD",
    FieldType.PRICE: 'an amount with its currency, {"amount": 99.9, "currency": "EUR"}',
    FieldType.DIMENSIONS: "a list of two to four numbers",
}


def value_to_json(value: Value | None) -> Json:
    """A value as JSON writes it."""
    if isinstance(value, Money):
        return {"amount": value.amount, "currency": value.currency}
    if isinstance(value, tuple):
        return [value_to_json(item) for item in value]
    return value


def value_from_json(field: Field, json: Json) -> Value:
    """The value of a field from its JSON; UsageError says what the field wants."""
    value = _read(field, json)
    if value is None:
        allowed = f": {', '.join(field.allowed)}" if field.allowed else ""
        raise UsageError(f"{field.name} is {_WANTED[field.type]}{allowed}; given {json!r}")
    return value


def _read(field: Field, json: Json) -> Value | None:
    kind = field.type
    if kind in (FieldType.NUMBER, FieldType.INTEGER):
        number = _number(json)
        return None if kind is FieldType.INTEGER and isinstance(number, float) else number
    if kind is FieldType.BOOLEAN:
        return json if isinstance(json, bool) else None
    if kind is FieldType.PRICE:
        if not isinstance(json, dict) or set(json) != {"amount", "currency"}:
            return None
        amount, currency = _number(json["amount"]), json["currency"]
        is_code = isinstance(currency, str) and re.fullmatch("[A-Z]{3}", currency)
        return Money(amount, str(currency)) if amount is not None and is_code else None
    if kind is FieldType.LIST:
        if not isinstance(json, list | tuple) or not all(isinstance(item, str) for item in json):
            return None
        return tuple(json)
    if kind is FieldType.DIMENSIONS:
        if not isinstance(json, list | tuple) or not 2 <= len(json) <= 4:
            return None
        numbers = tuple(number for item in json if (number := _number(item)) is not None)
        return numbers if len(numbers) == len(json) else None
    if not isinstance(json, str) or not json:
        return None
    if kind is FieldType.DATE:
        return json if _DATE.fullmatch(json) else None
    return None if field.allowed and json not in field.allowed else json


def _number(json: Json) -> int | float | None:
    if isinstance(json, bool) or not isinstance(json, int | float) or not math.isfinite(json):
        return None
    return int(json) if json == int(json) else json
