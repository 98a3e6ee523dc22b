"""What commands print: tables on a terminal, aligned lines in a pipe, JSON when asked.

Crawled text is hostile: escape sequences and control characters never reach the terminal, and
nothing is read as markup.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import typer

from specfactory.entry.cli.terminal.suggested_commands import as_typed

_ESCAPE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, cursor
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?"  # titles, links, device strings
    r"|\x1b[ -/]*[0-~]?"
    r"|\x9b[0-?]*[ -/]*[@-~]"
)
_BLANK = re.compile(r"[\t\n\r\v\f\x85\u2028\u2029]+")
_HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
NARROWEST = 10  # columns left for text, however narrow the terminal
_C1 = re.compile(r"[\x7f-\x9f]")


def clean(text: object) -> str:
    """One line of harmless text: no escape sequences, no control or direction characters."""
    line = _BLANK.sub(" ", _ESCAPE.sub("", str(text)))
    return _HIDDEN.sub("", line)


def shorten(text: object, width: int) -> str:
    """At most ``width`` characters of clean text, with an ellipsis where it was cut."""
    line = clean(text)
    return line if len(line) <= width else line[: width - 1] + "…"


def moment(at: int) -> str:
    """An instant as people and machines read it: 2026-02-12T10:35:00Z."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def shown(value: Any, unit: str | None = None) -> str:
    """A field's value in words: 54 g, 129.9 EUR, yes, 127 × 64 × 40 mm; unk for none."""
    if value is None:
        return "unk"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):  # money as JSON
        return clean(f"{value.get('amount')} {value.get('currency')}")
    if hasattr(value, "currency"):
        return clean(f"{value.amount:.12g} {value.currency}")
    if isinstance(value, tuple | list):
        numbers = all(isinstance(part, int | float) for part in value)
        text = (" × " if numbers else ", ").join(shown(part) for part in value)
    else:
        text = f"{value:.12g}" if isinstance(value, float) else clean(value)
    return f"{text} {unit}" if unit else text


def host_of(url: str) -> str:
    """The host of a URL, for columns."""
    from urllib.parse import urlsplit

    return urlsplit(url).netloc or url


def on_terminal() -> bool:
    """Whether a person is looking at the output."""
    return sys.stdout.isatty()


def print_line(text: object = "") -> None:
    """Print one clean line."""
    typer.echo(clean(text))


def print_text(text: object, indent: str = "", mark: str = "") -> None:
    """Print text that may be long: on a terminal its lines end between words, under one another.

    ``mark`` stands before the first line.
    """
    begin = indent + mark
    lines = [clean(text)]
    if on_terminal():
        from specfactory.entry.cli.terminal.text_layout import wrap

        lines = wrap(lines[0], max(_terminal_width() - len(begin), NARROWEST))
    for number, line in enumerate(lines):
        typer.echo(f"{' ' * len(begin) if number else begin}{line}".rstrip())


def print_json(value: Any) -> None:
    """Print JSON that a terminal cannot misread either."""
    typer.echo(json_text(value, indent=2))


def json_text(value: Any, indent: int | None = None) -> str:
    """JSON in readable characters; what a terminal would obey is escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _C1.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, empty: str = "nothing here yet"
) -> None:
    """Print rows under their columns; columns of numbers stand to the right."""
    cells = [list(row) for row in rows]
    if not cells:
        print_text(as_typed(empty))
    elif on_terminal():
        _print_rich(columns, cells)
    else:
        _print_plain(columns, cells)


def _print_plain(columns: Sequence[str], rows: list[list[object]]) -> None:
    right = _number_columns(rows)
    table = [list(columns), *([_cell(cell) for cell in row] for row in rows)]
    widths = [max(len(line[index]) for line in table) for index in range(len(columns))]
    for line in table:
        placed = [
            text.rjust(width) if flush else text.ljust(width)
            for text, width, flush in zip(line, widths, right, strict=True)
        ]
        typer.echo("  ".join(placed).rstrip())


def _print_rich(columns: Sequence[str], rows: list[list[object]]) -> None:
    """A table, if all columns find room; else row by row, a line for each column."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from specfactory.entry.cli.terminal.text_layout import in_columns

    right = _number_columns(rows)
    texts = [list(columns), *([_cell(cell) for cell in row] for row in rows)]
    if not (cells := in_columns(texts, right, _terminal_width())):
        return _print_rows(columns, rows)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for lines, flush in zip(cells[0], right, strict=True):
        table.add_column(Text("\n".join(lines)), justify="right" if flush else "left")
    for row, broken in zip(rows, cells[1:], strict=True):
        pairs = zip(row, broken, strict=True)
        table.add_row(*(Text("\n".join(lines), style=_style(cell)) for cell, lines in pairs))
    Console(highlight=False).print(table)
    return None


def _print_rows(columns: Sequence[str], rows: list[list[object]]) -> None:
    for number, row in enumerate(rows):
        if number:
            typer.echo()
        for column, cell in zip(columns, row, strict=True):
            if words := _cell(cell):
                print_text(words, mark=f"{column}: ")


def _terminal_width() -> int:
    from shutil import get_terminal_size

    return get_terminal_size().columns


def _number_columns(rows: list[list[object]]) -> list[bool]:
    return [
        all(cell is None or isinstance(cell, int | float) for cell in column)
        and any(cell is not None for cell in column)
        for column in zip(*rows, strict=True)
    ]


def _cell(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:.2f}"
    return clean(cell)


_STYLES = {"ok": "green", "warn": "yellow", "fail": "bold red", "unk": "dim"}


def _style(cell: object) -> str:
    return _STYLES.get(cell, "") if isinstance(cell, str) else ""


def print_heading(text: object) -> None:
    """Print a line that opens a part of the output."""
    line = clean(text)
    typer.echo(typer.style(line, bold=True) if on_terminal() else line)


def progress_bar(total: int, label: str) -> Any:
    """A bar on stderr for a person; nothing at all in a log."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    bar.add_task(label, total=total)
    return bar
