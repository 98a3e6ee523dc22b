"""Rows of a table, kept in a temporary file until all its columns are known."""

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

from specfactory.control_characters import without_controls
from specfactory.model import Contract, FieldType
from specfactory.publish.exports.columns import MONEY, Column, FieldColumns, Layout
from specfactory.publish.exports.json_forms import Document
from specfactory.publish.exports.whole_files import complaints

RECORD_HEAD = (
    Column("product_id", FieldType.TEXT, "Id of the product."),
    Column("category", FieldType.TEXT, "Category, whose contract names the fields."),
    Column("brand", FieldType.TEXT, "Brand of the product."),
    Column("model", FieldType.TEXT, "Model of the product."),
    Column("variant", FieldType.TEXT, "Variant of the product; empty where there is only one."),
    Column("version", FieldType.TEXT, "Version of the record."),
    Column("generated_at", FieldType.TEXT, "When the record was made (ISO 8601, UTC)."),
    Column("coverage", FieldType.NUMBER, "Share of the contract's fields that have a value."),
    Column("avg_confidence", FieldType.NUMBER, "Mean confidence of the fields with a value."),
)


class TableSpool:
    """A table that grows on disk, not in memory: rows are added, then read with their columns."""

    def __init__(self, head: Sequence[Column], file: IO[str]) -> None:
        self._head, self._layout, self._file = tuple(head), Layout(head), file

    def add(self, document: Document, contract: Contract) -> None:
        """Add a row: a record, or a page."""
        flat = {**document, **document.get("identity", {}), **document.get("metrics", {})}
        cells = {}
        for name, entry in document["fields"].items():
            value = None if "unknown_reason" in entry else entry["value"]
            unit = self._layout.note(name, contract.fields.get(name), value)
            if value is not None:
                cells[name] = unit, value, entry.get("confidence")
        row = [flat[column.name] for column in self._head], cells
        with complaints(tempfile.gettempdir()):
            self._file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def columns(self) -> list[Column]:
        """All columns: those of the head, then those of each field."""
        found = list(self._head)
        for each in self._layout.columns().values():
            found += [column for columns in each.values.values() for column in columns]
            found.append(each.confidence)
        return found

    def rows(self) -> Iterator[list[Any]]:
        """The cells of each row, in the order of the columns; None where there is no value."""
        fields = self._layout.columns()
        with complaints(tempfile.gettempdir()):
            self._file.flush()
        self._file.seek(0)
        for line in self._file:
            head, cells = json.loads(line)
            yield [*head, *_cells(fields, cells)]


@contextmanager
def spooled(head: Sequence[Column]) -> Iterator[TableSpool]:
    """A table whose temporary file is gone when the block is left."""
    # Half a surrogate pair, out of some page's escapes, cannot be written.
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as file:
        yield TableSpool(head, file)


def _cells(fields: dict[str, FieldColumns], cells: dict[str, Any]) -> Iterator[Any]:
    for name, columns in fields.items():
        given, value, confidence = cells.get(name, ("", None, None))
        for unit, group in columns.values.items():
            here = value if unit == given else None
            if unit != MONEY:
                is_text = group[0].kind is FieldType.TEXT and not isinstance(here, str)
                yield cell_text(here) if is_text and here is not None else here
            else:
                yield from (None, None) if here is None else (here["amount"], here["currency"])
        yield confidence


def cell_text(value: Any) -> str:
    """A value as the text of one cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return f"{value['amount']} {value['currency']}"
    if isinstance(value, list | tuple):
        joint = " x " if value and all(isinstance(v, int | float) for v in value) else "; "
        return joint.join(cell_text(item) for item in value)
    return without_controls(str(value))
