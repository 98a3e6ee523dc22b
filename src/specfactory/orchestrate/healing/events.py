"""What is told of healing, as events."""

from __future__ import annotations

from specfactory.events import event
from specfactory.heal import Case, Prescription, is_ease
from specfactory.model import Event, HealingEvent, HealingStatus, Instant, Json, Remedy


def diagnosed(case: Case, prescribed: Prescription) -> list[Event]:
    """What is wrong with a host; and whether it was thought to be well."""
    found, now = prescribed.diagnosis, case.now
    told = [
        event(
            "host.diagnosed", now, host=case.host, diagnosis=found.name, failure=found.failure,
            certainty=found.certainty, reasons=list(found.reasons),
        )
    ]  # fmt: skip
    last = next((e for e in case.events if e.status is HealingStatus.HELPED), None)
    newest = case.events[0] if case.events else None
    if last is not None and last is newest and last.diagnosis == found.name:
        seconds = (now - (last.checked_at or last.created_at)) / 1000
        told.append(
            event("host.relapsed", now, host=case.host, diagnosis=found.name, seconds=seconds)
        )
    return told


def treated(made: HealingEvent, remedy: Remedy, now: Instant) -> list[Event]:
    """What is done about it."""
    told = [
        event(
            "host.treated", now, healing_id=made.id, host=made.host, diagnosis=made.diagnosis,
            remediation=remedy.kind, why=remedy.why,
        )
    ]  # fmt: skip
    if "until" in made.params:
        told.append(paused(made, int(made.params["until"]), now))
    return told


def paused(known: HealingEvent, until: Instant, now: Instant) -> Event:
    """A host is left alone until an instant."""
    about = {"healing_id": known.id, "host": known.host, "diagnosis": known.diagnosis}
    return event("host.paused", now, **about, until=until)


def healed(known: HealingEvent, now: Instant) -> list[Event]:
    """A remedy helped; a trial of a cheaper treatment is no healing."""
    about: dict[str, Json] = {
        "healing_id": known.id, "host": known.host, "diagnosis": known.diagnosis
    }  # fmt: skip
    seconds = (now - known.created_at) / 1000
    told = [event("host.resumed", now, **about)] if "until" in known.params else []
    if is_ease(known):
        return told
    return [
        *told,
        event("host.healed", now, **about, remediation=known.remediation, seconds=seconds),
    ]


def undone(known: HealingEvent, actor: str, now: Instant) -> Event:
    """A remedy was taken back, by the factory or a person."""
    return event(
        "remedy.undone", now, healing_id=known.id, host=known.host, diagnosis=known.diagnosis,
        remediation=known.remediation, actor=actor,
    )  # fmt: skip
