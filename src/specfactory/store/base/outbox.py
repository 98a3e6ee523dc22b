"""Events, written in the transaction of the change they announce."""

from collections.abc import Iterable, Sequence

from specfactory.model import Event, Frozen
from specfactory.ports import Transaction
from specfactory.store.base.codec import to_json
from specfactory.store.base.rows import Store, fetch_all


class Batch(Frozen):
    """Events that were appended together."""

    id: int
    events: tuple[Event, ...]


async def emit(tx: Transaction, *events: Event) -> None:
    """Add events in the transaction of their change."""
    if events:
        await tx.post("append_events", events=to_json(events))


class Outbox(Store):
    """Source of the event feed: an event is delivered if and only if its change was committed."""

    async def append(self, tx: Transaction, events: Sequence[Event]) -> None:
        """Add events in the transaction of their change."""
        await emit(tx, *events)

    async def undelivered(self, limit: int = 100) -> list[Batch]:
        """Batches not yet delivered, the first one first."""
        return await fetch_all(self._db, Batch, "undelivered_events", limit=limit)

    async def delivered(self, tx: Transaction, ids: Iterable[int]) -> None:
        """Mark batches as delivered."""
        await tx.execute_many("events_delivered", [{"id": batch_id} for batch_id in ids])

    async def prune(self, tx: Transaction, keep: int) -> int:
        """Forget delivered batches but for the latest ``keep``."""
        return await tx.execute("prune_events", keep=keep)

    async def recent(self, n: int = 100) -> list[Event]:
        """The last ``n`` events, the latest last."""
        batches = await fetch_all(self._db, Batch, "recent_events", limit=n)
        events = [event for batch in reversed(batches) for event in batch.events]
        return events[-n:] if n > 0 else []
