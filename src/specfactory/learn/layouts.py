"""Layouts: groups of sample pages with one structure, and pages that repeat others."""

from collections import Counter
from collections.abc import Sequence

from specfactory.extract.templates import PageTexts, Shape

ALIKE = 0.5
_LEAST_PATHS = 5
_COMMON = 0.7  # share of a layout's pages that must have a path
_OWN_TEXTS = 2  # a page with no more texts of its own is a copy


def find_layouts(shapes: Sequence[Shape]) -> list[list[int]]:
    """Group pages by structure, largest group first; empty pages are left out.

    A page joins the group whose common shape it resembles most.
    """
    groups: list[list[int]] = []
    for at, shape in enumerate(shapes):
        if len(shape) < _LEAST_PATHS:
            continue
        likes = [likeness(common_shape([shapes[one] for one in g]), shape) for g in groups]
        best = max(range(len(groups)), key=likes.__getitem__, default=None)
        if best is not None and likes[best] >= ALIKE:
            groups[best].append(at)
        else:
            groups.append([at])
    return sorted(groups, key=len, reverse=True)


def common_shape(shapes: Sequence[Shape]) -> Shape:
    """Paths that most pages of a layout have."""
    counts = Counter(path for shape in shapes for path in shape)
    least = _COMMON * len(shapes)
    return frozenset(path for path, times in counts.items() if times >= least)


def likeness(one: Shape, two: Shape) -> float:
    """Jaccard similarity of two shapes."""
    return len(one & two) / max(len(one | two), 1)


def find_copies(pages: Sequence[PageTexts]) -> list[int]:
    """Find pages with the title of an earlier one and the same texts but for a few.

    They are error pages mostly, and would teach what an error page looks like.
    """
    texts = [frozenset(text.words for text in page.texts) for page in pages]
    names = [(page.title, page.h1) for page in pages]
    kept: list[int] = []
    copies: list[int] = []
    for at, words in enumerate(texts):
        is_copy = any(
            names[one] == names[at]
            and len(words - texts[one]) <= _OWN_TEXTS
            and len(texts[one] - words) <= _OWN_TEXTS
            for one in kept
        )
        (copies if is_copy else kept).append(at)
    return copies
