"""Files of products, line by line: CSV in every usual form, JSON, JSON lines.

A broken line is reported with its number and costs no other line.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

from specfactory.contract.text import SLOTS
from specfactory.errors import UsageError
from specfactory.model import Frozen, IdentityRules, field
from specfactory.queue.intake import COLUMNS, column_name

PRODUCTS = IdentityRules()
LONGEST_LINE = 1_000_000
LONGEST_JSON = 500_000_000
_JOINED_LINES = 10  # the most lines that a cell in quotes may span
_SEPARATORS = (",", ";", "\t", "|")


class TableLine(Frozen):
    """One line (or entry) of a file: its fields, or what is wrong with it, or a note."""

    number: int
    fields: Mapping[str, Any] = field(default_factory=dict)
    column: str = ""
    problem: str = ""
    is_note: bool = False


def read_products(file: Path, rules: IdentityRules = PRODUCTS) -> Iterator[TableLine]:
    """The things of a CSV or JSON file, named by brand and model or as the rules say."""
    try:
        with file.open("rb") as raw:
            head = raw.read(4096)
        encoding = _encoding(head)
        # Half a character of UTF-16 has no escape; in UTF-8 the escape names the broken cell.
        errors = "replace" if encoding.startswith("utf-16") else "surrogateescape"
        opened = file.open(encoding=encoding, errors=errors)
    except OSError as problem:
        raise UsageError(f"cannot read {file}: {problem.strerror}") from None
    with opened as stream:
        first = stream.read(1)
        while first.isspace():
            first = stream.read(1)
        stream.seek(0)
        if first in ("[", "{"):
            yield from _json_lines(stream, file, rules)
        else:
            yield from _csv_lines(stream, file, rules)


def _encoding(head: bytes) -> str:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    # Spreadsheets write UTF-16 without a mark too: then every other byte is mostly zero.
    if head[1:200:2].count(0) > len(head[1:200:2]) // 2:
        return "utf-16-le"
    if head[0:200:2].count(0) > len(head[0:200:2]) // 2:
        return "utf-16-be"
    return "utf-8-sig"


def _csv_lines(stream: TextIO, file: Path, rules: IdentityRules) -> Iterator[TableLine]:
    lines = _Numbered(stream)
    header = _header(lines, file)
    separator = max(_SEPARATORS, key="".join(header.split('"')[::2]).count)  # outside quotes
    if header.casefold().startswith("sep=") and len(header) == 5:
        separator, header = header[4], _header(lines, file)
    written = _cells(header, separator) or []
    columns = [column_name(name, rules.names) for name in written]
    named = ", ".join(written)[:200]
    slots = dict(zip(rules.names, SLOTS, strict=False))
    for needed in sorted(rules.needed):
        by_line = needed == "brand" and "category" in columns  # which may be named without
        if needed not in columns and slots[needed] not in columns and not by_line:
            raise UsageError(
                f"{file} has no column {needed}; its first line names {named}; "
                f"possible: {', '.join(COLUMNS)}"
            )
    for name, column in zip(written, columns, strict=True):
        if column is not None and columns.count(column) > 1:
            raise UsageError(f"{file} has two columns for {column}: {named}")
        if column is None and name.strip():
            known = ", ".join(COLUMNS)
            yield TableLine(lines.number, {}, name.strip(), f"is not known, ignored; {known}", True)
    while (text := lines.next()) is not None:
        if text.strip(f" {separator}"):
            yield _csv_line(lines, text, separator, columns)


def _header(lines: _Numbered, file: Path) -> str:
    while (text := lines.next()) is not None:
        if text.strip():
            return text
    raise UsageError(f"{file} is empty; its first line names the columns: {', '.join(COLUMNS)}")


def _csv_line(lines: _Numbered, text: str, separator: str, columns: list[str | None]) -> TableLine:
    number = lines.number
    cells = _cells(text, separator) or _joined(lines, text, separator, len(columns))
    if len(text) >= LONGEST_LINE:
        return TableLine(number, problem=f"is longer than {LONGEST_LINE} characters")
    if cells is None:
        return TableLine(number, problem="a quote is opened and not closed as CSV wants it")
    if len(cells) > len(columns) and any(cell.strip() for cell in cells[len(columns) :]):
        return TableLine(
            number, problem=f"has {len(cells)} cells, the first line has {len(columns)}"
        )
    named = zip(columns, cells, strict=False)
    return TableLine(number, {column: cell.strip() for column, cell in named if column is not None})


def _cells(text: str, separator: str) -> list[str] | None:
    """The cells of one line; None when its quotes do not match."""
    try:
        rows = list(csv.reader([text], delimiter=separator, strict=True))
    except csv.Error:
        return None
    return rows[0] if rows else []


def _joined(lines: _Numbered, text: str, separator: str, width: int) -> list[str] | None:
    """Cells of a line whose quoted cell goes on below; None, consuming nothing, if it does not."""
    taken: list[str] = []
    for _ in range(_JOINED_LINES):
        following = lines.next()
        if following is None:
            break
        taken.append(following)
        cells = _cells("\n".join([text, *taken]), separator)
        if cells is not None and len(cells) == width:
            return cells
    lines.put_back(taken)
    return None


class _Numbered:
    """Numbered lines that can be put back."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._ahead: list[str] = []
        self.number = 0

    def next(self) -> str | None:
        """The next line without its end; None after the last."""
        text = self._ahead.pop() if self._ahead else self._stream.readline(LONGEST_LINE)
        if not text:
            return None
        self.number += 1
        if len(text) < LONGEST_LINE:
            return text.removesuffix("\n")
        while (rest := self._stream.readline(LONGEST_LINE)) and not rest.endswith("\n"):
            pass  # leave out the rest of a line that is too long
        return text

    def put_back(self, lines: list[str]) -> None:
        """Read these again."""
        self._ahead += [line + "\n" for line in reversed(lines)]
        self.number -= len(lines)


