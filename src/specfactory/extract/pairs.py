"""Label–value pairs in any markup: two elements side by side, or one above the other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from specfactory.extract.labels import Labels
from specfactory.extract.layout import GRID, HEADINGS, Layout
from specfactory.extract.lists import SEPARATORS
from specfactory.extract.pair import Pair, Span
from specfactory.model import Method
from specfactory.proof import Element

_MAX_LABEL = 90
_MAX_VALUE = 400
_MAX_HEADED = 90
_PIECE = re.compile(r"\s*[\n\t:]\s*")
_SKIPPED = GRID | {"option", "select", "button"}


def sibling_pairs(layout: Layout, labels: Labels) -> Iterator[Pair]:
    """Elements whose words are a label, with the element or the words beside them."""
    in_grid: list[bool] = []
    for parent in layout.elements:
        outer = parent.parent
        in_grid.append(parent.tag in GRID or (outer is not None and in_grid[outer.index]))
        if in_grid[-1] or parent.start < 0 or not parent.children:
            continue
        worded = [child for child in parent.children if child.start >= 0]
        for at, child in enumerate(worded):
            if _may_label(child, parent) and labels.may_name(layout.words(child)):
                yield from _beside(layout, parent, worded, at, labels)


def _may_label(child: Element, parent: Element) -> bool:
    """Short, and not all that its parent holds: then the parent is what stands beside others."""
    size = child.end - child.start
    return 1 < size <= _MAX_LABEL and child.span != parent.span and child.tag not in _SKIPPED


def _beside(
    layout: Layout, parent: Element, worded: list[Element], at: int, labels: Labels
) -> Iterator[Pair]:
    label = worded[at]
    after = worded[at + 1] if at + 1 < len(worded) else None
    loose = layout.trimmed(label.end, after.start if after else parent.end, SEPARATORS)
    if loose is not None:
        if "\n" not in layout.read(loose):
            yield from _fitting(layout, label, loose, label, labels)
    elif after is not None:
        row = len(worded) == 2 and at == 0 and not _is_linked(label)
        yield from _fitting(layout, label, after.span, after, labels, is_row=row)
    elif len(worded) == 2 and parent.start == worded[0].start:
        yield from _fitting(layout, label, worded[0].span, worded[0], labels)


def _fitting(
    layout: Layout,
    label: Element,
    value: Span,
    place: Element,
    labels: Labels,
    is_row: bool = False,
) -> Iterator[Pair]:
    """A value is short and holds no label: a row of labels is a menu, a block of pairs a group."""
    limit = _MAX_HEADED if label.tag in HEADINGS else _MAX_VALUE
    words = layout.read(value)
    if len(words) > limit or (labels.names(words) and not is_row):
        return
    pieces = _PIECE.split(words, maxsplit=12)[:-1]
    if len(pieces) < 12 and not any(labels.may_name(piece) for piece in pieces):
        yield Pair(label.span, (value,), Method.PAIR, place)


def _is_linked(label: Element) -> bool:
    return label.tag == "a" or any(below.tag == "a" for below in label.children)
