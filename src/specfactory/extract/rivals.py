"""A page that speaks of several things by name: which of them it is about."""

from __future__ import annotations

import re
from functools import cache

from specfactory.model import Candidate, Dropped
from specfactory.proof import PageViews, reading

_WORD = re.compile(r"[^\W_]+")
_NAMED = 0.5  # of a thing's words stand in the title or heading of a page about it
_MAX_QUOTE = 200


class Rivals:
    """Tells the values of the page's own thing from those of others that it names."""

    def __init__(self, views: PageViews) -> None:
        self._views = views
        self._heading = frozenset(_WORD.findall(f"{views.h1} {views.title}".casefold()))
        self._share = cache(self._share_of)

    def own(self, candidates: list[Candidate]) -> list[Candidate]:
        """The candidates of what the page is about; none when several fit equally badly."""
        subjects = {one.subject for one in candidates if one.subject}
        if len(subjects) < 2 or any(one.subject is None for one in candidates):
            return candidates
        best = max(map(self._share, subjects))
        if best < _NAMED:
            return []
        return [one for one in candidates if one.subject and self._share(one.subject) == best]

    def drop(self, candidate: Candidate) -> Dropped:
        """Why none of them is an answer."""
        page, evidence = self._views.page, candidate.evidence
        quote = " ".join(map(reading, evidence.values))[:_MAX_QUOTE]
        detail = "the page names several things, and its title none of them"
        return Dropped(candidate.field, "several_subjects", detail, quote, page.id, evidence.url)

    def _share_of(self, subject: str) -> float:
        words = set(_WORD.findall(subject.casefold()))
        return len(words & self._heading) / len(words) if words else 0.0
