"""Changes of jobs by a person or the schedule; old jobs become counts."""

from collections import Counter
from dataclasses import replace
from typing import Any

from specfactory.declared_events import event
from specfactory.errors import StoreError, SubjectBusy, UnknownSubject, UsageError
from specfactory.model import (
    ACTIVE,
    LEASED,
    LEFT_TO_DO,
    Action,
    Event,
    Instant,
    Job,
    JobKind,
    JobStatus,
    Priority,
    RunStatus,
    job_name,
    transition,
)
from specfactory.ports import Transaction
from specfactory.store.base import Store, emit, fetch_first, from_row
from specfactory.store.queue.job_rows import job_events, names_json
from specfactory.store.queue.run_ends import (
    close_if_done,
    end_run,
    lock_runs,
    post_processed,
    reopen_run,
    touched_runs,
)

FOREVER: Instant = 1 << 62
DAY_MS = 86_400_000
DELETED_AT_ONCE = 10_000

_EVENTS = {
    Action.PAUSE: "job.paused",
    Action.RESUME: "job.resumed",
    Action.SKIP: "job.skipped",
    Action.REQUEUE: "job.requeued",
    Action.AGE: "job.aged",
    Action.FINISH: "job.finished",
}


class ChangedJobs(Store):
    """Actions of people and the schedule on jobs."""

    async def act(
        self,
        tx: Transaction,
        job_id: int,
        action: Action,
        now: Instant,
        *,
        due_at: Instant | None = None,
        priority: int | None = None,
        reason: str | None = None,
    ) -> Job:
        """Pause, resume, skip, requeue, age, or finish what was asked; else TransitionRefused."""
        # lock the job after its run: the same order everywhere prevents deadlocks
        rows = await tx.fetch("get_job", id=job_id)
        if not rows:
            raise UnknownSubject("job", job_name(job_id))
        await lock_runs(tx, touched_runs(rows))
        job = from_row(Job, (await tx.fetch("lock_job", id=job_id))[0])
        if action in LEASED or (action, job.status) == (Action.FINISH, JobStatus.IN_PROGRESS):
            raise UsageError(f"{action} is for the worker that holds the lease of {job.name}")
        after = _moved(job, transition(job.status, action), action, now)
        changes: dict[str, Any] = {
            "due_at": due_at,
            "priority": _checked(priority),
            "priority_reason": reason,
        }
        after = replace(after, **{name: x for name, x in changes.items() if x is not None})
        await self._refuse_twin(tx, job, after)
        moved = await self._move(tx, job, after)
        emitted = event(_EVENTS[action], now, job_ids=[job.id])
        await emit(tx, emitted, *await _effects(tx, job, moved, now))
        return moved

    async def prioritize(
        self, tx: Transaction, job_id: int, priority: int, reason: str, now: Instant
    ) -> Job:
        """Give a job another priority."""
        given = {"priority": _checked(priority), "reason": reason}
        job = await fetch_first(tx, Job, "prioritize_job", id=job_id, **given)
        if job is None:
            raise UnknownSubject("job", job_name(job_id))
        await emit(tx, event("job.prioritized", now, job_id=job_id, **given))
        return job

    async def age(
        self, tx: Transaction, older_than: Instant, now: Instant, kind: str = JobKind.PRODUCT
    ) -> int:
        """Mark the latest job of each subject as stale if it was completed before an instant."""
        rows = await tx.fetch("age_jobs", before=older_than, kind=kind)
        await emit(tx, *job_events("job.aged", rows, now))
        return len(rows)

    async def hasten(self, tx: Transaction, host: str, now: Instant) -> int:
        """Make the waiting page jobs of a host due now; return their number."""
        patterns = {"plain": f"http://{host}/%", "secure": f"https://{host}/%"}
        return len(await tx.fetch("hasten_pages", now=now, **patterns))

    async def hasten_one(self, tx: Transaction, kind: JobKind, key: str, now: Instant) -> bool:
        """Make one waiting job due now; False: there is none, or it is due."""
        return bool(await tx.fetch("hasten_job", kind=kind, key=key, now=now))

    async def prune(
        self, tx: Transaction, keep_complete: int, keep_failed: int, now: Instant
    ) -> list[Event]:
        """Keep the latest jobs in full (-1: all), and counts of the others; some thousands a call.

        Returns the events of what was removed; they are in the outbox.
        """
        removed: list[Event] = []
        for status, keep, setting in (
            (JobStatus.COMPLETE, keep_complete, "queue.keep_complete"),
            (JobStatus.FAILED, keep_failed, "queue.keep_failed"),
        ):
            if keep >= 0:
                why = f"{setting} is {keep}"
                removed += await self._delete(tx, status, now, FOREVER, why, keep)
        return removed

    async def clear(
        self, tx: Transaction, status: JobStatus, now: Instant, before: Instant = FOREVER
    ) -> int:
        """Delete jobs of a status that ended, or were added, before an instant.

        Jobs of a run that is under way stay: its progress is counted from them. Some thousands a
        call; 0 means that nothing is left.
        """
        if status is JobStatus.IN_PROGRESS:
            raise UsageError("jobs in progress cannot be cleared; pause or skip them first")
        removed = await self._delete(tx, status, now, before, "a person cleared them")
        return sum(int(str(each.fields["jobs"])) for each in removed)

    async def _refuse_twin(self, tx: Transaction, before: Job, after: Job) -> None:
        if before.run_id is not None or before.status in ACTIVE or after.status not in ACTIVE:
            return
        subject = {"kinds": names_json([before.kind]), "keys": names_json([before.key])}
        if rows := await tx.fetch("active_subjects", **subject):
            raise SubjectBusy(before.name, job_name(rows[0]["id"]))

    async def _move(self, tx: Transaction, before: Job, after: Job) -> Job:
        changing = ("status", "priority", "priority_reason", "due_at", "attempts", "finished_at")
        moved = await fetch_first(
            tx, Job, "move_job", id=before.id, before=before.status, token=before.lease_token,
            **{name: getattr(after, name) for name in changing},
        )  # fmt: skip
        if moved is None:
            raise StoreError(f"{before.name} has changed meanwhile; nothing was done, try again")
        return moved

    async def _delete(
        self,
        tx: Transaction,
        status: JobStatus,
        now: Instant,
        before: Instant,
        reason: str,
        keep: int = 0,
    ) -> list[Event]:
        if status is JobStatus.QUEUED:
            rows = await tx.fetch("delete_queued_jobs", before=before, limit=DELETED_AT_ONCE)
        else:
            rows = await tx.fetch(
                "delete_idle_jobs", status=status, before=before, keep=keep, limit=DELETED_AT_ONCE
            )
        if not rows:
            return []
        await tx.execute("delete_job_errors", ids=names_json(row["id"] for row in rows))
        counts = Counter(
            (row["ended_at"] // DAY_MS, row["kind"], row["status"], row["category"]) for row in rows
        )
        names = ("day", "kind", "status", "category", "jobs")
        summaries = [dict(zip(names, (*k, jobs), strict=True)) for k, jobs in counts.items()]
        await tx.execute_many("summarize_jobs", summaries)
        cleared = event("job.cleared", now, status=status, jobs=len(rows), reason=reason)
        await emit(tx, cleared)
        return [cleared]


async def _effects(tx: Transaction, before: Job, after: Job, now: Instant) -> list[Event]:
    """Apply the change of one job to its run, which is locked; return the events."""
    if before.run_id is not None:
        if after.status in LEFT_TO_DO:
            runs = await lock_runs(tx, [before.run_id])
            return await reopen_run(tx, runs[before.run_id], now)
        return await close_if_done(tx, before.run_id, now)
    if (run_id := post_processed(before.kind, before.key)) is None:
        return []
    if after.status is JobStatus.SKIPPED:
        return await end_run(tx, run_id, RunStatus.CANCELLED, now)
    if before.status not in ACTIVE and after.status in ACTIVE:
        run = (await lock_runs(tx, [run_id]))[run_id]
        if run.status is RunStatus.OPEN:
            raise UsageError(f"run {run_id} goes on; its end is queued by the last of its jobs")
        return await reopen_run(tx, run, now, RunStatus.POST_PROCESSING)
    return []


def _moved(job: Job, status: JobStatus, action: Action, now: Instant) -> Job:
    """The job after an action of a person or the schedule."""
    if action is Action.REQUEUE:
        return replace(job, status=status, attempts=0, due_at=now, finished_at=None)
    if action is Action.RESUME:
        return replace(job, status=status, finished_at=None)
    ended = status in (JobStatus.COMPLETE, JobStatus.SKIPPED)
    return replace(job, status=status, finished_at=now if ended else job.finished_at)


def _checked(priority: int | None) -> int | None:
    if priority is not None and not Priority.URGENT <= priority <= Priority.BACKGROUND:
        raise UsageError(f"priority {priority} is not allowed; 1 (urgent) to 5 (background)")
    return priority
