"""Delivery: takes events out of the outbox in order and writes them to an event log.

An event is kept until every log has received it. A process that dies in between delivers it
again: nothing is lost, and duplicates are recognised by their number.
"""

import contextlib
from collections import deque
from typing import Protocol

from specfactory.errors import StoreError
from specfactory.orchestrate.bench import Workbench
from specfactory.store import Batch

AT_ONCE = 200
KEPT_BATCHES = 10_000  # delivered ones that stay readable
LATE_SECONDS = 120.0  # a batch may be committed this much later than one with a higher number
ALIVE_MS = 60_000  # a log that was written within this time is being written
SEEN_MS = 20_000  # between two signs of life of a log that has nothing to write


class EventLog(Protocol):
    """A place for events; only one process at a time writes it."""

    name: str  # unlike that of any other log

    def is_ours(self) -> bool:
        """Try to become the one that writes it; True once we are."""

    def has_begun(self) -> bool:
        """True when something was written to it before."""

    def write(self, batch: Batch) -> None:
        """Write a batch; OSError: there is no room."""


class Delivery:
    """Brings all events of the factory into one event log.

    With ``if_alone`` it does so only while no other log is being written: then nobody else does.
    """

    def __init__(self, bench: Workbench, log: EventLog, *, if_alone: bool = False) -> None:
        self._bench, self._log, self._if_alone = bench, log, if_alone
        self._seen_at = 0
        self._received: deque[tuple[float, int]] = deque()  # when, and the highest number
        self._floor = 0  # everything up to here was received long enough ago

    async def run(self) -> None:
        """Deliver until cancelled; retry while the database is away."""
        while True:
            delivered = 0
            with contextlib.suppress(StoreError, OSError):  # away, or no room: later
                delivered = await self.deliver()
            if delivered < AT_ONCE:
                await self._bench.clock.sleep(self._bench.settings.queue.poll_seconds)

    async def deliver(self) -> int:
        """Deliver waiting events; gives the number of batches."""
        bench, outbox, log = self._bench, self._bench.outbox, self._log
        if not log.is_ours() or not await self._takes_part():
            return 0
        batches = await outbox.undelivered(log.name, self._floor, AT_ONCE)
        for batch in batches:
            log.write(batch)
        if batches:
            async with bench.database.transaction() as tx:
                now = bench.clock.now()
                await outbox.delivered(tx, log.name, [batch.id for batch in batches], now)
                await outbox.prune(tx, KEPT_BATCHES, now)
            self._seen_at = now
            self._received.append((bench.clock.monotonic(), batches[-1].id))
        while self._received and self._received[0][0] < bench.clock.monotonic() - LATE_SECONDS:
            self._floor = max(self._floor, self._received.popleft()[1])
        return len(batches)

    async def _takes_part(self) -> bool:
        """Join the readers of the outbox, or show that we are still there."""
        bench, outbox, now = self._bench, self._bench.outbox, self._bench.clock.now()
        if now - self._seen_at < SEEN_MS:
            return True
        readers = await outbox.readers()
        others = [at for name, at in readers.items() if name != self._log.name]
        if self._if_alone and any(now - at < ALIVE_MS for at in others):
            return False
        async with bench.database.transaction() as tx:
            is_new = self._log.name not in readers
            await outbox.join(tx, self._log.name, now, continues=is_new and self._log.has_begun())
        self._seen_at = now
        return True
