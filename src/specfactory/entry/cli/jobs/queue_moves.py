"""``spec queue retry, pause, resume, skip, prioritize, clear``: a person's word about jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import (
    JobWords,
    ProductId,
    Reply,
    Yes,
    age_ms,
    ask_first,
    command,
    find_job,
    status_words,
)
from specfactory.errors import UsageError

if TYPE_CHECKING:
    from specfactory.model import Job, JobStatus
    from specfactory.orchestrate import Workbench

app = typer.Typer()


@command(app, "retry")
async def retry(factory: Workbench, job: JobWords = None, product_id: ProductId = None) -> Reply:
    """Do a job again that failed, is complete, stale, skipped or waits for a person.

    It is due at once and has all its tries again; what went wrong before stays with it.

    Example: spec queue retry q_000123
    """
    return await move_job(factory, await find_job(factory.jobs, job, product_id), "requeue")


@command(app, "pause")
async def pause(factory: Workbench, job: JobWords = None, product_id: ProductId = None) -> Reply:
    """Put a job on hold until it is resumed.

    One in progress is taken from its worker, whose result is discarded.

    Example: spec queue pause "viper v3 pro"
    """
    return await move_job(factory, await find_job(factory.jobs, job, product_id), "pause")


@command(app, "resume")
async def resume(factory: Workbench, job: JobWords = None, product_id: ProductId = None) -> Reply:
    """Put a paused or skipped job back in the queue.

    It keeps its priority and the tries it has left.

    Example: spec queue resume q_000123
    """
    return await move_job(factory, await find_job(factory.jobs, job, product_id), "resume")


@command(app, "skip")
async def skip(factory: Workbench, job: JobWords = None, product_id: ProductId = None) -> Reply:
    """Leave a job undone, such as that of a discontinued product.

    One in progress is taken from its worker; resume or retry brings it back.

    Example: spec queue skip mouse-razer-viper-v3-pro-wireless
    """
    return await move_job(factory, await find_job(factory.jobs, job, product_id), "skip")


async def move_job(factory: Workbench, before: Job, action: str) -> Reply:
    """Do what a person wants with a job, and say how it stood and stands."""
    from specfactory.model import Action, JobStatus

    now = factory.clock.now()
    async with factory.database.transaction() as tx:
        after = await factory.jobs.act(tx, before.id, Action(action), now)
    if after.status is JobStatus.QUEUED:
        await factory.wake_workers()
    said = f"{after.name} {after.key}: {before.status} → {status_words(after, now)}"
    return Reply(shapes.jobs.JobShape.of(after), said)


@command(app, "prioritize")
async def prioritize(
    factory: Workbench,
    priority: Annotated[int, "--priority", "1 urgent … 5 background.", {"min": 1, "max": 5}],
    job: JobWords = None,
    product_id: ProductId = None,
    reason: Annotated[str, "--reason", "Why, for whoever asks later."] = "",
) -> Reply:
    """Give a job another priority.

    Within one priority the job that has been due for longest comes first.

    Example: spec queue prioritize "viper v3 pro" --priority 1 --reason "launch day"
    """
    found, now = await find_job(factory.jobs, job, product_id), factory.clock.now()
    async with factory.database.transaction() as tx:
        changed = await factory.jobs.prioritize(tx, found.id, priority, reason or "manual", now)
    said = f"{changed.name} {changed.key}: priority {changed.priority}"
    return Reply(shapes.jobs.JobShape.of(changed), said)


@command(app, "clear")
async def clear(
    factory: Workbench,
    status: Annotated[str, "--status STATUS", "failed, complete, skipped, queued …"],
    older_than: Annotated[
        str | None, "--older-than AGE", "Only what is older: 30d, 12h, 90min."
    ] = None,
    yes: Yes = False,
) -> Reply:
    """Delete all jobs of a status; their counts are kept.

    Jobs in progress and those of a run that is under way stay. It asks first, or takes --yes.

    Example: spec queue clear --status failed --yes
    """
    wanted = status_of(status)
    age = None if older_than is None else age_ms(older_than, "--older-than")
    cleared = await clear_jobs(factory, wanted, age, yes)
    said = f"{cleared} {wanted} jobs cleared; their counts are kept"
    return Reply(shapes.jobs.Cleared(status=wanted, cleared=cleared), said)


def status_of(words: str) -> JobStatus:
    """Read a status by its name."""
    from specfactory.model import JobStatus

    try:
        return JobStatus(words.strip().lower().replace("-", "_"))
    except ValueError:
        allowed = ", ".join(JobStatus)
        raise UsageError(f"--status is {words!r}; allowed: {allowed}") from None


async def clear_jobs(factory: Workbench, status: JobStatus, age: int | None, yes: bool) -> int:
    """Delete jobs of a status after asking; gives how many."""
    from specfactory.model import JobStatus
    from specfactory.store.queue import FOREVER

    if status is JobStatus.IN_PROGRESS:
        raise UsageError("jobs in progress cannot be cleared; pause or skip them first")
    jobs, now = factory.jobs, factory.clock.now()
    there = (await jobs.stats()).by_status()[status]
    if not there:
        return 0
    which = f"{there:,} {status} jobs" if age is None else f"{status} jobs of that age"
    ask_first(f"delete {which} for good", yes)
    before = FOREVER if age is None else now - age
    cleared = 0
    while True:  # in batches, so that workers are not kept waiting
        async with factory.database.transaction() as tx:
            gone = await jobs.clear(tx, status, now, before)
        cleared += gone
        if not gone:
            return cleared
