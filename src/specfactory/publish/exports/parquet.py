"""Tables as Parquet files, with typed columns, written a group of rows at a time.

A library would hold the buffers of many groups at once; here memory does not grow with the table.
Values are in plain encoding, packed with zstd, one page for each column of a group, as every
reader understands: https://parquet.apache.org/docs/file-format/
"""

import json
import shutil
import struct
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain, groupby, islice
from pathlib import Path
from typing import IO, Any, NamedTuple

import zstandard

from specfactory.contract import FIELD_TYPES
from specfactory.publish.exports import thrift
from specfactory.publish.exports.columns import DESCRIPTION, Column
from specfactory.publish.exports.table_spool import TableSpool, cell_text
from specfactory.publish.exports.whole_files import complaints, replacing_file

ROWS_AT_ONCE = 1000  # of a group
MAGIC = b"PAR1"
BOOLEAN, INT64, DOUBLE, BYTE_ARRAY = 0, 2, 5, 6
_TYPES = {"BOOLEAN": BOOLEAN, "INT64": INT64, "DOUBLE": DOUBLE, "BYTE_ARRAY": BYTE_ARRAY}
_OPTIONAL, _REPEATED, _UTF8, _LIST, _ZSTD, _PLAIN, _RLE = 1, 2, 0, 3, 6, 0, 3


class _Levels(NamedTuple):
    """The values of a column without the missing ones, and where they stand."""

    present: list[int]  # how much of list and value there is
    repeated: list[int]  # 1: the value goes on with the list of the one before
    values: list[Any]


def write_parquet(table: TableSpool, out: Path) -> None:
    """Write a table; unit and meaning of each column stand in the file's metadata (``columns``)."""
    columns, rows = table.columns(), table.rows()
    with (
        complaints(str(out)),
        replacing_file(out) as part,
        part.open("wb") as file,
        tempfile.TemporaryFile() as groups,
    ):
        file.write(MAGIC)
        count = group_count = 0
        while group := list(islice(rows, ROWS_AT_ONCE)):
            groups.write(_write_group(file, columns, group))
            count, group_count = count + len(group), group_count + 1
        _write_footer(file, columns, count, group_count, groups)


def _write_group(file: IO[bytes], columns: Sequence[Column], rows: list[list[Any]]) -> bytes:
    """Write some rows, column by column; return what the footer says of them."""
    by_column = zip(columns, zip(*rows, strict=True), strict=True)
    chunks, sizes = zip(*(_write_chunk(file, *one) for one in by_column), strict=True)
    return thrift.struct_of(
        thrift.several(1, thrift.STRUCT, chunks),
        thrift.number(2, sum(sizes), thrift.I64),
        thrift.number(3, len(rows), thrift.I64),
    )


def _write_chunk(file: IO[bytes], column: Column, cells: Sequence[Any]) -> tuple[bytes, int]:
    """Write the cells of a column as one page; return what the footer says of it, and its size."""
    levels = _levels(column, cells)
    plain = _page(column, levels)
    packed = zstandard.compress(plain)
    about = thrift.struct_of(
        thrift.number(1, len(levels.present)), thrift.number(2, _PLAIN), thrift.number(3, _RLE),
        thrift.number(4, _RLE),
    )  # fmt: skip
    header = thrift.struct_of(
        thrift.number(1, 0), thrift.number(2, len(plain)), thrift.number(3, len(packed)),
        thrift.struct(5, about),
    )  # fmt: skip
    place = file.tell()
    file.write(header + packed)
    path = [column.name, "list", "element"] if _is_list(column) else [column.name]
    chunk = thrift.struct_of(
        thrift.number(1, _type(column)),
        thrift.several(2, thrift.I32, [thrift.varint(_PLAIN << 1), thrift.varint(_RLE << 1)]),
        thrift.several(3, thrift.BINARY, [thrift.plain_text(name) for name in path]),
        thrift.number(4, _ZSTD),
        thrift.number(5, len(levels.present), thrift.I64),
        thrift.number(6, len(header) + len(plain), thrift.I64),
        thrift.number(7, len(header) + len(packed), thrift.I64),
        thrift.number(9, place, thrift.I64),
    )
    about = thrift.struct_of(thrift.number(2, place, thrift.I64), thrift.struct(3, chunk))
    return about, len(header) + len(plain)


