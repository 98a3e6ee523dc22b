"""Data sheets: lines of a PDF in columns, with colons, or label above value."""

from collections.abc import Iterator

from specfactory.extract.labelled.split_lines import (
    IsLabel,
    behind_first_label,
    inner_labels,
    several_pairs,
    split_line,
)
from specfactory.extract.page import Pair, Span
from specfactory.model import Method, ViewName

_MAX_LINES = 5_000
_MAX_LABEL = 90
_MAX_BELOW = 80


def pdf_pairs(text: str, is_label: IsLabel) -> Iterator[Pair]:
    """The pairs of a PDF's text, line by line."""
    sheet = _Sheet(text, is_label)
    lines, at = [], 0
    for line in text.replace("\f", "\n").split("\n")[:_MAX_LINES]:
        cells, start = [], at
        for cell in line.split("\t"):
            left = start + len(cell) - len(cell.lstrip())
            right = start + len(cell.rstrip())
            if left < right:
                cells.append((left, right))
            start += len(cell) + 1
        lines.append(cells)
        at += len(line) + 1
    for cells, below in zip(lines, [*lines[1:], []], strict=True):
        yield from sheet.line(cells, below)


class _Sheet:
    """Reads a data sheet from top to bottom, keeping heading and column heads in mind."""

    def __init__(self, text: str, is_label: IsLabel) -> None:
        self._text = text
        self._is_label = is_label
        self._section: Span | None = None
        self._heads: list[Span] = []

    def line(self, cells: list[Span], below: list[Span]) -> Iterator[Pair]:
        if len(cells) == 1:
            # A cell alone on its line: a pair, a label above its value, or a heading.
            cell, inside = cells[0], self._inside(cells[0])
            short_below = len(below) == 1 and below[0][1] - below[0][0] <= _MAX_BELOW
            if inside:
                yield from inside
            elif self._labels(cell) and short_below and not self._labels(below[0]):
                yield self._pair(cell, below[0])
            elif cell[1] - cell[0] <= _MAX_LABEL:
                self._section, self._heads = cell, []
        elif len(cells) > 1 and not self._labels(cells[0]):
            inside = [pair for cell in cells for pair in self._inside(cell)]
            self._heads = [] if inside else cells
            yield from inside
        elif len(cells) > 2 and not self._labels(cells[2]):
            # Several values behind one label belong to the heads of their columns.
            heads = self._heads[-(len(cells) - 1) :]
            if len(heads) == len(cells) - 1:
                for value, head in zip(cells[1:], heads, strict=True):
                    yield self._pair(cells[0], value, self._text[head[0] : head[1]])
        else:
            for label, value in zip(cells[::2], cells[1::2], strict=False):
                yield self._pair(label, value)

    def _inside(self, cell: Span) -> list[Pair]:
        rest = None, behind_first_label(self._text, *cell)
        label, value = split_line(self._text, *cell, self._is_label) or rest
        inner = inner_labels(self._text, value, self._is_label)
        return [self._pair(*each) for each in several_pairs(self._text, label, value, inner)]

    def _labels(self, cell: Span) -> bool:
        return cell[1] - cell[0] <= _MAX_LABEL and self._is_label(self._text[cell[0] : cell[1]])

    def _pair(self, label: Span, value: Span, subject: str | None = None) -> Pair:
        section = self._section
        return Pair(label, (value,), Method.TABLE, None, section, subject, ViewName.PDF)
