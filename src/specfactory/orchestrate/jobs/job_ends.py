"""End a failed job: retry it later, or make it a dead letter."""

from specfactory.declared_events import event
from specfactory.model import Action, Event, Job, JobError
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.jobs.failures import Failure
from specfactory.ports import Transaction
from specfactory.queue import RetryRule, after_failure, due_after, is_permanent


async def end_badly(bench: Workbench, tx: Transaction, job: Job, failure: Failure) -> Event | None:
    """Retry later or give up, as the retry rule says; None when the lease is gone."""
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
