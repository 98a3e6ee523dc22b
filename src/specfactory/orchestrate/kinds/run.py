"""Jobs of kind ``run``: the post-processing of a run, exactly once, after its last job."""

from collections.abc import Mapping

from specfactory.errors import JobFailed, LeaseLost
from specfactory.model import Instant, Job, JobStatus, Json, Run
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.jobs import Ended


async def work_on_run(bench: Workbench, job: Job) -> Ended:
    """Summarise a run; its summary, its end and the end of this job are one transaction."""
    run = await bench.runs.get(int(job.key)) if job.key.isdecimal() else None
    if run is None:
        raise JobFailed("bad_payload", f"there is no run {job.key!r}", "queue", permanent=True)
    progress, causes = await bench.runs.progress(run.id), await bench.runs.causes(run.id)
    now = bench.clock.now()
    async with bench.database.transaction() as tx:
        summary = run_summary(run, progress, causes, now)
        if not await bench.runs.complete(tx, job.lease, summary, now):
            raise LeaseLost(job.name)
    return Ended()


def run_summary(
    run: Run, progress: Mapping[JobStatus, int], causes: Mapping[str, int], now: Instant
) -> dict[str, Json]:
    """Summary of a run: its jobs by status, errors by cause, and duration."""
    seconds = max(now - run.created_at, 0) / 1000
    jobs = sum(progress.values())
    return {
        "run_id": run.id,
        "config_hash": run.config_hash,
        "jobs": jobs,
        "by_status": {str(status): count for status, count in progress.items() if count},
        "errors": dict(causes),
        "seconds": round(seconds, 3),
        "jobs_per_minute": round(jobs / seconds * 60, 2) if seconds else None,
    }
