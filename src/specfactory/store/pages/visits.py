"""Visits: how every fetch of a page ended, and how long each part of it took."""

from specfactory.model import Instant, Visit
from specfactory.ports import Transaction
from specfactory.store.base import Store, as_row, fetch_all

MOST_TIMED = 100_000  # visits that one look at timings takes in
MAX_EVIDENCE = 300


class Visits(Store):
    """Source of diagnoses and timings; kept for a while only."""

    async def add(self, tx: Transaction, visit: Visit) -> None:
        """Note one visit."""
        row = as_row(visit)
        row["evidence"] = visit.evidence[:MAX_EVIDENCE]
        if not visit.timings_ms:
            row["timings_ms"] = None
        await tx.post("add_visit", **row)

    async def recent(self, host: str, limit: int, tx: Transaction | None = None) -> list[Visit]:
        """The latest visits of a host, the newest first."""
        return await fetch_all(tx or self._db, Visit, "recent_visits", host=host, limit=limit)

    async def timings(self, host: str | None, since: Instant) -> list[Visit]:
        """Visits since an instant whose timings were sampled, the newest first; None: all hosts."""
        place = {} if host is None else {"host": host}
        query = "timed_visits" if place else "timed_visits_anywhere"
        return await fetch_all(self._db, Visit, query, **place, since=since, limit=MOST_TIMED)

    async def prune(self, tx: Transaction, before: Instant) -> int:
        """Forget visits from before an instant; gives how many."""
        return await tx.execute("prune_visits", before=before)
