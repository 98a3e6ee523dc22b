"""What a person's answer teaches: whether we were right, and who had said so."""

from __future__ import annotations

from specfactory.contract import value_to_json
from specfactory.model import Agreement, Candidate, Decision, DecisionAction, FieldResult, Weighed
from specfactory.store.products import Counts, FieldLesson, Kind


def lesson_of(result: FieldResult, decision: Decision) -> FieldLesson | None:
    """The lesson of an answer about a field; None where no value of ours was in question."""
    if not result.weighed or result.agreement is Agreement.OVERRIDE:
        return None
    leading = _leading(result)
    right = [group for group in result.weighed if _is(group, decision)]
    if decision.action is DecisionAction.REJECT:  # the truth is still unknown
        voices = _voices([], right)
        return FieldLesson(result.field, result.confidence, leading not in right, voices)
    may_differ = result.agreement is Agreement.SOURCE_DEPENDENT  # then others are right too
    others = [] if may_differ else [group for group in result.weighed if group not in right]
    return FieldLesson(result.field, result.confidence, leading in right, _voices(right, others))


def _leading(result: FieldResult) -> Weighed:
    named = (group for group in result.weighed if group.value == result.value)
    return next(named, result.weighed[0])


def _is(group: Weighed, decision: Decision) -> bool:
    said = (group.value, *(candidate.value for candidate in group.candidates))
    return any(value_to_json(value) == decision.value for value in said)


def _voices(right: list[Weighed], wrong: list[Weighed]) -> dict[Kind, Counts]:
    """The kinds of voices that spoke; one field is one observation of each, however many."""
    spoke = [{_kind(c) for group in groups for c in group.candidates} for groups in (right, wrong)]
    return {kind: (int(kind in spoke[0]), int(kind in spoke[1])) for kind in spoke[0] | spoke[1]}


def _kind(candidate: Candidate) -> Kind:
    return candidate.evidence.tier, candidate.evidence.method
