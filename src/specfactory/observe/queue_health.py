"""Health of the queue at one instant: depth, pace, workers, failures."""

from collections.abc import Collection, Mapping

from specfactory.model import Frozen, HealingEvent, Instant, Job, JobStatus, Run
from specfactory.observe.health_of_workers import WorkerHealth
from specfactory.observe.throughput import Throughput
from specfactory.store import Stats
from specfactory.store.queue import CauseCount


class Depth(Frozen):
    """Number of jobs, by status and by priority."""

    by_status: Mapping[JobStatus, int]
    by_priority: Mapping[JobStatus, Mapping[int, int]]  # of each status, every priority
    unknown_kinds: Mapping[str, int]  # waiting for a version that can do them
    due: int = 0  # queued and to be claimed now
    oldest_due_at: Instant | None = None

    @property
    def scheduled(self) -> int:
        """Queued for a later time."""
        unknown = sum(self.unknown_kinds.values())
        return max(self.by_status[JobStatus.QUEUED] - unknown - self.due, 0)

    @property
    def left(self) -> int:
        """Jobs that workers have to do now: due or in progress."""
        return self.due + self.by_status[JobStatus.IN_PROGRESS]

    @property
    def total(self) -> int:
        """All jobs that are kept in full."""
        return sum(self.by_status.values())


class Alert(Frozen):
    """Something a person should look at."""

    name: str
    level: str  # "warn", or "fail" when nothing moves any more
    message: str
    advice: str


class Health(Frozen):
    """Everything the monitor shows."""

    at: Instant
    depth: Depth
    throughput: Throughput
    trend: tuple[float | None, ...]  # jobs a minute, stretch by stretch, the latest last
    completion_at: Instant | None
    workers: tuple[WorkerHealth, ...] = ()
    causes: tuple[CauseCount, ...] = ()
    at_work: tuple[Job, ...] = ()
    overdue: int = 0  # expired leases that were not given to another worker
    last_ended_seconds: float | None = None  # None: nothing ended within the window
    run: Run | None = None
    ailing: tuple[HealingEvent, ...] = ()  # failing hosts, under a remedy or in review
    alerts: tuple[Alert, ...] = ()

    @property
    def alive(self) -> int:
        """Workers that take or finish jobs."""
        return sum(1 for worker in self.workers if worker.alive)

    @property
    def word(self) -> str:
        """The state in one word."""
        if any(alert.level == "fail" for alert in self.alerts):
            return "stalled" if self.alive else "no workers"
        if self.depth.by_status[JobStatus.IN_PROGRESS]:
            return "working"
        return "waiting" if self.depth.due else "idle"


def unknown_kinds(stats: Stats, kinds: Collection[str]) -> dict[str, int]:
    """Number of waiting jobs by kind, of kinds that no worker knows; they are kept."""
    waiting = stats.by_kind(JobStatus.QUEUED)
    return {kind: jobs for kind, jobs in sorted(waiting.items()) if kind not in kinds}


def depth(stats: Stats, kinds: Collection[str], due: int, oldest_due_at: Instant | None) -> Depth:
    """The depth of the whole queue, of which these kinds can be done."""
    return Depth(
        stats.by_status(),
        {status: stats.by_priority(status) for status in JobStatus},
        unknown_kinds(stats, kinds),
        due,
        oldest_due_at,
    )


def depth_of_run(counts: Mapping[JobStatus, Mapping[int, int]], due: int) -> Depth:
    """The depth of one run, from its jobs by status and priority."""
    full = {
        status: {level: counts.get(status, {}).get(level, 0) for level in range(1, 6)}
        for status in JobStatus
    }
    return Depth({status: sum(levels.values()) for status, levels in full.items()}, full, {}, due)
