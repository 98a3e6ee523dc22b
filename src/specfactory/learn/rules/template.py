"""Learning of a template from sample pages, for every field that some page has a label for."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

import msgspec

from specfactory.extract.templates import KINDS, Key, PageIndex, Voter, choose_one, kind_of_form
from specfactory.learn.pauses import pause
from specfactory.learn.rules.cuts import learn_cut, with_holders
from specfactory.learn.rules.quick_paths import Chosen, learn_probes
from specfactory.learn.rules.single_values import FLOOR, SURE_FLOOR, learn_one
from specfactory.learn.rules.value_sets import learn_places
from specfactory.learn.samples import Sample, index_pages, known_for, static_texts
from specfactory.learn.steps import step
from specfactory.model import Ballot, Feature, FieldTemplate, Frozen, Rule, Template, replace

_FORM = KINDS.index("form")


def learn_template(host: str, samples: Sequence[Sample], single: Collection[str] = ()) -> Template:
    """Learn from the labelled samples and from the behaviour of rules on the others.

    For ``single`` fields only the best value is learned, not how to find all of them.
    """
    statics = static_texts(samples)
    pages = index_pages([sample.page for sample in samples], statics)
    places: dict[Key, int] = {}  # table of distinct features: rules refer to them by index
    fields = []
    spots = (text.spot for sample in samples for text in sample.page.texts)
    seen = "\0".join((*sorted(statics), *spots)).encode(errors="replace")
    given = hashlib.sha256(seen).hexdigest()
    for name in dict.fromkeys(name for sample in samples for name in sample.labels):
        pause()
        labels = [sample.labels.get(name) for sample in samples]
        work = partial(_learn_field, name, samples, pages, name in single)
        learned = step(_Learned, (given, name, name in single, labels), work)
        if learned.template is not None:
            fields.append(_moved(learned.template, learned.features, places))
    features = tuple(Feature(KINDS[kind], value) for kind, value in places)
    draft = Template("", host, tuple(sorted(statics)), features, tuple(fields))
    digest = hashlib.sha256(msgspec.json.encode(draft)).hexdigest()[:16]
    return replace(draft, id=digest)


class _Learned(Frozen):
    """A field with the table of features that its own rules refer to."""

    template: FieldTemplate | None = None
    features: tuple[Key, ...] = ()


def _moved(
    template: FieldTemplate, features: Iterable[Key], places: dict[Key, int]
) -> FieldTemplate:
    """Let the rules of a field refer to the table of the whole template."""
    moved = [places.setdefault(key, len(places)) for key in features]
    parts = tuple(move_features(part, moved) for part in template.parts)
    return replace(template, one=move_features(template.one, moved), parts=parts)


def move_features(ballot: Ballot, places: Mapping[int, int] | Sequence[int]) -> Ballot:
    """Let the rules of a ballot refer to another table of features."""
    rules = (
        replace(rule, features=tuple(places[at] for at in rule.features)) for rule in ballot.rules
    )
    return replace(ballot, rules=tuple(rules))


def _rules(voters: Iterable[Voter], places: dict[Key, int]) -> tuple[Rule, ...]:
    rules = []
    for keys, weight, first in voters:
        features = tuple(places.setdefault(key, len(places)) for key in keys)
        rules.append(Rule(features, round(weight, 6), first))
    return tuple(rules)


def _learn_field(
    name: str, samples: Sequence[Sample], pages: Sequence[PageIndex], single: bool = False
) -> _Learned:
    labelled = known_for(name, samples, pages)
    known = with_holders(labelled)
    unknown = [p for p, sample in zip(pages, samples, strict=True) if name not in sample.labels]
    shown = [(one.index, one.index.holding(one.values)) for one in known]
    voters = learn_one(shown, unknown)
    if not voters:
        return _Learned()
    places = [] if single else learn_places(known, unknown)
    sure = ((p, choose_one(p, voters, 0.6)) for p in (*(one.index for one in known), *unknown))
    found = {kind_of_form(p.rows[choice.at][_FORM]) for p, choice in sure if choice is not None}
    forms = tuple(sorted(found))  # of the values that are beyond doubt
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
    features: dict[Key, int] = {}
    template = FieldTemplate(
        name,
        Ballot(_rules(voters, features), FLOOR if optional else SURE_FLOOR),
        tuple(Ballot(_rules(p.voters, features), p.floor, p.many, p.siblings) for p in places),
        forms,
        learn_cut(cut_from),
        learn_probes(chosen),
        optional,
        round(sum(shares) / len(shares), 4) if shares else 0.0,
    )
    return _Learned(template, tuple(features))
