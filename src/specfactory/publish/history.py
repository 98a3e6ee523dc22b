"""Changes between two versions of a record, with their reasons."""

from enum import StrEnum

from specfactory.model import Agreement, FieldResult, Frozen, Record, Value
from specfactory.publish.record_document import source_of
from specfactory.publish.shown_quotes import shown


class ChangeKind(StrEnum):
    """Kind of change of a field."""

    FILLED = "filled"
    CHANGED = "changed"
    OVERRIDDEN = "overridden"
    LOST = "lost"
    REASON = "reason"  # still unknown, for another reason


class Change(Frozen):
    """One field that differs from the version before."""

    field: str
    kind: ChangeKind
    before: Value | None
    after: Value | None
    why: str


def changes(old: Record | None, new: Record) -> list[Change]:
    """The fields that differ, in the order of the new record; the first version fills them all."""
    before = old.fields if old is not None else {}
    found = []
    for name, result in new.fields.items():
        old_result = before.get(name)
        if (kind := _kind(old_result, result)) is not None:
            old_value = old_result.value if old_result is not None else None
            found.append(Change(name, kind, old_value, result.value, _why(old_result, result)))
    gone = [
        Change(name, ChangeKind.LOST, result.value, None, "the contract has no such field any more")
        for name, result in before.items()
        if name not in new.fields and result.value is not None
    ]
    return found + gone


def _kind(old: FieldResult | None, new: FieldResult) -> ChangeKind | None:
    if new.value is None:
        if old is None or old.value is None:
            differs = old is not None and old.unknown_reason is not new.unknown_reason
            return ChangeKind.REASON if differs else None
        return ChangeKind.LOST
    if _overridden(new) and not (old and _overridden(old) and _equal(old.value, new.value)):
        return ChangeKind.OVERRIDDEN
    if old is None or old.value is None:
        return ChangeKind.FILLED
    return None if _equal(old.value, new.value) else ChangeKind.CHANGED


def _why(old: FieldResult | None, new: FieldResult) -> str:
    if new.value is None:
        reason = new.unknown_reason.value if new.unknown_reason else "no reason given"
        if old is None or old.value is None:
            before = old.unknown_reason.value if old and old.unknown_reason else "not tried"
            return f"still unknown: {before} before, {reason} now"
        return f"lost: {reason}"
    if _overridden(new):
        return "override: " + ("; ".join(new.reasons) or "a person decided")
    if old is not None and _overridden(old):
        return f"the override was undone; {_winner(new)}"
    if old is None or old.value is None:
        return f"new evidence: {_winner(new)}"
    return f"value changed from {old.value!r} to {new.value!r}: {_winner(new)}"


def _winner(result: FieldResult) -> str:
    """The source of the value, with its quote."""
    if result.chosen is None:
        return "no source is cited"
    evidence = result.chosen.evidence
    quote = " ".join(shown(evidence).quote.split())
    others = (
        len({c.evidence.page_id for c in result.weighed[0].candidates}) if result.weighed else 1
    )
    more = f" and {others - 1} more" if others > 1 else ""
    return f"{source_of(evidence.url)} ({evidence.tier.value}){more} says {quote!r}"


def _overridden(result: FieldResult) -> bool:
    return result.agreement is Agreement.OVERRIDE


def _equal(a: Value | None, b: Value | None) -> bool:
    return a == b and isinstance(a, bool) == isinstance(b, bool)
