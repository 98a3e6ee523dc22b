"""Events, written in the transaction of the change they announce."""

from collections.abc import Iterable, Sequence

from specfactory.model import Event, Frozen
from specfactory.ports import Database, Row, Transaction
from specfactory.store.base.codec import build, from_json, to_json


class Batch(Frozen):
    """Events that were appended together."""

    id: int
    events: tuple[Event, ...]


class Outbox:
    """Source of the event feed: an event is delivered if and only if its change was committed."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def append(self, tx: Transaction, events: Sequence[Event]) -> None:
        """Add events in the transaction of their change."""
        if events:
            await tx.post("append_events", events=to_json(list(events)))

    async def undelivered(self, limit: int = 100) -> list[Batch]:
        """Batches not yet delivered, the first one first."""
        return [_batch(row) for row in await self._db.fetch("undelivered_events", limit=limit)]

    async def delivered(self, tx: Transaction, ids: Iterable[int]) -> None:
        """Mark batches as delivered."""
        await tx.execute_many("events_delivered", [{"id": batch_id} for batch_id in ids])

    async def prune(self, tx: Transaction, keep: int) -> int:
        """Forget delivered batches but for the latest ``keep``."""
        return await tx.execute("prune_events", keep=keep)

    async def recent(self, n: int = 100) -> list[Event]:
        """The last ``n`` events, the latest last."""
        rows = await self._db.fetch("recent_events", limit=n)
        events = [event for row in reversed(rows) for event in _batch(row).events]
        return events[-n:] if n > 0 else []


def _batch(row: Row) -> Batch:
    return Batch(row["id"], tuple(build(Event, plain) for plain in from_json(row["events"])))
