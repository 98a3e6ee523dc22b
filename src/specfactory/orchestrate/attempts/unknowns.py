"""Why a field stayed open: the reason code and the trace of what was tried."""

from collections.abc import Iterable, Mapping

from specfactory.extract.language_model import MODEL_REASONS
from specfactory.model import (
    AttemptTrace,
    Dropped,
    FieldResult,
    Frozen,
    UnknownReason,
    Verdict,
    failure_facts,
)
from specfactory.store import Reading

SAYS_NOTHING = frozenset({"other_product", "no_value", *MODEL_REASONS})
"""Drop reasons that do not prove that the page says anything about the field."""
ENOUGH_PAGES = 4  # good pages without a word about the field: it is not disclosed


class Tried(Frozen):
    """Actions of an attempt, as far as unknown fields are concerned."""

    rounds: int
    hosts: Mapping[str, str]  # host -> how it ended, an outcome or a verdict
    readings: tuple[Reading, ...]
    exhausted: str | None  # the budget that ended the attempt before its sources did


def explain_unknown(field: str, tried: Tried) -> FieldResult:
    """The unknown for a field that no candidate filled."""
    reason, trace = _reason(field, tried), trace_of(field, tried)
    return FieldResult(field, None, unknown_reason=reason, trace=trace)


def trace_of(field: str, tried: Tried) -> AttemptTrace:
    """Rounds, sources and dropped candidates of a field."""
    return AttemptTrace(
        rounds_attempted=tried.rounds,
        sources_checked=tuple(sorted(tried.hosts)),
        parse_attempts=len(_unread(field, tried.readings)),
    )


def _unread(field: str, readings: Iterable[Reading]) -> list[Dropped]:
    about = (one for reading in readings for one in reading.dropped if one.field == field)
    return [one for one in about if one.reason not in SAYS_NOTHING]


def _reason(field: str, tried: Tried) -> UnknownReason:
    good = [r for r in tried.readings if r.identity.verdict is Verdict.SAME]
    ways = set(tried.hosts.values())
    unsure = any(r.identity.verdict is Verdict.UNSURE for r in tried.readings)
    if not good and (unsure or Verdict.UNSURE in ways):
        return UnknownReason.IDENTITY_UNCERTAIN
    if _unread(field, good):
        return UnknownReason.PARSE_FAILURE
    if tried.exhausted:
        return UnknownReason.BUDGET_EXHAUSTED
    if len(good) >= ENOUGH_PAGES:
        return UnknownReason.NOT_PUBLICLY_DISCLOSED
    ends = {failure_facts(way).unknown_reason for way in ways}
    if not good and UnknownReason.BLOCKED in ends:
        return UnknownReason.BLOCKED
    shared = ends.pop() if not good and len(ends) == 1 else None
    return shared or UnknownReason.NOT_FOUND_AFTER_SEARCH
