"""Stale records: found on a schedule and queued again at low priority."""

from collections.abc import Iterator
from datetime import UTC, datetime

from specfactory.errors import SettingError, StoreError, UsageError
from specfactory.model import Action, Instant, JobKind, JobStatus, NewJob, Priority
from specfactory.orchestrate.bench import Workbench
from specfactory.queue import payload_of

DAY_MS = 86_400_000
AT_ONCE = 1000
REASON = "its record is past its age"


def moments(cron: str, after: Instant) -> Iterator[Instant]:
    """The instants of a cron expression after a given one, in UTC."""
    from cronsim import CronSim, CronSimError

    try:
        times = CronSim(cron, datetime.fromtimestamp(after / 1000, UTC))
    except CronSimError:
        allowed = "a cron expression such as 0 2 * * *"
        raise SettingError("schedule.stale_check_cron", cron, allowed) from None
    return (round(time.timestamp() * 1000) for time in times)


class StaleCheck:
    """Looks for stale products on a schedule."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._moments = moments(bench.settings.schedule.stale_check_cron, bench.clock.now())

    async def run(self) -> None:
        """Look at each moment of the calendar, until cancelled."""
        for due_at in self._moments:
            clock = self._bench.clock
            while (left := due_at - clock.now()) > 0:
                await clock.sleep(min(left / 1000, 60.0))  # short, since clocks are set
            try:
                await self.look()
            except StoreError:
                continue  # the database is away; stale products wait for the next look

    async def look(self) -> int:
        """Mark what is stale and queue it again; gives how many."""
        bench, now = self._bench, self._bench.clock.now()
        oldest = now - round(bench.settings.schedule.stale_after_days * DAY_MS)
        async with bench.database.transaction() as tx:
            await bench.jobs.age(tx, oldest, now)
        queued = after = 0
        while some := await bench.jobs.list(
            status=JobStatus.STALE, kind=JobKind.PRODUCT, limit=AT_ONCE, after=after
        ):
            after = some[-1].id
            queued += sum([await self._requeue(job.id) for job in some])
        # Products whose finished job was pruned; those with a job are not added twice.
        last = ""
        while forgotten := await bench.products.stale(oldest, last, AT_ONCE):
            last = forgotten[-1].id
            async with bench.database.transaction() as tx:
                jobs = [
                    NewJob(
                        JobKind.PRODUCT, one.id, payload_of(one), one.category, Priority.LOW,
                        REASON, added_by="schedule",
                    )
                    for one in forgotten
                ]  # fmt: skip
                added = await bench.jobs.add(tx, jobs, bench.clock.now())
            queued += sum(each.is_new for each in added)
        if queued:
            await bench.wake_workers()
        return queued

    async def _requeue(self, job_id: int) -> bool:
        bench, now = self._bench, self._bench.clock.now()
        try:
            async with bench.database.transaction() as tx:
                await bench.jobs.act(
                    tx, job_id, Action.REQUEUE, now,
                    due_at=now, priority=Priority.LOW, reason=REASON,
                )  # fmt: skip
        except UsageError:  # another process was quicker, or the product is queued already
            return False
        return True
