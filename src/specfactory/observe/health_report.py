"""The queue's health as JSON, for machines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import asdict

from specfactory.model import Instant, Job
from specfactory.observe.queue_health import Depth, Health, WorkerHealth

When = Callable[[Instant | None], str | None]


def health_json(health: Health, moment: Callable[[Instant], str]) -> dict[str, Any]:
    """Everything the monitor knows; ``moment`` writes instants."""

    def when(at: Instant | None) -> str | None:
        return None if at is None else moment(at)

    return {
        "at": when(health.at),
        "state": health.word,
        "run": None
        if (run := health.run) is None
        else {
            "run": run.id,
            "status": run.status,
            "config_hash": run.config_hash,
            "created_at": when(run.created_at),
            "finished_at": when(run.finished_at),
            "summary": run.summary,
        },
        "depth": _depth_json(health.depth, when),
        "throughput": {
            "done": health.throughput.done,
            "failed": health.throughput.failed,
            "seconds": round(health.throughput.seconds, 3),
            "per_minute": round(health.throughput.per_minute, 3),
            "failure_share": round(health.throughput.failure_share, 4),
            "trend_per_minute": [None if x is None else round(x, 3) for x in health.trend],
        },
        "completion_at": when(health.completion_at),
        "workers": [_worker_json(each, when) for each in health.workers],
        "in_progress": [_job_json(job, when) for job in health.at_work],
        "failures": [
            {"cause": c.cause, "station": c.station, "errors_last_hour": c.errors,
             "dead_letters": c.dead}
            for c in health.causes
        ],
        "hosts": [
            {"host": each.host, "visits": each.visits, "good": each.good,
             "success": round(each.success, 4)}
            for each in health.hosts
        ],
        "overdue_leases": health.overdue,
        "waiting": [
            {"for": wait.cause, "words": wait.words, "jobs": wait.jobs, "until": when(wait.until)}
            for wait in health.waiting
        ],
        "alerts": [asdict(alert) for alert in health.alerts],
    }  # fmt: skip


def _depth_json(depth: Depth, when: When) -> dict[str, Any]:
    return {
        "total": depth.total,
        "due": depth.due,
        "scheduled": depth.scheduled,
        "oldest_due_at": when(depth.oldest_due_at),
        "by_status": {str(status): jobs for status, jobs in depth.by_status.items()},
        "by_priority": {
            str(status): {str(level): jobs for level, jobs in levels.items()}
            for status, levels in depth.by_priority.items()
        },
        "unknown_kinds": dict(depth.unknown_kinds),
    }


def _worker_json(each: WorkerHealth, when: When) -> dict[str, Any]:
    worker = each.worker
    return {
        "worker": worker.id,
        "host": worker.host,
        "pid": worker.pid,
        "kinds": list(worker.kinds),
        "status": worker.status,
        "started_at": when(worker.started_at),
        "seen_at": when(worker.seen_at),
        "silent_seconds": round(each.silent_seconds, 3),
        "done": worker.done,
        "failed": worker.failed,
        "per_minute": round(each.per_minute, 3),
        "busy_share": round(each.busy_share, 4),
        "jobs": [job.name for job in each.jobs],
    }


def _job_json(job: Job, when: When) -> dict[str, Any]:
    return {
        "job": job.name,
        "kind": job.kind,
        "key": job.key,
        "round": job.round,
        "attempt": job.attempts,
        "worker": job.lease_owner,
        "since": when(job.last_attempt_at),
        "lease_until": when(job.lease_until),
    }
