"""Repeated looks at the queue, with enough memory to know its pace."""

from collections import deque
from collections.abc import Collection
from dataclasses import replace
from itertools import pairwise

from specfactory.errors import UnknownSubject
from specfactory.model import Instant, JobStatus, WorkerReport
from specfactory.observe.alert_rules import find_alerts
from specfactory.observe.queue_health import (
    Depth,
    Health,
    depth,
    depth_of_run,
    kinds_done,
    worker_health,
)
from specfactory.observe.throughput import QueueSample, completion_at, history, throughput, trend
from specfactory.observe.waiting import find_waits
from specfactory.ports import Database
from specfactory.settings import Settings
from specfactory.store import Healings, Jobs, Runs, Stats, Workers
from specfactory.store.queue import Glances, HostCount

SLOTS = 60
SAMPLES = 4096
MOST_AT_WORK = 200
CAUSES_SECONDS = 3600
MOST_HOSTS = 20
AT_WORK = ("working", "draining")
_DONE = (JobStatus.COMPLETE, JobStatus.AWAITING_REVIEW, JobStatus.STALE)


class Watch:
    """Observer of one queue, or of one run of it."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        kinds: Collection[str],
        run_id: int | None = None,
    ) -> None:
        self._kinds = frozenset(kinds)  # that can be done here; workers may know others
        self._jobs, self._runs = Jobs(database), Runs(database)
        self._workers, self._glances = Workers(database), Glances(database)
        self._healings = Healings(database)
        self._settings, self._run_id = settings, run_id
        self._window = settings.monitor.window_minutes * 60
        self._slot_ms = max(round(self._window * 1000 / SLOTS), 1000)
        self._samples: deque[QueueSample] = deque(maxlen=SAMPLES)
        self._seen: dict[str, deque[WorkerReport]] = {}

    async def look(self, now: Instant) -> Health:
        """The health of the queue now."""
        run = None
        if self._run_id is not None and (run := await self._runs.get(self._run_id)) is None:
            raise UnknownSubject("run", str(self._run_id), "see: spec monitor --details")
        stats = await self._jobs.stats()
        workers = await self._workers.list(now, self._settings.queue.lost_after_seconds)
        deep = await self._depth(stats, kinds_done(self._kinds, workers), now)
        if self._samples:
            self._samples.append(await self._sample(deep, now))
        else:
            self._samples.extend(await self._history(deep, workers, now))
        pace = throughput(self._samples, now, self._window)
        steps = pairwise(reversed(self._samples))
        ends = (s.at for s, before in steps if s.done > before.done or s.failed > before.failed)
        last_end = next(ends, None)
        at_work = await self._glances.at_work(MOST_AT_WORK, self._run_id)
        grace = now - round(self._settings.queue.poll_seconds * 30_000)
        health = Health(
            now, deep, pace, trend(self._samples, now, self._slot_ms, SLOTS),
            completion_at(deep.left, pace, now),
            worker_health(workers, self._earlier(workers, now), at_work, now),
            tuple(await self._glances.causes(now - CAUSES_SECONDS * 1000, self._run_id)),
            tuple(at_work),
            await self._glances.overdue(grace, self._run_id),
            None if last_end is None else (now - last_end) / 1000,
            run,
            tuple(await self._healings.open()),
            await self._hosts(now),
        )  # fmt: skip
        later = await self._glances.waiting(now, self._run_id) if deep.scheduled else []
        waiting = find_waits(deep, later, health.alive, self._settings)
        alerts = find_alerts(health, self._settings.monitor)
        return replace(health, waiting=waiting, alerts=alerts)

    async def _hosts(self, now: Instant) -> tuple[HostCount, ...]:
        if self._run_id is not None:
            return ()  # a visit belongs to no run
        return tuple(await self._glances.hosts(now - CAUSES_SECONDS * 1000, MOST_HOSTS))

    async def _depth(self, stats: Stats, kinds: Collection[str], now: Instant) -> Depth:
        if self._run_id is not None:
            counts = await self._glances.depth_of_run(self._run_id)
            return depth_of_run(counts, await self._glances.due_in_run(self._run_id, now))
        oldest = await self._jobs.next_due(sorted(kinds))
        due = await self._jobs.due(now, sorted(kinds))
        return depth(stats, kinds, due, oldest if oldest is not None and oldest <= now else None)

    async def _sample(self, deep: Depth, now: Instant) -> QueueSample:
        """Number of jobs that ever ended; a run keeps all of its jobs until it is over."""
        past = await self._jobs.summaries() if self._run_id is None else []
        return QueueSample(
            now,
            sum(deep.by_status[status] for status in _DONE)
            + sum(gone.jobs for gone in past if gone.status in _DONE),
            deep.by_status[JobStatus.FAILED]
            + sum(gone.jobs for gone in past if gone.status is JobStatus.FAILED),
        )

    async def _history(
        self, deep: Depth, workers: list[WorkerReport], now: Instant
    ) -> list[QueueSample]:
        """Samples of the time before the first look: since a worker has been running."""
        sample = await self._sample(deep, now)
        begins = [worker.started_at for worker in workers if worker.status in AT_WORK]
        since = max(now - round(self._window * 1000), min(begins, default=0))
        ended = await self._glances.ended(since, self._slot_ms, self._run_id)
        kept = sum(deep.by_status[status] for status in _DONE)
        pruned = sample.done > kept and sum(stretch.done for stretch in ended) >= kept
        return history(ended, sample, since, self._slot_ms, whole=not pruned)

    def _earlier(self, workers: list[WorkerReport], now: Instant) -> dict[str, WorkerReport]:
        """Each worker as it was seen first within the window."""
        earliest = now - round(self._window * 1000)
        for worker in workers:
            seen = self._seen.setdefault(worker.id, deque(maxlen=SAMPLES))
            if not seen or seen[-1].seen_at != worker.seen_at:
                seen.append(worker)
            while len(seen) > 1 and seen[0].seen_at < earliest:
                seen.popleft()
        return {worker.id: self._seen[worker.id][0] for worker in workers}
