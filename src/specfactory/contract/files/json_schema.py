"""The JSON Schema of contract files, for editors."""

from copy import deepcopy
from typing import Any

from specfactory.contract.files.load import RESPECTED
from specfactory.contract.files.load_fields import (
    FIELD_OPTIONS,
    NAME_SCHEMA,
    SYNONYMS_SCHEMA,
    WORDS_SCHEMA,
    object_schema,
)
from specfactory.model import Tier

_TEXT = {"type": "string", "minLength": 1}
_IDENTITY = object_schema(
    {
        "names": {
            **WORDS_SCHEMA,
            "description": "fields that name a thing: its name, whose it is, which of several",
        },
        "hard_ids": WORDS_SCHEMA,
        "variant_words": {
            **WORDS_SCHEMA,
            "description": "present on one side only: another product",
        },
        "neutral_words": {**WORDS_SCHEMA, "description": "say nothing about which product it is"},
    }
)
_SOURCE = object_schema(
    {
        "host": {"type": "string", "pattern": "^[^/@ ]+$"},
        "tier": {"enum": [tier.value for tier in Tier]},
        "scheme": {"enum": ["http", "https"]},
        "search": {"type": "string", "pattern": "^https?://.*\\{query\\}"},
        "sitemap": {"type": "string", "pattern": "^https?://"},
        "groups": WORDS_SCHEMA,
        "cost": {"type": "number", "exclusiveMinimum": 0},
        "enabled": {"type": "boolean"},
        "selectors": {
            "description": "CSS by field, such as 'span.price' or 'img.main::attr(alt)'",
            "type": "object",
            "propertyNames": NAME_SCHEMA,
            "additionalProperties": _TEXT,
        },
    },
    "host",
    "tier",
)
_FIELDS = {
    "type": "object",
    "minProperties": 1,
    "propertyNames": NAME_SCHEMA,
    "additionalProperties": object_schema(
        {key: option.schema for key, option in FIELD_OPTIONS.items()}, "type"
    ),
}
_CHECK = object_schema({"name": _TEXT, "expression": _TEXT, "message": _TEXT}, "name", "expression")
_CONTRACT = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Spec Factory contract",
    "description": "A category's fields, units, limits, sources and checks.",
    **object_schema(
        {
            "category": {**NAME_SCHEMA, "description": "the file's name without .yaml"},
            "version": {"type": ["string", "number"]},
            "title": {"type": "string"},
            "identity": _IDENTITY,
            "sources": {"type": "array", "items": _SOURCE},
            "units": {**SYNONYMS_SCHEMA, "description": "its own units, with their spellings"},
            "components": {"type": "object", "additionalProperties": SYNONYMS_SCHEMA},
            "fields": _FIELDS,
            "checks": {"type": "array", "items": _CHECK},
            "respect": {"type": "array", "items": {"enum": list(RESPECTED)}},
        },
        "category",
        "fields",
    ),
}


def contract_schema() -> dict[str, Any]:
    """The schema, copied so that nobody changes it for others."""
    return deepcopy(_CONTRACT)
