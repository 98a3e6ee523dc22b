"""Lines of a page's text view, each with the element that holds it and its linked characters."""

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

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
    elements = [element for element in outline.elements if element.start >= 0]
    if not elements:
        return []
    lines: list[Line] = []
    stack: list[Element] = [elements[0]]
    at = 1
    # One walk over elements and lines together; both are in document order.
    for start, end in islice(_spans(outline.text), MAX_LINES):
        while at < len(elements) and elements[at].start <= start:
            stack.append(elements[at])
            at += 1
        while len(stack) > 1 and stack[-1].end <= start:
            stack.pop()
        holder = stack[-1]
        while holder.end < end and holder.parent is not None:
            holder = holder.parent
        block = holder
        while block.tag not in _BOXES and block.parent is not None:
            block = block.parent
        box = block.parent or block
        while box.tag not in _BOXES and box.parent is not None:
            box = box.parent
        lines.append(Line(start, end, holder, block, box))
    _count_links(outline, lines)
    return lines


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for words in text.split("\n"):
        kept = words.strip()
        if kept:
            begin = start + words.index(kept)
            yield begin, begin + len(kept)
        start += len(words) + 1


def _count_links(outline: Outline, lines: list[Line]) -> None:
    at = 0
    for element in outline.elements:
        if element.tag not in ("a", "button") or element.start < 0:
            continue
        while at < len(lines) and lines[at].end <= element.start:
            at += 1
        for line in lines[at:]:
            if line.start >= element.end:
                break
            line.linked += min(line.end, element.end) - max(line.start, element.start)
