"""The sweeper: takes jobs from silent workers, ends what they left open, prunes.

Every worker sweeps, a few seconds apart and never in step, so that no worker has to be special.
"""

from specfactory.declared_events import event
from specfactory.errors import NewerSchema, StoreError
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
            try:
                await self.sweep()
            except NewerSchema:
                raise  # this process is too old to go on
            except StoreError:
                pass  # away: there is a next time
            await self._bench.clock.sleep(self._pause * (0.5 + self._bench.random.random()))

    async def sweep(self) -> None:
        """Do all that is due."""
        bench, patience = self._bench, self._bench.settings.queue.lease_seconds
        rescued = await self.rescue()
        async with bench.announcing() as (tx, events):
            now = bench.clock.now()
            moved = await bench.runs.sweep(tx, now)
            events.extend(await bench.attempts.interrupt_orphans(tx, now, patience))
            await bench.jobs.sum_counts(tx)
        if rescued or moved:
            await bench.wake_workers()
        if self._bench.clock.monotonic() - self._pruned_at >= PRUNE_SECONDS:
            self._pruned_at = self._bench.clock.monotonic()
            await self.prune()
            await ease_all(self._bench)

    async def rescue(self) -> list[Job]:
        """Take jobs from workers that fell silent."""
        bench, rescued = self._bench, list[Job]()
        while True:
            async with bench.announcing() as (tx, events):
                now = bench.clock.now()
                some = await bench.jobs.rescue(tx, now, RESCUED_AT_ONCE)
                if some:
                    ids = [job.id for job in some]
                    events.extend(await bench.attempts.interrupt_jobs(tx, ids, now))
            if some:
                expired = event("lease.expired", now, job_ids=ids)
                await bench.state.publish([expired])
            rescued += some
            if len(some) < RESCUED_AT_ONCE:
                return rescued

    async def prune(self) -> None:
        """Remove jobs that the settings do not keep; forget old visits and workers."""
        bench, settings = self._bench, self._bench.settings.queue
        async with bench.database.transaction() as tx:
            now = bench.clock.now()
            keep = (settings.keep_complete, settings.keep_failed)
            removed = await bench.jobs.prune(tx, *keep, now)
            await bench.workers.forget(tx, now - REMEMBERED_MS)
            before = now - round(bench.settings.heal.keep_days * DAY_MS)
            await bench.visits.prune(tx, before)
            await bench.healings.prune(tx, before)
        await bench.state.publish(removed)  # the outbox has them already
