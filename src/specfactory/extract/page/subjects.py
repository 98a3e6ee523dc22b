"""Headings that name a product: whose values stand below them."""

from __future__ import annotations

import re

from specfactory.extract.page.layout import Layout
from specfactory.proof import Element, PageViews

_WORD = re.compile(r"[^\W_]+")
_MAX_HEADING = 120


class Headed:
    """Tells the headings that name products by the page's own brand."""

    def __init__(self, views: PageViews, layout: Layout) -> None:
        self._layout = layout
        self._brands = _brands(views)

    def subject(self, place: Element) -> str | None:
        """The nearest heading above that names a product; the page's own title is no news."""
        for heading in reversed(self._layout.headings_above(place)):
            if heading.tag != "h1":
                words = self._layout.words(heading)
                if len(words) <= _MAX_HEADING and self._names_product(words):
                    return words
        return None

    def _names_product(self, heading: str) -> bool:
        words = _WORD.findall(heading.casefold())
        return len(words) > 1 and not self._brands.isdisjoint(words)


def _brands(views: PageViews) -> frozenset[str]:
    """The words with which the page's own names begin, and its items' brands."""
    brands = [
        brand
        for item in views.items
        if item.main
        for brand in (*item.all("brand.name"), *item.all("brand"))
    ]
    openings = [_WORD.findall(name.casefold())[:1] for name in (views.h1, views.title, *brands)]
    return frozenset(word for words in openings for word in words if len(word) > 1)
