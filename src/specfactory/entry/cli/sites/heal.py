"""``spec heal``: what was wrong with hosts, what was done about it, and whether that helped."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import Reply, as_typed, command, hosts_meant, out
from specfactory.errors import UsageError

if TYPE_CHECKING:
    from specfactory.model import HealingEvent
    from specfactory.orchestrate import Workbench

app = typer.Typer(help="See what was wrong with hosts, what was done about it, and undo it.")

SHOWN = 50
NOTHING = "nothing was healed yet"
MOST_SHOWN = 100_000
VISITS_SHOWN = 12  # that led to a diagnosis
EventId = Annotated[int, "ID", "Its number in: spec heal history.", {"min": 1, "max": 2**62}]


ENDS = (
    "events",
    "helped",
    ("in vain", "undone"),
    ("taken back", "taken_back"),
    "asked",
    ("under way", "under_way"),
    ("mean time", lambda e: "" if e.mean_seconds is None else f"{e.mean_seconds:,.1f} s"),
)


def _remedy(params: dict[str, Any], remediation: str) -> str:
    """The remedy; by whom, where no host was treated."""
    return f"{remediation} ({params['by']})" if params.get("by") else remediation


def _took(created_at: int, checked_at: int | None) -> str:
    return "" if checked_at is None else f"{(checked_at - created_at) / 1000:,.1f} s"


EVENTS = (
    "id",
    ("since", lambda e: shapes.moment(e.created_at)),
    "host",
    "diagnosis",
    ("remedy", lambda e: _remedy(e.params, e.remediation)),
    "status",
    ("took", lambda e: _took(e.created_at, e.checked_at)),
)
VISITS = (
    "at",
    "outcome",
    "status",
    ("way", lambda v: f"{v.rung} {v.proxy}".strip()),
    ("confidence", lambda v: "" if v.confidence is None else f"{v.confidence:.2f}"),
    "evidence",
)


@command(app, "stats")
async def show_stats(factory: Workbench) -> Reply:
    """Show how much was healed, by diagnosis and by remedy, and who ails now.

    The success rate is the share of illnesses that ended without a person. Trials of cheaper
    treatments are listed with the remedies, and do not count as healing.

    Example: spec heal stats
    """
    from msgspec import UNSET

    from specfactory.heal import figures_of

    figures = figures_of(await factory.healings.counts())
    failing = await factory.healings.open()
    shape = shapes.sites.HealingStats.of(
        total_healed=figures.total.helped,
        success_rate=figures.success_rate,
        top_failures=[
            shapes.sites.Ends.of(ends, failure=name, remedy=UNSET)
            for name, ends in figures.diagnoses.items()
        ],
        remedies=[
            shapes.sites.Ends.of(ends, failure=UNSET, remedy=name)
            for name, ends in figures.remedies.items()
        ],
        ailing=failing,
    )

    def show(found: shapes.sites.HealingStats) -> None:
        rate = found.success_rate
        said = NOTHING if rate is None else f"success rate {rate:.0%}"
        out.line(f"{found.total_healed} healed, {figures.total.asked} put to a person, {said}")
        out.section("", (("diagnosis", "failure"), *ENDS), found.top_failures)
        out.section("", ("remedy", *ENDS), found.remedies)
        out.section("ailing now", EVENTS, failing)

    return Reply(shape, show)


@command(app, "history")
async def show_history(
    factory: Workbench,
    host: Annotated[str | None, "--host H", "Only of this host."] = None,
    limit: Annotated[int, "--limit", "So many, the latest.", {"min": 1, "max": MOST_SHOWN}] = SHOWN,
) -> Reply:
    """List what was diagnosed and done, the latest first.

    A remedy is tried, then it helped or was undone; asked means that a person must look, and
    taken_back that one has undone it.
    What ails the factory itself is listed under the host "factory".

    Example: spec heal history --host shop.example
    """
    if host is None:
        events = await factory.healings.latest(limit)
    else:
        hosts = await hosts_meant(factory, host)
        found = [one for h in hosts if h for one in await factory.healings.of_host(h, limit)]
        events = sorted(found, key=lambda one: (-one.created_at, -one.id))[:limit]
    empty = f"nothing was healed at {host}" if host else NOTHING
    # The table is made of the events: how long one took is less than the shape's seconds.
    return Reply(
        shapes.sites.HealingShape.all_of(events), lambda _: out.table(EVENTS, events, empty=empty)
    )


@command(app, "explain")
async def explain_event(factory: Workbench, event_id: EventId) -> Reply:
    """Tell why a host was treated: the visits that led to it, the remedy, and how it went.

    Example: spec heal explain 12
    """
    from specfactory.heal import plain_care

    event = await factory.healings.get(event_id)
    visits = await factory.visits.recent(event.host, factory.settings.heal.history * 4)
    shape = shapes.sites.HealingExplained.of(
        event, visits=visits, care_now=plain_care(await factory.policies.care(event.host))
    )
    before = [v for v in visits if v.at <= event.created_at]
    since = [v for v in visits if event.created_at < v.at <= (event.checked_at or v.at)]
    around = {
        "visits before": shapes.sites.VisitShape.all_of(before[:VISITS_SHOWN]),
        "visits since": shapes.sites.VisitShape.all_of(since[-VISITS_SHOWN:]),
    }
    return Reply(shape, partial(_explain, event, around))


def _explain(
    event: HealingEvent, around: dict[str, Any], shape: shapes.sites.HealingExplained
) -> None:
    from specfactory.model import Problem

    meanings = {str(one): one.meaning for one in Problem}
    out.heading(f"{event.host}: {event.diagnosis}")
    out.text(meanings.get(event.diagnosis, ""))
    for reason in event.reasons:
        out.text(reason, indent="  ", mark="- ")
    out.line()
    out.line(f"remedy: {_remedy(shape.params, event.remediation)}, {shape.created_at}")
    changes = {
        name: f"{_care(name, shape.before.get(name))} → {_care(name, new)}"
        for name, new in shape.params.get("care", {}).items()
    }
    if "rung" in shape.params:
        changes["way"] = f"{shape.params.get('from')} → {shape.params['rung']}"
    if shape.params.get("proxy"):
        changes["proxy"] = str(shape.params["proxy"])
    for name, change in changes.items():
        out.text(change, indent="  ", mark=f"{name}: ")
    results = {
        "tried": "not known yet",
        "helped": f"it helped, {_took(event.created_at, event.checked_at)}",
        "undone": "in vain; it was taken back",
        "taken_back": "a person has taken it back",
        "asked": f"a person must look; see: spec review list, and: spec heal undo {event.id}",
    }
    out.text(as_typed(results[event.status]), mark="result: ")
    for title, visits in around.items():
        out.section(title, VISITS, visits)
    if shape.care_now:
        treated = ", ".join(
            f"{name} {_care(name, value)}" for name, value in shape.care_now.items()
        )
        out.line()
        out.text(treated, mark="treated now: ")


def _care(name: str, value: Any) -> str:
    if name == "paused_until":
        return shapes.moment(int(value)) if value else "not paused"
    return str(value) if value not in ("", None) else "-"


@command(app, "undo")
async def undo_event(factory: Workbench, event_id: EventId) -> None:
    """Take a remedy back: the host is treated as before, a pause ends, its question is closed.

    What was changed since by another remedy stays. If the host fails again, it is diagnosed
    again.

    Example: spec heal undo 12
    """
    from specfactory.heal import FACTORY, is_by_ladder
    from specfactory.model import HealingStatus
    from specfactory.orchestrate.healing import undo
    from specfactory.review import os_user

    event = await factory.healings.get(event_id)
    if event.status in (HealingStatus.UNDONE, HealingStatus.TAKEN_BACK):
        raise UsageError(f"healing event {event_id} was taken back before")
    if event.host == FACTORY or is_by_ladder(event):
        raise UsageError(f"healing event {event_id} changed nothing that could be taken back")
    undone = await undo(factory, event_id, os_user())
    out.line(f"{undone.remediation} at {undone.host} was taken back")
