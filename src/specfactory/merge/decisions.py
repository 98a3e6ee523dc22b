"""What a person has decided about a field, read by its contract."""

from __future__ import annotations

from specfactory.contract import value_from_json
from specfactory.errors import SpecError
from specfactory.model import Decision, DecisionAction, Field, Frozen, Instant, Value


class Ruling(Frozen):
    """A decision that holds; ``problem`` when its value no longer fits the contract."""

    action: DecisionAction
    value: Value | None
    decided_at: Instant
    line: str
    problem: str = ""


def ruling_of(decision: Decision | None, wanted: Field) -> Ruling | None:
    """The ruling of a decision; None when there is none, or it was undone."""
    if decision is None or decision.undone_at is not None:
        return None
    if decision.value is None and decision.action is not DecisionAction.REJECT:
        return None
    value, problem = _value(decision, wanted)
    because = f": {decision.reason}" if decision.reason else ""
    line = f"{decision.action} by {decision.actor}{because}"
    return Ruling(decision.action, value, decision.decided_at, line, problem)


def _value(decision: Decision, wanted: Field) -> tuple[Value | None, str]:
    if decision.value is None:
        return None, ""
    try:
        return value_from_json(wanted, decision.value), ""
    except (SpecError, ValueError, TypeError, KeyError):
        return None, f"decision {decision.action} {decision.value!r} does not fit the contract"
