"""The house behind a page, for fields in which it may stand for a person.

A contract says so by naming the publisher among the paths of its author. Any person is believed
before the house; where no meta tag names it, the page's title may: "Soup | Example Kitchen".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from specfactory.contract.text import word_set
from specfactory.extract.page import CandidateMaker, Proposal
from specfactory.model import Candidate, Encoding, Method, Snippet, ViewName
from specfactory.proof import PageViews, reading, snippet

_LABELLED = (Method.TABLE, Method.PAIR)
_LABELLED_PERSON = 0.35  # before any house
_AS_STATED = 0.3
_BY_TITLE = 0.2
_HARDLY = 0.05
_ROLES = word_set(
    "admin administrator webmaster editor editors editorial author user guest staff root owner "
    "redaktion redaktör redactie rédaction redacción redazione redakcja redakce redação админ "
    "администратор редакция"
)
_TITLE = re.compile(r"<title\b[^<>]{0,200}>([^<]{1,1000})</title", re.IGNORECASE)
_SEPARATOR = re.compile(r"\s[-:]\s|[|–—•·»]")
_LETTERS = re.compile(r"[^\W_]+")
_COMMON_LABELS = frozenset(("www", "com", "org", "net", "co", "recipes", "shop", "blog"))


def weigh_houses(maker: CandidateMaker) -> None:
    """Lower the likelihood of a publisher's name as author; add it where nobody else is named."""
    for name, role in maker.compiled.roles.items():
        if role.may_be_publisher:
            labels = _house_labels(maker.views)
            maker.candidates = [_weighed(one, name, labels) for one in maker.candidates]
            if not any(_is_likely(one, name) for one in maker.candidates):
                maker.candidates += _by_title(name, maker)


def _is_likely(candidate: Candidate, field: str) -> bool:
    return candidate.field == field and (candidate.likelihood or 1.0) > _HARDLY


def _house_labels(views: PageViews) -> set[Snippet]:
    """What names a publisher in the page's structured data."""
    return {
        named.label
        for item in views.items
        for named in item.properties
        if named.label is not None and named.path.startswith("publisher")
    }


def _weighed(candidate: Candidate, field: str, houses: set[Snippet]) -> Candidate:
    if candidate.field != field:
        return candidate
    if _is_nobody(str(candidate.value)):
        return replace(candidate, likelihood=_HARDLY)
    if candidate.evidence.label in houses:
        return replace(candidate, likelihood=_AS_STATED)
    if candidate.evidence.method in _LABELLED and candidate.likelihood is not None:
        return replace(candidate, likelihood=max(candidate.likelihood, _LABELLED_PERSON))
    return candidate


def _is_nobody(name: str) -> bool:
    """Whether a name is a role on the site or an address, nobody's name."""
    return name.casefold() in _ROLES or name.startswith(("#", "/", "http:", "https:"))


def _by_title(field: str, maker: CandidateMaker) -> Iterator[Candidate]:
    """The part of the page's title that its host bears too."""
    labels = maker.views.page.host.casefold().split(".")
    hosts = {label for label in labels if label not in _COMMON_LABELS}
    for part in _title_parts(maker.views):
        if _squeezed(reading(part)) in hosts:
            candidate = maker.guess(field, Proposal((part,), _BY_TITLE))
            if candidate is not None:
                yield candidate
                return


def _title_parts(views: PageViews) -> Iterator[Snippet]:
    title = _TITLE.search(views.source)
    if title is None:
        return
    marks = list(_SEPARATOR.finditer(views.source, *title.span(1)))
    starts = [title.start(1), *(mark.end() for mark in marks)]
    ends = [*(mark.start() for mark in marks), title.end(1)]
    for start, end in zip(starts, ends, strict=True):
        words = views.source[start:end]
        if left := words.strip():
            at = start + words.index(left)
            yield snippet(views, ViewName.SOURCE, at, at + len(left), Encoding.HTML)


def _squeezed(words: str) -> str:
    return "".join(_LETTERS.findall(words.casefold()))
