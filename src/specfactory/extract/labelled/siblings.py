"""Label–value pairs in any markup: two elements side by side, or one above the other."""

import re
from collections.abc import Iterator
from operator import itemgetter

from specfactory.extract.labelled.label_lookup import Labels
from specfactory.extract.labelled.lists import SEPARATORS
from specfactory.extract.page import GRID, HEADINGS, Layout, Pair
from specfactory.model import Method

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
        limit = _MAX_HEADED if label.tag in HEADINGS else _MAX_VALUE
        if len(words) > limit or (labels.names(words) and not is_row):
            continue
        pieces = _PIECE.split(words, maxsplit=_MAX_PIECES)[:-1]
        if len(pieces) < _MAX_PIECES and not any(map(may_name, pieces)):
            yield Pair(label.span, (value,), Method.PAIR, place)
