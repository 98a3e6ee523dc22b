"""Records as a Parquet file: a row a product, typed columns."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from specfactory.contract import FIELD_TYPES
from specfactory.errors import StorageFull, UsageError
from specfactory.model import Contract
from specfactory.publish.jsonl_and_csv import HEAD, column_of, replacing, row_of

_HEAD_TYPES = {"coverage": "DOUBLE", "avg_confidence": "DOUBLE"}


def export_parquet(
    documents: Iterable[Mapping[str, Any]], contracts: Sequence[Contract], out: Path
) -> int:
    """Write records (as ``record_json`` gives them) to a file; return their number.

    Fields of the same name in several contracts share a column; where their types differ, it
    holds text.
    """
    documents = list(documents)
    fields = list(dict.fromkeys(name for document in documents for name in document["fields"]))
    columns = {name: _HEAD_TYPES.get(name, "VARCHAR") for name in HEAD}
    for name in fields:
        declared = [c.fields[name].type for c in contracts if name in c.fields]
        found = {FIELD_TYPES[kind].column for kind in declared}
        kind = found.pop() if len(found) == 1 else "VARCHAR"
        columns |= {column_of(name, HEAD): kind, f"{name}_confidence": "DOUBLE"}
    kinds = list(columns.values())
    rows = [list(map(_fitting, row_of(document, fields), kinds)) for document in documents]
    _write(columns, rows, out)
    return len(rows)


def _fitting(value: Any, kind: str) -> Any:
    """Convert a value for its column; text where types differ."""
    if value is None or value == "unk":
        return None
    if kind != "VARCHAR" or isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return f"{value['amount']} {value['currency']}"
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value))
    return str(value)


def _write(columns: Mapping[str, str], rows: list[list[Any]], out: Path) -> None:
    """Replace the file when all is written; leave it untouched after a failure."""
    try:
        import duckdb  # an extra, imported only where it is used
    except ModuleNotFoundError:
        raise UsageError(
            "Parquet needs the package duckdb; install it with: pip install 'specfactory[parquet]'"
        ) from None
    quoted = {name: name.replace('"', '""') for name in columns}
    declared = ", ".join(f'"{quoted[name]}" {kind}' for name, kind in columns.items())
    places = ", ".join("?" * len(columns))
    try:
        with replacing(out) as part, duckdb.connect(":memory:") as memory:
            memory.execute(f"CREATE TABLE records ({declared})")
            if rows:
                memory.executemany(f"INSERT INTO records VALUES ({places})", rows)  # noqa: S608
            target = str(part).replace("'", "''")
            memory.execute(f"COPY records TO '{target}' (FORMAT parquet)")
    except (OSError, duckdb.IOException) as problem:
        raise StorageFull(str(out), str(problem)) from problem
