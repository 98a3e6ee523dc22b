"""Which fields a language model is asked for, what its candidates may do, what it leaves behind."""

from collections.abc import Mapping
from dataclasses import replace

from specfactory.model import (
    Attempt,
    Candidate,
    Contract,
    Frozen,
    Level,
    Method,
    Record,
    UnknownReason,
    field,
)

ASKED_LEVELS = (Level.REQUIRED, Level.CRITICAL, Level.EXPECTED)
SETTLED = (UnknownReason.REJECTED_BY_REVIEW, UnknownReason.IDENTITY_UNCERTAIN)


class ModelNotes(Frozen):
    """Result of asking: whose attempt paid, how often a field was asked for, what was not."""

    attempt: Attempt
    tries: Mapping[str, int] = field(default_factory=dict)
    unasked: frozenset[str] = frozenset()  # because a budget was spent


def fields_to_ask(record: Record, contract: Contract) -> tuple[str, ...]:
    """Fields that matter and of which no method found anything, the most important first."""
    levels = {name: declared.level for name, declared in contract.fields.items()}
    return tuple(
        name
        for level in ASKED_LEVELS
        for name, result in record.fields.items()
        if levels.get(name) is level
        and not result.weighed
        and result.value is None
        and result.unknown_reason not in SETTLED
    )


def without_outranked(candidates: list[Candidate]) -> list[Candidate]:
    """A model's candidates count only for fields of which no other method has found anything.

    A page can talk to a model, so what a model points at never stands against evidence.
    """
    found = {one.field for one in candidates if one.evidence.method is not Method.MODEL}
    return [
        one
        for one in candidates
        if one.evidence.method is not Method.MODEL or one.field not in found
    ]


def noted(record: Record, notes: ModelNotes | None) -> Record:
    """The record with what was asked for fields still open."""
    if notes is None:
        return record
    fields = dict(record.fields)
    for name, result in record.fields.items():
        if result.value is None:
            tries = result.trace.model_attempts + notes.tries.get(name, 0)
            exhausted = UnknownReason.BUDGET_EXHAUSTED if name in notes.unasked else None
            reason = exhausted or result.unknown_reason
            trace = replace(result.trace, model_attempts=tries)
            fields[name] = replace(result, trace=trace, unknown_reason=reason)
    return replace(record, fields=fields)
