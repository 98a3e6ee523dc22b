"""Changes between two versions of a record, with their reasons."""

from enum import StrEnum

from specfactory.model import Agreement, FieldResult, Frozen, Record, Value, host_without_www
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
        if (change := _compared(old_result, result)) is not None:
            kind, why = change
            old_value = old_result.value if old_result is not None else None
            found.append(Change(name, kind, old_value, result.value, why))
    gone = [
        Change(name, ChangeKind.LOST, result.value, None, "the contract has no such field any more")
        for name, result in before.items()
        if name not in new.fields and result.value is not None
    ]
    return found + gone


def _compared(old: FieldResult | None, new: FieldResult) -> tuple[ChangeKind, str] | None:
    """Kind and reason of the change of a field; None when it says what it said."""
    was = old.value if old is not None else None
    if new.value is None:
        reason = new.unknown_reason.value if new.unknown_reason else "no reason given"
        if was is not None:
            return ChangeKind.LOST, f"lost: {reason}"
        if old is None or old.unknown_reason is new.unknown_reason:
            return None
        before = old.unknown_reason.value if old.unknown_reason else "not tried"
        return ChangeKind.REASON, f"still unknown: {before} before, {reason} now"
    same = was == new.value and isinstance(was, bool) == isinstance(new.value, bool)
    undone = old is not None and old.agreement is Agreement.OVERRIDE
    if new.agreement is Agreement.OVERRIDE:
        why = "override: " + ("; ".join(new.reasons) or "a person decided")
        return None if undone and same else (ChangeKind.OVERRIDDEN, why)
    if was is None:
        return ChangeKind.FILLED, f"new evidence: {_winner(new)}"
    if same:
        return None
    why = "the override was undone" if undone else f"value changed from {was!r} to {new.value!r}"
    return ChangeKind.CHANGED, f"{why}{';' if undone else ':'} {_winner(new)}"


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
    return f"{host_without_www(evidence.url)} ({evidence.tier.value}){more} says {quote!r}"
