"""The JSON Schema of contract files, for editors."""

from typing import Any

from specfactory.contract.files.load import RESPECTED
from specfactory.model import FieldType, Level, Tier

_NAME = {"type": "string", "pattern": "^[a-z][a-z0-9_]{0,63}$"}
_TEXT = {"type": "string", "minLength": 1}
_POSITIVE = {"type": "number", "minimum": 0}
_SCALAR = {"type": ["string", "number", "boolean"]}
_WORDS = {"anyOf": [_SCALAR, {"type": "array", "items": _SCALAR}]}
_SYNONYMS = {
    "anyOf": [
        {"type": "array", "items": _SCALAR},
        {"type": "object", "additionalProperties": {"anyOf": [*_WORDS["anyOf"], {"type": "null"}]}},
    ]
}


def contract_schema() -> dict[str, Any]:
    """The schema, made anew so that nobody changes it for others."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Spec Factory contract",
        "description": "A category's fields, units, limits, sources and checks.",
        **_object(
            {
                "category": {**_NAME, "description": "the file's name without .yaml"},
                "version": {"type": ["string", "number"]},
                "title": {"type": "string"},
                "identity": _object(
                    {
                        "hard_ids": _WORDS,
                        "variant_words": {
                            **_WORDS,
                            "description": "present on one side only: another product",
                        },
                        "neutral_words": {
                            **_WORDS,
                            "description": "say nothing about which product it is",
                        },
                    }
                ),
                "sources": {"type": "array", "items": _source()},
                "components": {"type": "object", "additionalProperties": _SYNONYMS},
                "fields": {
                    "type": "object",
                    "minProperties": 1,
                    "propertyNames": _NAME,
                    "additionalProperties": _field(),
                },
                "checks": {
                    "type": "array",
                    "items": _object(
                        {"name": _TEXT, "expression": _TEXT, "message": _TEXT}, "name", "expression"
                    ),
                },
                "respect": {"type": "array", "items": {"enum": list(RESPECTED)}},
            },
            "category",
            "fields",
        ),
    }


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _source() -> dict[str, Any]:
    return _object(
        {
            "host": {"type": "string", "pattern": "^[^/@ ]+$"},
            "tier": {"enum": [tier.value for tier in Tier]},
            "scheme": {"enum": ["http", "https"]},
            "search": {"type": "string", "pattern": "^https?://.*\\{query\\}"},
            "sitemap": {"type": "string", "pattern": "^https?://"},
            "groups": _WORDS,
            "cost": {"type": "number", "exclusiveMinimum": 0},
            "enabled": {"type": "boolean"},
            "selectors": {
                "description": "CSS by field, such as 'span.price' or 'img.main::attr(alt)'",
                "type": "object",
                "propertyNames": _NAME,
                "additionalProperties": {"type": "string", "minLength": 1},
            },
        },
        "host",
        "tier",
    )


def _field() -> dict[str, Any]:
    return _object(
        {
            "group": _NAME,
            "type": {"enum": [kind.value for kind in FieldType]},
            "unit": {**_SCALAR, "description": "the unit in which values are kept"},
            "units": {**_WORDS, "description": "units accepted; default: all of the dimension"},
            "level": {"enum": [level.value for level in Level]},
            "labels": {
                "description": "by language; 'Cable > Length' is Length in the section Cable",
                "anyOf": [
                    {"type": "array", "items": _SCALAR},
                    {"type": "object", "additionalProperties": _WORDS},
                ],
            },
            "range": {
                "type": "array",
                "items": {"type": ["number", "null"]},
                "minItems": 2,
                "maxItems": 2,
            },
            "tolerance": {
                "anyOf": [
                    _POSITIVE,
                    {"type": "string", "pattern": "^[0-9.]+ ?%?$"},
                    _object({"absolute": _POSITIVE, "relative": _POSITIVE}),
                ]
            },
            "tiers": {"type": "array", "items": {"enum": [tier.value for tier in Tier]}},
            "source_dependent": {"type": "boolean"},
            "structured": {**_WORDS, "description": "schema.org paths such as offers.price"},
            "patterns": {
                "description": "phrases: words, [optional], (a|b), {value}",
                "type": "array",
                "items": {"type": "string", "pattern": "\\{value\\}"},
            },
            "allowed": _SYNONYMS,
            "component": {"type": "string"},
            "hint": {"type": "string"},
        },
        "type",
    )
