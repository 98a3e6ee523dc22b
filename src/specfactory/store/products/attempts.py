"""Attempts at products, with their traces."""

from collections.abc import Iterable
from typing import Any

from specfactory.declared_events import event
from specfactory.errors import StoreError
from specfactory.model import Attempt, AttemptStatus, Event, Instant, Json
from specfactory.ports import Transaction
from specfactory.store.base import Store, as_row, fetch_all, fetch_first, from_json, to_json

ACCEPTED = (AttemptStatus.COMPLETE, AttemptStatus.AWAITING_REVIEW)
SILENT = "its worker fell silent; its job was taken from it"
ORPHANED = "never finished: nobody works on its job any more"
LEFT = "never finished: its process is gone"
OVERTIME_MS = 3_600_000  # an attempt without a job ends by its own budget, unless its process died


def attempt_finished(attempt: Attempt) -> Event:
    """The event of an attempt's end."""
    spent = attempt.spent
    return event(
        "attempt.finished", attempt.finished_at or 0, attempt_id=attempt.id,
        product_id=attempt.product_id, status=attempt.status, seconds=spent.seconds,
        pages=spent.pages, cost_usd=spent.model_cost_usd, error=attempt.error,
    )  # fmt: skip


class Attempts(Store):
    """All attempts; one that a crash cut short is still there.

    Whoever ends attempts here adds the events that are returned, in the same transaction.
    """

    async def start(self, tx: Transaction, attempt: Attempt) -> list[Event]:
        """Start an attempt; one that an earlier process left running is marked interrupted."""
        about = {"id": attempt.id, "product_id": attempt.product_id}
        error = f"never finished; {attempt.id} took its place"
        ended = await _ended(tx, "interrupt_attempts", **about, at=attempt.started_at, error=error)
        row = as_row(attempt)
        given = {name: row[name] for name in ("job_id", "started_at", "budget", "spent")}
        await tx.execute("start_attempt", **about, **given, trace="{}")
        return ended

    async def interrupt_jobs(
        self, tx: Transaction, job_ids: Iterable[int], now: Instant
    ) -> list[Event]:
        """End the attempts at jobs that were taken from silent workers."""
        ids = to_json({str(job_id): 1 for job_id in job_ids})
        return await _ended(tx, "interrupt_attempts_of_jobs", job_ids=ids, at=now, error=SILENT)

    async def interrupt_orphans(
        self, tx: Transaction, now: Instant, patience_seconds: float
    ) -> list[Event]:
        """End attempts whose worker or process is gone.

        A worker whose job was paused or skipped is given ``patience_seconds`` to end its attempt.
        """
        before = now - round(patience_seconds * 1000)
        ended = await _ended(tx, "interrupt_orphans", before=before, at=now, error=ORPHANED)
        for one in await fetch_all(tx, Attempt, "attempts_without_job"):
            if one.started_at + one.budget.max_seconds * 1000 + OVERTIME_MS < now:
                ended += await _ended(tx, "interrupt_attempt", id=one.id, at=now, error=LEFT)
        return ended

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
                "took its place, or it was given up; its result is discarded"
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


async def _ended(tx: Transaction, query: str, **given: Any) -> list[Event]:
    return [attempt_finished(each) for each in await fetch_all(tx, Attempt, query, **given)]
