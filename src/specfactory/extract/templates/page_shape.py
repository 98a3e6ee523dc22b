"""Shape of a page: hashes of its nested elements, by which the fitting template is chosen."""

import re
from collections.abc import Sequence
from zlib import crc32

from specfactory.extract.templates.apply import Applied
from specfactory.proof import Outline, PageViews

FITS = 0.6  # of the shape that the pages of a layout share
_MAX_ELEMENTS = 20_000
_MAX_CLASS = 80
_DIGITS = re.compile(r"\d+")
_NONE = (0, 0)
_PAGE_TAGS = ("html", "body")  # their classes are often unique to the page
_BITS = 0xFFFFFFFF

Shape = frozenset[int]


def shape_of(outline: Outline) -> Shape:
    """Hash the last three steps of the path to every element with words, digits masked.

    Not the whole path: one class that differs from page to page would change all of them.
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
    """Share of a layout's common shape that a page has."""
    return sum(path in shape for path in core) / len(core) if core else 1.0


def choose_fitting(templates: Sequence[Applied], views: PageViews) -> Applied | None:
    """Choose the template that fits a page best, the first of equals; None when none fits."""
    if not templates:
        return None
    shape = shape_of(views.outline)
    best = max(templates, key=lambda one: share_of(one.template.shape, shape))
    return best if share_of(best.template.shape, shape) >= FITS else None
