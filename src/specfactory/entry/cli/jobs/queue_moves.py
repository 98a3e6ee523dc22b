"""``spec queue retry, pause, resume, skip, prioritize, clear``: a person's word about jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry.cli.terminal import (
    AsJson,
    JobWords,
    ProductId,
    Yes,
    age_ms,
    ask_first,
    find_job,
    job_json,
    open_factory,
    perform,
    print_json,
    print_line,
    settings_from,
    status_words,
)

if TYPE_CHECKING:
    from specfactory.model import Action, Instant, Job, JobStatus
    from specfactory.settings import Settings

app = typer.Typer()


@app.command("retry")
def retry(
    context: typer.Context,
    job: JobWords = None,
    product_id: ProductId = None,
    as_json: AsJson = False,
) -> None:
    """Do a job again that failed, is complete, stale, skipped or waits for a person.

    It is due at once and has all its tries again; what went wrong before stays with it.

    Example: spec queue retry q_000123
    """
    _move(context, "requeue", job, product_id, as_json)


@app.command("pause")
def pause(
    context: typer.Context,
    job: JobWords = None,
    product_id: ProductId = None,
    as_json: AsJson = False,
) -> None:
    """Put a job on hold until it is resumed.

    One in progress is taken from its worker, whose result is discarded.

    Example: spec queue pause "viper v3 pro"
    """
    _move(context, "pause", job, product_id, as_json)


@app.command("resume")
def resume(
    context: typer.Context,
    job: JobWords = None,
    product_id: ProductId = None,
    as_json: AsJson = False,
) -> None:
    """Put a paused or skipped job back in the queue.

    It keeps its priority and the tries it has left.

    Example: spec queue resume q_000123
    """
    _move(context, "resume", job, product_id, as_json)


@app.command("skip")
def skip(
    context: typer.Context,
    job: JobWords = None,
    product_id: ProductId = None,
    as_json: AsJson = False,
) -> None:
    """Leave a job undone, such as that of a discontinued product.

    One in progress is taken from its worker; resume or retry brings it back.

    Example: spec queue skip mouse-razer-viper-v3-pro-wireless
    """
    _move(context, "skip", job, product_id, as_json)


def _move(
    context: typer.Context, action: str, words: str | None, product_id: str | None, as_json: bool
) -> None:
    from specfactory.model import Action

    before, after, now = perform(_act(settings_from(context), Action(action), words, product_id))
    if as_json:
        print_json(job_json(after))
    else:
        print_line(f"{after.name} {after.key}: {before.status} → {status_words(after, now)}")


async def _act(
    settings: Settings, action: Action, words: str | None, product_id: str | None
) -> tuple[Job, Job, Instant]:
    from specfactory.model import JobStatus
    from specfactory.ports import JOBS_CHANNEL

    async with open_factory(settings) as factory:
        jobs, now = factory.jobs, factory.clock.now()
        before = await find_job(jobs, words, product_id)
        async with factory.database.transaction() as tx:
            after = await jobs.act(tx, before.id, action, now)
        if after.status is JobStatus.QUEUED:
            await factory.wakeup.notify(JOBS_CHANNEL)
        return before, after, now


@app.command("prioritize")
def prioritize(
    context: typer.Context,
    priority: Annotated[
        int, typer.Option("--priority", min=1, max=5, help="1 urgent … 5 background.")
    ],
    job: JobWords = None,
    product_id: ProductId = None,
    reason: Annotated[str, typer.Option("--reason", help="Why, for whoever asks later.")] = "",
    as_json: AsJson = False,
) -> None:
    """Give a job another priority.

    Within one priority the job that has been due for longest comes first.

    Example: spec queue prioritize "viper v3 pro" --priority 1 --reason "launch day"
    """
    changed = perform(_prioritize(settings_from(context), job, product_id, priority, reason))
    if as_json:
        print_json(job_json(changed))
    else:
        print_line(f"{changed.name} {changed.key}: priority {changed.priority}")


async def _prioritize(
    settings: Settings, words: str | None, product_id: str | None, priority: int, reason: str
) -> Job:
    async with open_factory(settings) as factory:
        jobs = factory.jobs
        job = await find_job(jobs, words, product_id)
        why = reason or "manual"
        async with factory.database.transaction() as tx:
            return await jobs.prioritize(tx, job.id, priority, why, factory.clock.now())


@app.command("clear")
def clear(
    context: typer.Context,
    status: Annotated[
        str, typer.Option("--status", metavar="STATUS", help="failed, complete, skipped, queued …")
    ],
    older_than: Annotated[
        str | None,
        typer.Option("--older-than", metavar="AGE", help="Only what is older: 30d, 12h, 90min."),
    ] = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete all jobs of a status; their counts are kept.

    Jobs in progress and those of a run that is under way stay. It asks first, or takes --yes.

    Example: spec queue clear --status failed --yes
    """
    wanted = status_of(status)
    age = None if older_than is None else age_ms(older_than, "--older-than")
    cleared = perform(clear_jobs(settings_from(context), wanted, age, yes))
    if as_json:
        print_json({"status": str(wanted), "cleared": cleared})
    else:
        print_line(f"{cleared} {wanted} jobs cleared; their counts are kept")


def status_of(words: str) -> JobStatus:
    """A status by its name."""
    from specfactory.errors import UsageError
    from specfactory.model import JobStatus

    try:
        return JobStatus(words.strip().lower().replace("-", "_"))
    except ValueError:
        allowed = ", ".join(JobStatus)
        raise UsageError(f"--status is {words!r}; allowed: {allowed}") from None


async def clear_jobs(settings: Settings, status: JobStatus, age: int | None, yes: bool) -> int:
    """Delete jobs of a status after asking; gives how many."""
    from specfactory.errors import UsageError
    from specfactory.model import JobStatus
    from specfactory.store.queue import FOREVER

    if status is JobStatus.IN_PROGRESS:
        raise UsageError("jobs in progress cannot be cleared; pause or skip them first")
    async with open_factory(settings) as factory:
        jobs, now = factory.jobs, factory.clock.now()
        there = (await jobs.stats()).by_status()[status]
        if not there:
            return 0
        which = f"{there:,} {status} jobs" if age is None else f"{status} jobs of that age"
        ask_first(f"delete {which} for good", yes)
        before = FOREVER if age is None else now - age
        cleared = 0
        while True:
            async with factory.database.transaction() as tx:
                gone = await jobs.clear(tx, status, now, before)
            cleared += gone
            if not gone:
                return cleared
