"""Layouts: which sample pages are built alike, and which say nothing of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from specfactory.extract.templates import PageTexts, Shape

ALIKE = 0.5
_LEAST_PATHS = 5
_COMMON = 0.7  # of the pages of a layout have what counts as common to them
_OWN_TEXTS = 2  # a page that says no more than this of its own is a copy


def find_layouts(shapes: Sequence[Shape]) -> list[list[int]]:
    """Groups of pages with the same structure, the largest first; empty pages are in none.

    A page joins the group that it resembles most, by what most pages of the group have.
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
    """The paths that most pages of a layout have."""
    counts = Counter(path for shape in shapes for path in shape)
    least = _COMMON * len(shapes)
    return frozenset(path for path, times in counts.items() if times >= least)


def likeness(one: Shape, two: Shape) -> float:
    """How much two pages have in common, of all that they have."""
    return len(one & two) / max(len(one | two), 1)


def find_copies(pages: Sequence[PageTexts]) -> list[int]:
    """Pages that are called as an earlier one and say the same, but for a word or two.

    They are error pages mostly, and teach what an error page looks like.
    """
    said = [frozenset(text.words for text in page.texts) for page in pages]
    named = [(page.title, page.h1) for page in pages]
    kept: list[int] = []
    copies: list[int] = []
    for at, words in enumerate(said):
        is_copy = any(named[one] == named[at] and _alike(words, said[one]) for one in kept)
        (copies if is_copy else kept).append(at)
    return copies


def _alike(one: frozenset[str], two: frozenset[str]) -> bool:
    return len(one - two) <= _OWN_TEXTS and len(two - one) <= _OWN_TEXTS
