"""Events of healing."""

from specfactory.declared_events import event
from specfactory.heal import HostHistory, is_ease
from specfactory.model import Diagnosis, Event, HealingEvent, HealingStatus, Instant, Json, Remedy


def diagnosed(history: HostHistory, found: Diagnosis) -> list[Event]:
    """A new diagnosis; a relapse where the host was thought to be healed of it."""
    now, about = history.now, {"host": history.host, "diagnosis": found.name}
    made = [
        event(
            "host.diagnosed", now, **about, failure=found.failure, certainty=found.certainty,
            reasons=list(found.reasons),
        )
    ]  # fmt: skip
    last = history.events[0] if history.events else None
    if last is not None and last.status is HealingStatus.HELPED and last.diagnosis == found.name:
        seconds = (now - (last.checked_at or last.created_at)) / 1000
        made.append(event("host.relapsed", now, **about, seconds=seconds))
    return made


def treated(made: HealingEvent, remedy: Remedy, now: Instant) -> list[Event]:
    """A remedy begins."""
    about = {"remediation": remedy.kind, "why": remedy.why}
    events = [event("host.treated", now, **_about(made), **about)]
    if "until" in made.params:
        events.append(paused(made, int(made.params["until"]), now))
    return events


def paused(known: HealingEvent, until: Instant, now: Instant) -> Event:
    """A pause of a host."""
    return event("host.paused", now, **_about(known), until=until)


def healed(known: HealingEvent, now: Instant) -> list[Event]:
    """A remedy helped; a trial of doing with less is no healing."""
    events = [event("host.resumed", now, **_about(known))] if "until" in known.params else []
    if not is_ease(known):
        how = {"remediation": known.remediation, "seconds": (now - known.created_at) / 1000}
        events.append(event("host.healed", now, **_about(known), **how))
    return events


def undone(known: HealingEvent, actor: str, now: Instant) -> Event:
    """A remedy was undone, by the factory or a person."""
    about = {"remediation": known.remediation, "actor": actor}
    return event("remedy.undone", now, **_about(known), **about)


def _about(known: HealingEvent) -> dict[str, Json]:
    return {"healing_id": known.id, "host": known.host, "diagnosis": known.diagnosis}
