"""The end of an attempt is the end of its job, in one transaction, or of neither."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specfactory.errors import LeaseLost
from specfactory.events import event
from specfactory.model import Action, Attempt, AttemptStatus, Event, Job, JobError
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.jobs.failures import Failure, nothing_found
from specfactory.ports import Transaction
from specfactory.queue import RetryRule, after_failure, due_after, is_permanent

if TYPE_CHECKING:
    from specfactory.orchestrate.attempts import Tally


async def end_with_attempt(
    bench: Workbench, tx: Transaction, job: Job, attempt: Attempt, tally: Tally
) -> Event:
    """End the job as its attempt ended; LeaseLost discards all that the transaction holds."""
    now, told = bench.clock.now(), None
    if attempt.status is AttemptStatus.COMPLETE:
        if await bench.jobs.finish(tx, [job.lease], now):
            told = event("job.finished", now, job_ids=[job.id])
    elif attempt.status is AttemptStatus.AWAITING_REVIEW:
        if await bench.jobs.ask(tx, job.lease, now):
            told = event("job.asked", now, job_ids=[job.id])
    elif tally.paused:
        told = await _put_off(bench, tx, job, attempt, tally)
    else:
        failure = nothing_found(tally.hosts, attempt.error or "", tally.stopped_by)
        told = await end_badly(bench, tx, job, failure)
    if told is None:
        raise LeaseLost(job.name)
    return told


async def _put_off(
    bench: Workbench, tx: Transaction, job: Job, attempt: Attempt, tally: Tally
) -> Event | None:
    """Nothing was found, but not all were asked: wait for the first who may be asked again."""
    now, host = bench.clock.now(), min(tally.paused, key=lambda known: tally.paused[known])
    until, reason = tally.paused[host], f"{attempt.error or 'nothing found'}; it waits for {host}"
    if not await bench.jobs.defer(tx, job.lease, until, reason, host, now):
        return None
    about = {"job_id": job.id, "host": host, "reason": reason}
    return event("job.deferred", now, **about, due_at=until)


async def end_badly(bench: Workbench, tx: Transaction, job: Job, failure: Failure) -> Event | None:
    """Try again later or give up, as the rule says; None when the lease is gone."""
    now, permanent = bench.clock.now(), failure.permanent or is_permanent(failure.cause)
    action, delay = after_failure(
        job, failure.cause, RetryRule.of(bench.settings.queue), bench.random, permanent=permanent
    )
    error = JobError(
        job.id, job.attempts, now, job.lease_owner or "", failure.station, failure.cause,
        failure.message, failure.host, permanent, failure.page_cause,
    )  # fmt: skip
    if action is Action.FAIL:
        held = await bench.jobs.fail(tx, job.lease, error, now)
        return _told("job.failed", error) if held else None
    due_at = due_after(now, delay)
    held = await bench.jobs.retry(tx, job.lease, error, due_at)
    return _told("job.retried", error, due_at=due_at) if held else None


def _told(name: str, error: JobError, **more: int) -> Event:
    return event(
        name,
        error.at,
        job_id=error.job_id,
        attempt=error.attempt,
        cause=error.cause,
        message=error.message,
        **more,
    )
