"""A worker's writes to its jobs, each fenced by the lease of its claim.

A result without the job means that the lease is lost: stop, and discard the work.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from specfactory.declared_events import event
from specfactory.model import (
    AT_HOSTS,
    Cause,
    Instant,
    Job,
    JobError,
    JobStatus,
    Json,
    Lease,
    RunStatus,
)
from specfactory.ports import Transaction
from specfactory.store.base import Store, as_row, emit, fetch_all, from_row
from specfactory.store.queue.host_line import PICTURE, HostTurns, InLine, fair_shares
from specfactory.store.queue.job_rows import job_events, leases_json, names_json, numbered
from specfactory.store.queue.run_ends import (
    close_if_done,
    jobs_ended,
    lock_runs,
    lock_runs_of,
    touched_runs,
)

SILENT = "lease expired: its worker fell silent"


class LeasedJobs(Store):
    """Claims of jobs, and how they end."""

    async def claim(
        self,
        tx: Transaction,
        owner: str,
        count: int,
        kinds: Sequence[str],
        lease_seconds: float,
        now: Instant,
        turns: HostTurns | None = None,
    ) -> list[Job]:
        """Lease the most urgent due jobs of these kinds, the most urgent first.

        Jobs of one urgency that ask hosts are taken from many hosts, as ``turns`` lets them.
        """
        given = {"owner": owner, "until": now + round(lease_seconds * 1000), "now": now}
        if AT_HOSTS.isdisjoint(kinds):
            lanes = names_json(kinds)
            jobs = await fetch_all(tx, Job, "claim_jobs", **given, count=count, kinds=lanes)
        else:
            jobs = await _claim_at_hosts(tx, count, kinds, turns or HostTurns(), given)
        jobs.sort(key=_urgency)
        if jobs:
            ids = [job.id for job in jobs]
            await emit(tx, event("job.claimed", now, job_ids=ids, worker=owner))
        return jobs

    async def renew(self, tx: Transaction, leases: Sequence[Lease], until: Instant) -> set[int]:
        """Renew leases; return the jobs whose lease still holds."""
        rows = await tx.fetch("renew_leases", leases=leases_json(leases), until=until)
        return {row["id"] for row in rows}

    async def finish(self, tx: Transaction, leases: Sequence[Lease], now: Instant) -> list[int]:
        """Complete jobs and return their ids; the others have lost their lease."""
        rows = await tx.fetch("finish_jobs", leases=leases_json(leases), now=now)
        ended = await jobs_ended(tx, rows, now, RunStatus.COMPLETE)
        await emit(tx, *job_events("job.finished", rows, now), *ended)
        return sorted(row["id"] for row in rows)

    async def retry(self, tx: Transaction, lease: Lease, error: JobError, due_at: Instant) -> bool:
        """Put a failed job back for a later try."""
        said = {"error": error.message, "cause": error.cause}
        rows = await tx.fetch("retry_job", **_fence(lease), **said, due_at=due_at)
        if rows:
            await tx.execute("add_job_error", **as_row(error))
            await emit(tx, event("job.retried", error.at, **_about(error), due_at=due_at))
        return bool(rows)

    async def fail(self, tx: Transaction, lease: Lease, error: JobError, now: Instant) -> bool:
        """Make a job a dead letter."""
        await lock_runs_of(tx, [lease])
        said = {"error": error.message, "cause": error.cause}
        rows = await tx.fetch("fail_job", **_fence(lease), **said, now=now)
        if rows:
            await tx.execute("add_job_error", **as_row(error))
            ended = await jobs_ended(tx, rows, now, RunStatus.FAILED)
            await emit(tx, event("job.failed", now, **_about(error)), *ended)
        return bool(rows)

    async def ask(self, tx: Transaction, lease: Lease, now: Instant) -> bool:
        """Set a job aside for review; its run does not wait for it."""
        await lock_runs_of(tx, [lease])
        rows = await tx.fetch("ask_job", **_fence(lease))
        events = job_events("job.asked", rows, now)
        if rows and (run_id := rows[0]["run_id"]) is not None:
            events += await close_if_done(tx, run_id, now)
        await emit(tx, *events)
        return bool(rows)

    async def release(self, tx: Transaction, leases: Sequence[Lease], now: Instant) -> int:
        """Return claims that were not started; they do not count as attempts."""
        rows = await tx.fetch("release_jobs", leases=leases_json(leases))
        await emit(tx, *job_events("job.released", rows, now))
        return len(rows)

    async def defer(
        self, tx: Transaction, lease: Lease, due_at: Instant, reason: str, host: str, now: Instant
    ) -> bool:
        """Put a job back until its host may be asked again, without counting an attempt."""
        why = {"due_at": due_at, "reason": reason, "host": host}
        rows = await tx.fetch("defer_job", **_fence(lease), **why)
        if rows:
            await emit(tx, event("job.deferred", now, job_id=lease.job_id, **why))
        return bool(rows)

    async def note_round(self, tx: Transaction, lease: Lease, round: int) -> bool:  # noqa: A002
        """Record the round that a job is in."""
        return bool(await tx.execute("note_round", **_fence(lease), round=round))

    async def rescue(self, tx: Transaction, now: Instant, limit: int = 100) -> list[Job]:
        """Take jobs from silent workers: queue them again, or bury them after the last attempt."""
        found = await tx.fetch("expired_leases", now=now, limit=limit)
        if not found:
            return []
        await lock_runs(tx, touched_runs(found))
        leases = leases_json(Lease(row["id"], row["lease_token"]) for row in found)
        why = {"error": SILENT, "cause": Cause.LEASE_EXPIRED}
        rows = await tx.fetch("rescue_jobs", leases=leases, now=now, **why)
        jobs = sorted((from_row(Job, row) for row in rows), key=_urgency)
        if not jobs:  # another rescuer was quicker
            return []
        errors = {job.id: _silence(job, now) for job in jobs}
        await tx.execute_many("add_job_error", [as_row(error) for error in errors.values()])
        dead = [row for row in rows if row["status"] == JobStatus.FAILED]
        ended = await jobs_ended(tx, dead, now, RunStatus.FAILED)
        buried = [errors[job.id] for job in jobs if job.status is JobStatus.FAILED]
        failed = [event("job.failed", now, **_about(error)) for error in buried]
        await emit(tx, event("lease.expired", now, job_ids=list(errors)), *failed, *ended)
        return jobs


async def _claim_at_hosts(
    tx: Transaction, count: int, kinds: Sequence[str], turns: HostTurns, given: dict[str, Any]
) -> list[Job]:
    """Claim once around the hosts in line, or until there is something to do."""
    turns.begin()
    claimed: list[Job] = []
    start, is_round = turns.beginning, not turns.beginning
    where = {"kinds": names_json(kinds), "most": PICTURE, "now": given["now"]}
    while len(claimed) < count:
        line = await fetch_all(tx, InLine, "hosts_in_line", **where, beginning=turns.beginning)
        claimed += await _claim_of_line(tx, count - len(claimed), line, turns, given)
        if not turns.look_on(line):
            if is_round:
                break
            is_round = True
        elif is_round and claimed and turns.beginning > start:
            break
    return claimed


async def _claim_of_line(
    tx: Transaction, count: int, line: list[InLine], turns: HostTurns, given: dict[str, Any]
) -> list[Job]:
    """Claim from the hosts of one picture; what some lack is shared out among the others."""
    claimed: list[Job] = []
    while shares := fair_shares(line, count - len(claimed), turns):
        places = numbered([[one.kind, one.priority, one.host, number] for one, number in shares])
        most = max(number for _, number in shares)
        found = await fetch_all(tx, Job, "claim_at_hosts", **given, places=places, most=most)
        turns.take(found)
        claimed += found
        got = Counter((job.kind, job.priority, job.host) for job in found)
        used_up = {one for one, n in shares if got[one.kind, one.priority, one.host] < n}
        line = [one for one in line if one not in used_up]
    return claimed


# The order of ``claim_jobs`` in sql/jobs.sql and sql/postgres/jobs.sql: RETURNING keeps none.
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


def _about(error: JobError) -> dict[str, Json]:
    return {name: getattr(error, name) for name in ("job_id", "attempt", "cause", "message")}


def _fence(lease: Lease) -> dict[str, int]:
    return {"id": lease.job_id, "token": lease.token}
