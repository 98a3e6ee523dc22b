"""Events, written in the transaction of the change they announce."""

from collections.abc import Sequence

from specfactory.model import Event, Frozen, Instant
from specfactory.ports import Transaction
from specfactory.redaction import redacted
from specfactory.store.base.codec import to_json
from specfactory.store.base.rows import Store, fetch_all

FORGOTTEN_MS = 30 * 86_400_000


class Batch(Frozen):
    """Events that were appended together."""

    id: int
    events: tuple[Event, ...]


async def emit(tx: Transaction, *events: Event) -> None:
    """Add events in the transaction of their change."""
    if events:
        await tx.post("append_events", events=redacted(to_json(events)))


class Outbox(Store):
    """Source of the event feed: an event is delivered if and only if its change was committed.

    Each event log is a reader with a name of its own, and receives everything.
    """

    async def append(self, tx: Transaction, events: Sequence[Event]) -> None:
        """Add events in the transaction of their change."""
        await emit(tx, *events)

    async def readers(self) -> dict[str, Instant]:
        """Every event log, and when it was last written."""
        rows = await self._db.fetch("event_readers")
        return {row["reader"]: row["seen_at"] for row in rows}

    async def join(
        self, tx: Transaction, reader: str, now: Instant, *, continues: bool = False
    ) -> None:
        """Note an event log, which then receives all events that are kept.

        One that ``continues`` a file from before logs had names has what was delivered to any.
        """
        await tx.execute("event_reader_seen", reader=reader, now=now)
        if continues:
            await tx.execute("continue_event_log", reader=reader)

    async def undelivered(self, reader: str, after: int = 0, limit: int = 100) -> list[Batch]:
        """Batches that an event log has not received, the first one first."""
        given = {"reader": reader, "after": after, "limit": limit}
        return await fetch_all(self._db, Batch, "undelivered_events", **given)

    async def delivered(
        self, tx: Transaction, reader: str, ids: Sequence[int], now: Instant
    ) -> None:
        """Note that an event log has received batches."""
        await tx.execute("event_reader_seen", reader=reader, now=now)
        await tx.execute_many("deliver_events", [{"reader": reader, "id": one} for one in ids])
        await tx.execute_many("events_delivered", [{"id": one} for one in ids])

    async def prune(self, tx: Transaction, keep: int, now: Instant) -> int:
        """Forget batches that every event log has received, but for the latest ``keep``.

        Logs that nobody has written for a month are not waited for.
        """
        await tx.execute("forget_event_readers", before=now - FORGOTTEN_MS)
        gone = await tx.execute("prune_events", keep=keep)
        if gone:
            await tx.execute("prune_deliveries")
        return gone

    async def recent(self, n: int = 100) -> list[Event]:
        """The last ``n`` events, the latest last."""
        batches = await fetch_all(self._db, Batch, "recent_events", limit=n)
        events = [event for batch in reversed(batches) for event in batch.events]
        return events[-n:] if n > 0 else []
