"""Definition lists, and lines that hold a label and its value."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator

from specfactory.extract.layout import GRID, Layout
from specfactory.extract.pair import Pair, Span
from specfactory.model import Method
from specfactory.proof import Element

_MAX_LABEL = 90
_MAX_LINE = 600
_MAX_VALUE = 1_500
_INLINE = frozenset(("b", "strong", "span", "em", "i", "label", "u", "font", "small", "a", "dfn"))
_SEPARATOR = re.compile(r"\s*[:：]\s*|\s+[-–—=|]\s+|\t+|\s*\.{3,}\s*|\s*…+\s*")
# The one character without which there is no separator.
_CORE = re.compile(r"[:：\t…]|(?<=\s)[-–—=|](?=\s)|\.\.\.")
_SEGMENT = re.compile(r"\s?[|•·;]\s+")
_LINE_ENDS = ("", "\n", "\t")
SEPARATORS = ":：-–—=|"

IsLabel = Callable[[str], bool]


def definition_pairs(layout: Layout) -> Iterator[Pair]:
    """The terms of definition lists with what defines them."""
    for element in layout.elements:
        if element.tag == "dl" and element.start >= 0:
            yield from _definitions(element, layout.text)


def _definitions(dl: Element, text: str) -> Iterator[Pair]:
    term: Element | None = None
    value: Span | None = None
    place = dl
    for part in [*_parts(dl), None]:
        if part is not None and part.tag == "dd":
            if part.start >= 0:
                value = (value[0] if value else part.start, part.end)
                place = part
            continue
        if term is not None and value is not None and value[1] - value[0] <= _MAX_VALUE:
            yield Pair(_name(term, text), (value,), Method.TABLE, place)
        if part is not None:
            term, value = (part if part.start >= 0 else None), None


def _name(term: Element, text: str) -> Span:
    """What a term is called: of one that explains itself at length (a tooltip), its first line."""
    if term.end - term.start <= _MAX_LABEL:
        return term.span
    line = text[term.start : term.start + _MAX_LABEL].partition("\n")[0]
    return term.start, term.start + len(line)


def _parts(dl: Element) -> list[Element]:
    """Terms and definitions, also when each couple is wrapped."""
    parts: list[Element] = []
    for child in dl.children:
        inside = [child] if child.tag in ("dt", "dd") else child.children
        parts.extend(each for each in inside if each.tag in ("dt", "dd"))
    return parts


def line_pairs(layout: Layout, is_label: IsLabel) -> Iterator[Pair]:
    """Lines such as ``Weight: 54 g`` or with the label in bold, in any markup."""
    cores = [core.start() for core in _CORE.finditer(layout.text)]
    openings: dict[int, list[Element]] = {}
    for element in layout.elements:
        if element.start >= 0 and element.tag in _INLINE:
            openings.setdefault(element.start, []).append(element)
            if _holds(cores, element.start, min(element.end, element.start + _MAX_LABEL)):
                yield from _whole(layout, element, is_label)
            if layout.text[element.start - 1 : element.start] not in _LINE_ENDS:
                yield from _led(layout, element, is_label)
    at = 0
    for line in layout.text.split("\n"):
        end = at + len(line)
        if at in openings or layout.struck or _holds(cores, at, end):
            for cell in _cells(layout, at, line):
                if 3 < cell[1] - cell[0] <= _MAX_LINE:
                    yield from _line(layout, cell, openings, cores, is_label)
        at = end + 1


def _holds(cores: list[int], start: int, end: int) -> bool:
    """Whether a separator may stand between two offsets."""
    at = bisect_left(cores, start)
    return at < len(cores) and cores[at] < end


def _cells(layout: Layout, start: int, line: str) -> Iterator[Span]:
    """A line of a table as its cells; elsewhere (in preformatted text) a tab separates a pair."""
    place = layout.leaf_at(start) if "\t" in line else None
    if place is None or not (place.tag in GRID or any(e.tag in GRID for e in place.ancestors())):
        yield start, start + len(line)
        return
    for cell in line.split("\t"):
        yield start, start + len(cell)
        start += len(cell) + 1


def _whole(layout: Layout, element: Element, is_label: IsLabel) -> Iterator[Pair]:
    """An inline element that holds both a label and its value, whatever stands around it."""
    if element.end - element.start <= _MAX_LINE:
        found = split_line(layout.text, element.start, element.end, is_label)
        if found:
            yield Pair(found[0], (found[1],), Method.PAIR, element)


def _led(layout: Layout, element: Element, is_label: IsLabel) -> Iterator[Pair]:
    """A value set apart by its markup behind a label that is not."""
    text, start = layout.text, element.start
    left = max(
        text.rfind("\n", max(0, start - _MAX_LABEL), start),
        text.rfind("\t", max(0, start - _MAX_LABEL), start),
    )
    label = layout.trimmed(left + 1, start)
    if label is None or (left < 0 and start > _MAX_LABEL) or not is_label(layout.read(label)):
        return
    end = text.find("\n", start)
    value = layout.trimmed(start, min(x for x in (end, len(text)) if x >= 0))
    if value and value[1] - value[0] <= _MAX_LINE and "\t" not in layout.read(value):
        yield Pair(label, (value,), Method.PAIR, layout.leaf_at(start))


def _line(
    layout: Layout,
    line: Span,
    openings: dict[int, list[Element]],
    cores: list[int],
    is_label: IsLabel,
) -> Iterator[Pair]:
    """The pairs of a line: with the label set apart by markup, or by what is written."""
    start, end = line
    for struck in layout.struck_within((start, end))[:1]:
        if struck[0] == start and struck[1] < end:
            start = (layout.trimmed(struck[1], end) or (end, end))[0]
    found = _marked(layout, (start, end), openings.get(start, ()), is_label)
    if not found and _holds(cores, start, end):
        found = _written(layout, start, end, is_label)
    for label, value in found:
        yield Pair(label, (value,), Method.PAIR, layout.leaf_at(label[0]))


def _marked(
    layout: Layout, line: Span, openings: Iterable[Element], is_label: IsLabel
) -> list[tuple[Span, Span]]:
    for mark in openings:
        words = layout.words(mark)
        if mark.end < line[1] and len(words) <= _MAX_LABEL and is_label(words):
            value = layout.trimmed(mark.end, line[1], SEPARATORS)
            if value and "\t" not in layout.text[mark.end : value[0]]:
                return [(mark.span, value)]
    return []


def _written(layout: Layout, start: int, end: int, is_label: IsLabel) -> list[tuple[Span, Span]]:
    """Labels and values set apart by a colon, a dash or dots; several may share a line."""
    found: list[tuple[Span, Span]] = []
    for segment in _segments(layout, start, end):
        pair = split_line(layout.text, *segment, is_label)
        if pair:
            found.append(pair)
        elif found:
            label, value = found[-1]
            found[-1] = (label, (value[0], segment[1]))
    return found


def _segments(layout: Layout, start: int, end: int) -> list[Span]:
    marks = list(_SEGMENT.finditer(layout.text, start, end))
    starts = [start, *(mark.end() for mark in marks)]
    ends = [*(mark.start() for mark in marks), end]
    return [(a, b) for a, b in zip(starts, ends, strict=True) if a < b]


def split_line(text: str, start: int, end: int, is_label: IsLabel) -> tuple[Span, Span] | None:
    """The label and the value of a line, when what stands before a separator is a label."""
    for count, mark in enumerate(_SEPARATOR.finditer(text, start, min(end, start + _MAX_LABEL))):
        if count == 3:
            break
        label = text[start : mark.start()].strip()
        if mark.end() < end and 1 < len(label) <= _MAX_LABEL and is_label(label):
            left = start + len(text[start:end]) - len(text[start:end].lstrip())
            return (left, mark.start()), (mark.end(), end)
    return None
