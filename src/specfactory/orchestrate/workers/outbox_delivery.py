"""Delivery: takes events out of the outbox, in order, and hands them on.

An event is kept until it was handed on; whoever dies in between hands it on again, so that
nothing is lost and what comes twice is known by its number.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from specfactory.errors import StoreError
from specfactory.orchestrate.bench import Workbench
from specfactory.store import Batch

AT_ONCE = 200
KEPT_BATCHES = 10_000  # delivered ones that stay readable

Tell = Callable[[Batch], None]


class Delivery:
    """Empties the outbox of a factory, whoever filled it."""

    def __init__(self, bench: Workbench, tell: Tell) -> None:
        self._bench, self._tell = bench, tell

    async def run(self) -> None:
        """Deliver until cancelled; a database that is away is asked again."""
        while True:
            delivered = 0
            with contextlib.suppress(StoreError, OSError):  # away, or no room: later
                delivered = await self.deliver()
            if delivered < AT_ONCE:
                await self._bench.clock.sleep(self._bench.settings.queue.poll_seconds)

    async def deliver(self) -> int:
        """Hand on what is waiting; gives how many batches."""
        outbox = self._bench.outbox
        batches = await outbox.undelivered(AT_ONCE)
        for batch in batches:
            self._tell(batch)
        if batches:
            async with self._bench.database.transaction() as tx:
                await outbox.delivered(tx, [batch.id for batch in batches])
                await outbox.prune(tx, KEPT_BATCHES)
        return len(batches)
