"""Lines that are hardly ever content, however they read: menus, footers, comments.

The trees learned from a few hundred sites and take such lines where all else on a page is
doubtful; these rules hold on nearly every site.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence

from specfactory.extract.body.line_features import NAMES, LineFeatures
from specfactory.proof import Outline

_LEFT = 0.3  # of the likelihood of an excluded line
_FRAME = NAMES.index("in_nav"), NAMES.index("in_footer")
_COMMENTS = NAMES.index("over_comment"), NAMES.index("under_posts")
_REVIEWS = NAMES.index("over_review")
_PRODUCT, _CART = NAMES.index("page_is_product"), NAMES.index("page_cart")
_SELLING = math.log1p(4)  # words of shops on the page
_NO_ARTICLE = -1


def doubts(outline: Outline, seen: LineFeatures, article: bool) -> list[bool]:
    """Flag lines that are hardly content of the page, or of the article it shows."""
    if not seen.lines:
        return []
    page, named = seen.rows[0], list(_FRAME)
    others = _in_other_article(outline, seen) if article else [False] * len(seen.lines)
    if article:
        named += _COMMENTS
    elif page[_PRODUCT] > 0 or page[_CART] >= _SELLING:
        named.append(_REVIEWS)  # where nothing is sold, reviews may be the content
    return [
        other or any(row[at] for at in named) for other, row in zip(others, seen.rows, strict=True)
    ]


def doubted(likely: Sequence[float], doubts: Sequence[bool]) -> list[float]:
    """Lower the likelihoods of flagged lines."""
    return [p * _LEFT if doubt else p for p, doubt in zip(likely, doubts, strict=True)]


def _in_other_article(outline: Outline, seen: LineFeatures) -> list[bool]:
    """Flag lines of further articles, which sites load below the one asked for."""
    articles: list[tuple[int, int]] = []  # outermost ones
    for element in outline.tagged("article"):
        if element.has_words and (not articles or element.start >= articles[-1][1]):
            articles.append(element.span)
    starts = [start for start, _ in articles]
    held: list[int] = []
    for line in seen.lines:
        at = bisect_right(starts, line.start) - 1
        held.append(at if at >= 0 and line.start < articles[at][1] else _NO_ARTICLE)
    mine = held[seen.headline] if seen.headline >= 0 else _NO_ARTICLE
    return [_NO_ARTICLE not in (mine, each) and each != mine for each in held]
