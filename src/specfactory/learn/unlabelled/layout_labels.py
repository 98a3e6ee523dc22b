"""Combine labels from people, pages and other sources over all pages of a layout.

Labels of people and of the pages themselves, and records of other sources about the same or
similar things, are all evidence for columns, the places of values in a layout. A record matched
to the wrong thing is outvoted by all other pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cache

from specfactory.contract import CompiledContract
from specfactory.errors import NotDerivable
from specfactory.extract.templates import folded
from specfactory.learn.page_labels import LAYOUT, PERSON, RECORD, Labelled
from specfactory.learn.samples import Sample, comparable
from specfactory.learn.unlabelled.columns import Column
from specfactory.learn.unlabelled.guesses import Compared, Fits, Guess, compare, guess_columns
from specfactory.learn.unlabelled.known_values import Knowledge
from specfactory.learn.unlabelled.own_labels import are_flawed
from specfactory.learn.unlabelled.record_matching import sameness
from specfactory.learn.unlabelled.settled_columns import settle_columns
from specfactory.model import FieldType, Frozen, replace

LIKELY = 0.5  # a likelier guess becomes a label, for review
SURE = 0.9  # a likelier guess counts like a label of the page itself
_ENOUGH = 3  # pages with a label of their own that settle a field
_HALF = 0.5
_UNCONFIRMED = 0.8  # belief in a guess that no record confirms, at the most
_SETTLED = 0.97  # in a column that a label or the titles lead to on all pages
_KNOWN = 0.97  # in a likely guess of which most texts are known values of the field
_MOST = 0.7
_WEIGHT = 2.0  # the guess counts like this many confirming or contradicting values
_ALIKE = 0.8
_TRIED = 6  # texts of a column tried with a field's rules
_NOT_TAUGHT = {FieldType.BOOLEAN, FieldType.LIST}  # "yes" fits many fields; lists are many texts


class Taught(Frozen):
    """Pages with all their labels, and the belief in each field labelled by records."""

    pages: list[Labelled]
    beliefs: Mapping[str, float]


def label_layout(
    pages: Sequence[Labelled],
    knowledge: Knowledge,
    compiled: CompiledContract,
    *,
    least: float = LIKELY,
    least_beside: float = SURE,
) -> Taught:
    """Add labels that records of other sources give to the pages of one layout.

    A column needs at least ``least`` belief to become a label, and ``least_beside`` where the
    pages label fields themselves: their own labels stay where they are in the likeliest column,
    and a field that nobody confirms is then rather missing. A page without a text in the column
    of a field stays unknown for it.
    """
    fields = compiled.contract.fields
    single = [name for name in knowledge.names if fields[name].type not in _NOT_TAUGHT]
    names = _teachable_names(pages, single, knowledge)
    samples = [page.sample for page in pages]
    if not single or not samples:
        return Taught(list(pages), {})
    compared = compare(samples, replace(knowledge, names=names), [page.matched for page in pages])
    labelled = Counter(name for page in pages for name in page.origins)
    speaking = any(times >= _ENOUGH for times in labelled.values())
    settled = settle_columns(
        compared, compiled, single, pages, _fitting(samples, [frozenset()] * len(pages), compiled)
    )
    taught, beliefs, done = _by_settled(settled, pages, compared, compiled, least_beside)
    open_names = [name for name in names if name not in done]
    compared = replace(compared, likenesses={n: compared.likenesses[n] for n in open_names})
    values = [_taken(page, open_names) for page in taught]
    for guess in guess_columns(compared, _fitting(samples, values, compiled)):
        spots = [_at(page, at) for page, at in zip(samples, guess.column.at, strict=True)]
        own = [page.origins.get(guess.field) for page in pages]
        own_count = sum(origin is not None for origin in own)
        against = _contradicting(guess.field, pages, spots)
        if own_count >= _ENOUGH and len(against) < _HALF * own_count:
            # Most pages label the field in this column: only the others lose their label.
            taught = [
                _with(page, guess.field, "") if at in against else page
                for at, page in enumerate(taught)
            ]
            continue
        # A label that names the field is part of what makes a column likely. If another column
        # is likelier all the same, the label means something else than the other sources do.
        belief = _belief(guess, spots, compared, compiled)
        needed = least_beside if own_count or speaking else least
        if belief >= needed and all(own[at] != PERSON for at in against):
            beliefs[guess.field] = belief
            taught = [_with(p, guess.field, w) for p, w in zip(taught, spots, strict=True)]
    return Taught(taught, beliefs)


def _by_settled(
    settled: Mapping[str, Column],
    pages: Sequence[Labelled],
    compared: Compared,
    compiled: CompiledContract,
    least: float,
) -> tuple[list[Labelled], dict[str, float], set[str]]:
    """Label the pages by settled columns; fields that the pages label there need no belief.

    Also gives the fields that are done: where the pages' own labels say otherwise and are not
    flawed, records of other sources may still decide.
    """
    taught, beliefs, done = list(pages), dict[str, float](), set[str]()
    for name, column in settled.items():
        texts = (_at(page.sample, at) for page, at in zip(pages, column.at, strict=True))
        spots = [_value(words, name, compiled) for words in texts]
        belief = _belief(Guess(name, column, 1.0), spots, compared, compiled, _SETTLED)
        made = _settle(name, column, taught, spots, compared, compiled) if belief >= least else []
        if not made:
            continue
        taught = made
        done.add(name)
        if any(page.origins.get(name) == LAYOUT for page in taught):
            beliefs[name] = belief
    return taught, beliefs, done


def _teachable_names(
    pages: Sequence[Labelled], single: Sequence[str], knowledge: Knowledge
) -> dict[str, Sequence[str]]:
    """Names of the fields that are one text, and of which more is known than the name."""
    records = [record for source in knowledge.sources for record in source]
    return {
        name: knowledge.names[name]
        for name in single
        if any(name in p.matched for p in pages) or any(r.get(name) for r in records)
    }


def _taken(page: Labelled, without: Collection[str] = ()) -> frozenset[str]:
    """Values of a page in its labelled fields, some left out."""
    labels = page.sample.labels.items()
    return comparable([value for n, values in labels if n not in without for value in values])


def _settle(
    field: str,
    column: Column,
    pages: Sequence[Labelled],
    spots: Sequence[str],
    compared: Compared,
    compiled: CompiledContract,
) -> list[Labelled]:
    """Label a field by its settled column; no pages where their own labels are better."""
    own = [at for at, page in enumerate(pages) if field in page.origins]
    against = {
        at
        for at in own
        if not any(_is_same(field, spots[at], v, compiled) for v in pages[at].sample.labels[field])
    }
    if any(pages[at].origins[field] == PERSON for at in against):
        return []
    if len(own) >= _ENOUGH and len(against) < _HALF * len(own):
        # Most pages label the field there: the others are outliers, or get their label.
        return [
            _with(page, field, "" if at in own else spots[at], LAYOUT)
            if at in against or at not in own
            else page
            for at, page in enumerate(pages)
        ]
    few = len(own) < max(_ENOUGH, len(pages) / 3)
    if not few and not are_flawed(field, column, pages, spots, compared):
        return []
    return [_with(page, field, spots[at], LAYOUT) for at, page in enumerate(pages)]


def _contradicting(field: str, pages: Sequence[Labelled], spots: Sequence[str]) -> set[int]:
    """Pages whose own label of a field is not in the column's text."""
    found: set[int] = set()
    for at, (page, words) in enumerate(zip(pages, spots, strict=True)):
        if field in page.origins:
            labels = comparable(page.sample.labels[field])
            if not (any(v in folded(words) for v in labels) if labels else not words):
                found.add(at)
    return found


