"""Lines of a page's text view, each with the element that holds it and its linked characters."""

from itertools import islice

from msgspec import Struct

from specfactory.extract.page import line_spans
from specfactory.proof import Element, Outline
from specfactory.proof.text import BLOCKS

MAX_LINES = 6_000
_BOXES = BLOCKS | frozenset(("td", "th", "tr", "table", "tbody"))


class Line(Struct):
    """One line: its span, the innermost element around it, its block, and the box around that."""

    start: int
    end: int
    holder: Element
    block: Element
    box: Element
    linked: int = 0  # characters inside links


def read_lines(outline: Outline) -> list[Line]:
    """Read the lines of the text view in order, up to a maximum."""
    lines: list[Line] = []
    for start, end in islice(line_spans(outline.text), MAX_LINES) if outline.shown else ():
        holder = outline.holder(start, end) or outline.shown[0]
        block = _box(holder)
        lines.append(Line(start, end, holder, block, _box(block.parent or block)))
    at = 0
    for element in outline.tagged("a", "button"):
        if element.start < 0:
            continue
        while at < len(lines) and lines[at].end <= element.start:
            at += 1
        for line in lines[at:]:
            if line.start >= element.end:
                break
            line.linked += min(line.end, element.end) - max(line.start, element.start)
    return lines


def _box(element: Element) -> Element:
    while element.tag not in _BOXES and element.parent is not None:
        element = element.parent
    return element
