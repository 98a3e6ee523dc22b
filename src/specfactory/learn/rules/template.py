"""Learning of a template from sample pages, for every field that some page has a label for."""

import hashlib
from collections.abc import Collection, Iterable, Sequence

import msgspec

from specfactory.extract.templates import KINDS, Key, PageIndex, Voter, choose_one, kind_of_form
from specfactory.learn.rules.cuts import learn_cut, with_holders
from specfactory.learn.rules.quick_paths import Chosen, learn_probes
from specfactory.learn.rules.single_values import FLOOR, SURE_FLOOR, Shown, learn_one
from specfactory.learn.rules.value_sets import learn_places
from specfactory.learn.samples import Sample, known_for, static_texts
from specfactory.model import Ballot, Feature, FieldTemplate, Rule, Template

_FORM = KINDS.index("form")


def learn_template(host: str, samples: Sequence[Sample], single: Collection[str] = ()) -> Template:
    """Learn from the labelled samples and from the behaviour of rules on the others.

    For ``single`` fields only the best value is learned, not how to find all of them.
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
    digest = hashlib.sha256(msgspec.json.encode(draft)).hexdigest()[:16]
    return Template(digest, draft.host, draft.statics, draft.features, draft.fields)


class _Table:
    """Table of distinct features; rules refer to them by index."""

    def __init__(self) -> None:
        self._places: dict[Key, int] = {}

    def ballot(
        self, voters: Iterable[Voter], floor: float, many: bool = False, siblings: bool = False
    ) -> Ballot:
        places, rules = self._places, []
        for keys, weight, first in voters:
            features = tuple(places.setdefault(key, len(places)) for key in keys)
            rules.append(Rule(features, round(weight, 6), first))
        return Ballot(tuple(rules), floor, many, siblings)

    @property
    def features(self) -> tuple[Feature, ...]:
        return tuple(Feature(KINDS[kind], value) for kind, value in self._places)


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
    forms = _usual_forms(voters, [*(one.index for one in known), *unknown])
    choices = [choose_one(page, voters, SURE_FLOOR, forms) for page in pages]
    chosen: list[Chosen] = []
    for sample, page, choice in zip(samples, pages, choices, strict=True):
        if sample.page.tree is None:
            continue
        if choice is None:
            chosen.append(Chosen(sample.page, None, frozenset((None,))))
            continue
        right = frozenset().union(*(place.values(page) for place in places))
        text = page.texts[choice.at]
        chosen.append(Chosen(sample.page, text, right | {page.folded[choice.at]}))
    cut_from: list[tuple[str, frozenset[str]]] = []  # chosen texts, and the values inside them
    for one in labelled:
        choice = choose_one(one.index, voters, FLOOR) if one.values else None
        if choice is not None:
            cut_from.append((one.index.texts[choice.at].words, one.values))
    optional = any(each.text is None for each in chosen)
    shares = [choice.share for choice in choices if choice is not None]
    return FieldTemplate(
        name,
        table.ballot(voters, FLOOR if optional else SURE_FLOOR),
        tuple(table.ballot(p.voters, p.floor, p.many, p.siblings) for p in places),
        forms,
        learn_cut(cut_from),
        learn_probes(chosen),
        optional,
        round(sum(shares) / len(shares), 4) if shares else 0.0,
    )


def _usual_forms(voters: Sequence[Voter], pages: Iterable[PageIndex]) -> tuple[str, ...]:
    """Forms of the values that are beyond doubt."""
    forms = set()
    for page in pages:
        choice = choose_one(page, voters, 0.6)
        if choice is not None:
            forms.add(kind_of_form(page.rows[choice.at][_FORM]))
    return tuple(sorted(forms))