def _write_footer(
    file: IO[bytes], columns: Sequence[Column], rows: int, group_count: int, groups: IO[bytes]
) -> None:
    begin = file.tell()
    root = thrift.struct_of(thrift.text(4, "table"), thrift.number(5, len(columns)))
    schema = [root, *chain.from_iterable(map(_schema, columns))]
    file.write(
        thrift.fields(
            thrift.number(1, 1),
            thrift.several(2, thrift.STRUCT, schema),
            thrift.number(3, rows, thrift.I64),
            (4, thrift.LIST, thrift.list_head(thrift.STRUCT, group_count)),
        )
    )
    groups.seek(0)
    shutil.copyfileobj(groups, file)
    described = [dict(zip(DESCRIPTION, column.described, strict=True)) for column in columns]
    about = json.dumps(described, ensure_ascii=False)
    metadata = thrift.struct_of(thrift.text(1, "columns"), thrift.text(2, about))
    file.write(
        thrift.fields(
            thrift.several(5, thrift.STRUCT, [metadata]), thrift.text(6, "specfactory"), before=4
        )
        + b"\0"
    )
    file.write(struct.pack("<I", file.tell() - begin) + MAGIC)


def _type(column: Column) -> int:
    return _TYPES[FIELD_TYPES[column.kind].column.removesuffix("[]")]


def _is_list(column: Column) -> bool:
    return FIELD_TYPES[column.kind].column.endswith("[]")


def _schema(column: Column) -> Iterator[bytes]:
    """The elements of a column: itself, or a list, its repetition and what it holds."""
    name = column.name
    if _is_list(column):
        yield thrift.struct_of(
            thrift.number(3, _OPTIONAL), thrift.text(4, name), thrift.number(5, 1),
            thrift.number(6, _LIST),
        )  # fmt: skip
        yield thrift.struct_of(
            thrift.number(3, _REPEATED), thrift.text(4, "list"), thrift.number(5, 1)
        )
        name = "element"
    words = [thrift.number(6, _UTF8)] if _type(column) == BYTE_ARRAY else []
    yield thrift.struct_of(
        thrift.number(1, _type(column)), thrift.number(3, _OPTIONAL), thrift.text(4, name), *words
    )


def _levels(column: Column, cells: Sequence[Any]) -> _Levels:
    if not _is_list(column):
        return _Levels(
            [int(cell is not None) for cell in cells], [], [c for c in cells if c is not None]
        )
    made = _Levels([], [], [])
    for cell in cells:
        made.present.extend([3] * len(cell) if cell else [0 if cell is None else 1])
        made.repeated.extend([0, *([1] * (len(cell or ()) - 1))])
        made.values.extend(cell or ())
    return made


def _page(column: Column, levels: _Levels) -> bytes:
    repeated = _runs(levels.repeated) if _is_list(column) else b""
    return repeated + _runs(levels.present) + _plain(_type(column), levels.values)


def _runs(levels: list[int]) -> bytes:
    """Levels as runs of the same number, after their length in bytes."""
    runs = ((level, sum(1 for _ in same)) for level, same in groupby(levels))
    made = b"".join(thrift.varint(count << 1) + bytes([level]) for level, count in runs)
    return struct.pack("<I", len(made)) + made


def _plain(kind: int, values: list[Any]) -> bytes:
    if kind == DOUBLE:
        return struct.pack(f"<{len(values)}d", *values)
    if kind == INT64:
        return struct.pack(f"<{len(values)}q", *values)
    if kind == BOOLEAN:
        bits = sum(1 << place for place, value in enumerate(values) if value)
        return bits.to_bytes((len(values) + 7) // 8, "little")
    texts = (cell_text(value).encode("utf-8", "replace") for value in values)
    return b"".join(struct.pack("<I", len(each)) + each for each in texts)
