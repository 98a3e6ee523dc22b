"""One page that a person looks at: its answers, with the selectors of its source as workers use
them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from specfactory.contract import CompiledContract
from specfactory.extract.answers import PageAnswers, answer_page, likelihood_of
from specfactory.extract.templates import Applied, Selected, select
from specfactory.model import Answer, Candidate
from specfactory.proof import PageViews
from specfactory.validate import validate


def answer_as_workers_do(
    views: PageViews,
    compiled: CompiledContract,
    templates: Sequence[Applied],
    selectors: Mapping[str, str],
) -> tuple[PageAnswers, Selected]:
    """The answers of a page, and what the selectors gave: where one gave a value, it is settled."""
    answers = answer_page(views, compiled, templates)
    selected = select(views, compiled, selectors)
    settled = {
        one.field: _settled(one, selectors[one.field], answers.get(one.field))
        for one in selected.candidates
    }
    problems = [p for one in selected.candidates if (p := validate(one, compiled)) is not None]
    refused = {problem.field for problem in problems}
    kept = {name: one for name, one in {**answers, **settled}.items() if name not in refused}
    return PageAnswers(kept, (*selected.dropped, *problems, *answers.dropped)), selected


def _settled(candidate: Candidate, selector: str, other: Answer | None) -> Answer:
    """The answer of a selector, before those of the other methods."""
    others = (other.candidate, *other.others) if other is not None else ()
    reasons = (f"the selector {selector}", str(candidate.evidence.method))
    return Answer(candidate.field, candidate, likelihood_of(candidate), reasons, others)
