"""Events of healing."""

from specfactory.declared_events import event
from specfactory.heal import HostHistory, is_ease
from specfactory.model import Diagnosis, Event, HealingEvent, HealingStatus, Instant, Json, Remedy


def diagnosed(history: HostHistory, found: Diagnosis) -> list[Event]:
    """A new diagnosis; a relapse where the host was thought to be healed of it."""
    now, host = history.now, history.host
    made = [
        event(
            "host.diagnosed", now, host=host, diagnosis=found.name, failure=found.failure,
            certainty=found.certainty, reasons=list(found.reasons),
        )
    ]  # fmt: skip
    last = history.events[0] if history.events else None
    if last is not None and last.status is HealingStatus.HELPED and last.diagnosis == found.name:
        seconds = (now - (last.checked_at or last.created_at)) / 1000
        made.append(event("host.relapsed", now, host=host, diagnosis=found.name, seconds=seconds))
    return made


def treated(made: HealingEvent, remedy: Remedy, now: Instant) -> list[Event]:
    """A remedy begins."""
    events = [
        event(
            "host.treated", now, healing_id=made.id, host=made.host, diagnosis=made.diagnosis,
            remediation=remedy.kind, why=remedy.why,
        )
    ]  # fmt: skip
    if "until" in made.params:
        events.append(paused(made, int(made.params["until"]), now))
    return events


def paused(known: HealingEvent, until: Instant, now: Instant) -> Event:
    """A pause of a host."""
    about = {"healing_id": known.id, "host": known.host, "diagnosis": known.diagnosis}
    return event("host.paused", now, **about, until=until)


def healed(known: HealingEvent, now: Instant) -> list[Event]:
    """A remedy helped; a trial of doing with less is no healing."""
    about: dict[str, Json] = {
        "healing_id": known.id, "host": known.host, "diagnosis": known.diagnosis
    }  # fmt: skip
    seconds = (now - known.created_at) / 1000
    events = [event("host.resumed", now, **about)] if "until" in known.params else []
    if is_ease(known):
        return events
    return [
        *events,
        event("host.healed", now, **about, remediation=known.remediation, seconds=seconds),
    ]


def undone(known: HealingEvent, actor: str, now: Instant) -> Event:
    """A remedy was undone, by the factory or a person."""
    return event(
        "remedy.undone", now, healing_id=known.id, host=known.host, diagnosis=known.diagnosis,
        remediation=known.remediation, actor=actor,
    )  # fmt: skip
