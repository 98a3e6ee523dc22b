"""Records and pages as JSON: the exported form of their fields, one document a line."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from specfactory.control_characters import visible_controls
from specfactory.model import Contract, Field, FieldType
from specfactory.publish.exports.whole_files import opened

Document = Mapping[str, Any]


def with_units(document: Document, contract: Contract) -> dict[str, Any]:
    """The document with the unit beside each value, and null for an unknown."""
    fields = {}
    for name, entry in document["fields"].items():
        unit = unit_of(contract.fields.get(name))
        value = None if "unknown_reason" in entry else entry["value"]
        more = {key: each for key, each in entry.items() if key != "value"}
        fields[name] = {"value": value, **({"unit": unit} if unit else {}), **more}
    return {**document, "fields": fields}


def unit_of(field: Field | None) -> str | None:
    """The unit of a field's numbers; money carries its own currency."""
    return None if field is None or field.type is FieldType.PRICE else field.unit


def published_only(document: Document) -> dict[str, Any]:
    """The document without its unknown fields."""
    known = {n: entry for n, entry in document["fields"].items() if "unknown_reason" not in entry}
    return {**document, "fields": known}


@contextmanager
def json_lines(out: Path | TextIO) -> Iterator[Callable[[Document], None]]:
    """Open a file; what is yielded writes one document on a line of it."""

    def write(document: Document) -> None:
        line = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        file.write(visible_controls(line) + "\n")

    with opened(out) as file:
        yield write
