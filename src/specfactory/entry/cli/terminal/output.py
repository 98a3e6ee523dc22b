"""What commands print: tables on a terminal, aligned lines in a pipe, JSON when asked.

Crawled text is hostile: escape sequences and control characters never reach the terminal, and
nothing is read as markup.
"""

import io
import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TextIO, cast

import typer

from specfactory.control_characters import visible_controls
from specfactory.entry.cli.terminal.suggested_commands import as_typed
from specfactory.redaction import redacted

_ESCAPE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, cursor
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?"  # titles, links, device strings
    r"|\x1b[ -/]*[0-~]?"
    r"|\x9b[0-?]*[ -/]*[@-~]"
)
_BLANK = re.compile(r"[\t\n\r\v\f\x85\u2028\u2029]+")
_HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
NARROWEST = 10  # columns left for text, however narrow the terminal
_STYLES = {"ok": "green", "warn": "yellow", "fail": "bold red", "unk": "dim"}

# A head that is also the attribute of a row, or a head with the attribute or a function of the row.
Columns = Sequence[str | tuple[str, str | Callable[[Any], object]]]


def clean(text: object) -> str:
    """One line of harmless text: no escape sequences, no control or direction characters."""
    line = _BLANK.sub(" ", _ESCAPE.sub("", str(text)))
    return _HIDDEN.sub("", line)


def shorten(text: object, width: int) -> str:
    """At most ``width`` characters of clean text, with an ellipsis where it was cut."""
    line = clean(text)
    return line if len(line) <= width else line[: width - 1] + "…"


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


def quantity(count: int, noun: str) -> str:
    """A count with its noun: 1 page, 2 pages."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def host_of(url: str) -> str:
    """The host of a URL, for columns."""
    from urllib.parse import urlsplit

    return urlsplit(url).netloc or url


def on_terminal() -> bool:
    """Tell whether a person is looking at the output."""
    return sys.stdout.isatty()


def line(words: object = "", **style: Any) -> None:
    """Print one clean line; a style is for terminals."""
    typer.echo(typer.style(clean(words), **style) if style else clean(words))


def note(words: object) -> None:
    """Print one clean line to stderr, beside the output."""
    typer.echo(redacted(clean(words)), err=True)


def write(words: str) -> None:
    """Write text as it is, lines included, but for what a terminal would obey."""
    stdout().write(words)


def write_over(words: str) -> None:
    """Print a line in the place of the last one; in a log under it."""
    typer.echo(f"\r\x1b[K{clean(words)}" if on_terminal() else clean(words), nl=not on_terminal())


class _Terminal(io.TextIOBase):
    """Standard output for files: on a terminal control characters are shown, not obeyed."""

    name = "the terminal"

    def write(self, text: str) -> int:
        return sys.stdout.write(visible_controls(text))

    def flush(self) -> None:
        sys.stdout.flush()


def stdout() -> TextIO:
    """The stream for what could as well be a file."""
    return cast(TextIO, _Terminal()) if on_terminal() else sys.stdout


def text(words: object, indent: str = "", mark: str = "") -> None:
    """Print text that may be long: on a terminal its lines end between words, under one another.

    ``mark`` stands before the first line.
    """
    begin = indent + mark
    lines = [clean(words)]
    if on_terminal():
        from specfactory.entry.cli.terminal.text_layout import wrap

        lines = wrap(lines[0], max(terminal_width() - len(begin), NARROWEST))
    for number, each in enumerate(lines):
        typer.echo(f"{' ' * len(begin) if number else begin}{each}".rstrip())


def print_json(value: Any) -> None:
    """Print JSON that a terminal cannot misread either."""
    typer.echo(json_text(value, indent=2))


def json_text(value: Any, indent: int | None = None) -> str:
    """JSON in readable characters; what a terminal would obey is escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=_builtins)
    return visible_controls(text)


def _builtins(struct: Any) -> Any:
    import msgspec  # not at the top: --help must be quick

    return msgspec.to_builtins(struct, enc_hook=dict)


def heading(words: object) -> None:
    """Print a line that opens a part of the output."""
    line(words, **({"bold": True} if on_terminal() else {}))


def section(title: str, columns: Columns, rows: Iterable[Any], empty: str = "") -> None:
    """Print a table under a heading; nothing where it has no rows and no words for that."""
    cells = list(rows)
    if cells or empty:
        line()
        if title:
            heading(title)
        table(columns, cells, empty=empty)


def table(
    columns: Columns, rows: Iterable[Any], *, empty: str = "nothing here yet", head: bool = True
) -> None:
    """Print rows under their columns; columns of numbers stand to the right.

    A row is a value that the columns read, or the list of its cells. Without ``head`` the rows
    of a pipe go on where others ended.
    """
    read = [(column, column) if isinstance(column, str) else column for column in columns]
    cells = [
        list(row)
        if isinstance(row, list | tuple)
        else [getattr(row, what) if isinstance(what, str) else what(row) for _, what in read]
        for row in rows
    ]
    if not cells:
        return text(as_typed(empty))
    heads = [head for head, _ in read]
    right = [
        all(cell is None or isinstance(cell, int | float) for cell in column)
        and any(cell is not None for cell in column)
        for column in zip(*cells, strict=True)
    ]
    texts = [heads, *([_cell(cell) for cell in row] for row in cells)]
    if on_terminal():
        return _print_rich(cells, texts, right)
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for row in texts if head else texts[1:]:
        placed = [
            words.rjust(width) if flush else words.ljust(width)
            for words, width, flush in zip(row, widths, right, strict=True)
        ]
        typer.echo("  ".join(placed).rstrip())
    return None


def _print_rich(cells: list[list[object]], texts: list[list[str]], right: list[bool]) -> None:
    """A table, if all columns find room; else row by row, a line for each column."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from specfactory.entry.cli.terminal.text_layout import in_columns

    placed = in_columns(texts, right, terminal_width())
    if not placed:
        for number, row in enumerate(texts[1:]):
            if number:
                typer.echo()
            for head, words in zip(texts[0], row, strict=True):
                if words:
                    text(words, mark=f"{head}: ")
        return
    grid = Table(box=SIMPLE_HEAD, pad_edge=False)
    for lines, flush in zip(placed[0], right, strict=True):
        grid.add_column(Text("\n".join(lines)), justify="right" if flush else "left")
    for cells_of_row, broken in zip(cells, placed[1:], strict=True):
        styles = (_STYLES.get(cell, "") if isinstance(cell, str) else "" for cell in cells_of_row)
        pairs = zip(styles, broken, strict=True)
        grid.add_row(*(Text("\n".join(lines), style=style) for style, lines in pairs))
    Console(highlight=False).print(grid)


def terminal_width() -> int:
    """Columns of the terminal; COLUMNS wins, and 80 where neither is known."""
    from shutil import get_terminal_size

    return get_terminal_size().columns


def _cell(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:.2f}" if isinstance(cell, float) else clean(cell)


def progress_bar(total: int | None, label: str) -> Any:
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
