"""Healing events: what was diagnosed, what was done about it, and whether that helped."""

from collections.abc import Mapping

from msgspec.structs import asdict

from specfactory.errors import UnknownSubject
from specfactory.model import Cause, Frozen, HealingEvent, HealingStatus, Instant, Json
from specfactory.ports import Database, Row, Transaction
from specfactory.store.base import build, from_json, to_json

_IN_JSON = ("reasons", "params", "before")


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


class Healings:
    """All healing events; one that is open is changed until it is over."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(self, tx: Transaction, event: HealingEvent) -> int:
        """Keep a new event; gives its id."""
        row = asdict(event)
        del row["id"]
        row["success"] = None if event.success is None else int(event.success)
        for name in _IN_JSON:
            row[name] = to_json(row[name])
        rows = await tx.fetch("add_healing", **row)
        return int(rows[0]["id"])

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
        await tx.execute(
            "change_healing",
            id=event_id,
            status=status,
            success=None if success is None else int(success),
            checked_at=checked_at,
            params=to_json(params),
        )

    async def get(self, event_id: int) -> HealingEvent:
        """The event with this number."""
        rows = await self._db.fetch("get_healing", id=event_id)
        if not rows:
            raise UnknownSubject("healing event", str(event_id), "see: spec heal history")
        return _event(rows[0])

    async def of_host(
        self, host: str, limit: int, tx: Transaction | None = None
    ) -> list[HealingEvent]:
        """The events of a host, the newest first."""
        rows = await (tx or self._db).fetch("healings_of_host", host=host, limit=limit)
        return [_event(row) for row in rows]

    async def latest(self, limit: int = 100) -> list[HealingEvent]:
        """The events of all hosts, the newest first."""
        return [_event(row) for row in await self._db.fetch("latest_healings", limit=limit)]

    async def open(self) -> list[HealingEvent]:
        """Events that are being tried or asked about, the oldest first."""
        return [_event(row) for row in await self._db.fetch("open_healings")]

    async def counts(self) -> list[HealingCount]:
        """Counts of diagnoses and remedies, by how they ended."""
        return [
            HealingCount(
                row["diagnosis"],
                row["remediation"],
                HealingStatus(row["status"]),
                int(row["events"]),
                float(row["taken_ms"] or 0) / 1000,
            )
            for row in await self._db.fetch("count_healings")
        ]

    async def prune(self, tx: Transaction, before: Instant) -> int:
        """Forget what was over before an instant; gives how many."""
        return await tx.execute("prune_healings", before=before)

    async def categories(self, tx: Transaction, host: str) -> list[str]:
        """Categories that a host was read for, the most frequent first."""
        return [row["category"] for row in await tx.fetch("categories_read_at", host=host)]

    async def dead_letters(
        self, host: str, since: Instant, limit: int = 1000
    ) -> list[HostDeadLetter]:
        """Dead letters that died at a host since an instant, the oldest first."""
        rows = await self._db.fetch("dead_letters_of_host", host=host, since=since, limit=limit)
        return [HostDeadLetter(row["id"], row["cause"], Cause(row["page_cause"])) for row in rows]


def _event(row: Row) -> HealingEvent:
    plain = {**row, **{name: from_json(row[name]) for name in _IN_JSON}}
    plain["success"] = None if row["success"] is None else bool(row["success"])
    return build(HealingEvent, plain)
