"""Jobs of kind ``proxies``: refresh the pool, then again after ``proxy.refresh_minutes``.

Each job queues the next one in the transaction that ends it; a worker that finds none queued
adds one.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from specfactory.errors import JobFailed, SettingError, StoreError
from specfactory.model import Instant, Job, JobKind, NewJob, Priority
from specfactory.orchestrate.jobs import Done

if TYPE_CHECKING:
    from specfactory.orchestrate.bench import ProxyDesk, Workbench
    from specfactory.ports import Transaction

KEY = "proxies"
LOOK_SECONDS = 30.0
URGENT_SECONDS = 300.0  # shortest pause between two refreshes while too few work
_URGENT = "proxies:urgent"
_REASON = "pages that need a proxy wait for it"


async def work_on_proxies(bench: Workbench, job: Job) -> Done:
    """Refresh the pool; the next refresh is queued with the end of this one."""
    if bench.proxies is None:
        return Done()  # the settings name none any more
    try:
        await bench.proxies.refresh()
    except SettingError as problem:
        raise JobFailed("bad_settings", str(problem), "proxies") from None
    following = _next(bench.clock.now() + _pause_ms(bench.proxies))

    async def write(tx: Transaction) -> None:  # when this one has ended: there is one at a time
        await bench.jobs.add(tx, [following], bench.clock.now())

    return Done(write)


class ProxyRounds:
    """Keeps a refresh queued, and this machine's live files up to date."""

    def __init__(self, bench: Workbench, desk: ProxyDesk) -> None:
        self._bench, self._desk = bench, desk

    async def run(self) -> None:
        """Check every half minute until cancelled, also after database errors."""
        while True:
            with contextlib.suppress(StoreError, SettingError):
                await self.look()
            await self._bench.clock.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Queue a refresh where none is queued; bring it forward when too few work."""
        bench, desk = self._bench, self._desk
        await desk.pool.reload(at_once=True)
        await desk.publish_live()
        # too few work, and no refresh has just been brought forward
        urgent = desk.is_short and await bench.state.recall(_URGENT) is None
        now = bench.clock.now()
        async with bench.database.transaction() as tx:
            due_at = now if urgent else now + _pause_ms(desk)
            added = await bench.jobs.add(tx, [_next(due_at)], now)
            hastened = urgent and await bench.jobs.hasten_one(tx, JobKind.PROXIES, KEY, now)
        if hastened or (urgent and added[0].is_new):
            seconds = min(URGENT_SECONDS, desk.settings.refresh_minutes * 60)
            await bench.state.remember(_URGENT, True, seconds)  # it may not help
            await bench.wake_workers()


def _next(due_at: Instant) -> NewJob:
    return NewJob(
        JobKind.PROXIES, KEY, priority=Priority.HIGH, priority_reason=_REASON,
        added_by="proxies", due_at=due_at,
    )  # fmt: skip


def _pause_ms(desk: ProxyDesk) -> int:
    return round(desk.settings.refresh_minutes * 60_000)
