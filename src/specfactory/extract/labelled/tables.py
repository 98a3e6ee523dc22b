"""Tables: rows with their labels, columns with theirs, products beside each other."""

from collections.abc import Iterator

from specfactory.extract.labelled.label_lookup import Labels
from specfactory.extract.page import Layout, Pair, Span, is_generic_head, is_name_head, is_unit
from specfactory.model import Method
from specfactory.proof import Element

_MAX_ROWS = 2_000
_MAX_COLUMNS = 40
_MAX_LABEL = 120
_MAX_VALUE = 1_500

Row = list[Element | None]  # one entry per column; a cell that spans columns stands in each


def table_pairs(layout: Layout, labels: Labels) -> Iterator[Pair]:
    """The pairs of every table, without those of the tables inside it."""
    for element in layout.outline.tagged("table"):
        if element.start >= 0:
            yield from _Table(layout, _grid(element), labels).pairs()


def _grid(table: Element) -> list[Row]:
    """The cells of a table by row and column, spans filled in; rows of inner tables left out."""
    rows: list[Row] = []
    hanging: dict[int, tuple[Element, int]] = {}  # column -> cell that spans down, rows left
    waiting = table.children[::-1]
    while waiting and len(rows) < _MAX_ROWS:
        element = waiting.pop()
        if element.tag in ("thead", "tbody", "tfoot"):
            waiting.extend(reversed(element.children))
            continue
        if element.tag != "tr":
            continue
        row: Row = []
        cells = [cell for cell in element.children if cell.tag in ("td", "th")]
        while (cells or len(row) in hanging) and len(row) < _MAX_COLUMNS:
            held = hanging.pop(len(row), None)
            if held is not None:
                if held[1] > 1:
                    hanging[len(row)] = (held[0], held[1] - 1)
                row.append(held[0])
                continue
            cell = cells.pop(0)
            for _ in range(_span(cell, "colspan")):
                if (down := _span(cell, "rowspan")) > 1:
                    hanging[len(row)] = (cell, down - 1)
                row.append(cell)
        rows.append(row)
    return rows


def _span(cell: Element, name: str) -> int:
    given = cell.get(name) if cell.attributes else ""
    return min(max(int(given), 1), _MAX_COLUMNS) if given.isdecimal() and len(given) < 4 else 1


