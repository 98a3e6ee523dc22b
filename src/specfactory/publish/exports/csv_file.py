"""Tables as CSV, in which no cell is a formula."""

import csv
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

from specfactory.publish.exports.columns import DESCRIPTION, Column
from specfactory.publish.exports.table_spool import TableSpool, cell_text
from specfactory.publish.exports.whole_files import opened

RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Characters that a spreadsheet may take for the start of a formula."""

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
# A spreadsheet of another country splits lines at ; or tab, and knows our quotes only at the
# start of a cell: what it would take for the start of a formula there is marked, too.
_PART = re.compile(r"""((?:^|[;|\n])[\s"]*)(?=[=+\-@＝＋－＠])""")


def write_csv(table: TableSpool, out: Path | TextIO) -> None:
    """Write a table with a line of column names."""
    _write([column.name for column in table.columns()], table.rows(), out)


def write_descriptions(columns: Iterable[Column], out: Path) -> None:
    """Write a table about the columns of another one."""
    _write(DESCRIPTION, (column.described for column in columns), out)


def _write(head: Sequence[str], rows: Iterable[Iterable[Any]], out: Path | TextIO) -> None:
    with opened(out) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(map(safe_cell, head))
        for row in rows:
            writer.writerow(map(safe_cell, row))


def safe_cell(value: Any) -> str:
    """A value as a cell that no spreadsheet takes for a formula."""
    text = cell_text(value)
    if _NUMBER.fullmatch(text):
        return text
    text = _PART.sub(r"\1'", text)
    return "'" + text if text.startswith(RISKY) else text
