"""Runs: jobs that belong together, found again by the hash of their configuration."""

import hashlib
import json
from collections.abc import Mapping

from specfactory.declared_events import event
from specfactory.errors import StoreError, UnknownSubject
from specfactory.model import Instant, JobStatus, Json, Lease, Run, RunStatus
from specfactory.ports import Database, Transaction
from specfactory.store.base import Outbox, to_json
from specfactory.store.queue.job_rows import leases_json
from specfactory.store.queue.run_ends import (
    TAKES_JOBS,
    add_run_job,
    close_if_done,
    end_run,
    jobs_ended,
    lock_runs,
    run_of,
    withdraw,
)

_TRIES = 3  # with many writers a run may end between the two queries


def config_hash(config: Mapping[str, Json]) -> str:
    """Hash of a configuration, whatever the order of its keys."""
    canonical = json.dumps(config, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()


class Runs:
    """All runs. The last job of a run closes it; ``sweep`` closes those that were missed."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._outbox = Outbox(db)

    async def join(
        self, tx: Transaction, config: Mapping[str, Json], now: Instant
    ) -> tuple[Run, bool]:
        """The run of this configuration that is under way, or (True) a new one."""
        digest = config_hash(config)
        for _ in range(_TRIES):
            if rows := await tx.fetch(
                "open_run", config_hash=digest, config=to_json(config), now=now
            ):
                opened = event("run.opened", now, run_id=rows[0]["id"], config_hash=digest)
                await self._outbox.append(tx, [opened])
                return run_of(rows[0]), True
            if rows := await tx.fetch("run_under_way", config_hash=digest):
                return run_of(rows[0]), False
        raise StoreError(f"the run of {digest[:12]} could neither be opened nor found; try again")

    async def lock(self, tx: Transaction, run_id: int) -> Run:
        """Lock a run until the transaction ends; always before its jobs."""
        runs = await lock_runs(tx, [run_id])
        if run_id not in runs:
            raise UnknownSubject("run", str(run_id))
        return runs[run_id]

    async def close_if_done(self, tx: Transaction, run_id: int, now: Instant) -> bool:
        """Move a run with nothing left to do on to post-processing."""
        await self.lock(tx, run_id)
        events = await close_if_done(tx, run_id, now)
        await self._outbox.append(tx, events)
        return bool(events)

    async def complete(self, tx: Transaction, lease: Lease, summary: Json, now: Instant) -> bool:
        """End the post-processing, its job and its run together; False: the lease is lost."""
        rows = await tx.fetch("finish_jobs", leases=leases_json([lease]), now=now)
        if not rows:
            return False
        ended = await jobs_ended(tx, rows, now, RunStatus.COMPLETE, summary)
        finished = event("job.finished", now, job_ids=[lease.job_id])
        await self._outbox.append(tx, [finished, *ended])
        return True

    async def cancel(self, tx: Transaction, run_id: int, now: Instant) -> bool:
        """Cancel a run now; its jobs are skipped, and workers lose their leases."""
        if (await self.lock(tx, run_id)).status not in TAKES_JOBS:
            return False
        rows = await tx.fetch("skip_jobs_of_run", run_id=run_id, now=now)
        ids = sorted(row["id"] for row in rows)
        events = [event("job.skipped", now, job_ids=ids)] if ids else []
        events += await withdraw(tx, run_id, now)
        events += await end_run(tx, run_id, RunStatus.CANCELLED, now)
        await self._outbox.append(tx, events)
        return True

    async def sweep(self, tx: Transaction, now: Instant) -> list[int]:
        """Close the runs that were missed; return them."""
        behind = [row["id"] for row in await tx.fetch("runs_left_behind")]
        waiting = [row["id"] for row in await tx.fetch("runs_without_post_processing")]
        runs = await lock_runs(tx, [*behind, *waiting])
        events = [each for run_id in behind for each in await close_if_done(tx, run_id, now)]
        for run_id in waiting:
            if runs[run_id].status is RunStatus.POST_PROCESSING:
                events += await add_run_job(tx, run_id, now)
        await self._outbox.append(tx, events)
        return sorted({*behind, *waiting}) if events else []

    async def get(self, run_id: int) -> Run | None:
        """The run with this id."""
        rows = await self._db.fetch("get_run", id=run_id)
        return run_of(rows[0]) if rows else None

    async def progress(self, run_id: int) -> dict[JobStatus, int]:
        """Number of jobs of a run in each state, none left out."""
        rows = await self._db.fetch("run_progress", run_id=run_id)
        found = {JobStatus(row["status"]): int(row["jobs"]) for row in rows}
        return {status: found.get(status, 0) for status in JobStatus}

    async def causes(self, run_id: int) -> dict[str, int]:
        """Number of errors in a run by cause, the most frequent first."""
        rows = await self._db.fetch("run_causes", run_id=run_id)
        return {row["cause"]: int(row["errors"]) for row in rows}

    async def list(self, status: RunStatus | None = None, limit: int = 100) -> list[Run]:
        """Runs, of one status or of all, the latest first."""
        return [
            run_of(row) for row in await self._db.fetch("list_runs", status=status, limit=limit)
        ]