class _Table:
    """One table, read by rows or by columns."""

    def __init__(self, layout: Layout, rows: list[Row], labels: Labels) -> None:
        self._layout = layout
        self._rows = rows
        self._known = labels
        self._section: Span | None = None
        self._heads: Row = []

    def pairs(self) -> Iterator[Pair]:
        # Most tables have no cell that may name a field and need no reading.
        if not any(self._labels(cell) for row in self._rows for cell in row):
            return
        head = self._rows[0]
        across = sum(self._labels(cell) for cell in _distinct(head))
        down = sum(self._labels(cell) for row in self._rows[1:] for cell in row[:1])
        if across >= 2 and across > down and len(self._rows) > 1:
            yield from self._by_columns(head)
            return
        label: Element | None = None
        last: list[Pair] = []
        for row in self._rows:
            cells = _distinct(row)
            if len(last) == 1 and self._goes_on(cells, label):
                last = [last[0]._replace(more=(*last[0].more, cells[1].span))]
                continue
            yield from last
            last, label = [], cells[0] if len(cells) == 2 else None
            if self._is_head(cells):
                self._heads = row
            elif len(cells) == 1:
                self._section = cells[0].span if cells[0].start >= 0 else self._section
            elif cells:
                last = list(self._row_pairs(row, cells))
        yield from last

    def _goes_on(self, cells: list[Element], label: Element | None) -> bool:
        """True for a row that goes on with the one above: its label is empty, or spans both."""
        if label is None or len(cells) != 2 or not 0 <= cells[1].start < cells[1].end:
            return False
        is_empty = cells[0].start < 0 or cells[0].start == cells[0].end
        return (is_empty or cells[0] is label) and cells[1].end - cells[1].start <= _MAX_LABEL

    def _labels(self, cell: Element | None) -> bool:
        if cell is None or not 0 < cell.end - cell.start <= _MAX_LABEL:
            return False
        return self._known.may_name(self._layout.words(cell))

    def _words(self, cell: Element | None) -> str:
        return self._layout.words(cell) if cell is not None else ""

    def _by_columns(self, head: Row) -> Iterator[Pair]:
        """Every row is a thing of its own, named under a head such as Model, or unclaimed."""
        unclaimed = [c for c, cell in enumerate(head) if not self._labels(cell)]
        named = [c for c, cell in enumerate(head) if is_name_head(self._words(cell))]
        named = named or unclaimed[:1]
        several = len(self._rows) > 2
        for row in self._rows[1:]:
            subject = next((self._words(row[c]) for c in named if c < len(row)), "")
            for column, cell in enumerate(row[: len(head)]):
                label = head[column]
                if cell is None or label is None or cell is label or not self._labels(label):
                    continue
                if subject or not several:
                    yield from self._pair(label, (cell,), subject or None)

    def _is_head(self, cells: list[Element]) -> bool:
        """True when a row says what its columns are: all th, or names behind an empty corner."""
        if len(cells) < 2:
            return False
        corner, others = cells[0], cells[1:]
        row = corner.parent
        in_thead = row is not None and row.parent is not None and row.parent.tag == "thead"
        in_head = all(cell.tag == "th" for cell in cells) or in_thead
        if self._heads and not in_head:
            return False
        if any(self._words(cell).endswith(":") for cell in cells):
            return False
        if self._labels(corner) and not is_name_head(self._words(corner)):
            return False
        if len(cells) > 2 and is_name_head(self._words(corner)):
            return True
        untitled = corner.start < 0 or is_generic_head(self._words(corner))
        named = len(others) > 1 and any(cell.start >= 0 for cell in others)
        return (in_head or (untitled and named)) and not any(self._labels(c) for c in others)

    def _row_pairs(self, row: Row, cells: list[Element]) -> Iterator[Pair]:
        if len(cells) > 2 and cells[0].start >= 0:
            # A first cell may head the labels beside it, usually over several rows.
            by_tag = cells[0].tag == cells[1].tag == "th" and cells[2].tag == "td"
            spans = _span(cells[0], "rowspan") > 1
            if by_tag or (spans and (not self._heads or self._labels(cells[1]))):
                self._section = cells[0].span
                cells = cells[1:]
        if len(cells) < 2:
            return
        if self._alternates(cells):
            for at in range(0, len(cells), 2):
                yield from self._pair(cells[at], (cells[at + 1],))
        elif len(cells) == 2:
            head = self._head_of(row, cells[1])
            # The only head names a product where the corner is empty or says that names follow.
            corner = self._words(self._heads[0]) if len(self._heads) == 2 else None
            named = corner is not None and (not corner or is_name_head(corner))
            yield from self._under(head, cells[0], cells[1], named)
        else:
            # Several values in a row: one per product, per unit, or one value in pieces.
            label, values = cells[0], cells[1:]
            heads = [self._head_of(row, value) for value in values]
            if any(head is not None and head.start >= 0 for head in heads):
                for value, head in zip(values, heads, strict=True):
                    yield from self._under(head, label, value, named=True)
                return
            worded = tuple(value for value in values if value.start >= 0)
            if len(worded) == 1 or all(any(map(str.isdigit, self._words(v))) for v in worded):
                yield from self._pair(label, worded)

    def _alternates(self, cells: list[Element]) -> bool:
        """True when labels and values alternate; under heads of products they do not."""
        if len(cells) < 4 or len(cells) % 2:
            return False
        if all(cell.tag == ("td" if at % 2 else "th") for at, cell in enumerate(cells)):
            return True
        if all(self._words(cell).endswith(":") for cell in cells[:4:2]):
            return True
        headed = any(not is_generic_head(self._words(head)) for head in self._heads)
        return (
            not headed
            and all(map(self._labels, cells[::2]))
            and self._known.names(self._words(cells[2]))
        )

    def _under(
        self, head: Element | None, label: Element, value: Element, named: bool
    ) -> Iterator[Pair]:
        """A value with what its column's head says: its unit, or whose it is."""
        words = self._words(head)
        if head is not None and is_unit(words):
            yield from self._pair(label, (value, head))
        else:
            subject = words if named and words and not is_generic_head(words) else None
            yield from self._pair(label, (value,), subject)

    def _head_of(self, row: Row, cell: Element) -> Element | None:
        column = next(c for c, each in enumerate(row) if each is cell)
        return self._heads[column] if column < len(self._heads) else None

    def _pair(
        self, label: Element, values: tuple[Element, ...], subject: str | None = None
    ) -> Iterator[Pair]:
        worded = [value for value in values if 0 <= value.start < value.end]
        size = sum(value.end - value.start for value in worded)
        if worded and 0 < label.end - label.start <= _MAX_LABEL and size <= _MAX_VALUE:
            spans = tuple(value.span for value in worded)
            yield Pair(label.span, spans, Method.TABLE, worded[0], self._section, subject)


def _distinct(row: Row) -> list[Element]:
    cells: list[Element] = []
    for cell in row:
        if cell is not None and (not cells or cells[-1] is not cell):
            cells.append(cell)
    return cells
