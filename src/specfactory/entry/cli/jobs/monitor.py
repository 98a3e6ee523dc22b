"""``spec monitor``: how the queue stands, once or again and again."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import (
    Reply,
    as_typed,
    command,
    duration,
    json_text,
    kinds_done_here,
    open_factory,
    per_minute,
    print_heading,
    print_line,
    print_section,
    print_table,
    shorten,
)
from specfactory.entry.shapes import moment

if TYPE_CHECKING:
    from specfactory.observe import Health
    from specfactory.settings import Settings

app = typer.Typer()

Run = Annotated[
    int | None,
    typer.Option("--run", metavar="RUN", min=1, max=2**62, help="Only this run, by its number."),
]
Live = Annotated[bool, typer.Option("--live", help="Look again and again; q or Ctrl-C leaves.")]
Details = Annotated[
    bool, typer.Option("--details", help="Also what is being worked on, and the runs.")
]
OnlyAlerts = Annotated[
    bool, typer.Option("--alerts", help="Only the alerts; exit 1 when there is one.")
]
Export = Annotated[
    Path | None, typer.Option("--export", metavar="FILE", help="Write the figures there as JSON.")
]
Refreshes = Annotated[
    int | None,
    typer.Option("--refreshes", min=1, metavar="N", help="With --live: leave after so many."),
]
PRIORITIES = ("1 urgent", "2 high", "3 normal", "4 low", "5 background")


ALERTS = (
    "level",
    ("alert", "name"),
    ("what", "message"),
    ("what to do", lambda a: as_typed(a.advice)),
)
WORKERS = (
    ("worker", lambda each: each.worker.id),
    ("state", lambda each: each.worker.status),
    ("heartbeat", lambda each: f"{duration(each.silent_seconds)} ago"),
    ("done", lambda each: each.worker.done),
    ("failed", lambda each: each.worker.failed),
    ("pace", lambda each: per_minute(each.per_minute)),
    ("at work on", lambda each: shorten(", ".join(job.key for job in each.jobs[:3]), 60)),
)
CAUSES = (("failure", "cause"), "station", ("last hour", "errors"), ("dead letters", "dead"))


@command(app, "monitor")
async def monitor(
    settings: Settings,
    as_json: bool,
    run: Run = None,
    live: Live = False,
    details: Details = False,
    alerts: OnlyAlerts = False,
    export: Export = None,
    refreshes: Refreshes = None,
) -> Reply:
    """Show how the queue stands: depth, workers, throughput, completion, failures, alerts.

    --live fills the terminal and keeps up with the queue; into a pipe it prints a block each
    time. When alerts are raised is said by the settings monitor.*.

    Example: spec monitor --live
    """
    from specfactory.observe import Watch

    if live:
        from specfactory.entry.cli.jobs.monitor_live import keep_looking

        await keep_looking(settings, run, details, refreshes, as_json)
        raise typer.Exit
    async with open_factory(settings) as factory:
        watch = Watch(factory.database, settings, kinds_done_here(), run)
        health = await watch.look(factory.clock.now())
        latest = await factory.runs.list(limit=10) if details else []
        runs = [(each, await factory.runs.progress(each.id)) for each in latest]
    if export is not None:
        # Written whole or not at all: others may read the file at any moment.
        draft = export.with_name(f".{export.name}.{os.getpid()}.draft")
        try:
            draft.write_text(json_text(shape(health), indent=2) + "\n", encoding="utf-8")
            draft.replace(export)
        finally:
            draft.unlink(missing_ok=True)
        typer.echo(f"figures of {moment(health.at)} in {export}", err=True)
    if alerts:
        show = partial(print_table, ALERTS, health.alerts, empty="no alerts")
        code = 1 if health.alerts else 0
        return Reply(shape(health)["alerts"], lambda _: show(), code=code)
    if export is not None:
        return Reply(shape(health), lambda _: None)
    return Reply(shape(health), lambda _: print_health(health, details, runs))


def shape(health: Health) -> dict[str, Any]:
    """The figures as JSON."""
    from specfactory.observe import health_json

    return health_json(health, moment)


def print_health(health: Health, details: bool = False, runs: list[Any] | None = None) -> None:
    """Print the whole as plain blocks."""
    what = "queue" if health.run is None else f"run {health.run.id} ({health.run.status})"
    print_heading(f"{what} at {moment(health.at)}: {health.word}")
    depth, pace = health.depth, health.throughput
    print_line(
        f"to do {depth.left:,} ({depth.due:,} due, {depth.scheduled:,} later), "
        f"{per_minute(pace.per_minute)} over {duration(pace.seconds)}, "
        f"{pace.failure_share:.1%} failed"
    )
    if not depth.left:
        print_line("complete: nothing is due")
    elif health.completion_at is None:
        print_line("complete: unknown, nothing has ended lately")
    else:
        left = duration((health.completion_at - health.at) / 1000)
        print_line(f"complete: in {left}, at {moment(health.completion_at)}")
    rows = [
        (str(status), *(levels[level] or None for level in range(1, 6)), depth.by_status[status])
        for status, levels in depth.by_priority.items()
    ]
    print_section("", ("status", *PRIORITIES, "total"), rows)
    none = "no workers; start one: spec daemon start, or spec worker"
    print_section("", WORKERS, health.workers, empty=none)
    print_section("", CAUSES, health.causes)
    if details:
        _print_details(health, runs or [])
    for alert in health.alerts:
        print_line()
        print_line(f"{alert.level}: {alert.message} ({alert.name}); {as_typed(alert.advice)}")


def _print_details(health: Health, runs: list[Any]) -> None:
    from specfactory.model import JobStatus

    print_section(
        "",
        (
            ("job", "name"),
            "kind",
            ("about", lambda job: shorten(job.key, 48)),
            "round",
            ("try", "attempts"),
            ("worker", lambda job: job.lease_owner or ""),
            ("for", lambda job: duration((health.at - (job.last_attempt_at or health.at)) / 1000)),
        ),
        health.at_work,
        empty="nothing is being worked on",
    )
    to_do = (JobStatus.QUEUED, JobStatus.IN_PROGRESS, JobStatus.PAUSED)
    rows = [
        (run.id, str(run.status), moment(run.created_at), sum(counts[s] for s in to_do),
         counts[JobStatus.COMPLETE], counts[JobStatus.FAILED])
        for run, counts in runs
    ]  # fmt: skip
    print_section("", ("run", "status", "since", "left", "done", "failed"), rows)
