"""Visits: how every fetch of a page ended, and how long each part of it took."""

from msgspec.structs import asdict

from specfactory.model import Instant, Visit
from specfactory.ports import Database, Row, Transaction
from specfactory.store.base import build, from_json, to_json

MOST_TIMED = 100_000  # visits that one look at timings takes in
MAX_EVIDENCE = 300


class Visits:
    """Source of diagnoses and timings; kept for a while only."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(self, tx: Transaction, visit: Visit) -> None:
        """Note one visit."""
        row = asdict(visit)
        row["evidence"] = visit.evidence[:MAX_EVIDENCE]
        row["timings_ms"] = to_json(visit.timings_ms) if visit.timings_ms else None
        await tx.post("add_visit", **row)

    async def recent(self, host: str, limit: int, tx: Transaction | None = None) -> list[Visit]:
        """The latest visits of a host, the newest first."""
        rows = await (tx or self._db).fetch("recent_visits", host=host, limit=limit)
        return [_visit(row) for row in rows]

    async def timings(self, host: str | None, since: Instant) -> list[Visit]:
        """Visits since an instant whose timings were sampled, the newest first; None: all hosts."""
        if host is None:
            rows = await self._db.fetch("timed_visits_anywhere", since=since, limit=MOST_TIMED)
        else:
            rows = await self._db.fetch("timed_visits", host=host, since=since, limit=MOST_TIMED)
        return [_visit(row) for row in rows]

    async def prune(self, tx: Transaction, before: Instant) -> int:
        """Forget visits from before an instant; gives how many."""
        return await tx.execute("prune_visits", before=before)


def _visit(row: Row) -> Visit:
    timings = row["timings_ms"]
    return build(Visit, {**row, "timings_ms": from_json(timings) if timings else {}})
