"""Healing events: what was diagnosed, what was done about it, and whether that helped."""

from collections.abc import Mapping

from specfactory.errors import UnknownSubject
from specfactory.model import Cause, Frozen, HealingEvent, HealingStatus, Instant, Json
from specfactory.ports import Transaction
from specfactory.store.base import Store, as_row, fetch_all, fetch_first, fetch_number, to_json


class HealingCount(Frozen):
    """So many healing events of one diagnosis and remedy that ended alike."""

    diagnosis: str
    remediation: str
    status: HealingStatus
    events: int
    taken_seconds: float  # from the remedy to its end, all together


class HostDeadLetter(Frozen):
    """A dead letter of a host, with what it died of."""

    job_id: int
    cause: str
    page_cause: Cause


class Healings(Store):
    """All healing events; one that is open is changed until it is over."""

    async def add(self, tx: Transaction, event: HealingEvent) -> int:
        """Keep a new event; gives its id."""
        row = as_row(event)
        del row["id"]
        return await fetch_number(tx, "add_healing", **row)

    async def change(
        self,
        tx: Transaction,
        event_id: int,
        status: HealingStatus,
        success: bool | None,
        checked_at: Instant | None,
        params: Mapping[str, Json],
    ) -> None:
        """Say how a remedy stands."""
        now = {"status": status, "success": success, "checked_at": checked_at}
        await tx.execute("change_healing", id=event_id, params=to_json(params), **now)

    async def get(self, event_id: int) -> HealingEvent:
        """The event with this number."""
        event = await fetch_first(self._db, HealingEvent, "get_healing", id=event_id)
        if event is None:
            raise UnknownSubject("healing event", str(event_id), "see: spec heal history")
        return event

    async def of_host(
        self, host: str, limit: int, tx: Transaction | None = None
    ) -> list[HealingEvent]:
        """The events of a host, the newest first."""
        given = {"host": host, "limit": limit}
        return await fetch_all(tx or self._db, HealingEvent, "healings_of_host", **given)

    async def latest(self, limit: int = 100) -> list[HealingEvent]:
        """The events of all hosts, the newest first."""
        return await fetch_all(self._db, HealingEvent, "latest_healings", limit=limit)

    async def open(self) -> list[HealingEvent]:
        """Events that are being tried or asked about, the oldest first."""
        return await fetch_all(self._db, HealingEvent, "open_healings")

    async def counts(self) -> list[HealingCount]:
        """Counts of diagnoses and remedies, by how they ended."""
        return await fetch_all(self._db, HealingCount, "count_healings")

    async def prune(self, tx: Transaction, before: Instant) -> int:
        """Forget what was over before an instant; gives how many."""
        return await tx.execute("prune_healings", before=before)

    async def categories(self, tx: Transaction, host: str) -> list[str]:
        """Categories that a host was read for, the most frequent first."""
        return [row["category"] for row in await tx.fetch("categories_read_at", host=host)]

    async def dead_letters(
        self, host: str, since: Instant, limit: int = 1000, tx: Transaction | None = None
    ) -> list[HostDeadLetter]:
        """Dead letters that died at a host since an instant, the oldest first."""
        given = {"host": host, "since": since, "limit": limit}
        return await fetch_all(tx or self._db, HostDeadLetter, "dead_letters_of_host", **given)
