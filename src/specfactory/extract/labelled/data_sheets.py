"""Data sheets: lines of a PDF in columns, with colons, or label above value."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from specfactory.extract.labelled.split_lines import (
    IsLabel,
    behind_first_label,
    inner_labels,
    several_pairs,
    split_line,
)
from specfactory.extract.page import Pair, Span
from specfactory.model import Method, ViewName

if TYPE_CHECKING:
    from specfactory.proof.text import PdfText

_MAX_LINES = 5_000
_MAX_LABEL = 90
_MAX_BELOW = 80
_NEAR = 2.0  # points: cells whose left edges are closer stand in one column


def pdf_pairs(pdf: "PdfText", is_label: IsLabel) -> Iterator[Pair]:
    """The pairs of a PDF's text, line by line."""
    text = pdf.text
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
    open_pairs: list[Pair] = []  # of the line above, which may go on
    columns: dict[int, float] = {}  # left edges of their values, by where the value starts
    for cells, lefts, below in zip(lines, pdf.lefts, [*lines[1:], []], strict=False):
        places = dict(zip((start for start, _ in cells), lefts, strict=False))
        goes_on = _going_on(open_pairs, columns, cells, places)
        if goes_on and not sheet.has_pairs(cells):
            open_pairs = goes_on
            continue
        yield from open_pairs
        open_pairs, columns = list(sheet.line(cells, below)), places
    yield from open_pairs


def _going_on(
    pairs: list[Pair], columns: Mapping[int, float], cells: list[Span], places: Mapping[int, float]
) -> list[Pair]:
    """Pairs whose values go on in the cells of the next line; none where one has no value above."""
    lefts = [columns.get(pair.values[0][0]) for pair in pairs]
    found = list(pairs)
    for cell in cells:
        left = places.get(cell[0], -_NEAR)
        above = (n for n, one in enumerate(lefts) if one is not None and abs(one - left) < _NEAR)
        number = next(above, None)
        if number is None:
            return []
        found[number] = found[number]._replace(more=(*found[number].more, cell))
    return found if cells else []


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

    def has_pairs(self, cells: list[Span]) -> bool:
        """True if a line names fields itself."""
        return any(self._labels(cell) or self._inside(cell) for cell in cells)

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
