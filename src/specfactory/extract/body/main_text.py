"""Body of an article, or main content of any page: chosen lines in their order.

Learned trees give every line a likelihood by its features. trafilatura, where it is installed,
gets a small weight; what it takes is mapped back to lines of the text view, so that every word
of the body is quoted from the page.
"""

import logging
import re
from functools import cache
from types import ModuleType

from specfactory.extract.body.line_choice import chosen_lines, doubted, doubts
from specfactory.extract.body.line_features import LineFeatures, runs_of, words_of
from specfactory.extract.body.second_pass import line_groups, rows_again
from specfactory.extract.learned import shipped_trees
from specfactory.extract.page import Proposal
from specfactory.model import Method, ViewName
from specfactory.proof import PageViews, snippet

_FILE = "body_trees.json"
_UNKNOWN = -1.0
_MAX_PEER = 3_000_000  # characters of a page given to trafilatura
_SURE = 0.5
_OWN_WEIGHT = 0.8  # against trafilatura's
# Where both disagree, one of them is far off; trafilatura knows articles, not other pages.
_DISPUTED_WEIGHT = {True: 0.53, False: 0.9}
_AGREEING = 0.6
_FEW_WORDS = 5
_WIDE_SPAN = re.compile(r"(?:[cC][oO][lL]|[rR][oO][wW])[sS][pP][aA][nN]\s*=[\s\"']*\d{3}")
_MOST_PEER_LINES = 3_000  # its time grows with their square,
_MOST_PEER_TAGS = 15_000  # and with that of its tags; of 928 real pages none has 12,000
Span = tuple[int, int]


def find_body(views: PageViews, article: bool = True) -> list[Proposal]:
    """Propose the article's body, or the main content of any page, as one value of many lines."""
    spans, sure = content_lines(views, article)
    values = tuple(snippet(views, ViewName.TEXT, *span) for span in spans)
    return [Proposal(values, sure, Method.ARTICLE)] if values else []


def content_lines(
    views: PageViews, article: bool = False, peer: bool = True
) -> tuple[tuple[Span, ...], float]:
    """Spans of the content's lines, and their mean likelihood."""
    seen = LineFeatures(views, article)
    if not seen.lines:
        return (), 0.0
    shares = peer_shares(views, seen) if peer else [_UNKNOWN] * len(seen.lines)
    trees, again = shipped_trees(_FILE, "lines"), shipped_trees(_FILE, "again")
    if trees is None:  # trafilatura decides, else running text in the best box is content
        likely = [
            0.9 if (share >= _SURE if share > _UNKNOWN else seen.is_paragraph_of_best(at)) else 0.1
            for at, share in enumerate(shares)
        ]
    else:
        likely = trees.likelihoods(seen.rows)
        if again is not None:
            likely = again.likelihoods(rows_again(seen.rows, line_groups(seen), likely))
        likely = weighed(likely, shares, seen.sizes, article)
    likely = doubted(likely, doubts(views.outline, seen, article))
    words = seen.words
    chosen = chosen_lines(likely, words, [line.box.index for line in seen.lines], article)
    total = sum(len(words[at]) for at in chosen)
    if total < _FEW_WORDS:
        return (), 0.0
    sure = sum(likely[at] * len(words[at]) for at in chosen) / total
    return tuple((seen.lines[at].start, seen.lines[at].end) for at in chosen), sure


def weighed(own: list[float], peer: list[float], words: list[int], article: bool) -> list[float]:
    """Combine our likelihood of each line with trafilatura's choice."""
    mine = {at for at, share in enumerate(own) if share >= _SURE}
    theirs = {at for at, share in enumerate(peer) if share >= _SURE}
    common, total = (sum(words[at] for at in some) for some in (mine & theirs, mine | theirs))
    weight = _OWN_WEIGHT if common >= _AGREEING * total else _DISPUTED_WEIGHT[article]
    return [
        weight * likely + (1 - weight) * share if share > _UNKNOWN else likely
        for likely, share in zip(own, peer, strict=True)
    ]


def peer_shares(views: PageViews, seen: LineFeatures) -> list[float]:
    """Share of each line that trafilatura takes; unknown when it is missing or takes nothing."""
    taken = words_of(peer_text(views)) if len(seen.lines) <= _MOST_PEER_LINES else []
    if not taken:
        return [_UNKNOWN] * len(seen.lines)
    runs = frozenset(runs_of(taken))
    shares = []
    for words in seen.words:
        mine = runs_of(words)
        shares.append(sum(run in runs for run in mine) / len(mine))
    return shares


def peer_text(views: PageViews) -> str:
    """Text that trafilatura takes from a page; empty without it."""
    library = _trafilatura()
    if library is None or not views.source or len(views.source) > _MAX_PEER:
        return ""
    if _WIDE_SPAN.search(views.source):  # it fills in every cell of a span
        return ""
    if views.source.count("<") > _MOST_PEER_TAGS:
        return ""
    try:
        return library.extract(views.source, include_comments=False) or ""
    except Exception:  # a foreign parser on hostile pages may raise anything
        return ""


@cache
def _trafilatura() -> ModuleType | None:
    try:
        import trafilatura
    except ImportError:
        return None
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    return trafilatura
