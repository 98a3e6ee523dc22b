"""Parts of JSON Schemas, and the check that every document passes.

The schema of a record stands in ``record_as_json``, that of a ledger in ``ledger``.
"""

from functools import cached_property
from typing import Any

from specfactory.errors import RecordInvalid

Schema = dict[str, Any]

DRAFT = "https://json-schema.org/draft/2020-12/schema"
TEXT: Schema = {"type": "string"}
WORDS: Schema = {"type": "string", "minLength": 1}
COUNT: Schema = {"type": "integer", "minimum": 0}
AMOUNT: Schema = {"type": "number", "minimum": 0}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
INSTANT: Schema = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"}
TEXTS: Schema = {"type": "array", "items": TEXT}


def one_of(kind: Any) -> Schema:
    """The values of an enumeration."""
    return {"enum": [member.value for member in kind]}


def each(schema: Schema, names: str) -> Schema:
    """Properties that have the same schema."""
    return dict.fromkeys(names.split(), schema)


def object_of(required: Schema, optional: Schema | None = None) -> Schema:
    """An object with exactly these properties."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


class SchemaCheck:
    """The check of documents against one schema."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def __call__(self, document: dict[str, Any]) -> dict[str, Any]:
        """The document itself when it fits; else RecordInvalid with the first problem."""
        try:
            problem = next(self._validator.iter_errors(document), None)
        except (UnicodeEncodeError, ValueError, OverflowError) as error:
            raise RecordInvalid(str(document.get("product_id")), str(error)) from error
        if problem is not None:
            where = "/".join(map(str, problem.instance_path)) or "the whole"
            raise RecordInvalid(str(document.get("product_id")), f"{where}: {problem.message}")
        return document

    @cached_property
    def _validator(self) -> Any:
        import jsonschema_rs  # only where something is written

        return jsonschema_rs.Draft202012Validator(self._schema)
