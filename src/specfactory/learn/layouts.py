"""Layouts: which sample pages are built alike."""

from __future__ import annotations

from collections.abc import Sequence

from specfactory.extract.template_nodes import PageTexts

_ALIKE = 0.5
_LEAST_STEPS = 3


def find_layouts(pages: Sequence[PageTexts]) -> list[list[int]]:
    """Groups of pages with the same structure, the largest first; empty pages are in none.

    A page joins the group whose first page it resembles most: by the paths of its texts.
    """
    shapes = [frozenset(text.frame.steps for text in page.texts) for page in pages]
    groups: list[list[int]] = []
    for at, shape in enumerate(shapes):
        if len(shape) < _LEAST_STEPS:
            continue
        group = max(groups, key=lambda g: _likeness(shapes[g[0]], shape), default=None)
        if group is not None and _likeness(shapes[group[0]], shape) >= _ALIKE:
            group.append(at)
        else:
            groups.append([at])
    return sorted(groups, key=len, reverse=True)


def _likeness(one: frozenset[str], two: frozenset[str]) -> float:
    """How much of the smaller page is built as the other is."""
    return len(one & two) / max(min(len(one), len(two)), 1)
