"""Jobs of kind ``model``: ask language models in the background."""

from specfactory.errors import JobFailed, LeaseLost
from specfactory.model import Job, failure_facts
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.jobs import Done, Ended, end_badly
from specfactory.orchestrate.kinds.product import product_of
from specfactory.ports import Transaction
from specfactory.queue import delay_seconds

PATIENT_TRIES = 20  # for an endpoint that is away or says when to come back


async def work_on_model(bench: Workbench, job: Job) -> Done | Ended:
    """Ask for what the product's record left open; the new version lands with the job's end."""
    from specfactory.orchestrate.attempts import ask_models

    ended = False

    async def finish(tx: Transaction) -> None:
        nonlocal ended
        if not await bench.jobs.finish(tx, [job.lease], bench.clock.now()):
            raise LeaseLost(job.name)
        ended = True

    asked = await ask_models(bench, product_of(job), finish)
    if (failure := asked.failure) is not None:
        # retry when the endpoint asked to, or when it may be back; else fail as other jobs do
        cause, wait = failure.job_cause, failure.wait_seconds
        if failure_facts(cause).opens_breaker and not failure.permanent:
            pause = delay_seconds(job.attempts, cause, bench.settings.queue, bench.random)
            wait = max(wait, pause)
        failed = JobFailed(cause, str(failure), "extract", permanent=failure.permanent)
        if failure.permanent or not wait or job.attempts >= PATIENT_TRIES:
            raise failed
        async with bench.database.transaction() as tx:
            if await end_badly(bench, tx, job, failed, retry_seconds=wait) is None:
                raise LeaseLost(job.name)
        return Ended(ok=False)
    return Ended() if ended else Done()
