"""The formats of exports: each takes documents one by one and makes one file of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from specfactory.model import Contract
from specfactory.publish.exports.columns import Column
from specfactory.publish.exports.csv_file import write_csv, write_descriptions
from specfactory.publish.exports.excel import write_excel
from specfactory.publish.exports.json_forms import Document, json_lines, with_units
from specfactory.publish.exports.linked_data import json_ld
from specfactory.publish.exports.parquet import write_parquet
from specfactory.publish.exports.table_spool import TableSpool, spooled

Add = Callable[[Document, Contract], None]


TABLES: Mapping[str, Callable[[TableSpool, Path], None]] = {
    "csv": write_csv, "xlsx": write_excel, "parquet": write_parquet,
}  # fmt: skip


@contextmanager
def open_export(
    form: str, out: Path | TextIO, head: Sequence[Column] = (), descriptions: Path | None = None
) -> Iterator[Add]:
    """Yield what takes each document with its contract; the file is there when the block is left.

    ``form`` is a key of ``TABLES``, jsonl, jsonld or seed. ``head`` are the first columns of a
    table, ``descriptions`` the file about all its columns.
    """
    if form == "jsonld":
        with json_ld(out) as add:
            yield add
    elif form not in TABLES:
        with json_lines(out) as write:
            yield lambda document, contract: write(
                document if form == "seed" else with_units(document, contract)
            )
    else:
        with spooled(head) as table:
            yield table.add
            TABLES[form](table, out)  # type: ignore[arg-type]  # binary ones are given a path
            if descriptions is not None:
                write_descriptions(table.columns(), descriptions)
