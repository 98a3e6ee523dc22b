"""Runs: jobs that belong together, found again by the hash of their configuration."""

import hashlib
import json
from collections.abc import Mapping

from specfactory.declared_events import event
from specfactory.errors import StoreError, UnknownSubject
from specfactory.model import Instant, JobStatus, Json, Lease, Run, RunStatus
from specfactory.ports import Transaction
from specfactory.store.base import Store, emit, fetch_all, fetch_first, to_json
from specfactory.store.queue.job_rows import job_events, leases_json
from specfactory.store.queue.run_ends import (
    TAKES_JOBS,
    add_run_job,
    close_if_done,
    end_run,
    jobs_ended,
    lock_runs,
    reopen_run,
    withdraw,
)

_TRIES = 3  # with many writers a run may end between the two queries


def config_hash(config: Mapping[str, Json]) -> str:
    """Hash of a configuration, whatever the order of its keys."""
    canonical = json.dumps(config, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()


class Runs(Store):
    """All runs. The last job of a run closes it; ``sweep`` closes those that were missed."""

    async def join(
        self, tx: Transaction, config: Mapping[str, Json], now: Instant
    ) -> tuple[Run, bool]:
        """The run of this configuration that is under way, or (True) a new one."""
        digest = config_hash(config)
        for _ in range(_TRIES):
            given = {"config_hash": digest, "config": to_json(config), "now": now}
            if run := await fetch_first(tx, Run, "open_run", **given):
                opened = event("run.opened", now, run_id=run.id, config_hash=digest)
                await emit(tx, opened)
                return run, True
            if run := await fetch_first(tx, Run, "run_under_way", config_hash=digest):
                return run, False
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
        await emit(tx, *events)
        return bool(events)

    async def complete(self, tx: Transaction, lease: Lease, summary: Json, now: Instant) -> bool:
        """End the post-processing, its job and its run together; False: the lease is lost."""
        rows = await tx.fetch("finish_jobs", leases=leases_json([lease]), now=now)
        ended = await jobs_ended(tx, rows, now, RunStatus.COMPLETE, summary)
        await emit(tx, *job_events("job.finished", rows, now), *ended)
        return bool(rows)

    async def cancel(self, tx: Transaction, run_id: int, now: Instant) -> bool:
        """Cancel a run now; its jobs are skipped, and workers lose their leases."""
        if (await self.lock(tx, run_id)).status not in TAKES_JOBS:
            return False
        rows = await tx.fetch("skip_jobs_of_run", run_id=run_id, now=now)
        withdrawn = await withdraw(tx, run_id, now)
        ended = await end_run(tx, run_id, RunStatus.CANCELLED, now)
        await emit(tx, *job_events("job.skipped", rows, now), *withdrawn, *ended)
        return True

    async def resume(self, tx: Transaction, run_id: int, now: Instant) -> int:
        """Take up a cancelled run again: what the cancellation left undone is queued.

        Returns the number of those jobs; 0: the run was not cancelled, or nothing was left.
        """
        run = await self.lock(tx, run_id)
        if run.status is not RunStatus.CANCELLED:
            return 0
        given = {"run_id": run_id, "cancelled_at": run.finished_at, "now": now}
        rows = await tx.fetch("resume_jobs_of_run", **given)
        if rows:
            reopened = await reopen_run(tx, run, now)
            await emit(tx, *job_events("job.resumed", rows, now), *reopened)
        return len(rows)

    async def sweep(self, tx: Transaction, now: Instant) -> list[int]:
        """Close the runs that were missed; return them."""
        behind = [row["id"] for row in await tx.fetch("runs_left_behind")]
        waiting = [row["id"] for row in await tx.fetch("runs_without_post_processing")]
        runs = await lock_runs(tx, [*behind, *waiting])
        events = [each for run_id in behind for each in await close_if_done(tx, run_id, now)]
        for run_id in waiting:
            if runs[run_id].status is RunStatus.POST_PROCESSING:
                events += await add_run_job(tx, run_id, now)
        await emit(tx, *events)
        return sorted({*behind, *waiting}) if events else []

    async def get(self, run_id: int) -> Run | None:
        """The run with this id."""
        return await fetch_first(self._db, Run, "get_run", id=run_id)

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
        return await fetch_all(self._db, Run, "list_runs", status=status, limit=limit)
