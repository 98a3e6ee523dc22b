"""Attempts at products, with their traces."""

from specfactory.errors import StoreError
from specfactory.model import Attempt, AttemptStatus, Instant, Json
from specfactory.ports import Transaction
from specfactory.store.base import Store, as_row, fetch_all, fetch_first, from_json, to_json

ACCEPTED = (AttemptStatus.COMPLETE, AttemptStatus.AWAITING_REVIEW)


class Attempts(Store):
    """All attempts; one that a crash cut short is still there."""

    async def start(self, tx: Transaction, attempt: Attempt) -> None:
        """Start an attempt; one that an earlier process left running is marked interrupted."""
        about = {"id": attempt.id, "product_id": attempt.product_id}
        error = f"never finished; {attempt.id} took its place"
        await tx.execute("interrupt_attempts", **about, at=attempt.started_at, error=error)
        row = as_row(attempt)
        given = {name: row[name] for name in ("job_id", "started_at", "budget", "spent")}
        await tx.execute("start_attempt", **about, **given, trace="{}")

    async def note(self, tx: Transaction, attempt: Attempt, trace: Json) -> None:
        """Save the spending and the trace of a running attempt."""
        await tx.execute(
            "note_attempt", id=attempt.id, spent=to_json(attempt.spent), trace=to_json(trace)
        )

    async def finish(self, tx: Transaction, attempt: Attempt, trace: Json = None) -> bool:
        """End an attempt; a result that comes after a later attempt began is refused.

        False: it had ended before.
        """
        row = as_row(attempt)
        for name in ("product_id", "budget", "started_at", "job_id"):
            del row[name]  # they stay as they are
        changed = await tx.execute("finish_attempt", **row, trace=to_json(trace or {}))
        if not changed and attempt.status in ACCEPTED:
            raise StoreError(
                f"attempt {attempt.id} is not running any more: a later one at the same product "
                "took its place; its result is discarded"
            )
        return bool(changed)

    async def get(self, attempt_id: str) -> Attempt | None:
        """The attempt with this id."""
        return await fetch_first(self._db, Attempt, "get_attempt", id=attempt_id)

    async def trace(self, attempt_id: str) -> Json:
        """The trace of an attempt."""
        rows = await self._db.fetch("get_attempt", id=attempt_id)
        return from_json(rows[0]["trace"]) if rows else {}

    async def traces(self, product_id: str, since: Instant = 0) -> list[tuple[str, Json]]:
        """Traces of a product's attempts since an instant, as (attempt id, trace)."""
        rows = await self._db.fetch("attempt_traces", product_id=product_id, since=since)
        return [(row["id"], from_json(row["trace"])) for row in rows]

    async def list(self, product_id: str) -> list[Attempt]:
        """All attempts at a product, the latest first."""
        return await fetch_all(self._db, Attempt, "list_attempts", product_id=product_id)
