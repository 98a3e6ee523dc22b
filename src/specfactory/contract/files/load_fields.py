"""The ``fields`` of a contract file: a table of the options of a field, and their reading."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from specfactory.contract.field_types import FIELD_TYPES
from specfactory.contract.files.yaml_nodes import Node
from specfactory.contract.files.yaml_reader import NAME, Reader, did_you_mean
from specfactory.contract.matching import PatternError, parse_pattern
from specfactory.contract.values import (
    FEET_AND_INCHES,
    ISO_CODES,
    KNOWN_UNITS,
    convert,
    is_known_unit,
    split_multiplier,
)
from specfactory.model import Field, FieldType, Level, Tier, Tolerance

Schema = dict[str, Any]

NAME_SCHEMA: Schema = {"type": "string", "pattern": "^[a-z][a-z0-9_]{0,63}$"}
_TEXT: Schema = {"type": "string"}
_BOOLEAN: Schema = {"type": "boolean"}
_POSITIVE: Schema = {"type": "number", "minimum": 0}
_SCALAR: Schema = {"type": ["string", "number", "boolean"]}
_SCALARS: Schema = {"type": "array", "items": _SCALAR}
WORDS_SCHEMA: Schema = {"anyOf": [_SCALAR, _SCALARS]}
_SYNONYM: Schema = {"anyOf": [_SCALAR, _SCALARS, {"type": "null"}]}
SYNONYMS_SCHEMA: Schema = {
    "anyOf": [_SCALARS, {"type": "object", "additionalProperties": _SYNONYM}]
}


def object_schema(properties: Schema, *required: str) -> Schema:
    """JSON Schema of a mapping with these keys and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


OwnUnits = dict[str, tuple[str, ...]]


def read_fields(
    reader: Reader, node: Node, components: Collection[str], own_units: OwnUnits
) -> dict[str, Field]:
    """All fields, those with problems as far as they could be read; ``components`` are lists.

    ``own_units`` are those that the contract declares; a field may declare more.
    """
    given = reader.mapping(node, "fields")
    if node.kind == "mapping" and not node.items:
        reader.problem(node.line, "fields", "a contract needs at least one field")
    return {
        name: _field(reader, name, entry, components, own_units) for name, entry in given.items()
    }


def _field(
    reader: Reader, name: str, node: Node, components: Collection[str], own_units: OwnUnits
) -> Field:
    where = f"fields.{name}"
    if not NAME.fullmatch(name):
        reader.problem(node.line, where, "a field's name has small letters, digits and _ only")
    given = reader.mapping(node, where, FIELD_KEYS)
    if "type" not in given and node.kind == "mapping":
        kinds = ", ".join(one.value for one in FieldType)
        reader.problem(node.line, where, f"the type is missing; one of {kinds}")
    values: dict[str, Any] = {"type": FieldType.TEXT}
    for key, entry in given.items():
        values[key] = FIELD_OPTIONS[key].read(reader, entry, f"{where}.{key}")
    if isinstance(values.get("units"), dict):  # declared here: {MP: [megapixel]}
        own_units.update(values["units"])
        values["units"] = tuple(values["units"])
    if "range" in values:
        values["low"], values["high"] = values.pop("range")
    if (listed := values.get("component")) and listed not in components:
        known = ", ".join(components) or "none"
        problem = f"no component list {listed!r}; there are: {known}"
        advice = did_you_mean(listed, components)
        reader.problem(given["component"].line, f"{where}.component", problem + advice)
        values["component"] = None
    field = Field(name=name, **values)
    _check_fit(reader, field, given, where)
    _check_units(reader, field, given, own_units)
    return field


def _labels(reader: Reader, node: Node, where: str) -> dict[str, tuple[str, ...]]:
    """Labels by language; a plain list is English."""
    if node.kind == "list":
        return {"en": reader.texts(node, where)}
    given = reader.mapping(node, where)
    for language, entry in given.items():
        if not (2 <= len(language) <= 8 and language.replace("-", "").isalpha()):
            wanted = "wanted a language code such as en or de"
            reader.problem(entry.line, f"{where}.{language}", wanted)
    return {lang: reader.texts(entry, f"{where}.{lang}") for lang, entry in given.items()}


