"""Lines that are hardly ever content, however they read: menus, footers, what readers wrote.

Trees that learned from a few hundred sites take such lines where all else on a page is doubtful;
what holds on nearly every site is told to them here.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence

from specfactory.extract.body.line_features import NAMES, Seen
from specfactory.proof import Outline

_LEFT = 0.3  # of the likelihood of such a line
_FRAME = NAMES.index("in_nav"), NAMES.index("in_footer")
_COMMENTS = NAMES.index("over_comment"), NAMES.index("under_posts")
_REVIEWS = (NAMES.index("over_review"),)
_PRODUCT, _CART = NAMES.index("page_is_product"), NAMES.index("page_cart")
_SELLING = math.log1p(4)  # as many words of shops
_NO_ARTICLE = -1


def doubts(outline: Outline, seen: Seen, article: bool) -> list[bool]:
    """Which lines are hardly content of their page, or of the article that it shows."""
    if not seen.lines:
        return []
    others = _in_other_article(outline, seen) if article else [False] * len(seen.lines)
    named = (*_FRAME, *(_COMMENTS if article else _reviews(seen.rows[0])))
    return [
        other or any(row[at] for at in named) for other, row in zip(others, seen.rows, strict=True)
    ]


def doubted(likely: Sequence[float], doubts: Sequence[bool]) -> list[float]:
    """The likelihoods of lines, less for those in doubt."""
    return [p * _LEFT if doubt else p for p, doubt in zip(likely, doubts, strict=True)]


def _reviews(row: Sequence[float]) -> tuple[int, ...]:
    """What buyers wrote is doubted where something is sold; elsewhere it may be what counts."""
    return _REVIEWS if row[_PRODUCT] > 0 or row[_CART] >= _SELLING else ()


def _in_other_article(outline: Outline, seen: Seen) -> list[bool]:
    """Sites load the next article below the one that was asked for: each has an element."""
    articles = _outermost_articles(outline)
    starts = [start for start, _ in articles]
    held = [_article_at(articles, starts, line.start) for line in seen.lines]
    mine = held[seen.headline] if seen.headline >= 0 else _NO_ARTICLE
    return [_NO_ARTICLE not in (mine, each) and each != mine for each in held]


def _outermost_articles(outline: Outline) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for element in outline.tagged("article"):
        if element.has_words and (not found or element.start >= found[-1][1]):
            found.append(element.span)
    return found


def _article_at(articles: Sequence[tuple[int, int]], starts: Sequence[int], place: int) -> int:
    at = bisect_right(starts, place) - 1
    return at if at >= 0 and place < articles[at][1] else _NO_ARTICLE
