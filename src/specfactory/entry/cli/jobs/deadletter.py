"""``spec deadletter``: jobs that failed for good, why, and what to do with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from specfactory import queue
from specfactory.entry import shapes
from specfactory.entry.cli.jobs.queue_moves import clear_jobs, move_job
from specfactory.entry.cli.terminal import (
    JobWords,
    Limit,
    ProductId,
    Reply,
    RunNumber,
    Yes,
    age_ms,
    command,
    find_job,
    out,
    spec_command,
)
from specfactory.errors import UnknownSubject, UsageError

if TYPE_CHECKING:
    from specfactory.model import Job
    from specfactory.orchestrate import Workbench

app = typer.Typer(help="Look at jobs that failed for good, and try them again.")

PAGE = 1000  # dead letters read at once
DEAD = (
    "job",
    ("about", lambda d: out.shorten(d.key, 60)),
    ("failed", lambda d: d.finished_at or d.added_at),
    ("tries", lambda d: f"{d.attempts}/{d.max_attempts}"),
    ("cause", lambda d: d.cause or ""),
    ("station", lambda d: d.station or ""),
    ("error", lambda d: out.shorten(d.last_error or "", 50)),
)
ERRORS = (("try", "attempt"), ("when", "at"), "station", "cause", "host", "permanent", "message")
GROUPS = (
    "jobs",
    "cause",
    "station",
    "host",
    ("last", "last_at"),
    ("retry", "worth_retrying"),
    ("why", "advice"),
)


@command(app, "list")
async def list_dead(
    factory: Workbench,
    details: Annotated[bool, "--details", "With everything that went wrong, try by try."] = False,
    run: RunNumber = None,
    limit: Limit = 100,
) -> Reply:
    """List the dead letters, the latest first.

    A dead letter is a job with the status failed; spec queue acts on the same jobs.

    Example: spec deadletter list --details
    """
    from specfactory.store.queue import Glances

    dead = [
        shapes.jobs.DeadLetter.of_job(job, await factory.jobs.errors(job.id), details=details)
        for job in await Glances(factory.database).dead_letters(limit, run)
    ]
    show = _print_dead if details and dead else DEAD
    return Reply(dead, show, empty="no dead letters")


def _print_dead(dead: list[shapes.jobs.DeadLetter]) -> None:
    for one in dead:
        out.heading(f"{one.job}: {one.kind} {one.key}")
        ended = one.finished_at or one.added_at
        out.line(f"  failed {ended} after {one.attempts} of {one.max_attempts} tries")
        empty = f"  {one.last_error or 'nothing more is known'}"
        out.table(ERRORS, one.errors or [], empty=empty)
        out.line()


@command(app, "show")
async def show_dead(
    factory: Workbench, job: JobWords = None, product_id: ProductId = None
) -> Reply:
    """Show one dead letter with everything that was tried.

    Example: spec deadletter show q_000123
    """
    found = await _find_dead(factory, job, product_id)
    dead = shapes.jobs.DeadLetter.of_job(found, await factory.jobs.errors(found.id), details=True)
    return Reply(dead, lambda dead: _print_dead([dead]))


async def _find_dead(factory: Workbench, words: str | None, product_id: str | None) -> Job:
    from specfactory.model import JobStatus

    job = await find_job(factory.jobs, words, product_id)
    if job.status is not JobStatus.FAILED:
        raise UsageError(f"{job.name} is no dead letter, it is {job.status}; see: spec queue show")
    return job


@command(app, "analyze")
async def analyze_dead(factory: Workbench, run: RunNumber = None) -> Reply:
    """Group dead letters by cause, host and station, and say which are worth another try.

    The last error of each counts; of a great many, the latest ten thousand.

    Example: spec deadletter analyze
    """
    await _check_run(factory, run)
    groups = queue.analyze(await factory.jobs.dead_errors(run))
    return Reply(shapes.jobs.DeadGroupShape.all_of(groups), _print_groups)


async def _check_run(factory: Workbench, run: int | None) -> None:
    if run is not None and await factory.runs.get(run) is None:
        raise UnknownSubject("run", str(run), "see: spec monitor --details")


def _print_groups(groups: list[shapes.jobs.DeadGroupShape]) -> None:
    out.table(GROUPS, groups, empty="no dead letters")
    for group in groups:
        out.line()
        out.line(f"{group.cause} at {group.host or group.station}:")
        for each in group.examples:
            out.line(f"  {each.job} {out.shorten(each.message, 100)}")
    if groups:
        worth = sum(group.jobs for group in groups if group.worth_retrying)
        total = sum(group.jobs for group in groups)
        out.line()
        retry = f"{spec_command()} deadletter retry --worthwhile"
        out.line(f"{worth} of {total} are worth another try: {retry}")


@command(app, "retry")
async def retry_dead(
    factory: Workbench,
    job: JobWords = None,
    product_id: ProductId = None,
    worthwhile: Annotated[bool, "--worthwhile", "All that are worth it, instead of one."] = False,
) -> Reply:
    """Try a dead letter again: due at once, with all its tries.

    What went wrong before stays with it. --worthwhile takes all that analyze says are worth it.

    Example: spec deadletter retry q_000123
    """
    if worthwhile:
        return Reply(await _retry_many(factory, None, all_of_them=False), _print_retried)
    return await move_job(factory, await _find_dead(factory, job, product_id), "requeue")


@command(app, "retry-run")
async def retry_run(
    factory: Workbench,
    run: Annotated[int, "RUN", "The run, by its number."],
    all_of_them: Annotated[
        bool, "--all", "Also those for which another try is not worth it."
    ] = False,
) -> Reply:
    """Try the dead letters of a run again; a run that was over is taken up again.

    Those that would meet the same again (see analyze) are left, unless --all.

    Example: spec deadletter retry-run 17
    """
    return Reply(await _retry_many(factory, run, all_of_them), _print_retried)


async def _retry_many(
    factory: Workbench, run: int | None, all_of_them: bool
) -> shapes.jobs.Retried:
    from specfactory.model import Action
    from specfactory.store.queue import Glances

    await _check_run(factory, run)
    # All are read before the first is queued again: each that leaves would shift the pages.
    glances, dead = Glances(factory.database), list["Job"]()
    while found := await glances.dead_letters(PAGE, run, len(dead)):
        dead += found
    retried, left, refused = 0, 0, []
    for job in dead:
        last = (await factory.jobs.errors(job.id))[-1:]
        if not all_of_them and not all(group.worth_retrying for group in queue.analyze(last)):
            left += 1
            continue
        try:
            async with factory.database.transaction() as tx:
                await factory.jobs.act(tx, job.id, Action.REQUEUE, factory.clock.now())
            retried += 1
        except UsageError as problem:
            refused.append(shapes.jobs.RefusedJob(job=job.name, reason=str(problem)))
    await factory.wake_workers()
    return shapes.jobs.Retried(run=run, retried=retried, left=left, refused=refused)


def _print_retried(found: shapes.jobs.Retried) -> None:
    of_run = "" if found.run is None else f" of run {found.run}"
    out.line(f"{found.retried} jobs{of_run} are tried again")
    if found.left:
        out.line(f"{found.left} are left, they would meet the same again")
    for each in found.refused:
        out.line(f"{each.job}: {each.reason}")


@command(app, "purge")
async def purge(
    factory: Workbench,
    older_than: Annotated[str, "--older-than AGE", "Failed longer ago: 30d, 12h."],
    yes: Yes = False,
) -> Reply:
    """Delete dead letters that failed long ago, with their errors; their counts are kept.

    Those of a run that is under way stay. It asks first, or takes --yes.

    Example: spec deadletter purge --older-than 30d --yes
    """
    from specfactory.model import JobStatus

    age = age_ms(older_than, "--older-than")
    purged = await clear_jobs(factory, JobStatus.FAILED, age, yes)
    said = f"{purged} dead letters purged; their counts are kept"
    return Reply(shapes.jobs.Purged(purged=purged), said)
