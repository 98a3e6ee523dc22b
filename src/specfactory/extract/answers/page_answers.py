"""One page on its own: which of its candidates answers each field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from specfactory.contract import CompiledContract
from specfactory.extract.answers.calibration import calibrated
from specfactory.extract.answers.other_things import Rivals
from specfactory.extract.answers.product_lists import FAMILIES, Several
from specfactory.extract.candidates import Gathered, gather
from specfactory.extract.page import dropped as dropped_as
from specfactory.extract.ranking import Ranked, value_key
from specfactory.extract.templates import Applied
from specfactory.model import Answer, Candidate, Dropped, Method
from specfactory.proof import PageViews

_LIKELIHOOD: Mapping[Method, float] = {
    Method.SELECTOR: 0.97, Method.TEMPLATE: 0.95, Method.TABLE: 0.9, Method.STRUCTURED: 0.9,
    Method.PAIR: 0.85, Method.ARTICLE: 0.8, Method.VISIBLE: 0.75, Method.PATTERN: 0.7,
}  # fmt: skip
_FLOOR = 0.05  # what is almost surely wrong is no answer


class PageAnswers(Mapping[str, Answer]):
    """The answers of a page by field, with what was found but dropped."""

    def __init__(self, answers: Mapping[str, Answer], dropped: tuple[Dropped, ...]) -> None:
        self._answers = answers
        self.dropped = dropped

    def __getitem__(self, field: str) -> Answer:
        return self._answers[field]

    def __iter__(self) -> Iterator[str]:
        return iter(self._answers)

    def __len__(self) -> int:
        return len(self._answers)


def answer_page(
    views: PageViews, compiled: CompiledContract, templates: Sequence[Applied] = ()
) -> PageAnswers:
    """The best candidate for every field of which the page says something."""
    found = gather(views, compiled, templates)
    by_field: dict[str, list[Candidate]] = {}
    for candidate in found.ranked.candidates:
        by_field.setdefault(candidate.field, []).append(candidate)
    rivals = Rivals(views)
    dropped = list(found.dropped)
    for name, some in by_field.items():
        by_field[name] = rivals.own(some)
        if not by_field[name]:
            dropped.append(rivals.drop(some))
    by_field = {name: some for name, some in by_field.items() if some}
    families = {name: compiled.roles[name].family for name in by_field}
    dropped += _set_aside(by_field, families, found, views)
    answers: dict[str, Answer] = {}
    for name, some in by_field.items():
        best = _best(name, some, found.ranked, families[name])
        if best is not None:
            answers[name] = best
        else:
            dropped.append(_unlikely(some, views))
    return PageAnswers(answers, tuple(dropped))


def _set_aside(
    by_field: dict[str, list[Candidate]],
    families: Mapping[str, str],
    found: Gathered,
    views: PageViews,
) -> Iterator[Dropped]:
    """Take out what a page says of one of the many things that it lists; why, for each field."""
    several = Several(views, found.places)
    asked = {name: family for name, family in families.items() if family in FAMILIES}
    if not asked or several.has_thing:
        return
    for name, role in found.compiled.roles.items():
        if role.family == "price":
            several.hear(by_field.get(name, []), found.ranked.floors.get(name, _FLOOR))
        elif role.family == "id":
            several.hear_codes(by_field.get(name, []))
    for name, family in asked.items():
        own = several.own(family, by_field[name])
        if own:
            by_field[name] = own
        else:
            yield several.drop(by_field.pop(name))


def _unlikely(candidates: list[Candidate], views: PageViews) -> Dropped:
    """Why the likeliest candidate is no answer."""
    best = max(candidates, key=likelihood_of)
    detail = "it is likelier that the page does not say it of its own thing"
    return dropped_as(best.field, "unlikely", detail, best.evidence.values, views)


def _best(field: str, candidates: list[Candidate], ranked: Ranked, family: str) -> Answer | None:
    """The likeliest candidate, or None when saying nothing is likelier to be right."""
    order = sorted(candidates, key=lambda one: (-likelihood_of(one), -_by_method(one)))
    best = order[0]
    if likelihood_of(best) < ranked.floors.get(field, _FLOOR):
        return None
    reasons = ranked.reasons.get((field, value_key(best.value)), ())
    sure = calibrated(family, likelihood_of(best))
    return Answer(field, best, sure, (*reasons, str(best.evidence.method)), tuple(order[1:]))


def likelihood_of(candidate: Candidate) -> float:
    """How likely a candidate is right: as it was weighed, else as its method mostly is."""
    if candidate.likelihood is not None:
        return candidate.likelihood
    return _by_method(candidate)


def _by_method(candidate: Candidate) -> float:
    return _LIKELIHOOD.get(candidate.evidence.method, 0.5)
