"""The jobs that one worker holds: claimed, kept under lease, and ended.

Writes are retried while the database is away. A job whose lease is gone is dropped silently:
another worker has it by now.
"""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from specfactory.declared_events import event
from specfactory.errors import CommitUnknown, JobDeferred, JobFailed
from specfactory.model import Event, Instant, Job, JobStatus, Lease
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.jobs import AWAY, Done, end_badly, failure_of, until_written
from specfactory.ports import Transaction
from specfactory.store import HostTurns

Finished = tuple[Job, Done]
Result = TypeVar("Result")

LOOKED_AT = 10_000  # jobs in progress that are looked through after a commit of unknown fate


class Claims:
    """The jobs a worker holds; it may take ``limit`` of them in all."""

    def __init__(self, bench: Workbench, owner: str, limit: int | None) -> None:
        self.owner = owner
        self.done = self.failed = self.lost = 0
        self.draining = self.stopping = False  # then a database that is away is not waited for
        self._bench, self._left = bench, limit
        self._held: dict[int, Lease] = {}
        self._lock = threading.Lock()  # the heartbeat looks in from its own thread

    def held(self) -> list[Lease]:
        """The leases to be renewed."""
        with self._lock:
            return list(self._held.values())

    @property
    def is_spent(self) -> bool:
        """True once it has taken its limit of jobs."""
        return self._left is not None and self._left <= 0

    async def turn(
        self,
        results: Sequence[Finished],
        kinds: Sequence[str],
        count: int,
        turns: HostTurns | None = None,
    ) -> list[Job]:
        """Finish what is done and claim what is next, in one transaction."""
        if self._left is not None:
            count = min(count, self._left)
        if not results and count <= 0:
            return []
        try:
            accepted, claimed = await self._patiently(results, kinds, count, turns)
        except AWAY:
            raise  # we are to stop; the leases will expire
        except Exception:
            if not results:
                raise
            await self._one_by_one(results)  # one bad result must not take the others with it
            return await self.turn((), kinds, count, turns)
        self._let_go(results, accepted)
        with self._lock:
            self._held.update((job.id, job.lease) for job in claimed)
        if self._left is not None:
            self._left -= len(claimed)
        await self._tell(claimed, accepted)
        return claimed

    async def fail(self, job: Job, failure: JobFailed) -> None:
        """Try a job again later, or make it a dead letter."""
        told = await self._surely(lambda tx: end_badly(self._bench, tx, job, failure))
        if told is None:
            self.count_loss(job)
        else:
            self.count_failure(job)
            await self._bench.state.publish([told])

    async def defer(self, job: Job, later: JobDeferred) -> None:
        """Put a job back until its host may be asked again; that counts as no attempt."""
        jobs, now = self._bench.jobs, self._bench.clock.now()
        about = (later.until, later.reason, later.host, now)
        if not await self._surely(lambda tx: jobs.defer(tx, job.lease, *about)):
            self.count_loss(job)
        elif self.drop(job) and self._left is not None:
            self._left += 1

    async def give_back(self, jobs: Sequence[Job]) -> None:
        """Put back jobs that could not be done through no fault of theirs."""
        bench, leases = self._bench, [job.lease for job in jobs]
        if not jobs:
            return
        if await self._surely(lambda tx: bench.jobs.release(tx, leases, bench.clock.now())):
            await bench.wake_workers()
        for job in jobs:
            if self.drop(job) and self._left is not None:
                self._left += 1

    def count_done(self, job: Job) -> None:
        """Count a job that was done."""
        self.done += self.drop(job)

    def count_failure(self, job: Job) -> None:
        """Count a failed attempt at a job."""
        self.failed += self.drop(job)

    def count_loss(self, job: Job) -> None:
        """Count a job whose lease was lost."""
        self.lost += self.drop(job)

    def drop(self, job: Job) -> bool:
        """Let go of a job; False when it was dropped before, so that it counts once."""
        with self._lock:
            return self._held.pop(job.id, None) is not None

    async def _patiently(
        self,
        results: Sequence[Finished],
        kinds: Sequence[str],
        count: int,
        turns: HostTurns | None = None,
    ) -> tuple[set[int], list[Job]]:
        found: dict[int, Job] = {}

        async def look(problem: Exception) -> None:
            await self._bench.health.database_failed(problem)
            if isinstance(problem, CommitUnknown) and count > 0:
                unheld = await self._surely(lambda _: self._unheld(kinds))
                found.update((job.id, job) for job in unheld)

        async def write() -> tuple[set[int], list[Job]]:
            return await self._write(results, kinds, max(count - len(found), 0), turns)

        bench = self._bench
        accepted, claimed = await until_written(
            write, bench.clock, bench.random, look,
            lambda: self.stopping or (self.draining and not results),
        )  # fmt: skip
        if accepted or claimed:  # else nothing was written: that works on a full disk, too
            await bench.health.database_answered()
        return accepted, [*found.values(), *claimed]

    async def _surely(self, write: Callable[[Transaction], Awaitable[Result]]) -> Result:
        """Write in one transaction; retry while the database is away, unless we stop at once."""
        bench = self._bench

        async def once() -> Result:
            async with bench.database.transaction() as tx:
                return await write(tx)

        written = await until_written(
            once, bench.clock, bench.random, bench.health.database_failed, lambda: self.stopping
        )
        await bench.health.database_answered()
        return written

    async def _write(
        self, results: Sequence[Finished], kinds: Sequence[str], count: int, turns: HostTurns | None
    ) -> tuple[set[int], list[Job]]:
        bench = self._bench
        accepted: set[int] = set()
        async with bench.database.transaction() as tx:
            now = bench.clock.now()
            if results:
                # Jobs that were found come first, so that their run does not close in between.
                if any(done.jobs for _, done in results):
                    await self._add_found(tx, results, now)
                leases = [job.lease for job, _ in results]
                accepted = set(await bench.jobs.finish(tx, leases, now))
                for job, done in results:
                    if done.write is not None and job.id in accepted:
                        await done.write(tx)
            if count <= 0:
                return accepted, []
            lease_seconds = bench.settings.queue.lease_seconds
            claimed = await bench.jobs.claim(
                tx, self.owner, count, kinds, lease_seconds, now, turns
            )
        return accepted, claimed

    async def _add_found(self, tx: Transaction, results: Sequence[Finished], now: Instant) -> None:
        """Add the jobs that others found, as far as those are still ours."""
        bench = self._bench
        for run_id in sorted({job.run_id for job, _ in results if job.run_id is not None}):
            await bench.runs.lock(tx, run_id)
        until = now + round(bench.settings.queue.lease_seconds * 1000)
        ours = await bench.jobs.renew(tx, [job.lease for job, done in results if done.jobs], until)
        found = [new for job, done in results if job.id in ours for new in done.jobs]
        await bench.jobs.add(tx, found, now)

    async def _one_by_one(self, results: Sequence[Finished]) -> None:
        """Finish results each by itself; one that cannot be written fails its job."""
        for job, done in results:
            try:
                accepted, _ = await self._patiently([(job, done)], (), 0)
            except Exception as problem:
                await self.fail(job, failure_of(problem))
            else:
                self._let_go([(job, done)], accepted)
                await self._tell([], accepted)

    async def _unheld(self, kinds: Sequence[str]) -> list[Job]:
        """Jobs of these kinds that were claimed in a commit whose answer never came."""
        held = {lease.job_id for lease in self.held()}
        jobs = await self._bench.jobs.list(status=JobStatus.IN_PROGRESS, limit=LOOKED_AT)
        ours = [job for job in jobs if job.lease_owner == self.owner and job.kind in kinds]
        return [job for job in ours if job.id not in held]

    def _let_go(self, results: Sequence[Finished], accepted: set[int]) -> None:
        for job, _ in results:
            (self.count_done if job.id in accepted else self.count_loss)(job)

    async def _tell(self, claimed: Sequence[Job], accepted: set[int]) -> None:
        now, events = self._bench.clock.now(), list[Event]()
        if accepted:
            events.append(event("job.finished", now, job_ids=sorted(accepted)))
        if claimed:
            ids = [job.id for job in claimed]
            events.append(event("job.claimed", now, job_ids=ids, worker=self.owner))
        if events:
            await self._bench.state.publish(events)
