"""Answers of one page on its own: the candidate chosen for each field."""

from collections.abc import Mapping, Sequence

from specfactory.contract import CompiledContract
from specfactory.extract.answers.calibration import calibrated
from specfactory.extract.answers.other_things import OtherThings
from specfactory.extract.answers.product_lists import FAMILIES, ListedProducts
from specfactory.extract.candidates import Gathered, gather
from specfactory.extract.page import dropped as dropped_as
from specfactory.extract.ranking import value_key
from specfactory.extract.templates import Applied
from specfactory.model import Answer, Candidate, Dropped, Method
from specfactory.proof import PageViews

_LIKELIHOOD: Mapping[Method, float] = {
    Method.SELECTOR: 0.97, Method.TEMPLATE: 0.95, Method.TABLE: 0.9, Method.STRUCTURED: 0.9,
    Method.PAIR: 0.85, Method.ARTICLE: 0.8, Method.VISIBLE: 0.75, Method.PATTERN: 0.7,
}  # fmt: skip
_IN_DOUBT = 0.6  # share of the likelihood of what a reader may not see
_FLOOR = 0.05  # less likely than this is no answer


class PageAnswers(dict[str, Answer]):
    """The answers of a page by field, with what was found but dropped."""

    def __init__(self, answers: Mapping[str, Answer], dropped: tuple[Dropped, ...]) -> None:
        super().__init__(answers)
        self.dropped = dropped


def answer_page(
    views: PageViews, compiled: CompiledContract, templates: Sequence[Applied] = ()
) -> PageAnswers:
    """Choose the best candidate for every field of which the page says something."""
    found = gather(views, compiled, templates)
    by_field: dict[str, list[Candidate]] = {}
    for candidate in found.ranked.candidates:
        by_field.setdefault(candidate.field, []).append(candidate)
    dropped = [*found.dropped, *_keep_own(by_field, found, views)]
    answers: dict[str, Answer] = {}
    for name, some in by_field.items():
        order = sorted(some, key=lambda one: (-likelihood_of(one), -_by_method(one)))
        best, likelihood = order[0], likelihood_of(order[0])
        if likelihood < found.ranked.floors.get(name, _FLOOR):
            detail = "it is likelier that the page does not say it of its own thing"
            best = max(some, key=likelihood_of)
            dropped.append(dropped_as(name, "unlikely", detail, best.evidence.values, views))
            continue
        reasons = found.ranked.reasons.get((name, value_key(best.value)), ())
        sure = likelihood  # a template's is calibrated on pages of its own site
        if best.evidence.method is not Method.TEMPLATE or best.likelihood is None:
            sure = calibrated(compiled.roles[name].family, likelihood)
        reasons = (*reasons, str(best.evidence.method), *filter(None, [best.doubt]))
        answers[name] = Answer(name, best, sure, reasons, tuple(order[1:]))
    return PageAnswers(answers, tuple(dropped))


def _keep_own(
    by_field: dict[str, list[Candidate]], found: Gathered, views: PageViews
) -> list[Dropped]:
    """Keep what the page says of its own thing; report the fields for which nothing is left.

    First what it says of other things that it names, then what it says of one of many products
    that it lists: the latter judges by the price, which must be the page's own.
    """
    dropped = []
    others = OtherThings(views)
    for name, some in list(by_field.items()):
        by_field[name] = others.own(some)
        if not by_field[name]:
            del by_field[name]
            dropped.append(others.drop(some))
    families = {name: role.family for name, role in found.compiled.roles.items()}
    listed = ListedProducts(views, found.places)
    asked = [name for name in by_field if families[name] in FAMILIES]
    if not asked or listed.has_thing:
        return dropped
    for name, family in families.items():
        if family == "price":
            listed.note_prices(by_field.get(name, []), found.ranked.floors.get(name, _FLOOR))
        elif family == "id":
            listed.note_codes(by_field.get(name, []))
    for name in asked:
        own = listed.own(families[name], by_field[name])
        if own:
            by_field[name] = own
        else:
            dropped.append(listed.drop(by_field.pop(name)))
    return dropped


def likelihood_of(candidate: Candidate) -> float:
    """The likelihood that a candidate is right: as it was weighed, else as its method mostly is."""
    likely = _by_method(candidate) if candidate.likelihood is None else candidate.likelihood
    # data that the page contradicts are likelier right than how the page was read
    is_hidden = candidate.doubt and candidate.evidence.method is not Method.STRUCTURED
    return likely * _IN_DOUBT if is_hidden else likely


def confidence_of(candidate: Candidate, compiled: CompiledContract) -> float:
    """The calibrated likelihood of a page's value; a person's selector counts as it is."""
    likelihood = likelihood_of(candidate)
    if candidate.evidence.method is Method.SELECTOR or candidate.field not in compiled.roles:
        return likelihood
    return calibrated(compiled.roles[candidate.field].family, likelihood)


def _by_method(candidate: Candidate) -> float:
    return _LIKELIHOOD.get(candidate.evidence.method, 0.5)
