"""Jobs of kind ``reread``: read the stored pages of a host by its templates of today.

Each job takes a few seconds and queues the next one with its end, so that a host of any size
holds no worker up.
"""

from specfactory.errors import JobFailed
from specfactory.model import Job, NewJob, Priority
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.jobs import Done
from specfactory.ports import Transaction

SLICE_SECONDS = 5.0


async def work_on_rereading(bench: Workbench, job: Job) -> Done:
    """Read some stored pages again; records and exported pages follow."""
    from specfactory.orchestrate.attempts import reread_pages

    host, after = job.payload.get("host"), job.payload.get("after") or ("", "")
    if not isinstance(host, str) or not isinstance(after, list | tuple) or len(after) != 2:
        raise JobFailed("bad_payload", f"no host to read in {job.payload!r}", "queue", "", True)
    compiled = bench.contract(job.category)
    place = await reread_pages(bench, host, compiled, (str(after[0]), str(after[1])), SLICE_SECONDS)
    if place is None:
        return Done()
    following = NewJob(
        job.kind, job.key, {**job.payload, "after": list(place)}, job.category,
        Priority.BACKGROUND, job.priority_reason, job.added_by, max_attempts=job.max_attempts,
    )  # fmt: skip

    async def write(tx: Transaction) -> None:  # when this one has ended: there is one at a time
        await bench.jobs.add(tx, [following], bench.clock.now())

    return Done(write, after=bench.wake_workers)
