"""A page that speaks of several things by name: which of them it is about."""

from __future__ import annotations

import re
from functools import cache, cached_property

from specfactory.extract.page import dropped
from specfactory.extract.ranking import value_key
from specfactory.model import Candidate, Dropped, Method, ViewName
from specfactory.proof import Item, PageViews

_WORD = re.compile(r"[^\W_]+")
_NAMED = 0.5  # of a thing's words stand in the title or heading of a page about it
_SEVERAL = "the page names several things, and its title none of them"
_EQUAL = "the page describes several things of this name, and nothing tells which is its own"


class Rivals:
    """Tells the values of the page's own thing from those of others that it names."""

    def __init__(self, views: PageViews) -> None:
        self._views = views
        self._heading = frozenset(_WORD.findall(f"{views.h1} {views.title}".casefold()))
        self._share = cache(self._share_of)

    def own(self, candidates: list[Candidate]) -> list[Candidate]:
        """The candidates of what the page is about; none when several fit equally badly."""
        if self._are_equal(candidates):
            return []
        if not _are_several(candidates):
            return [one for one in candidates if not self._is_foreign(one)]
        shares = [self._share(one.subject or "") for one in candidates]
        best = max(shares)
        return [
            one for one, share in zip(candidates, shares, strict=True) if share == best >= _NAMED
        ]

    def drop(self, candidates: list[Candidate]) -> Dropped:
        """Why none of them is an answer, told of the first."""
        first = candidates[0]
        if _are_several(candidates) or self._are_equal(candidates):
            detail = _SEVERAL if _are_several(candidates) else _EQUAL
            return self._dropped(first, "several_subjects", detail)
        detail = f"structured data says it of {first.subject!r}, not of this page's thing"
        return self._dropped(first, "other_product", detail)

    def _dropped(self, candidate: Candidate, reason: str, detail: str) -> Dropped:
        return dropped(candidate.field, reason, detail, candidate.evidence.values, self._views)

    def _is_foreign(self, candidate: Candidate) -> bool:
        """Whether markup says it of a thing of which the page's own headings know nothing."""
        item = self._rootless.get(self._place(candidate))
        if item is None or not self._heading or candidate.evidence.method is not Method.STRUCTURED:
            return False
        return self._share(item.name) == 0 and bool(item.name)

    def _are_equal(self, candidates: list[Candidate]) -> bool:
        """Whether things of one name say different values, of which none is likelier."""
        most = max((one.likelihood or 0.0 for one in candidates), default=0.0)
        likeliest = [one for one in candidates if (one.likelihood or 0.0) == most]
        if any(self._place(one) not in self._rootless for one in likeliest):
            return False
        values = {value_key(one.value) or str(one.value) for one in likeliest}
        return len(values) > 1 and len({one.subject for one in likeliest}) == 1

    @cached_property
    def _rootless(self) -> dict[tuple[ViewName, int], Item]:
        """Where things are described by a syntax in which none of them is the page's own."""
        items = self._views.items
        settled = {item.syntax for item in items if item.main}
        return {
            (named.snippet.view, named.snippet.start): item
            for item in items
            if item.is_subject and item.syntax not in settled
            for named in item.properties
        }

    @staticmethod
    def _place(candidate: Candidate) -> tuple[ViewName, int]:
        first = candidate.evidence.values[0]
        return first.view, first.start

    def _share_of(self, subject: str) -> float:
        words = set(_WORD.findall(subject.casefold()))
        return len(words & self._heading) / len(words) if words else 0.0


def _are_several(candidates: list[Candidate]) -> bool:
    """Whether all of them say whose they are, and speak of more than one thing."""
    subjects = {one.subject for one in candidates}
    return len(subjects) > 1 and None not in subjects
