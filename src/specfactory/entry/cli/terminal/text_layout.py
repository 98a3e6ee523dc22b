"""How text fits into a terminal: lines end between words, tables become lists where they must."""

import re
from collections.abc import Sequence

from rich.cells import cell_len, chop_cells

GAP = 3  # between two columns
EDGES = 2
NARROW = 11  # a column that is wider stays at least so wide
TALL = 6  # lines of a cell
MANY_TALL = 0.2  # of all rows: they read better as lists
LONGEST_PIECE = 20  # of a word; longer ones are broken anywhere
_PIECES = re.compile(r"\s+|\d+T(?=\d\d:)|[^\s\-_./:,;?&=|]*[\-_./:,;?&=|]|[^\s\-_./:,;?&=|]+")


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most ``width``, broken at spaces, else after marks in words, else anywhere."""
    lines, line = [], ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if cell_len(joined) <= width:
            line = joined
        elif cell_len(word) <= width:
            lines.append(line)
            line = word
        else:
            *full, line = _broken(joined, width)
            lines += full
    return [*lines, line] if line or not lines else lines


def in_columns(
    rows: Sequence[Sequence[str]], fixed: Sequence[bool], width: int
) -> list[list[list[str]]]:
    """The lines of each cell, the head being the first row; empty where there is no room for them.

    Words are left whole, those of ``fixed`` columns (numbers) altogether.
    """
    widths = _column_widths(rows, fixed, width)
    if not widths:
        return []
    cells = [[wrap(*pair) for pair in zip(row, widths, strict=True)] for row in rows]
    tall = sum(max(map(len, row)) > TALL for row in cells)
    return [] if tall > MANY_TALL * len(rows) else cells


def _column_widths(rows: Sequence[Sequence[str]], fixed: Sequence[bool], width: int) -> list[int]:
    """A width for each column, so that all fit; empty where they cannot."""
    columns = list(zip(*rows, strict=True))
    widths = [max(map(cell_len, column)) for column in columns]
    least = [
        max(_longest_piece(column[0]), *map(cell_len, column[1:]))
        if keeps
        else max(min(wide, NARROW), *map(_longest_piece, column))
        for column, wide, keeps in zip(columns, widths, fixed, strict=True)
    ]
    over = sum(widths) + GAP * (len(widths) - 1) + EDGES - width
    for _ in range(over):
        room = [(wide, place) for place, wide in enumerate(widths) if wide > least[place]]
        if not room:
            return []
        widths[max(room)[1]] -= 1
    return widths


def _broken(text: str, width: int) -> list[str]:
    """Text with a word that is too long, broken after marks where there are any."""
    lines, line = [], ""
    for piece in _PIECES.findall(text):
        if cell_len(line + piece.rstrip()) <= width:
            line += piece
            continue
        if line.strip():
            lines.append(line.rstrip())
        *full, line = chop_cells(piece.strip(), width) or [""]
        lines += full
    return [*lines, line]


def _longest_piece(text: str) -> int:
    return min(max(map(cell_len, _PIECES.findall(text)), default=0), LONGEST_PIECE)