def _fitting(
    samples: Sequence[Sample], settled: Sequence[frozenset[str]], compiled: CompiledContract
) -> Fits:
    """Make a check that a column gives values of a field and is not the place of a settled one."""

    @cache
    def is_free(places: tuple[int | None, ...]) -> bool:
        spots = zip(settled, samples, places, strict=True)
        own = [folded(_at(page, at)) in taken for taken, page, at in spots if at is not None]
        return sum(own) <= _HALF * len(own)

    @cache
    def gives(field: str, words: str) -> bool:
        try:
            compiled.derive(field, words)
        except NotDerivable:
            return False
        return True

    def fits(field: str, column: Column) -> bool:
        places = zip(samples, column.at, strict=True)
        spots = [_at(sample, at) for sample, at in places if at is not None]
        some = spots[:: -(-len(column.values) // _TRIED)]
        right = sum(gives(field, words) for words in some)
        return right >= _HALF * len(some) and is_free(column.at)

    return fits


def _at(sample: Sample, at: int | None) -> str:
    return sample.page.texts[at].words if at is not None else ""


def _belief(
    guess: Guess,
    spots: Sequence[str],
    compared: Compared,
    compiled: CompiledContract,
    settled: float = 0.0,
) -> float:
    """Estimate that a field is in its likeliest column, and on the pages at all.

    A likely column alone is not enough: the pages may lack the field. Different values that
    match the records of the pages' own things are.
    """
    agreed, against = set[str](), set[str]()
    for number, words in enumerate(spots):
        known = compared.joined.witnesses(guess.field, number) if words else ()
        if any(_is_same(guess.field, words, value, compiled) for value in known):
            agreed.add(folded(words))
        elif known and not (settled and any(_shares_words(words, value) for value in known)):
            against.add(folded(words))
    prior = settled or _UNCONFIRMED * guess.likelihood
    if not settled and guess.likelihood >= SURE and _knows(guess, compared):
        prior = _KNOWN
    # A settled column was seen on every page; a record of something similar weighs little then.
    weight = sum(map(bool, spots)) if settled else _WEIGHT
    return (len(agreed) + weight * prior) / (len(agreed) + len(against) + weight)


def _knows(guess: Guess, compared: Compared) -> bool:
    """True if most texts of a column, and different ones, are known values of the field."""
    at = compared.columns.index(guess.column)
    measures = compared.likenesses[guess.field][at]
    return measures.known >= _MOST and len(set(guess.column.values)) >= _ENOUGH


def _shares_words(one: str, other: str) -> bool:
    """True if two wordings may mean the same: other sources word names in their own way."""
    return not set(folded(one).split()).isdisjoint(folded(other).split())


def _value(words: str, field: str, compiled: CompiledContract) -> str:
    """Words of a value without the label in the same text."""
    label, colon, rest = words.partition(":")
    match = compiled.match_label(label) if colon and rest.strip() else None
    return rest.strip() if match is not None and match.field == field else words


def _is_same(field: str, words: str, value: str, compiled: CompiledContract) -> bool:
    if sameness(folded(words), value) >= _ALIKE:
        return True
    try:
        return compiled.same(field, compiled.derive(field, words), compiled.derive(field, value))
    except NotDerivable:
        return False


def _with(page: Labelled, field: str, words: str, origin: str = RECORD) -> Labelled:
    """Replace a page's label of a field by the column's text; a person's label stays."""
    if page.origins.get(field) == PERSON:
        return page
    labels, origins = dict(page.sample.labels), dict(page.origins)
    labels.pop(field, None)
    origins.pop(field, None)
    if words:
        labels[field], origins[field] = (words,), origin
    return replace(page, sample=replace(page.sample, labels=labels), origins=origins)
