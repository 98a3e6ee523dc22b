"""The sweeper: takes jobs from silent workers, moves on runs that were left behind, prunes.

Every worker sweeps, a few seconds apart and never in step, so that no worker has to be special.
"""

import contextlib

from specfactory.declared_events import event
from specfactory.errors import StoreError
from specfactory.model import Job
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.healing import ease_all

PAUSE_SECONDS = 5.0
PRUNE_SECONDS = 60.0
RESCUED_AT_ONCE = 100
DAY_MS = 86_400_000
REMEMBERED_MS = 7 * DAY_MS  # workers that were seen within a week


class Sweeper:
    """Takes care of jobs and runs whose worker is gone."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._pause = min(PAUSE_SECONDS, bench.settings.queue.lease_seconds / 2)
        self._pruned_at = bench.clock.monotonic()

    async def run(self) -> None:
        """Sweep until cancelled; a database that is away is swept later."""
        while True:
            with contextlib.suppress(StoreError):  # away: there is a next time
                await self.sweep()
            await self._bench.clock.sleep(self._pause * (0.5 + self._bench.random.random()))

    async def sweep(self) -> None:
        """Do all that is due."""
        rescued = await self.rescue()
        async with self._bench.database.transaction() as tx:
            moved = await self._bench.runs.sweep(tx, self._bench.clock.now())
        if rescued or moved:
            await self._bench.wake_workers()
        if self._bench.clock.monotonic() - self._pruned_at >= PRUNE_SECONDS:
            self._pruned_at = self._bench.clock.monotonic()
            await self.prune()
            await ease_all(self._bench)

    async def rescue(self) -> list[Job]:
        """Take jobs from workers that fell silent."""
        bench, rescued = self._bench, list[Job]()
        while True:
            async with bench.database.transaction() as tx:
                now = bench.clock.now()
                some = await bench.jobs.rescue(tx, now, RESCUED_AT_ONCE)
            if some:
                expired = event("lease.expired", now, job_ids=[job.id for job in some])
                await bench.state.publish([expired])
            rescued += some
            if len(some) < RESCUED_AT_ONCE:
                return rescued

    async def prune(self) -> None:
        """Keep the latest jobs in full, of the others the counts; forget old visits and workers."""
        bench, settings = self._bench, self._bench.settings.queue
        async with bench.database.transaction() as tx:
            now = bench.clock.now()
            await bench.jobs.prune(tx, settings.keep_complete, settings.keep_failed, now)
            await bench.workers.forget(tx, now - REMEMBERED_MS)
            before = now - round(bench.settings.heal.keep_days * DAY_MS)
            await bench.visits.prune(tx, before)
            await bench.healings.prune(tx, before)
