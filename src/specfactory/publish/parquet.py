"""Records as a Parquet file: a row a product, typed columns."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from specfactory.errors import StorageFull, UsageError
from specfactory.model import Contract, FieldType
from specfactory.publish.exports import HEAD, column_of, row_of

_TYPES: Mapping[FieldType, str] = {
    FieldType.NUMBER: "DOUBLE", FieldType.INTEGER: "BIGINT", FieldType.BOOLEAN: "BOOLEAN",
    FieldType.LIST: "VARCHAR[]", FieldType.DIMENSIONS: "DOUBLE[]",
    FieldType.PRICE: "STRUCT(amount DOUBLE, currency VARCHAR)",
}  # fmt: skip
_HEAD_TYPES = {"coverage": "DOUBLE", "avg_confidence": "DOUBLE"}


def export_parquet(
    documents: Iterable[Mapping[str, Any]], contracts: Sequence[Contract], out: Path
) -> int:
    """Write records (as ``record_json`` gives them) to a file; returns how many.

    Fields of the same name in several contracts share a column; where their types differ, it
    holds text.
    """
    documents = list(documents)
    fields = list(dict.fromkeys(name for document in documents for name in document["fields"]))
    types = {name: _type_of(name, contracts) for name in fields}
    columns = {name: _HEAD_TYPES.get(name, "VARCHAR") for name in HEAD}
    for name in fields:
        columns |= {column_of(name): types[name], f"{name}_confidence": "DOUBLE"}
    kinds = list(columns.values())
    rows = [list(map(_fitting, row_of(document, fields), kinds)) for document in documents]
    _write(columns, rows, out)
    return len(rows)


def _type_of(name: str, contracts: Sequence[Contract]) -> str:
    found = {
        _TYPES.get(contract.fields[name].type, "VARCHAR")
        for contract in contracts
        if name in contract.fields
    }
    return found.pop() if len(found) == 1 else "VARCHAR"


def _fitting(value: Any, kind: str) -> Any:
    """A value as its column takes it; text for whatever does not fit."""
    if value is None or value == "unk":
        return None
    if kind == "VARCHAR":
        return value if isinstance(value, str) else _said(value)
    return value


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{value['amount']} {value['currency']}"
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value))
    return str(value)


def _write(columns: Mapping[str, str], rows: list[list[Any]], out: Path) -> None:
    """A file whole or, after any failure, as it was before."""
    duckdb = _duckdb()
    part = out.with_name(f".{out.name}.{os.getpid()}.part")
    declared = ", ".join(f"{_quoted(name)} {kind}" for name, kind in columns.items())
    places = ", ".join("?" * len(columns))
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with duckdb.connect(":memory:") as memory:
            memory.execute(f"CREATE TABLE records ({declared})")
            if rows:
                memory.executemany(f"INSERT INTO records VALUES ({places})", rows)  # noqa: S608
            memory.execute(f"COPY records TO {_literal(part)} (FORMAT parquet)")
        part.replace(out)
    except (OSError, duckdb.IOException) as problem:
        raise StorageFull(str(out), str(problem)) from problem
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def _duckdb() -> Any:
    """Imported only where it is used: it is an extra."""
    try:
        import duckdb
    except ModuleNotFoundError:
        raise UsageError(
            "Parquet needs the package duckdb; install it with: pip install 'specfactory[parquet]'"
        ) from None
    return duckdb


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
