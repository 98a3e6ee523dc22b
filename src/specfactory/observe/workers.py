"""How each worker is getting on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from specfactory.model import Frozen, Instant, Job, WorkerReport

GONE_SHOWN_SECONDS = 600.0
LEAST_PACE_MS = 10_000  # a shorter time says nothing about a pace


class WorkerHealth(Frozen):
    """A worker, its pace, and what it holds."""

    worker: WorkerReport
    silent_seconds: float
    per_minute: float
    jobs: tuple[Job, ...] = ()

    @property
    def alive(self) -> bool:
        """It takes or finishes jobs."""
        return self.worker.status not in ("lost", "gone")

    @property
    def failure_share(self) -> float:
        """The share of what it ended that failed."""
        ended = self.worker.done + self.worker.failed
        return self.worker.failed / ended if ended else 0.0


def worker_health(
    workers: Iterable[WorkerReport],
    earlier: Mapping[str, WorkerReport],
    at_work: Iterable[Job],
    now: Instant,
) -> tuple[WorkerHealth, ...]:
    """Each worker with its pace since it was seen ``earlier``; those long gone are left out."""
    held: dict[str, list[Job]] = {}
    for job in at_work:
        held.setdefault(job.lease_owner or "", []).append(job)
    return tuple(
        WorkerHealth(
            worker,
            max(now - worker.seen_at, 0) / 1000,
            pace(worker, earlier.get(worker.id)),
            tuple(held.get(worker.id, ())),
        )
        for worker in workers
        if worker.id in held or not _long_gone(worker, now)
    )


def kinds_done(here: Collection[str], workers: Iterable[WorkerReport]) -> frozenset[str]:
    """The kinds that can be done here, or by a worker that is alive."""
    told = {kind for worker in workers if worker.status != "gone" for kind in worker.kinds}
    return frozenset(here) | told


def pace(worker: WorkerReport, earlier: WorkerReport | None) -> float:
    """Jobs a minute since an earlier look at the same worker, else since it started."""
    begin, before = worker.started_at, 0
    if earlier is not None and _tells(worker, earlier):
        begin, before = earlier.seen_at, earlier.done + earlier.failed
    ended = worker.done + worker.failed - before
    return 60_000 * max(ended, 0) / (worker.seen_at - begin) if worker.seen_at > begin else 0.0


def _tells(worker: WorkerReport, earlier: WorkerReport) -> bool:
    same = earlier.started_at == worker.started_at
    return same and worker.seen_at - earlier.seen_at >= LEAST_PACE_MS


def _long_gone(worker: WorkerReport, now: Instant) -> bool:
    gone = worker.status in ("gone", "lost")
    return gone and now - worker.seen_at > GONE_SHOWN_SECONDS * 1000
