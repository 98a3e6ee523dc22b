"""Attempts at products, with their traces."""

from specfactory.errors import StoreError
from specfactory.model import Attempt, AttemptStatus, Instant, Json
from specfactory.ports import Database, Row, Transaction
from specfactory.store.base import build, from_json, to_json

ACCEPTED = (AttemptStatus.COMPLETE, AttemptStatus.AWAITING_REVIEW)


class Attempts:
    """All attempts; one that a crash cut short is still there."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def start(self, tx: Transaction, attempt: Attempt) -> None:
        """Start an attempt; one that an earlier process left running is marked interrupted."""
        await tx.execute(
            "interrupt_attempts",
            id=attempt.id,
            product_id=attempt.product_id,
            at=attempt.started_at,
            error=f"never finished; {attempt.id} took its place",
        )
        await tx.execute(
            "start_attempt",
            id=attempt.id,
            product_id=attempt.product_id,
            job_id=attempt.job_id,
            started_at=attempt.started_at,
            budget=to_json(attempt.budget),
            spent=to_json(attempt.spent),
            trace="{}",
        )

    async def note(self, tx: Transaction, attempt: Attempt, trace: Json) -> None:
        """Save the spending and the trace of a running attempt."""
        await tx.execute(
            "note_attempt", id=attempt.id, spent=to_json(attempt.spent), trace=to_json(trace)
        )

    async def finish(self, tx: Transaction, attempt: Attempt, trace: Json = None) -> bool:
        """End an attempt; a result that comes after a later attempt began is refused.

        False: it had ended before.
        """
        changed = await tx.execute(
            "finish_attempt",
            id=attempt.id,
            status=attempt.status,
            finished_at=attempt.finished_at,
            spent=to_json(attempt.spent),
            error=attempt.error,
            accuracy=attempt.accuracy,
            trace=to_json(trace or {}),
        )
        if not changed and attempt.status in ACCEPTED:
            raise StoreError(
                f"attempt {attempt.id} is not running any more: a later one at the same product "
                "took its place; its result is discarded"
            )
        return bool(changed)

    async def get(self, attempt_id: str) -> Attempt | None:
        """The attempt with this id."""
        rows = await self._db.fetch("get_attempt", id=attempt_id)
        return _attempt(rows[0]) if rows else None

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
        rows = await self._db.fetch("list_attempts", product_id=product_id)
        return [_attempt(row) for row in rows]


def _attempt(row: Row) -> Attempt:
    limits, spent = from_json(row["budget"]), from_json(row["spent"])
    return build(Attempt, {**row, "budget": limits, "spent": spent})
