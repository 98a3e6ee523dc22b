"""The end of an attempt is the end of its job, in one transaction, or of neither."""

from __future__ import annotations

from specfactory.errors import LeaseLost
from specfactory.events import event
from specfactory.model import Attempt, AttemptStatus, Event, Job, JobError, JobKind
from specfactory.orchestrate.failures import Failure, nothing_found
from specfactory.orchestrate.tally import Tally
from specfactory.orchestrate.workbench import Workbench
from specfactory.ports import Transaction
from specfactory.queue.retries import PERMANENT, RetryRule, after_failure
from specfactory.queue.states import Action
from specfactory.settings import QueueSettings


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
    else:
        failure = nothing_found(tally.hosts, attempt.error or "", tally.stopped_by)
        told = await end_badly(bench, tx, job, failure)
    if told is None:
        raise LeaseLost(job.name)
    return told


async def end_badly(bench: Workbench, tx: Transaction, job: Job, failure: Failure) -> Event | None:
    """Try again later or give up, as the rule says; None when the lease is gone."""
    settings, now = bench.settings.queue, bench.clock.now()
    permanent = failure.permanent or failure.cause in PERMANENT
    action, delay = after_failure(
        job, failure.cause, retry_rule(settings), bench.random, permanent=permanent
    )
    error = JobError(
        job.id, job.attempts, now, job.lease_owner or "", failure.station, failure.cause,
        failure.message, failure.host, permanent,
    )  # fmt: skip
    if action is Action.FAIL:
        held = await bench.jobs.fail(tx, job.lease, error, now)
        return _told("job.failed", error) if held else None
    if job.kind == JobKind.PRODUCT:
        delay = max(delay, settings.cooldown_seconds)
    due_at = now + round(delay * 1000)
    held = await bench.jobs.retry(tx, job.lease, error, due_at)
    return _told("job.retried", error, due_at=due_at) if held else None


def retry_rule(settings: QueueSettings) -> RetryRule:
    """How failed jobs are spread over time."""
    return RetryRule(
        settings.retry_first_seconds, settings.retry_factor, settings.retry_longest_seconds
    )


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