def _json_lines(stream: TextIO, file: Path, rules: IdentityRules) -> Iterator[TableLine]:
    text = stream.read(LONGEST_JSON + 1)
    if len(text) > LONGEST_JSON:
        raise UsageError(f"{file} is larger than {LONGEST_JSON} characters; use CSV")
    try:
        content = json.loads(text)
    except RecursionError:
        raise UsageError(f"{file} is nested too deeply") from None
    except ValueError as problem:
        yield from _objects_by_line(text, file, problem, rules)
        return
    if isinstance(content, dict):
        found = content.get("products", content.get("entries"))
        is_one = bool(content.keys() & {"brand", *rules.names})
        content = [content] if found is None and is_one else found
    if not isinstance(content, list):
        raise UsageError(f"{file} holds no list of products, nor an object with `products`")
    for number, entry in enumerate(content, 1):
        yield from _json_line(number, entry, rules)


def _objects_by_line(
    text: str, file: Path, problem: ValueError, rules: IdentityRules
) -> Iterator[TableLine]:
    """JSON lines: one object a line; a broken one costs no other."""
    lines = text.split("\n")
    if not lines[0].strip().startswith("{") or not lines[0].strip().endswith("}"):
        raise UsageError(f"{file} is no JSON: {problem}")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield from _json_line(number, json.loads(line), rules)
        except (ValueError, RecursionError) as wrong:
            yield TableLine(number, problem=f"is no JSON: {wrong}")


def _json_line(number: int, entry: Any, rules: IdentityRules) -> Iterator[TableLine]:
    if not isinstance(entry, dict):
        yield TableLine(number, problem=f"is {repr(entry)[:60]}; an object is wanted")
        return
    identity = entry.get("identity")
    flat = {**entry, **identity} if isinstance(identity, dict) else entry
    columns = {name: column_name(name, rules.names) for name in flat}
    yield TableLine(number, {known: flat[name] for name, known in columns.items() if known})
    for name in flat:
        if columns[name] is None and name not in ("identity", "product_id", "queue_id"):
            yield TableLine(number, {}, name, "is not known, ignored", True)
