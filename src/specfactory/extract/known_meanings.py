"""Fields that mean the same in every contract: the headline, the author, the date, the body.

A finder proposes values with their likelihood; candidates of other methods get the likelihood
of their value.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from specfactory.extract import articles
from specfactory.extract.body import find_body
from specfactory.extract.page import FIXED, LABELLED, CandidateMaker, Proposal
from specfactory.model import Candidate, FieldType, Snippet, Value
from specfactory.proof import PageViews

_MAX_FOUND = 8  # proposals kept per field
_UNLIKELY = 0.02  # likelihood of a candidate whose value no finder proposes

Finder = Callable[[PageViews], Sequence[Proposal]]

_FINDERS: Mapping[str, Finder] = {
    "author": articles.find_authors,
    "body": find_body,
    "headline": articles.find_headline,
    "main_content": partial(find_body, article=False),
    "published": articles.find_published,
}
# Used only where no other method has found anything.
_LAST_FINDERS: Mapping[str, Finder] = {
    "language": articles.find_language,
    "topics": articles.find_topics,
}


def weigh_by_meaning(maker: CandidateMaker) -> None:
    """Give candidates of known meaning their likelihood, and add what finders propose."""
    views = maker.views
    for name, role in maker.compiled.roles.items():
        # The page's own thing (a recipe) may state the property that the contract names first.
        # An article only frames its thing: its name is often the page's title.
        first = role.asked_first
        ways = (first, first.removesuffix(".name"))  # a thing may stand for its name
        stated = bool(first) and any(
            item.main and item.is_thing and any(item.first(way).strip() for way in ways)
            for item in views.items
        )
        if role.article_part and not stated:
            found = _FINDERS[role.article_part](views)
            _weigh(name, _unnamed(name, found, maker), maker)
        if role.page_label and not any(one.field == name for one in maker.candidates):
            _weigh(name, _LAST_FINDERS[role.page_label](views), maker)


def _unnamed(field: str, found: Sequence[Proposal], maker: CandidateMaker) -> Sequence[Proposal]:
    """Leave out days that a label gives to another field ("available from")."""
    fields, roles = maker.compiled.contract.fields, maker.compiled.roles
    if fields[field].type is not FieldType.DATE:
        return found
    named = {
        _place(one.evidence.values)
        for one in maker.candidates
        if one.field != field
        and one.evidence.method in LABELLED
        and fields[one.field].type is FieldType.DATE
        and not roles[one.field].is_modification  # a day of the text all the same
    }
    return [one for one in found if _place(one.values) not in named]


def _place(values: Sequence[Snippet]) -> tuple[str, int]:
    return values[0].view, values[0].start


def _weigh(field: str, found: Sequence[Proposal], maker: CandidateMaker) -> None:
    proposed: dict[str, Candidate] = {}
    for one in found[:_MAX_FOUND]:
        candidate = maker.guess(field, one)
        if candidate is not None:
            proposed.setdefault(_key(candidate.value), candidate)
    taken = set()
    for at, candidate in enumerate(maker.candidates):
        if candidate.field != field:
            continue
        key = _key(candidate.value)
        taken.add(key)
        if candidate.evidence.method not in FIXED:
            likelihood = proposed[key].likelihood if key in proposed else _UNLIKELY
            maker.candidates[at] = replace(candidate, likelihood=likelihood)
    maker.candidates += [made for key, made in proposed.items() if key not in taken]


def _key(value: Value) -> str:
    """The form in which values of different methods are compared."""
    parts = value if isinstance(value, tuple) else (value,)
    return " / ".join(articles.folded(str(part)) or str(part) for part in parts)
