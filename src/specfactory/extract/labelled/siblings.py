"""Label–value pairs in any markup: two elements side by side, or one above the other."""

import re
from collections.abc import Iterator
from operator import itemgetter

from specfactory.extract.labelled.label_lookup import Labels
from specfactory.extract.labelled.lists import SEPARATORS
from specfactory.extract.page import GRID, HEADINGS, Layout, Pair, Span
from specfactory.model import Method
from specfactory.proof import Element

_MAX_LABEL = 90
_MAX_VALUE = 400
_MAX_HEADED = 90
_MAX_PIECES = 12
_PIECE = re.compile(r"\s*[\n\t:]\s*")
_SKIPPED = GRID | {"option", "select", "button"}


def sibling_pairs(layout: Layout, labels: Labels) -> Iterator[Pair]:
    """Pair elements whose words are a label with the element or the words beside them."""
    text, may_name = layout.text, labels.may_name
    found = []
    for child in layout.outline.shown:
        start, end, parent = child.start, child.end, child.parent
        if not 1 < end - start <= _MAX_LABEL or parent is None or child.tag in _SKIPPED:
            continue
        # An element that is all of its parent: the parent is what stands beside others.
        if (start != parent.start or end != parent.end) and may_name(text[start:end]):
            found.append((parent.index, child, parent))
    for _, label, parent in sorted(found, key=itemgetter(0)):
        if parent.tag in GRID or any(outer.tag in GRID for outer in parent.ancestors()):
            continue  # tables and definition lists have readers of their own
        worded = [child for child in parent.children if child.start >= 0]
        at = worded.index(label)
        after = worded[at + 1] if at + 1 < len(worded) else None
        loose = layout.trimmed(label.end, after.start if after else parent.end, SEPARATORS)
        if loose is not None:
            if "\n" not in layout.read(loose):
                yield from _fitting(layout, label, loose, label, labels)
        elif after is not None:
            linked = label.tag == "a" or any(below.tag == "a" for below in label.children)
            row = len(worded) == 2 and at == 0 and not linked
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
    """Yield the pair if its value is short and holds no label.

    A row of labels is a menu, a block of pairs a group.
    """
    limit = _MAX_HEADED if label.tag in HEADINGS else _MAX_VALUE
    words = layout.read(value)
    if len(words) > limit or (labels.names(words) and not is_row):
        return
    pieces = _PIECE.split(words, maxsplit=_MAX_PIECES)[:-1]
    if len(pieces) < _MAX_PIECES and not any(labels.may_name(piece) for piece in pieces):
        yield Pair(label.span, (value,), Method.PAIR, place)
