"""Jobs of kind ``model``: asked beside the line, never on it."""

from __future__ import annotations

from specfactory.errors import JobFailed, LeaseLost
from specfactory.model import Job
from specfactory.orchestrate.handlers import Done, Ended
from specfactory.orchestrate.model_questions import ask_models
from specfactory.orchestrate.product_jobs import product_of
from specfactory.orchestrate.workbench import Workbench
from specfactory.ports import Transaction


async def work_on_model(bench: Workbench, job: Job) -> Done | Ended:
    """Ask for what the product's record left open; the new version lands with the job's end."""
    ended = False

    async def finish(tx: Transaction) -> None:
        nonlocal ended
        if not await bench.jobs.finish(tx, [job.lease], bench.clock.now()):
            raise LeaseLost(job.name)
        ended = True

    asked = await ask_models(bench, product_of(job), finish)
    if (failure := asked.failure) is not None:
        raise JobFailed(
            f"model_{failure.cause}", str(failure), "extract", permanent=failure.permanent
        )
    return Ended() if ended else Done()
