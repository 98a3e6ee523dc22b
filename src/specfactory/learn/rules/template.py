"""A template out of sample pages: every field that is known somewhere."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence

import msgspec

from specfactory.extract.templates import (
    KINDS,
    Choice,
    Key,
    PageIndex,
    Voter,
    choose_one,
    kind_of_form,
)
from specfactory.learn.rules.cuts import learn_cut, with_holders
from specfactory.learn.rules.quick_paths import Chosen, learn_probes
from specfactory.learn.rules.single_values import FLOOR, SURE_FLOOR, Shown, learn_one
from specfactory.learn.rules.value_sets import Place, learn_places
from specfactory.learn.samples import Known, Sample, known_for, static_texts
from specfactory.model import Ballot, Feature, FieldTemplate, Rule, Template

_FORM = KINDS.index("form")


def learn_template(host: str, samples: Sequence[Sample], single: Collection[str] = ()) -> Template:
    """Learn from the labelled samples and from how rules behave on the others.

    Of ``single`` fields only the best value is ever asked for: finding all is not learned.
    """
    statics = static_texts(samples)
    pages = [PageIndex(sample.page, statics) for sample in samples]
    table = _Table()
    fields = []
    for name in dict.fromkeys(name for sample in samples for name in sample.labels):
        learned = _learn_field(name, samples, pages, table, name in single)
        if learned is not None:
            fields.append(learned)
    draft = Template("", host, tuple(sorted(statics)), table.features, tuple(fields))
    return _named(draft)


def _named(draft: Template) -> Template:
    digest = hashlib.sha256(msgspec.json.encode(draft)).hexdigest()[:16]
    return Template(digest, draft.host, draft.statics, draft.features, draft.fields)


class _Table:
    """Features, each once; rules name them by their place."""

    def __init__(self) -> None:
        self._places: dict[Key, int] = {}

    def ballot(
        self, voters: Iterable[Voter], floor: float, many: bool = False, siblings: bool = False
    ) -> Ballot:
        rules = tuple(
            Rule(tuple(self._place(key) for key in keys), round(weight, 6), first)
            for keys, weight, first in voters
        )
        return Ballot(rules, floor, many, siblings)

    @property
    def features(self) -> tuple[Feature, ...]:
        return tuple(Feature(KINDS[kind], value) for kind, value in self._places)

    def _place(self, key: Key) -> int:
        return self._places.setdefault(key, len(self._places))


def _learn_field(
    name: str,
    samples: Sequence[Sample],
    pages: Sequence[PageIndex],
    table: _Table,
    single: bool = False,
) -> FieldTemplate | None:
    labelled = known_for(name, samples, pages)
    known = with_holders(labelled)
    unknown = [p for p, sample in zip(pages, samples, strict=True) if name not in sample.labels]
    shown = [Shown(one.index, one.index.holding(one.values)) for one in known]
    voters = learn_one(shown, unknown)
    if not voters:
        return None
    places = [] if single else learn_places(known, unknown)
    forms = _forms(voters, known, unknown)
    choices = [choose_one(page, voters, SURE_FLOOR, forms) for page in pages]
    chosen = [
        _chosen_on(sample, page, choice, places)
        for sample, page, choice in zip(samples, pages, choices, strict=True)
        if sample.page.tree is not None
    ]
    optional = any(one.text is None for one in chosen)
    return FieldTemplate(
        name,
        table.ballot(voters, FLOOR if optional else SURE_FLOOR),
        tuple(table.ballot(p.voters, p.floor, p.many, p.siblings) for p in places),
        forms,
        learn_cut(_chosen(voters, labelled)),
        learn_probes(chosen),
        optional,
        _support(choices),
    )


def _support(choices: Sequence[Choice | None]) -> float:
    shares = [choice.share for choice in choices if choice is not None]
    return round(sum(shares) / len(shares), 4) if shares else 0.0


def _chosen_on(
    sample: Sample, page: PageIndex, choice: Choice | None, places: Sequence[Place]
) -> Chosen:
    if choice is None:
        return Chosen(sample.page, None, frozenset((None,)))
    right = frozenset().union(*(place.values(page) for place in places))
    return Chosen(sample.page, page.texts[choice.at], right | {page.folded[choice.at]})


def _chosen(voters: Sequence[Voter], labelled: Sequence[Known]) -> list[tuple[str, frozenset[str]]]:
    """The texts chosen on the known pages with the values that should come out of them."""
    chosen = []
    for one in labelled:
        choice = choose_one(one.index, voters, FLOOR) if one.values else None
        if choice is not None:
            chosen.append((one.index.texts[choice.at].words, one.values))
    return chosen


def _forms(
    voters: Sequence[Voter], known: Sequence[Known], unknown: Sequence[PageIndex]
) -> tuple[str, ...]:
    """The forms that the values have where there is no doubt."""
    forms = set()
    for page in [*(one.index for one in known), *unknown]:
        choice = choose_one(page, voters, 0.6)
        if choice is not None:
            forms.add(kind_of_form(page.rows[choice.at][_FORM]))
    return tuple(sorted(forms))
