"""The state of the queue as plain blocks, and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from specfactory.entry.cli.terminal import (
    as_typed,
    duration,
    per_minute,
    print_heading,
    print_line,
    print_section,
    shorten,
)
from specfactory.entry.shapes import moment

if TYPE_CHECKING:
    from specfactory.observe import Health

PRIORITIES = ("1 urgent", "2 high", "3 normal", "4 low", "5 background")


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
