"""Health of each worker."""

from collections.abc import Collection, Iterable, Mapping

from specfactory.model import Frozen, Instant, Job, WorkerReport

GONE_SHOWN_SECONDS = 600.0
LEAST_PACE_MS = 10_000  # a shorter time says nothing about a pace


class WorkerHealth(Frozen):
    """A worker, its pace and its jobs."""

    worker: WorkerReport
    silent_seconds: float
    per_minute: float
    jobs: tuple[Job, ...] = ()

    @property
    def alive(self) -> bool:
        """True if it takes or finishes jobs."""
        return self.worker.status not in ("lost", "gone")

    @property
    def failure_share(self) -> float:
        """The share of its jobs that failed."""
        ended = self.worker.done + self.worker.failed
        return self.worker.failed / ended if ended else 0.0


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
            per_minute = pace(worker, earlier.get(worker.id))
            found.append(WorkerHealth(worker, silent_seconds, per_minute, own))
    return tuple(found)


def kinds_done(here: Collection[str], workers: Iterable[WorkerReport]) -> frozenset[str]:
    """The kinds that can be done here, or by a worker that is alive."""
    reported = {kind for worker in workers if worker.status != "gone" for kind in worker.kinds}
    return frozenset(here) | reported


def pace(worker: WorkerReport, earlier: WorkerReport | None) -> float:
    """Jobs a minute since an earlier look at the same worker, else since it started."""
    begin, before = worker.started_at, 0
    if (
        earlier is not None
        and earlier.started_at == worker.started_at
        and worker.seen_at - earlier.seen_at >= LEAST_PACE_MS
    ):
        begin, before = earlier.seen_at, earlier.done + earlier.failed
    ended = worker.done + worker.failed - before
    return 60_000 * max(ended, 0) / (worker.seen_at - begin) if worker.seen_at > begin else 0.0
