"""The Wakeup port on PostgreSQL's LISTEN and NOTIFY, on its own connection."""

import asyncio
import contextlib

from specfactory.adapters.memory import MemoryWakeup, WakeupListener
from specfactory.adapters.postgres.errors import ERRORS
from specfactory.adapters.postgres.pool import Connection, PostgresPool, drop, pauses
from specfactory.errors import StoreError
from specfactory.ports import Clock

PROBE_SECONDS = 20.0  # a dead connection is noticed after this


class PostgresWakeup(MemoryWakeup):
    """Wakes listeners in every process on the same database.

    After each reconnect all are woken once, since a call may have been missed.
    """

    def __init__(self, pool: PostgresPool, clock: Clock) -> None:
        super().__init__(clock)
        self._pool = pool
        self._more = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None

    async def notify(self, channel: str) -> None:
        """Wake all listeners; while the database is away there are none to wake."""
        with contextlib.suppress(StoreError):
            await self._pool.once(
                lambda raw: raw.execute("SELECT pg_notify($1, '')", channel), "notify"
            )

    def listen(self, channel: str) -> WakeupListener:
        listener = super().listen(channel)
        self._more.set()
        if self._keeper is None:
            self._keeper = asyncio.create_task(self._keep())
        return listener

    async def close(self) -> None:
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
            self._keeper = None

    async def _keep(self) -> None:
        """Connect, and reconnect whenever the connection is lost."""
        waits = pauses()
        while True:
            with contextlib.suppress(StoreError, *ERRORS):
                raw = await self._pool.connect("wakeup")
                waits = pauses()
                try:
                    await self._hear(raw)
                finally:
                    drop(raw)
            await asyncio.sleep(next(waits))

    async def _hear(self, raw: Connection) -> None:
        """Pass calls on while the connection lives."""
        raw.add_termination_listener(lambda _: self._more.set())
        heard: set[str] = set()
        while not raw.is_closed():
            self._more.clear()
            for channel in self._by_channel.keys() - heard:
                await raw.add_listener(channel, lambda *said: self.call(said[2]))
                heard.add(channel)
                self.call(channel)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._more.wait(), PROBE_SECONDS)
            await raw.execute("SELECT 1")
