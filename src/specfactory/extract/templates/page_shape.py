"""The shape of a page: how its elements are nested, as numbers; and which template fits it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from zlib import crc32

from specfactory.extract.templates.apply import Applied
from specfactory.proof import Outline, PageViews

FITS = 0.6  # of what the pages of a layout have in common
_MAX_ELEMENTS = 20_000
_MAX_CLASS = 80
_DIGITS = re.compile(r"\d+")
_NONE = (0, 0)
_PAGE_TAGS = ("html", "body")  # their classes often name the very page
_BITS = 0xFFFFFFFF

Shape = frozenset[int]


def shape_of(outline: Outline) -> Shape:
    """The last three steps of the path to every element that can be read, numbers set aside.

    Not the whole path: a single class that differs from page to page would change them all.
    """
    steps: dict[str, int] = {}
    above: dict[int, tuple[int, int]] = {}
    found = set()
    for element in outline.elements[:_MAX_ELEMENTS]:
        named = element.attributes and element.tag not in _PAGE_TAGS
        given = element.attributes.get("class") if named else None
        name = f"{element.tag}.{given[:_MAX_CLASS]}" if given else element.tag
        step = steps.get(name)
        if step is None:
            step = steps[name] = crc32(_DIGITS.sub("#", name).encode())
        parent = element.parent
        one, two = above.get(parent.index, _NONE) if parent is not None else _NONE
        above[element.index] = step, one
        if element.has_words:
            found.add((step * 31 + one * 17 + two * 7) & _BITS)
    return frozenset(found)


def share_of(core: Shape | Sequence[int], shape: Shape) -> float:
    """How much of what a layout has in common is on a page."""
    return sum(path in shape for path in core) / len(core) if core else 1.0


def choose_fitting(templates: Sequence[Applied], views: PageViews) -> Applied | None:
    """The template that fits a page best; None when none fits. The first of equals is taken."""
    if not templates:
        return None
    shape = shape_of(views.outline)
    best = max(templates, key=lambda one: share_of(one.template.shape, shape))
    return best if share_of(best.template.shape, shape) >= FITS else None
