"""Delivery: takes events out of the outbox in order and hands them on.

An event is kept until it was delivered. A process that dies in between delivers it again:
nothing is lost, and duplicates are recognised by their number.
"""

import contextlib
from collections.abc import Callable

from specfactory.errors import StoreError
from specfactory.orchestrate.bench import Workbench
from specfactory.store import Batch

AT_ONCE = 200
KEPT_BATCHES = 10_000  # delivered ones that stay readable

Tell = Callable[[Batch], None]


class Delivery:
    """Empties the outbox of a factory."""

    def __init__(self, bench: Workbench, tell: Tell) -> None:
        self._bench, self._tell = bench, tell

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
        outbox = self._bench.outbox
        batches = await outbox.undelivered(AT_ONCE)
        for batch in batches:
            self._tell(batch)
        if batches:
            async with self._bench.database.transaction() as tx:
                await outbox.delivered(tx, [batch.id for batch in batches])
                await outbox.prune(tx, KEPT_BATCHES)
        return len(batches)
