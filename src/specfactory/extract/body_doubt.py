"""Lines that are hardly ever content, however they read: menus, footers, what buyers wrote.

Trees that learned from a few hundred sites take such lines where all else on a page is doubtful;
what holds on nearly every site is told to them here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from specfactory.extract.body_features import NAMES, Seen
from specfactory.proof import Element

_LEFT = 0.3  # of the likelihood of such a line
_NAV, _FOOTER = NAMES.index("in_nav"), NAMES.index("in_footer")
_REVIEW = NAMES.index("over_review")
_PRODUCT, _CART = NAMES.index("page_is_product"), NAMES.index("page_cart")
_SELLING = math.log1p(4)  # as many words of shops


def doubts(seen: Seen, article: bool) -> list[bool]:
    """Which lines frame the page, review what it sells, or stand in another article than asked."""
    if not seen.lines:
        return []
    others = _in_other_article(seen) if article else [False] * len(seen.lines)
    reviews = not article and _sells(seen.rows[0])
    return [
        other or bool(row[_NAV] or row[_FOOTER] or (reviews and row[_REVIEW]))
        for other, row in zip(others, seen.rows, strict=True)
    ]


def doubted(likely: Sequence[float], doubts: Sequence[bool]) -> list[float]:
    """The likelihoods of lines, less for those in doubt."""
    return [p * _LEFT if doubt else p for p, doubt in zip(likely, doubts, strict=True)]


def _sells(row: Sequence[float]) -> bool:
    return row[_PRODUCT] > 0 or row[_CART] >= _SELLING


def _in_other_article(seen: Seen) -> list[bool]:
    """Sites load the next article below the one that was asked for: each has an element."""
    holders = [_outermost_article(line.block) for line in seen.lines]
    mine = holders[seen.headline] if seen.headline >= 0 else None
    return [mine is not None and each is not None and each is not mine for each in holders]


def _outermost_article(element: Element) -> Element | None:
    found = element if element.tag == "article" else None
    for outer in element.ancestors():
        found = outer if outer.tag == "article" else found
    return found
