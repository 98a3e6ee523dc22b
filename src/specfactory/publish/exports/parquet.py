"""Tables as Parquet files, with typed columns."""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from specfactory.contract import FIELD_TYPES
from specfactory.errors import StorageFull, UsageError
from specfactory.publish.exports.columns import Column
from specfactory.publish.exports.table_spool import TableSpool
from specfactory.publish.exports.whole_files import complaints, replacing

ROWS_AT_ONCE = 2048  # of a group, which is written as soon as it is full


def write_parquet(table: TableSpool, out: Path) -> None:
    """Write a table; the unit and the meaning of each column stand in the file's metadata, too."""
    try:
        import duckdb  # an extra, imported only where it is used
    except ModuleNotFoundError:
        raise UsageError(
            "Parquet needs the package duckdb; install it with: pip install 'specfactory[parquet]'"
        ) from None
    columns = table.columns()
    try:
        with (
            complaints(str(out)),
            replacing(out.resolve()) as part,
            tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".jsonl") as rows,
            duckdb.connect(":memory:", config={"threads": 1}) as memory,
        ):
            for row in table.rows():
                cells = {f"c{place}": cell for place, cell in enumerate(row) if cell is not None}
                rows.write(json.dumps(cells) + "\n")
            rows.flush()
            memory.execute(_copy(columns, Path(rows.name), part))
    except duckdb.Error as problem:
        raise StorageFull(str(out), str(problem)) from problem


def _copy(columns: Sequence[Column], rows: Path, out: Path) -> str:
    types = {f"c{place}": FIELD_TYPES[each.kind].column for place, each in enumerate(columns)}
    named = ", ".join(f'c{n} AS "{each.name.replace(chr(34), chr(34) * 2)}"'
                      for n, each in enumerate(columns))  # fmt: skip
    about = json.dumps([dict(zip(("name", "type", "unit", "meaning"), each.described, strict=True))
                        for each in columns], ensure_ascii=False)  # fmt: skip
    declared = ", ".join(f"{name}: {_quoted(kind)}" for name, kind in types.items())
    return (
        f"COPY (SELECT {named} FROM read_json({_quoted(rows)}, columns = {{{declared}}}, "  # noqa: S608
        "format = 'newline_delimited')) "
        f"TO {_quoted(out)} (FORMAT parquet, ROW_GROUP_SIZE {ROWS_AT_ONCE}, "
        f"KV_METADATA {{columns: {_quoted(about)}}})"
    )


def _quoted(text: Any) -> str:
    return "'" + str(text).replace("'", "''") + "'"
