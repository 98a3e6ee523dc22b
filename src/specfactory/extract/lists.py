"""Definition lists, and lines that hold a label and its value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from specfactory.extract.layout import Layout
from specfactory.extract.pair import Pair, Span
from specfactory.model import Method
from specfactory.proof import Element

_MAX_LABEL = 90
_MAX_LINE = 600
_MAX_VALUE = 1_500
_INLINE = frozenset(("b", "strong", "span", "em", "i", "label", "u", "font", "small", "a", "dfn"))
_SEPARATOR = re.compile(r"\s*[:：]\s*|\s+[-–—=|]\s+|\t+|\s*\.{3,}\s*|\s*…+\s*")
_SEGMENT = re.compile(r"\s*[|•·;]\s+")
SEPARATORS = ":：-–—=|"

IsLabel = Callable[[str], bool]


def definition_pairs(layout: Layout) -> Iterator[Pair]:
    """The terms of definition lists with what defines them."""
    for element in layout.elements:
        if element.tag == "dl" and element.start >= 0:
            yield from _definitions(element)


def _definitions(dl: Element) -> Iterator[Pair]:
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
            yield Pair(term.span, (value,), Method.TABLE, place)
        if part is not None:
            term, value = (part if part.start >= 0 else None), None


def _parts(dl: Element) -> list[Element]:
    """Terms and definitions, also when each couple is wrapped."""
    parts: list[Element] = []
    for child in dl.children:
        inside = [child] if child.tag in ("dt", "dd") else child.children
        parts.extend(each for each in inside if each.tag in ("dt", "dd"))
    return parts


def line_pairs(layout: Layout, is_label: IsLabel) -> Iterator[Pair]:
    """Lines such as ``Weight: 54 g`` or with the label in bold, in any block."""
    for leaf in layout.leaves:
        at = leaf.start
        for line in layout.text[leaf.start : leaf.end].split("\n"):
            if 3 < len(line) <= _MAX_LINE:
                pair = _marked(layout, leaf, at, at + len(line), is_label)
                found = [pair] if pair else _written(layout, at, at + len(line), is_label)
                for label, value in found:
                    yield Pair(label, (value,), Method.PAIR, leaf)
            at += len(line) + 1


def _marked(
    layout: Layout, leaf: Element, start: int, end: int, is_label: IsLabel
) -> tuple[Span, Span] | None:
    """A label set apart by its markup at the start of a line."""
    for element in leaf.descendants():
        if element.start == start and element.end < end and element.tag in _INLINE:
            words = layout.words(element)
            value = layout.trimmed(element.end, end, SEPARATORS)
            if value and len(words) <= _MAX_LABEL and is_label(words):
                return element.span, value
        if element.start > start:
            break
    return None


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
