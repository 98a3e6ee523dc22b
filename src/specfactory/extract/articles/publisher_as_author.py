"""Publisher as author, for contracts that name the publisher among the paths of their author.

A person is preferred to the publisher; where no meta tag names the publisher, the page's title
may: "Soup | Example Kitchen".
"""

import re
from collections.abc import Iterator

from specfactory.extract.page import LABELLED, CandidateMaker, Proposal
from specfactory.model import Candidate, Encoding, ViewName, replace
from specfactory.proof import reading, snippet
from specfactory.word_lists import word_set

_LABELLED_PERSON = 0.35  # above any publisher
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


def weigh_publishers(maker: CandidateMaker) -> None:
    """Lower the likelihood of a publisher's name as author; add it where nobody else is named."""
    for name, role in maker.compiled.roles.items():
        if not role.may_be_publisher:
            continue
        labels = {
            named.label
            for item in maker.views.items
            for named in item.properties
            if named.label is not None and named.path.startswith("publisher")
        }
        has_author = False
        for at, one in enumerate(maker.candidates):
            if one.field != name:
                continue
            said, likelihood = str(one.value), one.likelihood
            # A role on the site ("admin") or an address names nobody.
            if said.casefold() in _ROLES or said.startswith(("#", "/", "http:", "https:")):
                likelihood = _HARDLY
            elif one.evidence.label in labels:
                likelihood = _AS_STATED
            elif one.evidence.method in LABELLED and likelihood is not None:
                likelihood = max(likelihood, _LABELLED_PERSON)
            maker.candidates[at] = replace(one, likelihood=likelihood)
            has_author = has_author or (likelihood or 1.0) > _HARDLY
        if not has_author:
            maker.candidates += _by_title(name, maker)


def _by_title(field: str, maker: CandidateMaker) -> Iterator[Candidate]:
    """Propose the part of the page's title that is also a label of its host."""
    views = maker.views
    title = _TITLE.search(views.source)
    if title is None:
        return
    labels = views.page.host.casefold().split(".")
    hosts = {label for label in labels if label not in _COMMON_LABELS}
    marks = list(_SEPARATOR.finditer(views.source, *title.span(1)))
    starts = [title.start(1), *(mark.end() for mark in marks)]
    ends = [*(mark.start() for mark in marks), title.end(1)]
    for start, end in zip(starts, ends, strict=True):
        words = views.source[start:end]
        left = words.strip()
        at = start + words.index(left)
        part = snippet(views, ViewName.SOURCE, at, at + len(left), Encoding.HTML) if left else None
        if part and "".join(_LETTERS.findall(reading(part).casefold())) in hosts:
            candidate = maker.guess(field, Proposal((part,), _BY_TITLE))
            if candidate is not None:
                yield candidate
                return
