"""Parts of a page that offer another product, because its own cannot be had."""

import re
from collections.abc import Iterator
from itertools import islice

from specfactory.extract.page.layout import Layout, Span, lines_around
from specfactory.extract.page.region_words import INSTEAD, INSTEAD_ANCHORS
from specfactory.proof import Element

_MAX_CALL = 200  # characters of a block that calls to take another
_MAX_OFFER = 2_000
_MAX_CALLS = 20
_MAX_PLACES = 200  # of each piece of a call
_MAX_LINE = 1_000
_MAX_NAME = 150
_MOST = 0.6  # a box with more of the text is the page itself
_FRAMES = frozenset(("html", "body", "main"))
_ENDS = " .:!…>»›–—-\u00a0\n\t"


def offered_instead(layout: Layout) -> Iterator[Span]:
    """Spans of the text behind "consider this instead" and the like that name another product."""
    small = layout.text.lower()
    if len(small) != len(layout.text):  # a letter without a single lower-case one
        return
    for match in islice(_calls(small), _MAX_CALLS):
        block = layout.leaf_at(match.start())
        if block is None or match.end() > block.end:
            continue
        if layout.text[match.end() : block.end].strip(_ENDS):
            # What it offers stands in the same block: named by a link.
            if any(start >= match.end() for start, _ in layout.links_within(block.span)):
                yield match.start(), block.end
        elif block.end - block.start <= _MAX_CALL:
            for offer in _offer_below(layout, block):
                yield match.span()  # "consider these available items" says nothing of the stock
                yield offer


def _calls(small: str) -> Iterator[re.Match[str]]:
    """Calls in a text of small letters, in its order."""
    pieces = sorted(
        found for anchor in INSTEAD_ANCHORS for found in islice(_places(small, anchor), _MAX_PLACES)
    )
    for start, end in lines_around(small, pieces):
        yield from INSTEAD.finditer(small, start, min(end, start + _MAX_LINE))


def _places(small: str, anchor: str) -> Iterator[int]:
    at = small.find(anchor)
    while at >= 0:
        yield at
        at = small.find(anchor, at + len(anchor))


def _offer_below(layout: Layout, block: Element) -> Iterator[Span]:
    """What follows a call in its box, where it names something by a link."""
    top = block
    while top.parent is not None and top.parent.end == top.end and top.parent.tag not in _FRAMES:
        top = top.parent
    box = top.parent
    if box is None:
        return
    below = [child for child in box.children if child.start >= top.end]
    if box.tag in _FRAMES or box.end - box.start > _MOST * len(layout.text):
        below = below[:1]
    if below and below[-1].end - below[0].start <= _MAX_OFFER:
        offer = below[0].start, below[-1].end
        links = (layout.text[start:end] for start, end in layout.links_within(offer))
        if any(2 < len(words.strip()) <= _MAX_NAME for words in links):
            yield offer
