"""Choice of the lines that together make the best body.

Some lines are hardly ever content, however they read: menus, footers, comments. The trees
learned from a few hundred sites and take such lines where all else on a page is doubtful;
the exclusions hold on nearly every site.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence

from specfactory.extract.body.line_features import NAMES, LineFeatures
from specfactory.proof import Outline

_SURE = 0.5
_LEAST_PROMISE = 0.4  # a page of menus alone gets less
_RUN = 4  # words
_FEW_WORDS = 8  # shorter lines may be repeated on purpose
_REPEATED = 0.8
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


def chosen_lines(
    likely: list[float], words: Sequence[Sequence[str]], boxes: Sequence[int], article: bool
) -> list[int]:
    """Choose the likely lines of an article, or the best set of lines of any other page.

    Repeated lines are left out; nothing is chosen where the expected F1 is low.
    """
    sizes = [len(spoken) for spoken in words]
    sure_ones = [at for at, share in enumerate(likely) if share >= _SURE] if article else []
    chosen = sure_ones or best_lines(likely, sizes)
    if not article and promise(likely, sizes, chosen) < _LEAST_PROMISE:
        return []
    return without_repeats(chosen, words, boxes)


def best_lines(likely: Sequence[float], words: Sequence[int]) -> list[int]:
    """Choose the lines with the highest expected F1."""
    weights = _weights(words)
    total = sum(p * weight for p, weight in zip(likely, weights, strict=True))
    order = sorted(range(len(likely)), key=lambda at: -likely[at])
    best, chosen, mass, size = 0.0, 0, 0.0, 0.0
    for count, at in enumerate(order, 1):
        mass += likely[at] * weights[at]
        size += weights[at]
        balance = 2 * mass / (size + total)
        if balance > best:
            best, chosen = balance, count
    return sorted(order[:chosen])


def promise(likely: Sequence[float], words: Sequence[int], chosen: Sequence[int]) -> float:
    """Expected F1 of some lines; 0 for none."""
    weights = _weights(words)
    mass = sum(likely[at] * weights[at] for at in chosen)
    size = sum(weights[at] for at in chosen)
    total = sum(p * weight for p, weight in zip(likely, weights, strict=True))
    return 2 * mass / (size + total) if size else 0.0


def _weights(words: Sequence[int]) -> list[float]:
    return [float(max(1, size)) for size in words]


def without_repeats(
    chosen: Sequence[int], words: Sequence[Sequence[str]], boxes: Sequence[int]
) -> list[int]:
    """Drop lines that repeat earlier lines of other boxes.

    Pages hold a text twice for narrow and wide screens, in a preview, in a quote; repetition
    in the same box (a refrain, a table) is on purpose.
    """
    first_box: dict[tuple[str, ...], int] = {}  # of every run of words
    kept = []
    for at in chosen:
        spoken, box = words[at], boxes[at]
        if len(spoken) >= _FEW_WORDS:
            runs = [tuple(spoken[start : start + _RUN]) for start in range(len(spoken) - _RUN + 1)]
            if sum(first_box.get(run, box) != box for run in runs) >= _REPEATED * len(runs):
                continue
            for run in runs:
                first_box.setdefault(run, box)
        kept.append(at)
    return kept
