"""End a failed job: retry it later, or make it a dead letter."""

from specfactory.declared_events import event
from specfactory.model import Action, Event, Job, JobError, failure_facts
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.jobs.failures import Failure
from specfactory.ports import Transaction
from specfactory.queue import after_failure, due_after


async def end_badly(bench: Workbench, tx: Transaction, job: Job, failure: Failure) -> Event | None:
    """Retry later or give up, as the settings say; None when the lease is gone."""
    now, cause = bench.clock.now(), failure.cause
    permanent = failure.permanent or failure_facts(cause).is_permanent
    action, delay = after_failure(
        job, cause, bench.settings.queue, bench.random, permanent=permanent
    )
    error = JobError(
        job.id, job.attempts, now, job.lease_owner or "", failure.station, cause,
        failure.message, failure.host, permanent, failure.page_cause,
    )  # fmt: skip
    about = {"job_id": job.id, "attempt": job.attempts, "cause": cause, "message": failure.message}
    if action is Action.FAIL:
        held = await bench.jobs.fail(tx, job.lease, error, now)
        return event("job.failed", now, **about) if held else None
    due_at = due_after(now, delay)
    held = await bench.jobs.retry(tx, job.lease, error, due_at)
    return event("job.retried", now, **about, due_at=due_at) if held else None
