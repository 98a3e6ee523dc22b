"""Pages that name several things: which of them a page is about."""

import re
from functools import cache, cached_property

from specfactory.extract.page import dropped
from specfactory.extract.ranking import value_key
from specfactory.model import Candidate, Dropped, Method, ViewName
from specfactory.proof import Item, PageViews

_WORD = re.compile(r"[^\W_]+")
_NAMED = 0.5  # least share of a thing's words in the title or heading of its own page
_SEVERAL = "the page names several things, and its title none of them"
_EQUAL = "the page describes several things of this name, and nothing tells which is its own"


class OtherThings:
    """Tells the values of the page's own thing from those of others that it names."""

    def __init__(self, views: PageViews) -> None:
        self._views = views
        self._heading = frozenset(_WORD.findall(f"{views.h1} {views.title}".casefold()))
        self._share = cache(self._find_share)

    def own(self, candidates: list[Candidate]) -> list[Candidate]:
        """The candidates of what the page is about; none when several fit equally badly."""
        if self._are_equal(candidates):
            return []
        if _are_several(candidates):
            best = max(_NAMED, *(self._share(one.subject or "") for one in candidates))
            return [one for one in candidates if self._share(one.subject or "") == best]
        if not self._heading:
            return candidates
        own = []
        for one in candidates:
            item = self._rootless.get(_place(one))
            structured = one.evidence.method is Method.STRUCTURED
            # Markup says it of something of which the page's own headings know nothing.
            if item is None or not (structured and item.name and self._share(item.name) == 0):
                own.append(one)
        return own

    def drop(self, candidates: list[Candidate]) -> Dropped:
        """Report why none of them is an answer, by the first."""
        first = candidates[0]
        if _are_several(candidates) or self._are_equal(candidates):
            reason = "several_subjects"
            detail = _SEVERAL if _are_several(candidates) else _EQUAL
        else:
            reason = "other_product"
            detail = f"structured data says it of {first.subject!r}, not of this page's thing"
        return dropped(first.field, reason, detail, first.evidence.values, self._views)

    def _are_equal(self, candidates: list[Candidate]) -> bool:
        """True when things of one name say different values, of which none is likelier."""
        most = max((one.likelihood or 0.0 for one in candidates), default=0.0)
        likeliest = [one for one in candidates if (one.likelihood or 0.0) == most]
        if any(_place(one) not in self._rootless for one in likeliest):
            return False
        values = {value_key(one.value) or str(one.value) for one in likeliest}
        return len(values) > 1 and len({one.subject for one in likeliest}) == 1

    @cached_property
    def _rootless(self) -> dict[tuple[ViewName, int], Item]:
        """Things by their places, in syntaxes that mark none of them as the page's own."""
        items = self._views.items
        settled = {item.syntax for item in items if item.main}
        return {
            (named.snippet.view, named.snippet.start): item
            for item in items
            if item.is_subject and item.syntax not in settled
            for named in item.properties
        }

    def _find_share(self, name: str) -> float:
        """The share of a name's words that stand in the page's headings."""
        words = set(_WORD.findall(name.casefold()))
        return len(words & self._heading) / len(words) if words else 0.0


def _place(candidate: Candidate) -> tuple[ViewName, int]:
    first = candidate.evidence.values[0]
    return first.view, first.start


def _are_several(candidates: list[Candidate]) -> bool:
    """True when all of them say whose they are, and speak of more than one thing."""
    subjects = {one.subject for one in candidates}
    return len(subjects) > 1 and None not in subjects
