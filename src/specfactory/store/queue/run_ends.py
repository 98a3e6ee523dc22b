"""Ends of runs: the last job that ends closes its run, in the same transaction.

Runs are always locked before jobs; so the one that finds nothing left is the last one.
"""

from collections.abc import Iterable, Sequence

from specfactory.declared_events import event
from specfactory.errors import RunClosed
from specfactory.model import Event, Instant, JobKind, Lease, NewJob, Priority, Run, RunStatus
from specfactory.ports import Row, Transaction
from specfactory.store.base import fetch_all, to_json
from specfactory.store.queue.job_rows import job_events, leases_json, names_json, new_row, numbered

TAKES_JOBS = (RunStatus.OPEN, RunStatus.POST_PROCESSING)


async def lock_runs(tx: Transaction, run_ids: Iterable[int]) -> dict[int, Run]:
    """Lock runs until the transaction ends."""
    wanted = set(run_ids)
    ids = names_json(sorted(wanted))
    runs = await fetch_all(tx, Run, "lock_runs", ids=ids) if wanted else []
    return {run.id: run for run in runs}


async def lock_runs_of(tx: Transaction, leases: Sequence[Lease]) -> None:
    """Lock the runs of leased jobs, and those whose post-processing is leased."""
    rows = await tx.fetch("jobs_with_runs", leases=leases_json(leases))
    await lock_runs(tx, touched_runs(rows))


def touched_runs(rows: Iterable[Row]) -> set[int]:
    """The runs that rows of jobs belong to or post-process."""
    found = {row["run_id"] or post_processed(row["kind"], row["key"]) for row in rows}
    return {run_id for run_id in found if run_id is not None}


def post_processed(kind: str, key: str) -> int | None:
    """The run that a job post-processes."""
    return int(key) if kind == JobKind.RUN and key.isdecimal() else None


async def jobs_ended(
    tx: Transaction, rows: Sequence[Row], now: Instant, status: RunStatus, summary: object = None
) -> list[Event]:
    """Close runs with nothing left; a job that post-processes one ends it with ``status``."""
    events: list[Event] = []
    for run_id in sorted({row["run_id"] for row in rows if row["run_id"] is not None}):
        events += await close_if_done(tx, run_id, now)
    for row in rows:
        if row["run_id"] is None and (run_id := post_processed(row["kind"], row["key"])):
            events += await end_run(tx, run_id, status, now, summary)
    return events


async def close_if_done(tx: Transaction, run_id: int, now: Instant) -> list[Event]:
    """Move a run with nothing left to do to post-processing; the run must be locked."""
    if not await tx.fetch("close_run", id=run_id):
        return []
    return [event("run.post_processing", now, run_id=run_id), *await add_run_job(tx, run_id, now)]


async def add_run_job(tx: Transaction, run_id: int, now: Instant) -> list[Event]:
    """Queue the post-processing of a run, unless it is queued."""
    job = NewJob(
        JobKind.RUN, str(run_id), {"run_id": run_id}, priority=Priority.HIGH, added_by="run"
    )
    rows = await tx.fetch("add_jobs", jobs=numbered([new_row(job, now)]), now=now)
    return job_events("job.added", rows, now, kinds=[JobKind.RUN])


async def end_run(
    tx: Transaction, run_id: int, status: RunStatus, now: Instant, summary: object = None
) -> list[Event]:
    """End a run that is under way."""
    text = None if summary is None else to_json(summary)
    if not await tx.fetch("end_run", id=run_id, status=status, now=now, summary=text):
        return []
    return [event("run.finished", now, run_id=run_id, status=status)]


async def reopen_run(
    tx: Transaction, run: Run, now: Instant, status: RunStatus = RunStatus.OPEN
) -> list[Event]:
    """Reopen a run that has something to do again; the run must be locked."""
    if run.status is status:
        return []
    if not await tx.fetch("reopen_run", id=run.id, status=status):
        raise RunClosed(run.id, f"{run.status} and a later one of its configuration is under way")
    events = [event("run.reopened", now, run_id=run.id)]
    return events + (await withdraw(tx, run.id, now) if status is RunStatus.OPEN else [])


async def withdraw(tx: Transaction, run_id: int, now: Instant) -> list[Event]:
    """Cancel a run's post-processing, also while a worker does it."""
    rows = await tx.fetch("withdraw_run_job", key=str(run_id), now=now)
    return job_events("job.skipped", rows, now)
