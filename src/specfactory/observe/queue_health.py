"""Health of the queue at one instant: depth, pace, workers, failures."""

from collections.abc import Collection, Iterable, Mapping

from specfactory.model import Frozen, HealingEvent, Instant, Job, JobStatus, Run, WorkerReport
from specfactory.observe.throughput import Throughput
from specfactory.store import Stats
from specfactory.store.queue import CauseCount, HostCount

GONE_SHOWN_SECONDS = 600.0
LEAST_PACE_MS = 10_000  # a shorter time says nothing about a pace


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


class WorkerHealth(Frozen):
    """A worker, its pace and its jobs."""

    worker: WorkerReport
    silent_seconds: float
    per_minute: float
    jobs: tuple[Job, ...] = ()
    busy_share: float = 0.0  # of its slots, lately

    @property
    def alive(self) -> bool:
        """True if it takes or finishes jobs."""
        return self.worker.status not in ("lost", "gone")

    @property
    def failure_share(self) -> float:
        """The share of its jobs that failed."""
        ended = self.worker.done + self.worker.failed
        return self.worker.failed / ended if ended else 0.0


class Alert(Frozen):
    """Something a person should look at."""

    name: str
    level: str  # "warn", or "fail" when nothing moves any more
    message: str
    advice: str


class Wait(Frozen):
    """Jobs that wait for the same, until an instant where one is known."""

    cause: str  # worker, slot, start_interval, host, retry, schedule, review, paused, unknown_kind
    words: str  # for people, with the command that ends it
    jobs: int
    until: Instant | None = None


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
    hosts: tuple[HostCount, ...] = ()  # visited lately, those that fail most first
    waiting: tuple[Wait, ...] = ()  # what holds up the most jobs first
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
    levels = {status: stats.by_priority(status) for status in JobStatus}
    return Depth(stats.by_status(), levels, unknown_kinds(stats, kinds), due, oldest_due_at)


def depth_of_run(counts: Mapping[JobStatus, Mapping[int, int]], due: int) -> Depth:
    """The depth of one run, from its jobs by status and priority."""
    full = {
        status: {level: counts.get(status, {}).get(level, 0) for level in range(1, 6)}
        for status in JobStatus
    }
    return Depth({status: sum(levels.values()) for status, levels in full.items()}, full, {}, due)


def worker_health(
    workers: Iterable[WorkerReport],
    earlier: Mapping[str, WorkerReport],
    at_work: Iterable[Job],
    now: Instant,
) -> tuple[WorkerHealth, ...]:
    """Each worker with its pace since it was seen ``earlier``; those long gone are left out."""
    by_owner: dict[str, list[Job]] = {}
    for job in at_work:
        by_owner.setdefault(job.lease_owner or "", []).append(job)
    found = []
    for worker in workers:
        silent_seconds = max(now - worker.seen_at, 0) / 1000
        gone = worker.status in ("gone", "lost") and silent_seconds > GONE_SHOWN_SECONDS
        if worker.id in by_owner or not gone:
            own = tuple(by_owner.get(worker.id, ()))
            per_minute, busy = pace(worker, earlier.get(worker.id))
            found.append(WorkerHealth(worker, silent_seconds, per_minute, own, busy))
    return tuple(found)


def kinds_done(here: Collection[str], workers: Iterable[WorkerReport]) -> frozenset[str]:
    """The kinds that can be done here, or by a worker that is alive."""
    reported = {kind for worker in workers if worker.status != "gone" for kind in worker.kinds}
    return frozenset(here) | reported


def pace(worker: WorkerReport, earlier: WorkerReport | None) -> tuple[float, float]:
    """Jobs a minute and share of time at work, since an earlier look or else since it started."""
    begin, ended, busy_ms = worker.started_at, worker.done + worker.failed, worker.busy_ms
    if (
        earlier is not None
        and earlier.started_at == worker.started_at
        and worker.seen_at - earlier.seen_at >= LEAST_PACE_MS
    ):
        begin, ended = earlier.seen_at, ended - earlier.done - earlier.failed
        busy_ms -= earlier.busy_ms
    took = worker.seen_at - begin
    if took <= 0:
        return 0.0, 0.0
    return 60_000 * max(ended, 0) / took, min(max(busy_ms, 0) / took, 1.0)
