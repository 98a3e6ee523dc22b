"""Jobs of kind ``run``: the post-processing of a run, exactly once, after its last job."""

from specfactory.errors import JobFailed, LeaseLost
from specfactory.model import Job
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.jobs import Ended
from specfactory.queue import run_summary


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
