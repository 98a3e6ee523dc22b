"""Tables as Excel workbooks, with a second sheet that describes the columns."""

from pathlib import Path
from typing import Any

from specfactory.errors import StorageFull, UsageError
from specfactory.publish.exports.columns import DESCRIPTION
from specfactory.publish.exports.table_spool import TableSpool, cell_text
from specfactory.publish.exports.whole_files import complaints, replacing_file

MOST_ROWS = 1_048_576  # of a sheet, its head included
MOST_COLUMNS = 16_384
LONGEST_TEXT = 32_767  # of a cell
_LARGEST = 2**53  # whole numbers beyond it would lose digits


def write_excel(table: TableSpool, out: Path) -> None:
    """Write a table to a workbook; text is never a formula or a link."""
    try:
        import xlsxwriter  # an extra, imported only where it is used
        from xlsxwriter.exceptions import XlsxWriterException
    except ModuleNotFoundError:
        raise UsageError(
            "Excel needs the package xlsxwriter; install it with: pip install 'specfactory[excel]'"
        ) from None
    columns = table.columns()
    if len(columns) > MOST_COLUMNS:
        raise UsageError(f"an Excel sheet has no room for {len(columns)} columns; use --category")
    try:
        with complaints(str(out)), replacing_file(out) as part:
            book = xlsxwriter.Workbook(str(part), {"constant_memory": True})
            try:
                _fill(book.add_worksheet("data"), [column.name for column in columns], table.rows())
                described = (column.described for column in columns)
                _fill(book.add_worksheet("columns"), DESCRIPTION, described)
            finally:
                book.close()
    except XlsxWriterException as problem:
        raise StorageFull(str(out), str(problem)) from problem


def _fill(sheet: Any, head: Any, rows: Any) -> None:
    sheet.freeze_panes(1, 0)
    for place, name in enumerate(head):
        sheet.write_string(0, place, name)
    for number, row in enumerate(rows, start=1):
        if number >= MOST_ROWS:
            raise UsageError(
                f"an Excel sheet holds {MOST_ROWS - 1:,} rows, and there are more; "
                "choose fewer with --category or --since, or another --format"
            )
        for place, value in enumerate(row):
            if value is None:
                continue
            if isinstance(value, bool):
                sheet.write_boolean(number, place, value)
            elif isinstance(value, float) or (isinstance(value, int) and abs(value) <= _LARGEST):
                sheet.write_number(number, place, value)
            else:
                text = cell_text(value)
                if len(text) > LONGEST_TEXT:
                    text = text[: LONGEST_TEXT - 1] + "…"
                sheet.write_string(number, place, text)
