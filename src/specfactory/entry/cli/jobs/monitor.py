"""``spec monitor``: how the queue stands, once or again and again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import (
    AsJson,
    as_typed,
    duration,
    json_text,
    kinds_done_here,
    moment,
    open_factory,
    per_minute,
    perform,
    print_heading,
    print_json,
    print_line,
    print_table,
    settings_from,
    shorten,
)

if TYPE_CHECKING:
    from specfactory.observe import Health
    from specfactory.orchestrate import Workbench
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


@app.command("monitor")
def monitor(
    context: typer.Context,
    run: Run = None,
    live: Live = False,
    details: Details = False,
    alerts: OnlyAlerts = False,
    export: Export = None,
    refreshes: Refreshes = None,
    as_json: AsJson = False,
) -> None:
    """Show how the queue stands: depth, workers, throughput, completion, failures, alerts.

    --live fills the terminal and keeps up with the queue; into a pipe it prints a block each
    time. When alerts are raised is said by the settings monitor.*.

    Example: spec monitor --live
    """
    settings = settings_from(context)
    if live:
        from specfactory.entry.cli.jobs.monitor_live import keep_looking

        perform(keep_looking(settings, run, details, refreshes, as_json))
        return
    health, runs = perform(_look(settings, run, details))
    if export is not None:
        _write(export, health)
    if alerts:
        _print_alerts(health, as_json)
        raise typer.Exit(1 if health.alerts else 0)
    if as_json:
        print_json(shape(health))
    elif export is None:
        print_health(health, details, runs)


async def _look(settings: Settings, run: int | None, details: bool) -> tuple[Health, list[Any]]:
    from specfactory.observe import Watch

    async with open_factory(settings) as factory:
        watch = Watch(factory.database, settings, kinds_done_here(), run)
        health = await watch.look(factory.clock.now())
        return health, await _runs(factory) if details else []


async def _runs(factory: Workbench) -> list[Any]:
    runs = factory.runs
    return [(each, await runs.progress(each.id)) for each in await runs.list(limit=10)]


def shape(health: Health) -> dict[str, Any]:
    """The figures as JSON."""
    from specfactory.observe import health_json

    return health_json(health, moment)


def _write(file: Path, health: Health) -> None:
    """Write the file whole or not at all."""
    import os

    draft = file.with_name(f".{file.name}.{os.getpid()}.draft")
    try:
        draft.write_text(json_text(shape(health), indent=2) + "\n", encoding="utf-8")
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    typer.echo(f"figures of {moment(health.at)} in {file}", err=True)


def _print_alerts(health: Health, as_json: bool) -> None:
    if as_json:
        print_json(shape(health)["alerts"])
        return
    print_table(
        ("level", "alert", "what", "what to do"),
        ((a.level, a.name, a.message, as_typed(a.advice)) for a in health.alerts),
        empty="no alerts",
    )


def print_health(health: Health, details: bool = False, runs: list[Any] | None = None) -> None:
    """The whole as plain blocks."""
    print_heading(_title(health))
    for line in headline(health):
        print_line(line)
    print_line()
    print_table(("status", *PRIORITIES, "total"), _depth_rows(health))
    print_line()
    _print_workers(health)
    if health.causes:
        print_line()
        _print_causes(health)
    if details:
        _print_details(health, runs or [])
    for alert in health.alerts:
        print_line()
        print_line(f"{alert.level}: {alert.message} ({alert.name}); {as_typed(alert.advice)}")


def _title(health: Health) -> str:
    what = "queue" if health.run is None else f"run {health.run.id} ({health.run.status})"
    return f"{what} at {moment(health.at)}: {health.word}"


def headline(health: Health) -> Iterator[str]:
    """What one wants to know first."""
    depth, pace = health.depth, health.throughput
    yield (
        f"to do {depth.left:,} ({depth.due:,} due, {depth.scheduled:,} later), "
        f"{per_minute(pace.per_minute)} over {duration(pace.seconds)}, "
        f"{pace.failure_share:.1%} failed"
    )
    yield f"complete: {completion(health)}"


def completion(health: Health) -> str:
    """When nothing will be left to do."""
    if not health.depth.left:
        return "nothing is due"
    if health.completion_at is None:
        return "unknown, nothing has ended lately"
    left = (health.completion_at - health.at) / 1000
    return f"in {duration(left)}, at {moment(health.completion_at)}"


def _depth_rows(health: Health) -> Iterator[tuple[object, ...]]:
    for status, levels in health.depth.by_priority.items():
        total = health.depth.by_status[status]
        yield (str(status), *(levels[level] or None for level in range(1, 6)), total)


def _print_workers(health: Health) -> None:
    print_table(
        ("worker", "state", "heartbeat", "done", "failed", "pace", "at work on"),
        (
            (
                each.worker.id,
                each.worker.status,
                f"{duration(each.silent_seconds)} ago",
                each.worker.done,
                each.worker.failed,
                per_minute(each.per_minute),
                shorten(", ".join(job.key for job in each.jobs[:3]), 60),
            )
            for each in health.workers
        ),
        empty="no workers; start one: spec daemon start, or spec worker",
    )


def _print_causes(health: Health) -> None:
    print_table(
        ("failure", "station", "last hour", "dead letters"),
        ((c.cause, c.station, c.errors, c.dead) for c in health.causes),
    )


def _print_details(health: Health, runs: list[Any]) -> None:
    print_line()
    print_table(
        ("job", "kind", "about", "round", "try", "worker", "for"),
        (
            (
                job.name,
                job.kind,
                shorten(job.key, 48),
                job.round,
                job.attempts,
                job.lease_owner or "",
                duration((health.at - (job.last_attempt_at or health.at)) / 1000),
            )
            for job in health.at_work
        ),
        empty="nothing is being worked on",
    )
    if runs:
        print_line()
        print_table(("run", "status", "since", "left", "done", "failed"), map(_run_row, runs))


def _run_row(found: Any) -> tuple[object, ...]:
    from specfactory.model import JobStatus

    run, counts = found
    left = sum(counts[s] for s in (JobStatus.QUEUED, JobStatus.IN_PROGRESS, JobStatus.PAUSED))
    done, failed = counts[JobStatus.COMPLETE], counts[JobStatus.FAILED]
    return run.id, str(run.status), moment(run.created_at), left, done, failed
