"""Jobs of kind ``run``: the post-processing of a run by the last one standing, exactly once."""

from __future__ import annotations

from specfactory.errors import JobFailed, LeaseLost
from specfactory.model import Job, JobStatus, Json, Run
from specfactory.orchestrate.workbench import Workbench


async def work_on_run(bench: Workbench, job: Job) -> None:
    """Sum a run up; its summary, its end and the end of this job land together."""
    run = await bench.runs.get(int(job.key)) if job.key.isdecimal() else None
    if run is None:
        raise JobFailed("bad_payload", f"there is no run {job.key!r}", "queue", permanent=True)
    summary = await summarize(bench, run)
    async with bench.database.transaction() as tx:
        if not await bench.runs.complete(tx, job.lease, summary, bench.clock.now()):
            raise LeaseLost(job.name)


async def summarize(bench: Workbench, run: Run) -> Json:
    """What became of the jobs of a run, how long it took, and what went wrong."""
    progress = await bench.runs.progress(run.id)
    return {
        "jobs": sum(progress.values()),
        "complete": progress[JobStatus.COMPLETE] + progress[JobStatus.STALE],
        "failed": progress[JobStatus.FAILED],
        "awaiting_review": progress[JobStatus.AWAITING_REVIEW],
        "skipped": progress[JobStatus.SKIPPED],
        "seconds": (bench.clock.now() - run.created_at) / 1000,
        "errors": await bench.runs.causes(run.id),
    }
