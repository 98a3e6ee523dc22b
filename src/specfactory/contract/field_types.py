"""Field types, and a table of what follows from each.

A new type is a member of ``FieldType``, a row of ``FIELD_TYPES`` and the function that derives its
values from words. Everything that is decided by a type reads this table: contract files, phrases,
derivation, values in JSON, validation, merging and the columns of exports.
"""

import math
import re
from collections.abc import Callable, Mapping
from functools import partial

from specfactory.contract.matching import (
    DATE_PATTERN,
    answer_pattern,
    dimensions_pattern,
    label_unit,
    list_pattern,
    number_pattern,
    words_pattern,
)
from specfactory.contract.text import unmarked
from specfactory.contract.values import (
    PHRASE_PRICE,
    NumberRule,
    PriceRule,
    UnitTable,
    Vocabulary,
    derive_boolean,
    derive_date,
    derive_dimensions,
    derive_enumeration,
    derive_list,
    derive_number,
    derive_price,
    derive_text,
)
from specfactory.model import Field, FieldType, Frozen, Json, Money, Value

Derive = Callable[[str, str, str], Value]  # words, label, language

_DAY = r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])"
_JSON_DATE = re.compile(rf"{_DAY})?)?", re.A)
_ANY_DATE = re.compile(rf"{_DAY}(?:T[\d:.+Z-]+)?)?)?")
_CURRENCY = re.compile(r"[A-Z]{3}")
_LONGEST_TEXT = 1_000_000  # a body of text is a value too


class Prepared(Frozen):
    """A field with what its contract says of its values, looked up once."""

    field: Field
    longest: int  # characters of a text
    table: UnitTable | None
    allowed: Vocabulary | None
    known: Vocabulary | None  # its component list


class TypeFacts(Frozen):
    """The consequences of one type."""

    wanted: str  # what a person has to give instead
    derive: Callable[[Prepared], Derive]  # the rule of one field
    phrase: Callable[[UnitTable | None, Vocabulary | None], str]  # pattern in running text
    from_json: Callable[[Json], Value | None]  # None: not a value of this type
    fits: Callable[[Value], bool]
    options: tuple[str, ...] = ()  # keys of a contract file that only some types have
    is_measured: bool = False  # numbers in a unit
    is_short: bool = False  # placeholders are no values; values repeat, and are kept
    is_several_numbers: bool = False  # which together are one value, in any order
    may_be_prefix: bool = False  # one value may say the same as another, less exactly
    is_telling: bool = True  # two pages hardly have the same value by chance
    wrong_values: int = 15  # to fall for: two sources seldom make the same mistake
    column: str = "BYTE_ARRAY"  # of a Parquet file; a price has its currency in a second one


def _measured(derive: Callable[..., Value], one: Prepared) -> Derive:
    field, table = one.field, one.table
    rule = NumberRule(field.name, table, field.type is FieldType.INTEGER, field.low, field.high)
    return lambda words, label, language: derive(
        rule, words, label_unit(label, table) if label else None, language
    )


def _price(one: Prepared) -> Derive:
    field = one.field
    currencies = tuple(dict.fromkeys(code for code in (field.unit, *field.units) if code))
    return partial(derive_price, PriceRule(field.name, currencies, field.low, field.high))


def _words(one: Prepared) -> Derive:
    name, allowed = one.field.name, one.allowed
    if allowed is not None:
        return lambda words, label, lang: derive_enumeration(name, unmarked(words), allowed)
    return lambda words, label, lang: derive_text(name, unmarked(words), one.known, one.longest)


def _number(json: Json) -> int | float | None:
    if isinstance(json, bool) or not isinstance(json, int | float) or not math.isfinite(json):
        return None
    return int(json) if json == int(json) else json


def _integer(json: Json) -> int | None:
    return number if isinstance(number := _number(json), int) else None


def _dimensions(json: Json) -> Value | None:
    if not isinstance(json, list | tuple) or not 2 <= len(json) <= 4:
        return None
    numbers = tuple(number for item in json if (number := _number(item)) is not None)
    return numbers if len(numbers) == len(json) else None


