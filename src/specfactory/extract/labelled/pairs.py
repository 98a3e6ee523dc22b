"""Labels with their values in any markup but tables: definition lists, lines that hold both, and
elements side by side or one above the other.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from operator import itemgetter

from specfactory.extract.labelled.label_lookup import Labels
from specfactory.extract.labelled.split_lines import (
    MAX_LABEL,
    SEPARATORS,
    IsLabel,
    behind_first_label,
    inner_labels,
    several_pairs,
    split_line,
)
from specfactory.extract.page import GRID, HEADINGS, Layout, Pair, Span, lines_around
from specfactory.model import Method
from specfactory.proof import Element

_MAX_LINE = 600
_MAX_VALUE = 1_500
_INLINE = frozenset(("b", "strong", "span", "em", "i", "label", "u", "font", "small", "a", "dfn"))
# The one character of every separator: a fast search that rules out most lines.
_CORE = re.compile(r"[:：\t….–—=|-](?:(?<=[:：\t…])|(?<=\s[-–—=|])(?=\s)|(?<=\.)\.\.)")
# A label that the contract does not know: it ends the value before it.
_NAMED = re.compile(r"\s*[^\W\d_][^\n:：]{1,40}[:：]\s")
_SEGMENT = re.compile(r"[|•·;]\s+")
_BOLD = frozenset(("b", "strong", "label", "dfn", "th"))
_BLANKS = " \t\n\r\u00a0\u200a"
_LINE_ENDS = ("", "\n", "\t")
_MAX_BESIDE = 400
_MAX_HEADED = 90
_MAX_PIECES = 12
_PIECE = re.compile(r"\s*[\n\t:]\s*")
_SKIPPED = GRID | {"option", "select", "button"}


def definition_pairs(layout: Layout) -> Iterator[Pair]:
    """The terms of definition lists with their definitions."""
    for dl in layout.outline.tagged("dl"):
        if dl.start < 0:
            continue
        parts: list[Element | None] = []
        for child in dl.children:  # each couple may be wrapped in a box of its own
            inside = [child] if child.tag in ("dt", "dd") else child.children
            parts.extend(each for each in inside if each.tag in ("dt", "dd"))
        term: Element | None = None
        value: Span | None = None
        place = dl
        for part in [*parts, None]:
            if part is not None and part.tag == "dd":
                if part.start >= 0:
                    value = (value[0] if value else part.start, part.end)
                    place = part
                continue
            if part is not None and part.start < 0 and value is not None:
                continue  # an empty term goes on with the one above
            if term is not None and value is not None and value[1] - value[0] <= _MAX_VALUE:
                name = term.span
                if term.end - term.start > MAX_LABEL:
                    # A term that explains itself at length (a tooltip) is named by its first line.
                    line = layout.text[term.start : term.start + MAX_LABEL].partition("\n")[0]
                    name = term.start, term.start + len(line)
                yield Pair(name, (value,), Method.TABLE, place)
            if part is not None:
                term, value = (part if part.start >= 0 else None), None


def line_pairs(
    layout: Layout, is_label: IsLabel, may_begin: IsLabel = lambda words: True
) -> Iterator[Pair]:
    """Lines such as ``Weight: 54 g`` or with the label in bold, in any markup.

    ``may_begin`` rules out quickly that any label begins with the first of some words.
    """
    return _Lines(layout, is_label, may_begin).pairs()


class _Lines:
    """The lines of one page, and the inline elements that set labels and values apart."""

    def __init__(self, layout: Layout, is_label: IsLabel, may_begin: IsLabel) -> None:
        self._layout = layout
        self._text = layout.text
        self._is_label = is_label
        self._may_begin = may_begin
        self._cores = [core.start() for core in _CORE.finditer(layout.text)]
        self._marks: dict[int, list[Element]] = {}  # labels set apart by markup, by their start
        self._inner: list[Span] = []  # labels set apart by markup inside a line

    def pairs(self) -> Iterator[Pair]:
        """First what inline elements set apart, then what lines say."""
        text, has_struck = self._text, bool(self._layout.struck)
        cores, core = [*self._cores, len(text)], 0
        for element in self._layout.outline.shown:
            if element.tag not in _INLINE:
                continue
            start, end = element.start, element.end
            opens = text[start - 1 : start] in _LINE_ENDS
            if (
                (opens or has_struck)
                and end - start <= MAX_LABEL
                and text[end : end + 1] not in ("\n", "")
                and self._is_label(text[start:end])
            ):
                self._marks.setdefault(start, []).append(element)
            while cores[core] < start:
                core += 1
            if cores[core] < end and cores[core] < start + MAX_LABEL and end - start <= _MAX_LINE:
                # An element that holds both a label and its value, whatever stands around it.
                found = self._split(start, end)
                if found:
                    yield Pair(found[0], (found[1],), Method.PAIR, element)
            if not opens:
                yield from self._led(element)
                if element.tag in _BOLD and 1 < end - start <= MAX_LABEL:
                    is_named = text[start:end].rstrip().endswith((":", "：")) or (
                        text[end : end + 2].lstrip().startswith((":", "："))
                    )
                    if is_named or self._is_label(text[start:end]):
                        self._inner.append((start, end))
        # The lines that hold a mark or a separator.
        for at, stop in lines_around(text, sorted({*self._cores, *self._marks})):
            for start, end in self._cells(at, text[at:stop]):
                if 3 < end - start <= _MAX_LINE:
                    yield from self._line(start, end)

    def _cells(self, start: int, line: str) -> list[Span]:
        """The cells of a table's line; in preformatted text a tab stands inside a pair."""
        place = self._layout.leaf_at(start) if "\t" in line else None
        if place is None or not (
            place.tag in GRID or any(e.tag in GRID for e in place.ancestors())
        ):
            return [(start, start + len(line))]
        cells = []
        for cell in line.split("\t"):
            cells.append((start, start + len(cell)))
            start += len(cell) + 1
        return cells

    def _led(self, element: Element) -> Iterator[Pair]:
        """A value set apart by its markup behind a label that is not."""
        text, start = self._text, element.start
        first = max(0, start - MAX_LABEL)
        left = max(text.rfind("\n", first, start), text.rfind("\t", first, start))
        if (left < 0 and first) or not self._is_label(text[left + 1 : start].strip(_BLANKS)):
            return
        label = self._layout.trimmed(left + 1, start)
        end = text.find("\n", start)
        value = self._layout.trimmed(start, end if end >= 0 else len(text))
        if label and value and value[1] - value[0] <= _MAX_LINE and "\t" not in text[slice(*value)]:
            yield Pair(label, (value,), Method.PAIR, self._layout.leaf_at(start))

    def _line(self, start: int, end: int) -> Iterator[Pair]:
        """The pairs of a line: with the label set apart by markup, or by what is written."""
        for struck in self._layout.struck_within((start, end))[:1]:
            if struck[0] == start and struck[1] < end:
                start = (self._layout.trimmed(struck[1], end) or (end, end))[0]
        found: list[tuple[Span | None, Span]] = []
        for mark in self._marks.get(start, ()):
            value = self._layout.trimmed(mark.end, end, SEPARATORS) if mark.end < end else None
            if value and "\t" not in self._text[mark.end : value[0]]:
                found = [(mark.span, value)]
                break
        if not found:
            core = bisect_left(self._cores, start)
            if core < len(self._cores) and self._cores[core] < end:
                found = [*self._written(start, end)]
        # Behind a label that the contract does not know, others may follow in the line.
        for label, value in found or [(None, behind_first_label(self._text, start, end))]:
            inner = {*self._bold_labels(value), *inner_labels(self._text, value, self._is_label)}
            for one, own in several_pairs(self._text, label, value, sorted(inner)):
                yield Pair(one, (own,), Method.PAIR, self._layout.leaf_at(one[0]))

    def _bold_labels(self, value: Span) -> Iterator[Span]:
        first = bisect_left(self._inner, value)
        for span in islice(self._inner, first, None):
            if span[0] >= value[1]:
                return
            if span[1] <= value[1]:
                yield span

    def _written(self, start: int, end: int) -> list[tuple[Span, Span]]:
        """Labels and values set apart by a colon, a dash or dots; several may share a line."""
        segments: list[Span] = []
        for mark in _SEGMENT.finditer(self._text, start, end):
            left = mark.start()
            if left > start and self._text[left - 1].isspace():
                left -= 1
            segments.append((start, left))
            start = mark.end()
        found: list[tuple[Span, Span]] = []
        goes_on = False  # the value before goes on in this segment
        for segment in [*segments, (start, end)]:
            if segment[0] >= segment[1]:
                continue
            pair = self._split(*segment)
            goes_on = pair is not None or (goes_on and not _NAMED.match(self._text, *segment))
            if pair:
                found.append(pair)
            elif goes_on:
                label, value = found[-1]
                found[-1] = (label, (value[0], segment[1]))
        return found

    def _split(self, start: int, end: int) -> tuple[Span, Span] | None:
        if not self._may_begin(self._text[start : min(end, start + MAX_LABEL)]):
            return None
        return split_line(self._text, start, end, self._is_label)


