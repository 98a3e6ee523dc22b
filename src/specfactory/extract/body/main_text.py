"""The body of an article, the main content of any page: the lines that tell it, in their order.

Every line is weighed by what is seen of it and around it. trafilatura, where it is installed,
has a small say; what it takes is mapped back to the lines of the text view, so that every word
of the body stands on the page.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from types import ModuleType

from specfactory.extract.body.exclusions import doubted, doubts
from specfactory.extract.body.line_choice import best_lines, promise, without_repeats
from specfactory.extract.body.line_features import Seen, runs_of, words_of
from specfactory.extract.body.second_pass import rows_again, shape_of
from specfactory.extract.learned import shipped_trees
from specfactory.extract.page import Proposal
from specfactory.model import Method, ViewName
from specfactory.proof import PageViews, snippet

_FILE = "body_trees.json"
_UNKNOWN = -1.0
_MAX_PEER = 3_000_000  # characters of a page that the peer is given
_SURE = 0.5
_OWN_SAY = 0.8  # against trafilatura's
# Where the two take different things; trafilatura knows articles, not other pages.
_DISPUTED_SAY = {True: 0.53, False: 0.9}
_AGREEING = 0.6
_FEW_WORDS = 5
_LEAST_PROMISE = 0.4  # less is a page of menus alone: likelier than not it has no content
Span = tuple[int, int]


def find_body(views: PageViews) -> list[Proposal]:
    """The article's body as one value of many lines; empty when there is none."""
    return _found(views, article=True)


def find_main_content(views: PageViews) -> list[Proposal]:
    """What the page is there for, whatever it is: an article, a forum, a list, a product."""
    return _found(views, article=False)


def main_content(views: PageViews, article: bool = False, peer: bool = True) -> tuple[Span, ...]:
    """Where in the text view the main content stands, line by line."""
    return content_lines(views, article, peer)[0]


def content_lines(
    views: PageViews, article: bool, peer: bool = True
) -> tuple[tuple[Span, ...], float]:
    """The lines of the content, and how sure they are on average."""
    seen = Seen(views, article)
    if not seen.lines:
        return (), 0.0
    shares = peer_shares(views, seen) if peer else [_UNKNOWN] * len(seen.lines)
    likely = doubted(_likely(seen, shares, article), doubts(views.outline, seen, article))
    words = [seen.words(at) for at in range(len(seen.lines))]
    chosen = chosen_lines(likely, words, [line.box.index for line in seen.lines], article)
    total = sum(len(words[at]) for at in chosen)
    if total < _FEW_WORDS:
        return (), 0.0
    sure = sum(likely[at] * len(words[at]) for at in chosen) / total
    return tuple((seen.lines[at].start, seen.lines[at].end) for at in chosen), sure


def chosen_lines(
    likely: list[float], words: Sequence[Sequence[str]], boxes: Sequence[int], article: bool
) -> list[int]:
    """Of an article the likely lines, of any page those that promise the best balance.

    What is said again is left out, and nothing is chosen where no choice promises much.
    """
    sizes = [len(spoken) for spoken in words]
    sure_ones = [at for at, share in enumerate(likely) if share >= _SURE] if article else []
    chosen = sure_ones or best_lines(likely, sizes)
    if not article and promise(likely, sizes, chosen) < _LEAST_PROMISE:
        return []
    return without_repeats(chosen, words, boxes)


def _found(views: PageViews, article: bool) -> list[Proposal]:
    spans, sure = content_lines(views, article)
    if not spans:
        return []
    values = tuple(snippet(views, ViewName.TEXT, start, end) for start, end in spans)
    return [Proposal(values, sure, Method.ARTICLE)]


def _likely(seen: Seen, peer: list[float], article: bool) -> list[float]:
    trees = shipped_trees(_FILE, "lines")
    if trees is None:
        return [_plain(seen, at, share) for at, share in enumerate(peer)]
    own = trees.likelihoods(seen.rows)
    again = shipped_trees(_FILE, "again")
    own = (
        again.likelihoods(rows_again(seen.rows, shape_of(seen), own)) if again is not None else own
    )
    return weighed(own, peer, word_counts(seen), article)


def weighed(own: list[float], peer: list[float], words: list[int], article: bool) -> list[float]:
    """How likely each line is content, trafilatura's say counted in."""
    agreed = _agree(own, peer, words)
    say = _OWN_SAY if agreed else _DISPUTED_SAY[article]
    return [
        say * mine + (1 - say) * share if share > _UNKNOWN else mine
        for mine, share in zip(own, peer, strict=True)
    ]


def _agree(own: list[float], peer: list[float], words: list[int]) -> bool:
    """Whether both take much the same lines; where they do not, one of them is far off."""
    mine = {at for at, share in enumerate(own) if share >= _SURE}
    theirs = {at for at, share in enumerate(peer) if share >= _SURE}
    common, total = (sum(words[at] for at in some) for some in (mine & theirs, mine | theirs))
    return common >= _AGREEING * total


def _plain(seen: Seen, at: int, share: float) -> float:
    """Without learned trees: what the peer says, else running text where most of it stands."""
    if share > _UNKNOWN:
        return 0.9 if share >= _SURE else 0.1
    return 0.9 if seen.is_paragraph_of_best(at) else 0.1


def word_counts(seen: Seen) -> list[int]:
    """The number of words of every line."""
    return [len(seen.words(at)) for at in range(len(seen.lines))]


def peer_shares(views: PageViews, seen: Seen) -> list[float]:
    """How much of each line trafilatura takes; unknown when it is missing or takes nothing."""
    taken = words_of(peer_text(views))
    if not taken:
        return [_UNKNOWN] * len(seen.lines)
    runs = frozenset(runs_of(taken))
    shares = []
    for at in range(len(seen.lines)):
        mine = runs_of(seen.words(at))
        shares.append(sum(run in runs for run in mine) / len(mine))
    return shares


def peer_text(views: PageViews) -> str:
    """What trafilatura takes for the text of a page; empty without it."""
    library = _trafilatura()
    if library is None or not views.source or len(views.source) > _MAX_PEER:
        return ""
    try:
        return library.extract(views.source, include_comments=False) or ""
    except Exception:  # a foreign parser on hostile pages: whatever it raises, it has no say
        return ""


@cache
def _trafilatura() -> ModuleType | None:
    try:
        import trafilatura
    except ImportError:
        return None
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    return trafilatura
