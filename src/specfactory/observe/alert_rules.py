"""When an operator is alerted, by thresholds from the settings; ``spec monitor`` shows it."""

from collections.abc import Iterator

from specfactory.model import JobStatus
from specfactory.observe.queue_health import Alert, Health
from specfactory.settings import MonitorSettings

ENOUGH_ENDED = 5  # fewer say nothing about a share


def find_alerts(health: Health, limits: MonitorSettings) -> tuple[Alert, ...]:
    """All alerts, those that stop everything first."""
    found = [*_about_workers(health, limits), *_about_jobs(health, limits)]
    return tuple(sorted(found, key=lambda alert: alert.level != "fail"))


def _about_workers(health: Health, limits: MonitorSettings) -> Iterator[Alert]:
    left = health.depth.left
    if left and not health.alive:
        yield Alert(
            "no_workers", "fail", f"{jobs(left)} to do and no worker is alive", "spec daemon start"
        )
    since = health.last_ended_seconds
    idle = health.throughput.seconds if since is None else since
    if health.alive and left and idle >= limits.alert_stall_minutes * 60:
        yield Alert(
            "stalled", "fail", f"jobs are due and none has ended for {idle / 60:.0f} minutes",
            "spec monitor --details",
        )  # fmt: skip
    lost = [each.worker.id for each in health.workers if each.worker.status == "lost"]
    if lost:
        yield Alert(
            "worker_lost", "warn", f"silent: {', '.join(lost[:3])}" + _more(len(lost) - 3),
            "their jobs go to others when the leases end",
        )  # fmt: skip
    if health.overdue:
        yield Alert(
            "lease_overdue", "warn", f"{health.overdue:,} leases ran out and were not taken back",
            "any living worker takes such jobs; is one running?",
        )  # fmt: skip


def _about_jobs(health: Health, limits: MonitorSettings) -> Iterator[Alert]:
    pace, depth = health.throughput, health.depth
    if pace.ended >= ENOUGH_ENDED and pace.failure_share > limits.alert_failure_share:
        yield Alert(
            "failing", "warn",
            f"{pace.failure_share:.0%} of {jobs(pace.ended)} failed "
            f"in the last {pace.seconds / 60:.0f} minutes",
            "spec deadletter analyze",
        )  # fmt: skip
    dead = depth.by_status[JobStatus.FAILED]
    if dead >= limits.alert_dead_letters:
        yield Alert("dead_letters", "warn", f"{dead:,} dead letters", "spec deadletter analyze")
    oldest = depth.oldest_due_at
    minutes = 0.0 if oldest is None else (health.at - oldest) / 60_000
    if minutes > limits.alert_waiting_minutes:
        yield Alert(
            "waiting", "warn", f"the oldest due job has waited {minutes:,.0f} minutes",
            "more workers: spec worker --workers 4",
        )  # fmt: skip
    hosts = [f"{event.host} ({event.diagnosis})" for event in health.ailing]
    if hosts:
        yield Alert(
            "hosts_ailing", "warn", f"not well: {', '.join(hosts[:3])}" + _more(len(hosts) - 3),
            "spec heal stats",
        )  # fmt: skip
    for kind, count in depth.unknown_kinds.items():
        yield Alert(
            "unknown_kind", "warn", f"{jobs(count)} of kind {kind!r}: nobody can do that",
            "they are kept",
        )  # fmt: skip
    nothing = not depth.left and not depth.scheduled
    if limits.alert_when_empty and nothing and health.alive and health.run is None:
        yield Alert("queue_empty", "warn", "nothing is left to do", "spec queue add-batch")


def jobs(count: int) -> str:
    """1 job, 2,000 jobs."""
    return f"{count:,} job" + ("" if count == 1 else "s")


def _more(count: int) -> str:
    return f" and {count} more" if count > 0 else ""
