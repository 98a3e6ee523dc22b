"""One file of many documents, taken one by one, in any of the formats."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from specfactory.model import Contract
from specfactory.publish.exports.columns import Column
from specfactory.publish.exports.csv_file import write_csv, write_descriptions
from specfactory.publish.exports.excel import write_excel
from specfactory.publish.exports.formats import Format
from specfactory.publish.exports.json_forms import Document, json_lines, with_units
from specfactory.publish.exports.linked_data import json_ld
from specfactory.publish.exports.parquet import write_parquet
from specfactory.publish.exports.table_spool import TableSpool, spooled

Add = Callable[[Document, Contract], None]


_TABLES: Mapping[Format, Callable[[TableSpool, Path], None]] = {
    Format.CSV: write_csv, Format.XLSX: write_excel, Format.PARQUET: write_parquet,
}  # fmt: skip


@contextmanager
def open_export(
    form: Format, out: Path | TextIO, head: Sequence[Column] = (), descriptions: Path | None = None
) -> Iterator[Add]:
    """Yield what takes each document with its contract; the file is there when the block is left.

    ``head`` are the first columns of a table, ``descriptions`` the file about all its columns.
    """
    if form is Format.JSONLD:
        with json_ld(out) as add:
            yield add
    elif not form.is_table:
        with json_lines(out) as write:
            yield lambda document, contract: write(
                document if form is Format.SEED else with_units(document, contract)
            )
    else:
        with spooled(head) as table:
            yield table.add
            _TABLES[form](table, out)  # type: ignore[arg-type]  # binary ones are given a path
            if descriptions is not None:
                write_descriptions(table.columns(), descriptions)
