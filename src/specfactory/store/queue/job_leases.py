"""A worker's writes to its jobs, each fenced by the lease of its claim.

A result without the job means that the lease is lost: stop, and discard the work.
"""

from collections.abc import Sequence

from specfactory.declared_events import event
from specfactory.model import Cause, Event, Instant, Job, JobError, JobStatus, Lease, RunStatus
from specfactory.ports import Database, Transaction
from specfactory.store.base import Outbox
from specfactory.store.queue.job_rows import error_row, job_of, leases_json, names_json
from specfactory.store.queue.run_ends import (
    close_if_done,
    jobs_ended,
    lock_runs,
    lock_runs_of,
    touched_runs,
)

SILENT = "lease expired: its worker fell silent"


class LeasedJobs:
    """Claims of jobs, and how they end."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._outbox = Outbox(db)

    async def claim(
        self,
        tx: Transaction,
        owner: str,
        count: int,
        kinds: Sequence[str],
        lease_seconds: float,
        now: Instant,
    ) -> list[Job]:
        """Lease the most urgent due jobs of these kinds, the most urgent first."""
        until = now + round(lease_seconds * 1000)
        rows = await tx.fetch(
            "claim_jobs", owner=owner, count=count, kinds=names_json(kinds), until=until, now=now
        )
        jobs = sorted(map(job_of, rows), key=_urgency)
        if jobs:
            ids = [job.id for job in jobs]
            await self._emit(tx, event("job.claimed", now, job_ids=ids, worker=owner))
        return jobs

    async def renew(self, tx: Transaction, leases: Sequence[Lease], until: Instant) -> set[int]:
        """Renew leases; return the jobs whose lease still holds."""
        rows = await tx.fetch("renew_leases", leases=leases_json(leases), until=until)
        return {row["id"] for row in rows}

    async def finish(self, tx: Transaction, leases: Sequence[Lease], now: Instant) -> list[int]:
        """Complete jobs and return their ids; the others have lost their lease."""
        rows = await tx.fetch("finish_jobs", leases=leases_json(leases), now=now)
        if not rows:
            return []
        ids = sorted(row["id"] for row in rows)
        ended = await jobs_ended(tx, rows, now, RunStatus.COMPLETE)
        await self._emit(tx, event("job.finished", now, job_ids=ids), *ended)
        return ids

    async def retry(self, tx: Transaction, lease: Lease, error: JobError, due_at: Instant) -> bool:
        """Put a failed job back for a later try."""
        rows = await tx.fetch(
            "retry_job", id=lease.job_id, token=lease.token, error=error.message,
            cause=error.cause, due_at=due_at,
        )  # fmt: skip
        if not rows:
            return False
        await tx.execute("add_job_error", **error_row(error))
        about = {"job_id": error.job_id, "attempt": error.attempt, "cause": error.cause}
        message = error.message
        await self._emit(
            tx, event("job.retried", error.at, **about, message=message, due_at=due_at)
        )
        return True

    async def fail(self, tx: Transaction, lease: Lease, error: JobError, now: Instant) -> bool:
        """Make a job a dead letter."""
        await lock_runs_of(tx, [lease])
        rows = await tx.fetch(
            "fail_job", id=lease.job_id, token=lease.token, error=error.message,
            cause=error.cause, now=now,
        )  # fmt: skip
        if not rows:
            return False
        await tx.execute("add_job_error", **error_row(error))
        ended = await jobs_ended(tx, rows, now, RunStatus.FAILED)
        await self._emit(tx, _failed(error, now), *ended)
        return True

    async def ask(self, tx: Transaction, lease: Lease, now: Instant) -> bool:
        """Set a job aside for review; its run does not wait for it."""
        await lock_runs_of(tx, [lease])
        rows = await tx.fetch("ask_job", id=lease.job_id, token=lease.token)
        if not rows:
            return False
        events = [event("job.asked", now, job_ids=[lease.job_id])]
        if (run_id := rows[0]["run_id"]) is not None:
            events += await close_if_done(tx, run_id, now)
        await self._emit(tx, *events)
        return True

    async def release(self, tx: Transaction, leases: Sequence[Lease], now: Instant) -> int:
        """Return claims that were not started; they do not count as attempts."""
        rows = await tx.fetch("release_jobs", leases=leases_json(leases))
        if rows:
            ids = sorted(row["id"] for row in rows)
            await self._emit(tx, event("job.released", now, job_ids=ids))
        return len(rows)

    async def defer(
        self, tx: Transaction, lease: Lease, due_at: Instant, reason: str, host: str, now: Instant
    ) -> bool:
        """Put a job back until its host may be asked again, without counting an attempt."""
        rows = await tx.fetch(
            "defer_job", id=lease.job_id, token=lease.token, due_at=due_at, reason=reason
        )
        if rows:
            about = {"job_id": lease.job_id, "host": host, "reason": reason}
            await self._emit(tx, event("job.deferred", now, **about, due_at=due_at))
        return bool(rows)

    async def note_round(self, tx: Transaction, lease: Lease, round: int) -> bool:  # noqa: A002
        """Record the round that a job is in."""
        return bool(await tx.execute("note_round", id=lease.job_id, token=lease.token, round=round))

    async def rescue(self, tx: Transaction, now: Instant, limit: int = 100) -> list[Job]:
        """Take jobs from silent workers: queue them again, or bury them after the last attempt."""
        found = await tx.fetch("expired_leases", now=now, limit=limit)
        if not found:
            return []
        await lock_runs(tx, touched_runs(found))
        leases = leases_json(Lease(row["id"], row["lease_token"]) for row in found)
        rows = await tx.fetch(
            "rescue_jobs", leases=leases, now=now, error=SILENT, cause=Cause.LEASE_EXPIRED
        )
        jobs = sorted(map(job_of, rows), key=_urgency)
        await tx.execute_many("add_job_error", [error_row(_silence(job, now)) for job in jobs])
        if not jobs:  # another rescuer was quicker
            return []
        dead = [job for job in jobs if job.status is JobStatus.FAILED]
        of_dead = [row for row in rows if row["status"] == JobStatus.FAILED]
        ended = await jobs_ended(tx, of_dead, now, RunStatus.FAILED)
        failed = [_failed(_silence(job, now), now) for job in dead]
        expired = event("lease.expired", now, job_ids=[job.id for job in jobs])
        await self._emit(tx, expired, *failed, *ended)
        return jobs

    async def _emit(self, tx: Transaction, *events: Event) -> None:
        await self._outbox.append(tx, events)


def _urgency(job: Job) -> tuple[int, Instant, int]:
    return job.priority, job.due_at, job.id


def _silence(job: Job, now: Instant) -> JobError:
    last = ""
    if job.status is JobStatus.FAILED:
        last = f"; attempt {job.attempts} of {job.max_attempts} was the last"
    return JobError(
        job.id, job.attempts, now, job.lease_owner or "", "worker", Cause.LEASE_EXPIRED,
        SILENT + last,
    )  # fmt: skip


def _failed(error: JobError, now: Instant) -> Event:
    return event(
        "job.failed",
        now,
        job_id=error.job_id,
        attempt=error.attempt,
        cause=error.cause,
        message=error.message,
    )