def _range(reader: Reader, node: Node, where: str) -> tuple[float | None, float | None]:
    if node.kind != "list" or len(node.items) != 2:
        reader.wrong(node, where, "[lowest, highest]; null leaves one side open")
        return None, None
    low, high = (None if item.is_empty else reader.number(item, where) for item in node.items)
    if low is not None and high is not None and low > high:
        reader.problem(node.line, where, f"is reversed: {low:g} is more than {high:g}")
    return low, high


def _tolerance(reader: Reader, node: Node, where: str) -> Tolerance:
    """``1`` is absolute, ``2%`` relative; a mapping names both."""
    if node.kind == "mapping":
        given = reader.mapping(node, where, ("absolute", "relative"))
        return Tolerance(**{k: _positive(reader, n, f"{where}.{k}") for k, n in given.items()})
    if node.kind == "scalar" and node.text.strip().endswith("%"):
        share = Node("scalar", node.line, node.text.strip()[:-1].strip())
        return Tolerance(relative=_positive(reader, share, where) / 100)
    return Tolerance(absolute=_positive(reader, node, where))


def _positive(reader: Reader, node: Node, where: str) -> float:
    number = reader.number(node, where)
    if number is not None and number < 0:
        reader.problem(node.line, where, f"may not be negative, given {number:g}")
    return max(0.0, number or 0.0)


def _tiers(reader: Reader, node: Node, where: str) -> tuple[Tier, ...]:
    if node.kind != "list":
        reader.wrong(node, where, "a list of tiers")
        return ()
    found = (reader.choice(item, where, Tier) for item in node.items)
    return tuple(dict.fromkeys(tier for tier in found if tier))


def _patterns(reader: Reader, node: Node, where: str) -> tuple[str, ...]:
    lines = [item.line for item in node.items] or [node.line]
    good = []
    for at, pattern in enumerate(reader.texts(node, where)):
        try:
            parse_pattern(pattern)
            good.append(pattern)
        except PatternError as problem:
            line = lines[min(at, len(lines) - 1)]
            reader.problem(line, where, f"{pattern!r}: {problem}")
    return tuple(good)


def read_synonyms(reader: Reader, node: Node, where: str) -> dict[str, tuple[str, ...]]:
    """``[a, b]`` or ``{a: [synonyms], b: []}``; a synonym belongs to one value."""
    if node.kind == "list":
        return dict.fromkeys(reader.texts(node, where), ())
    found: dict[str, tuple[str, ...]] = {}
    owners: dict[str, str] = {}
    for value, entry in reader.mapping(node, where).items():
        words = () if entry.is_empty else reader.texts(entry, f"{where}.{value}")
        found[value] = words
        for word in (value, *words):
            owner = owners.setdefault(word.casefold(), value)
            if owner != value:
                reader.problem(entry.line, f"{where}.{value}", f"{word!r} already means {owner!r}")
    return found


class Option(NamedTuple):
    """One key of a field."""

    read: Callable[[Reader, Node, str], Any]  # the value of the key; what is wrong is reported
    schema: Schema


