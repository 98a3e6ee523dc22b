"""The workers, by their latest reports."""

from dataclasses import replace

from specfactory.model import Instant, WorkerReport
from specfactory.ports import Transaction
from specfactory.store.base import Store, as_row, fetch_all


class Workers(Store):
    """Reports of all workers."""

    async def beat(self, tx: Transaction, worker: WorkerReport) -> None:
        """Store a worker's heartbeat with its counts."""
        await tx.execute("worker_beat", **as_row(worker))

    async def gone(self, tx: Transaction, worker_id: str, now: Instant) -> None:
        """Mark a worker as stopped in order."""
        await tx.execute("worker_gone", id=worker_id, now=now)

    async def forget(self, tx: Transaction, before: Instant) -> int:
        """Drop workers that were last seen before an instant."""
        return await tx.execute("forget_workers", before=before)

    async def list(self, now: Instant, lost_after_seconds: float) -> list[WorkerReport]:
        """All workers that are remembered; one that was silent for so long is ``lost``."""
        workers = await fetch_all(self._db, WorkerReport, "list_workers")
        limit = now - round(lost_after_seconds * 1000)
        return [
            replace(worker, status="lost")
            if worker.status != "gone" and worker.seen_at < limit
            else worker
            for worker in workers
        ]
