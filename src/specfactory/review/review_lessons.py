"""Lessons of a person's answers: if we were right, and which kinds of votes were."""

from specfactory.contract import value_to_json
from specfactory.model import Agreement, Decision, DecisionAction, FieldResult, Weighed
from specfactory.store.products import Counts, FieldLesson, Kind


def lesson_of(result: FieldResult, decision: Decision) -> FieldLesson | None:
    """The lesson of an answer about a field; None where no value of ours was in question."""
    if not result.weighed or result.agreement is Agreement.OVERRIDE:
        return None
    named = (group for group in result.weighed if group.value == result.value)
    leading = next(named, result.weighed[0])
    right = [
        group
        for group in result.weighed
        if any(
            value_to_json(value) == decision.value
            for value in (group.value, *(candidate.value for candidate in group.candidates))
        )
    ]
    if decision.action is DecisionAction.REJECT:  # the truth is still unknown
        votes = _votes([], right)
        return FieldLesson(result.field, result.confidence, leading not in right, votes)
    may_differ = result.agreement is Agreement.SOURCE_DEPENDENT  # then others are right too
    others = [] if may_differ else [group for group in result.weighed if group not in right]
    return FieldLesson(result.field, result.confidence, leading in right, _votes(right, others))


def _votes(right: list[Weighed], wrong: list[Weighed]) -> dict[Kind, Counts]:
    """The kinds of votes for each; one field is one observation of a kind, however many votes."""
    for_right, for_wrong = (
        {(c.evidence.tier, c.evidence.method) for group in groups for c in group.candidates}
        for groups in (right, wrong)
    )
    return {
        kind: (int(kind in for_right), int(kind in for_wrong)) for kind in for_right | for_wrong
    }