FIELD_OPTIONS: Mapping[str, Option] = {
    "group": Option(lambda r, node, at: r.name(node, at) or "general", NAME_SCHEMA),
    "type": Option(
        lambda r, node, at: r.choice(node, at, FieldType) or FieldType.TEXT,
        {"enum": [kind.value for kind in FieldType]},
    ),
    "unit": Option(
        lambda r, node, at: r.text(node, at) or None,
        {**_SCALAR, "description": "the unit in which values are kept"},
    ),
    "units": Option(
        lambda r, node, at: (
            read_synonyms(r, node, at) if node.kind == "mapping" else r.texts(node, at)
        ),
        {
            "anyOf": [*WORDS_SCHEMA["anyOf"], SYNONYMS_SCHEMA],
            "description": "units accepted; default: all of the dimension",
        },
    ),
    "bare": Option(
        lambda r, node, at: r.text(node, at) or None,
        {**_TEXT, "description": "unit of a number without one; ft-in: 6-5 is 6 feet 5 inches"},
    ),
    "level": Option(
        lambda r, node, at: r.choice(node, at, Level) or Level.OPTIONAL,
        {"enum": [level.value for level in Level]},
    ),
    "labels": Option(
        _labels,
        {
            "description": "by language; 'Cable > Length' is Length in the section Cable",
            "anyOf": [_SCALARS, {"type": "object", "additionalProperties": WORDS_SCHEMA}],
        },
    ),
    "range": Option(
        _range,
        {"type": "array", "items": {"type": ["number", "null"]}, "minItems": 2, "maxItems": 2},
    ),
    "tolerance": Option(
        _tolerance,
        {
            "anyOf": [
                _POSITIVE,
                {"type": "string", "pattern": "^[0-9.]+ ?%?$"},
                object_schema({"absolute": _POSITIVE, "relative": _POSITIVE}),
            ]
        },
    ),
    "tiers": Option(_tiers, {"type": "array", "items": {"enum": [tier.value for tier in Tier]}}),
    "source_dependent": Option(lambda r, node, at: r.boolean(node, at, False), _BOOLEAN),
    "structured": Option(
        Reader.texts, {**WORDS_SCHEMA, "description": "schema.org paths such as offers.price"}
    ),
    "patterns": Option(
        _patterns,
        {
            "description": "phrases: words, [optional], (a|b), {value}",
            "type": "array",
            "items": {"type": "string", "pattern": "\\{value\\}"},
        },
    ),
    "allowed": Option(read_synonyms, SYNONYMS_SCHEMA),
    "component": Option(lambda r, node, at: r.text(node, at) or None, _TEXT),
    "hint": Option(Reader.text, _TEXT),
}
FIELD_KEYS = tuple(FIELD_OPTIONS)


def _check_fit(reader: Reader, field: Field, given: dict[str, Node], where: str) -> None:
    """Check that the options make sense for the type."""

    def problem(key: str, words: str) -> None:
        reader.problem(given[key].line, f"{where}.{key}", words)

    facts = FIELD_TYPES[field.type]
    for key in ("unit", "units", "bare", "range", "tolerance", "allowed", "component"):
        if key in given and key not in facts.options:
            names = ", ".join(kind for kind, of in FIELD_TYPES.items() if key in of.options)
            problem(key, f"a {field.type} has none; only {names}")
    if field.type is FieldType.ENUMERATION and not field.allowed and not field.component:
        line = given["type"].line if "type" in given else 1
        reader.problem(line, where, "an enumeration needs `allowed` values")
    odd = [value for value in field.allowed if value not in ("true", "false")]
    if field.type is FieldType.BOOLEAN and odd:
        problem("allowed", f"a boolean allows true and false, not {odd[0]!r}")
    if field.units and field.unit is None and facts.is_measured:
        problem("units", "there is no `unit` that these come to")
    if field.type is FieldType.PRICE:
        odd = [code for code in (field.unit, *field.units) if code and code not in ISO_CODES]
        if odd:
            key = "unit" if field.unit in odd else "units"
            problem(key, f"{odd[0]!r} is no currency code such as EUR or USD")


def _check_units(
    reader: Reader, field: Field, given: dict[str, Node], own: Mapping[str, tuple[str, ...]]
) -> None:
    """Check that the units are known and measure the same."""
    if field.unit is None or not FIELD_TYPES[field.type].is_measured:
        return
    canonical = split_multiplier(field.unit)[1]
    bare = field.bare if field.bare != FEET_AND_INCHES else "ft"
    for key, units in (("unit", (canonical,)), ("units", field.units), ("bare", (bare,))):
        for unit in filter(None, units):
            where = f"fields.{field.name}.{key}"
            if unit not in own and not is_known_unit(unit):
                advice = did_you_mean(unit, (*KNOWN_UNITS, *own))
                problem = f"{unit!r} is no known unit; declare it: `units: {{{unit}: []}}`{advice}"
                reader.problem(given[key].line, where, problem)
                return
            if convert(unit, canonical, own) is None:
                problem = f"{unit!r} cannot be converted to {canonical!r}"
                reader.problem(given[key].line, where, problem)
