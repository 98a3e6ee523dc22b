"""The heartbeat: renews leases from its own thread, so that a busy event loop loses none."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Sequence

from specfactory.errors import StoreError
from specfactory.model import Lease, WorkerReport
from specfactory.orchestrate.bench import Workbench
from specfactory.ports import Database
from specfactory.store import Jobs, Workers

IMPATIENT_SECONDS = 1.0  # between retries while the database is away


class Heartbeat:
    """Says that a worker is alive and renews what it holds.

    ``open_database`` gives the thread a database of its own; without it (a database in memory)
    the heartbeat shares the loop and the database of the worker.
    """

    def __init__(
        self,
        bench: Workbench,
        held: Callable[[], Sequence[Lease]],
        worker: Callable[[], WorkerReport],
        on_lost: Callable[[Sequence[Lease]], None],
        open_database: Callable[[], Database] | None = None,
    ) -> None:
        self._bench, self._held, self._worker = bench, held, worker
        self._on_lost, self._open = on_lost, open_database
        self._owner = asyncio.get_running_loop()
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stopped = False

    def start(self) -> None:
        """Begin to beat."""
        if self._open is None:
            self._task = asyncio.create_task(self._beat(self._bench.database))
            return
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._in_thread()), name="heartbeat", daemon=True
        )
        self._thread.start()

    async def stop(self) -> None:
        """Stop beating, even before the first beat of the thread."""
        self._stopped = True
        if self._thread is None:
            if self._task is not None:
                self._task.cancel()
            return
        loop, task = self._loop, self._task
        if loop is not None and task is not None and not loop.is_closed():
            loop.call_soon_threadsafe(task.cancel)
        await asyncio.to_thread(self._thread.join, IMPATIENT_SECONDS)

    async def _in_thread(self) -> None:
        assert self._open is not None
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        database = self._open()
        with contextlib.suppress(asyncio.CancelledError):
            await self._beat(database)
        closing = asyncio.ensure_future(database.close())
        try:
            await asyncio.shield(closing)
        except asyncio.CancelledError:  # stopped only now
            await closing

    async def _beat(self, database: Database) -> None:
        jobs, workers, settings = Jobs(database), Workers(database), self._bench.settings.queue
        while not self._stopped:
            pause = settings.heartbeat_seconds
            try:
                leases = self._held()
                until = self._bench.clock.now() + round(settings.lease_seconds * 1000)
                async with database.transaction() as tx:
                    kept = await jobs.renew(tx, leases, until) if leases else set()
                    await workers.beat(tx, self._worker())
                lost = [lease for lease in leases if lease.job_id not in kept]
                if lost:
                    self._owner.call_soon_threadsafe(self._on_lost, lost)
            except StoreError:  # away or busy: a lease is worth more tries than one
                pause = min(pause, IMPATIENT_SECONDS)
            await self._bench.clock.sleep(pause)
