"""``spec heal``: what was wrong with hosts, what was done about it, and whether that helped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import (
    AsJson,
    as_typed,
    hosts_meant,
    moment,
    open_factory,
    perform,
    print_heading,
    print_json,
    print_line,
    print_table,
    print_text,
    settings_from,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from specfactory.heal import Ends, Figures
    from specfactory.model import HealingEvent, HostCare, Visit
    from specfactory.settings import Settings

app = typer.Typer(help="See what was wrong with hosts, what was done about it, and undo it.")

SHOWN = 50
NOTHING = "nothing was healed yet"
MOST_SHOWN = 100_000
_ENDS = ("helped", "in vain", "taken back", "asked", "under way", "mean time")
VISITS_SHOWN = 12  # that led to a diagnosis
EventId = Annotated[
    int,
    typer.Argument(metavar="ID", min=1, max=2**62, help="Its number in: spec heal history."),
]


@app.command("stats")
def show_stats(context: typer.Context, as_json: AsJson = False) -> None:
    """Show how much was healed, by diagnosis and by remedy, and who ails now.

    The success rate is the share of illnesses that ended without a person. Trials of cheaper
    treatments are listed with the remedies, and do not count as healing.

    Example: spec heal stats
    """
    figures, ailing = perform(_figures(settings_from(context)))
    if as_json:
        print_json(_stats_json(figures, ailing))
        return
    total, rate = figures.total, figures.success_rate
    said = NOTHING if rate is None else f"success rate {rate:.0%}"
    print_line(f"{total.helped} healed, {total.asked} put to a person, {said}")
    for title, ends in (("diagnosis", figures.diagnoses), ("remedy", figures.remedies)):
        if ends:
            print_line()
            columns = (title, "events", *_ENDS)
            print_table(columns, [(name, *_ends(found)) for name, found in ends.items()])
    if ailing:
        print_line()
        print_heading("ailing now")
        _print_events(ailing)


@app.command("history")
def show_history(
    context: typer.Context,
    host: Annotated[
        str | None, typer.Option("--host", metavar="H", help="Only of this host.")
    ] = None,
    limit: Annotated[int, typer.Option(help="So many, the latest.", min=1, max=MOST_SHOWN)] = SHOWN,
    as_json: AsJson = False,
) -> None:
    """List what was diagnosed and done, the latest first.

    A remedy is tried, then it helped or was undone; asked means that a person must look, and
    taken_back that one has undone it.
    What ails the factory itself is listed under the host "factory".

    Example: spec heal history --host shop.example
    """
    events = perform(_events(settings_from(context), host, limit))
    if as_json:
        print_json([_event_json(event) for event in events])
        return
    _print_events(events, f"nothing was healed at {host}" if host else NOTHING)


@app.command("explain")
def explain_event(context: typer.Context, event_id: EventId, as_json: AsJson = False) -> None:
    """Tell why a host was treated: the visits that led to it, the remedy, and how it went.

    Example: spec heal explain 12
    """
    event, visits, care = perform(_explained(settings_from(context), event_id))
    if as_json:
        shown = {"visits": [_visit_json(v) for v in visits], "care_now": _care_json(care)}
        print_json({**_event_json(event), **shown})
        return
    _print_explained(event, visits, care)


@app.command("undo")
def undo_event(context: typer.Context, event_id: EventId) -> None:
    """Take a remedy back: the host is treated as before, a pause ends, its question is closed.

    What was changed since by another remedy stays. If the host fails again, it is diagnosed
    again.

    Example: spec heal undo 12
    """
    event = perform(_undone(settings_from(context), event_id))
    print_line(f"{event.remediation} at {event.host} was taken back")


async def _figures(settings: Settings) -> tuple[Figures, list[HealingEvent]]:
    from specfactory.heal import figures_of

    async with open_factory(settings) as factory:
        counts = await factory.healings.counts()
        return figures_of(counts), await factory.healings.open()


async def _events(settings: Settings, host: str | None, limit: int) -> list[HealingEvent]:
    async with open_factory(settings) as factory:
        if host is None:
            return await factory.healings.latest(limit)
        hosts = await hosts_meant(factory, host)
        found = [one for h in hosts if h for one in await factory.healings.of_host(h, limit)]
    return sorted(found, key=lambda one: (-one.created_at, -one.id))[:limit]


async def _explained(
    settings: Settings, event_id: int
) -> tuple[HealingEvent, list[Visit], HostCare]:
    async with open_factory(settings) as factory:
        event = await factory.healings.get(event_id)
        visits = await factory.visits.recent(event.host, settings.heal.history * 4)
        return event, visits, await factory.policies.care(event.host)


async def _undone(settings: Settings, event_id: int) -> HealingEvent:
    from specfactory.errors import UsageError
    from specfactory.heal import FACTORY, is_by_ladder
    from specfactory.model import HealingStatus
    from specfactory.orchestrate.healing import undo
    from specfactory.review import os_user

    async with open_factory(settings) as factory:
        event = await factory.healings.get(event_id)
        if event.status in (HealingStatus.UNDONE, HealingStatus.TAKEN_BACK):
            raise UsageError(f"healing event {event_id} was taken back before")
        if event.host == FACTORY or is_by_ladder(event):
            raise UsageError(f"healing event {event_id} changed nothing that could be taken back")
        return await undo(factory, event_id, os_user())


def _print_events(events: Sequence[HealingEvent], empty: str = NOTHING) -> None:
    columns = ("id", "since", "host", "diagnosis", "remedy", "status", "took")
    rows = [
        (e.id, moment(e.created_at), e.host, e.diagnosis, _remedy(e), e.status, _took(e))
        for e in events
    ]
    print_table(columns, rows, empty=empty)


def _remedy(event: HealingEvent) -> str:
    """What was done; by whom, where no host was treated."""
    by = event.params.get("by")
    return f"{event.remediation} ({by})" if by else event.remediation


def _print_explained(event: HealingEvent, visits: Sequence[Visit], care: HostCare) -> None:
    from specfactory.heal import MEANINGS

    meaning = {str(name): words for name, words in MEANINGS.items()}.get(event.diagnosis, "")
    print_heading(f"{event.host}: {event.diagnosis}")
    print_text(meaning)
    for reason in event.reasons:
        print_text(reason, indent="  ", mark="- ")
    print_line()
    print_line(f"remedy: {_remedy(event)}, {moment(event.created_at)}")
    for name, value in _changes(event):
        print_text(value, indent="  ", mark=f"{name}: ")
    print_text(_result(event), mark="result: ")
    before = [v for v in visits if v.at <= event.created_at][:VISITS_SHOWN]
    after = [v for v in visits if event.created_at < v.at <= (event.checked_at or v.at)]
    for title, found in (("visits before", before), ("visits since", after[-VISITS_SHOWN:])):
        if found:
            print_line()
            print_heading(title)
            _print_visits(found)
    if treated := _care_json(care):
        print_line()
        care_now = ", ".join(f"{name} {_value(name, value)}" for name, value in treated.items())
        print_text(care_now, mark="treated now: ")


def _print_visits(visits: Sequence[Visit]) -> None:
    columns = ("at", "outcome", "status", "way", "confidence", "evidence")
    rows = [
        (
            moment(v.at), v.outcome, v.status, f"{v.rung} {v.proxy}".strip(),
            "" if v.confidence is None else f"{v.confidence:.2f}", v.evidence,
        )
        for v in visits
    ]  # fmt: skip
    print_table(columns, rows)


def _changes(event: HealingEvent) -> list[tuple[str, str]]:
    """What a remedy changed, as it was and as it became."""
    changed = event.params.get("care", {})
    shown = [
        (name, f"{_value(name, event.before.get(name))} → {_value(name, new)}")
        for name, new in changed.items()
    ]
    if "rung" in event.params:
        shown.append(("way", f"{event.params.get('from')} → {event.params['rung']}"))
    if event.params.get("proxy"):
        shown.append(("proxy", str(event.params["proxy"])))
    return shown


def _value(name: str, value: Any) -> str:
    if name == "paused_until":
        return moment(int(value)) if value else "not paused"
    return str(value) if value not in ("", None) else "-"


def _result(event: HealingEvent) -> str:
    words = {
        "tried": "not known yet",
        "helped": f"it helped, {_took(event)}",
        "undone": "in vain; it was taken back",
        "taken_back": "a person has taken it back",
        "asked": f"a person must look; see: spec review list, and: spec heal undo {event.id}",
    }
    return as_typed(words[event.status])


def _took(event: HealingEvent) -> str:
    if event.checked_at is None:
        return ""
    return f"{(event.checked_at - event.created_at) / 1000:,.1f} s"


def _ends(found: Ends) -> tuple[object, ...]:
    mean = "" if found.mean_seconds is None else f"{found.mean_seconds:,.1f} s"
    ends = (found.helped, found.undone, found.taken_back, found.asked, found.under_way)
    return found.tried, *ends, mean


def _stats_json(figures: Figures, ailing: Sequence[HealingEvent]) -> dict[str, Any]:
    return {
        "total_healed": figures.total.helped,
        "success_rate": figures.success_rate,
        "top_failures": [
            {"failure": name, **_ends_json(ends)} for name, ends in figures.diagnoses.items()
        ],
        "remedies": [
            {"remedy": name, **_ends_json(ends)} for name, ends in figures.remedies.items()
        ],
        "ailing": [_event_json(event) for event in ailing],
    }


def _ends_json(ends: Ends) -> dict[str, Any]:
    return {
        "events": ends.tried,
        "helped": ends.helped,
        "undone": ends.undone,
        "taken_back": ends.taken_back,
        "asked": ends.asked,
        "under_way": ends.under_way,
        "mean_seconds": ends.mean_seconds,
    }


def _event_json(event: HealingEvent) -> dict[str, Any]:
    return {
        "id": event.id,
        "host": event.host,
        "failure_type": event.failure_type,
        "diagnosis": event.diagnosis,
        "remediation": event.remediation,
        "status": event.status,
        "success": event.success,
        "created_at": moment(event.created_at),
        "checked_at": moment(event.checked_at) if event.checked_at else None,
        "reasons": list(event.reasons),
        "params": dict(event.params),
        "before": dict(event.before),
    }


def _visit_json(visit: Visit) -> dict[str, Any]:
    return {
        "at": moment(visit.at),
        "url": visit.url,
        "outcome": visit.outcome,
        "evidence": visit.evidence,
        "status": visit.status,
        "rung": visit.rung,
        "proxy": visit.proxy,
        "confidence": visit.confidence,
    }


def _care_json(care: HostCare) -> dict[str, Any]:
    from specfactory.heal import plain_care

    return plain_care(care)