def _money(json: Json) -> Money | None:
    if not isinstance(json, dict) or set(json) != {"amount", "currency"}:
        return None
    amount, currency = _number(json["amount"]), json["currency"]
    is_code = isinstance(currency, str) and _CURRENCY.fullmatch(currency)
    return Money(amount, str(currency)) if amount is not None and is_code else None


def _texts(json: Json) -> Value | None:
    is_list = isinstance(json, list | tuple) and all(isinstance(item, str) for item in json)
    return tuple(json) if is_list else None


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_text(value: Value) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= _LONGEST_TEXT


def _is_price(value: Value) -> bool:
    if not isinstance(value, Money) or not _CURRENCY.fullmatch(value.currency):
        return False
    return _is_number(value.amount) and value.amount >= 0


def _is_dimensions(value: Value) -> bool:
    sides = value if isinstance(value, tuple) and 2 <= len(value) <= 4 else (0,)
    return all(isinstance(side, int | float) and _is_number(side) and side > 0 for side in sides)


_NUMERIC = ("unit", "units", "range", "tolerance")
_MEASURED = (*_NUMERIC, "bare")

FIELD_TYPES: Mapping[FieldType, TypeFacts] = {
    FieldType.NUMBER: TypeFacts(
        "a number",
        partial(_measured, derive_number), number_pattern, _number, _is_number,
        options=_MEASURED, is_measured=True, is_short=True, column="DOUBLE",
    ),
    FieldType.INTEGER: TypeFacts(
        "a whole number",
        partial(_measured, derive_number), number_pattern, _integer,
        lambda value: isinstance(value, int) and not isinstance(value, bool),
        options=_MEASURED, is_measured=True, is_short=True, is_telling=False, column="INT64",
    ),
    FieldType.DIMENSIONS: TypeFacts(
        "a list of two to four numbers",
        partial(_measured, derive_dimensions), dimensions_pattern, _dimensions, _is_dimensions,
        options=_MEASURED, is_measured=True, is_short=True, is_several_numbers=True,
        column="DOUBLE[]",
    ),
    FieldType.PRICE: TypeFacts(
        'an amount with its currency, {"amount": 99.9, "currency": "EUR"}',
        _price, lambda table, names: PHRASE_PRICE, _money, _is_price,
        options=_NUMERIC, is_short=True, column="DOUBLE",
    ),
    FieldType.TEXT: TypeFacts(
        "a text",
        _words, words_pattern, lambda json: json if isinstance(json, str) and json else None,
        _is_text, options=("allowed", "component"),
    ),
    FieldType.ENUMERATION: TypeFacts(
        "one of the allowed values",
        _words, words_pattern, lambda json: json if isinstance(json, str) and json else None,
        _is_text, options=("allowed", "component"), is_telling=False, wrong_values=4,
    ),
    FieldType.LIST: TypeFacts(
        "a list of texts",
        lambda one: lambda words, label, lang: derive_list(
            one.field.name, unmarked(words), one.allowed, one.known, lang
        ),
        list_pattern, _texts,
        lambda value: isinstance(value, tuple) and bool(value) and all(map(_is_text, value)),
        options=("allowed", "component"), is_telling=False, column="BYTE_ARRAY[]",
    ),
    FieldType.BOOLEAN: TypeFacts(
        "true or false",
        lambda one: lambda words, label, lang: derive_boolean(
            one.field.name, unmarked(words), one.allowed
        ),
        answer_pattern, lambda json: json if isinstance(json, bool) else None,
        lambda value: isinstance(value, bool),
        options=("allowed",), is_telling=False, wrong_values=1, column="BOOLEAN",
    ),
    FieldType.DATE: TypeFacts(
        "a date as YYYY, YYYY-MM or YYYY-MM-DD",
        lambda one: lambda words, label, lang: derive_date(one.field.name, words, lang),
        lambda table, names: DATE_PATTERN,
        lambda json: json if isinstance(json, str) and _JSON_DATE.fullmatch(json) else None,
        lambda value: isinstance(value, str) and _ANY_DATE.fullmatch(value) is not None,
        is_short=True, may_be_prefix=True,
    ),
}  # fmt: skip
