"""One page on its own: which of its candidates answers each field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from specfactory.contract import CompiledContract
from specfactory.extract.station import extract_candidates
from specfactory.extract.templates import Applied
from specfactory.model import Answer, Candidate, Dropped, Method
from specfactory.proof import PageViews

_LIKELIHOOD: Mapping[Method, float] = {
    Method.TEMPLATE: 0.95, Method.TABLE: 0.9, Method.STRUCTURED: 0.9, Method.PAIR: 0.85,
    Method.ARTICLE: 0.8, Method.VISIBLE: 0.75, Method.PATTERN: 0.7,
}  # fmt: skip


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
    found = extract_candidates(views, compiled, templates)
    by_field: dict[str, list[Candidate]] = {}
    for candidate in found.candidates:
        by_field.setdefault(candidate.field, []).append(candidate)
    return PageAnswers({name: _best(name, some) for name, some in by_field.items()}, found.dropped)


def _best(field: str, candidates: list[Candidate]) -> Answer:
    ranked = sorted(candidates, key=lambda one: -_likelihood(one))
    best = ranked[0]
    reasons = (str(best.evidence.method),)
    return Answer(field, best, _likelihood(best), reasons, tuple(ranked[1:]))


def _likelihood(candidate: Candidate) -> float:
    if candidate.likelihood is not None:
        return candidate.likelihood
    return _LIKELIHOOD.get(candidate.evidence.method, 0.5)
