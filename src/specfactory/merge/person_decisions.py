"""A person's decision about a field, read by its contract."""

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
    because = f": {decision.reason}" if decision.reason else ""
    line = f"{decision.action} by {decision.actor}{because}"
    value, problem = None, ""
    if decision.value is not None:
        try:
            value = value_from_json(wanted, decision.value)
        except (SpecError, ValueError, TypeError, KeyError):  # the contract has changed since
            problem = f"decision {decision.action} {decision.value!r} does not fit the contract"
    return Ruling(decision.action, value, decision.decided_at, line, problem)