def sibling_pairs(layout: Layout, labels: Labels) -> Iterator[Pair]:
    """Pair elements whose words are a label with the element or the words beside them."""
    text, may_name = layout.text, labels.may_name
    found = []
    for child in layout.outline.shown:
        start, end, parent = child.start, child.end, child.parent
        if not 1 < end - start <= MAX_LABEL or parent is None or child.tag in _SKIPPED:
            continue
        # An element that is all of its parent: the parent is what stands beside others.
        if (start != parent.start or end != parent.end) and may_name(text[start:end]):
            found.append((parent.index, child, parent))
    seen, worded, places = None, list[Element](), dict[int, int]()
    rows: dict[int, int] = {}
    for _, label, parent in sorted(found, key=itemgetter(0)):
        if parent is not seen:  # once for all labels of a parent, which may have thousands
            inside = parent.tag in GRID or any(outer.tag in GRID for outer in parent.ancestors())
            # tables and definition lists have readers of their own
            worded = [] if inside else [child for child in parent.children if child.start >= 0]
            seen, places = parent, {child.index: at for at, child in enumerate(worded)}
        if not worded:
            continue
        at = places[label.index]
        after = worded[at + 1] if at + 1 < len(worded) else None
        loose = layout.trimmed(label.end, after.start if after else parent.end, SEPARATORS)
        place, value, is_row = label, loose, False
        if loose is not None:
            if "\n" in layout.read(loose):
                continue
        elif after is not None:
            linked = label.tag == "a" or any(below.tag == "a" for below in label.children)
            place, value, is_row = after, after.span, len(worded) == 2 and at == 0 and not linked
        elif len(worded) == 2 and parent.start == worded[0].start:
            place, value = worded[0], worded[0].span
        if value is None:
            continue
        # A value is short and holds no label: a row of labels is a menu, a block of pairs a group.
        words = layout.read(value)
        limit = _MAX_HEADED if label.tag in HEADINGS else _MAX_BESIDE
        if len(words) > limit or (labels.names(words) and not is_row):
            continue
        pieces = _PIECE.split(words, maxsplit=_MAX_PIECES)[:-1]
        if len(pieces) < _MAX_PIECES and not any(map(may_name, pieces)):
            more = tuple(_rows_below(parent, rows)) if is_row else ()
            yield Pair(label.span, (value,), Method.PAIR, place, more=more)


def _rows_below(row: Element, places: dict[int, int]) -> Iterator[Span]:
    """The values of the rows right below one whose labels are empty: they go on with its value.

    ``places`` remembers the place of each row among its siblings.
    """
    rows = row.parent.children if row.parent is not None else []
    if row.index not in places:
        places.update({each.index: at for at, each in enumerate(rows)})
    for below in islice(rows, places.get(row.index, len(rows)) + 1, None):
        cells = below.children
        same = below.tag == row.tag and below.get("class") == row.get("class") and len(cells) == 2
        if not same or cells[0].start >= 0 or cells[0].tag != row.children[0].tag:
            return
        if not 0 <= cells[1].start < cells[1].end <= cells[1].start + MAX_LABEL:
            return
        yield cells[1].span
