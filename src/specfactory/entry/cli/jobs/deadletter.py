"""``spec deadletter``: jobs that failed for good, why, and what to do with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import (
    AsJson,
    JobWords,
    ProductId,
    RunNumber,
    Yes,
    age_ms,
    error_json,
    find_job,
    job_json,
    moment,
    open_factory,
    perform,
    print_heading,
    print_json,
    print_line,
    settings_from,
    shorten,
    spec_command,
)
from specfactory.entry.cli.terminal import print_table as table

if TYPE_CHECKING:
    from specfactory.model import Job, JobError
    from specfactory.orchestrate import Workbench
    from specfactory.queue import DeadGroup
    from specfactory.settings import Settings

app = typer.Typer(help="Look at jobs that failed for good, and try them again.")

Dead = tuple["Job", list["JobError"]]
PAGE = 1000


@app.command("list")
def list_dead(
    context: typer.Context,
    details: Annotated[
        bool, typer.Option("--details", help="With everything that went wrong, try by try.")
    ] = False,
    run: RunNumber = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, max=1_000_000, help="So many at the most.")
    ] = 100,
    as_json: AsJson = False,
) -> None:
    """List the dead letters, the latest first.

    A dead letter is a job with the status failed; spec queue acts on the same jobs.

    Example: spec deadletter list --details
    """
    dead = perform(_list(settings_from(context), run, limit))
    if as_json:
        print_json([_dead_json(job, errors, details) for job, errors in dead])
    elif details:
        for job, errors in dead:
            _print_dead(job, errors)
    else:
        _print_list(dead)
    if not dead and details and not as_json:
        print_line("no dead letters")


async def _list(settings: Settings, run: int | None, limit: int) -> list[Dead]:
    from specfactory.store.queue import Glances

    async with open_factory(settings) as factory:
        jobs = await Glances(factory.database).dead_letters(limit, run)
        return [(job, await factory.jobs.errors(job.id)) for job in jobs]


def _dead_json(job: Job, errors: list[JobError], details: bool) -> dict[str, Any]:
    last = errors[-1] if errors else None
    shape = job_json(job) | {
        "cause": last.cause if last else None,
        "station": last.station if last else None,
        "host": last.host if last else None,
    }
    return shape | {"errors": [error_json(error) for error in errors]} if details else shape


def _print_list(dead: list[Dead]) -> None:
    table(
        ("job", "about", "failed", "tries", "cause", "station", "error"),
        (
            (
                job.name,
                shorten(job.key, 60),
                moment(job.finished_at or job.added_at),
                f"{job.attempts}/{job.max_attempts}",
                errors[-1].cause if errors else "",
                errors[-1].station if errors else "",
                shorten(job.last_error or "", 50),
            )
            for job, errors in dead
        ),
        empty="no dead letters",
    )


def _print_dead(job: Job, errors: list[JobError]) -> None:
    print_heading(f"{job.name}: {job.kind} {job.key}")
    ended = moment(job.finished_at or job.added_at)
    print_line(f"  failed {ended} after {job.attempts} of {job.max_attempts} tries")
    table(
        ("try", "when", "station", "cause", "host", "permanent", "message"),
        (
            (e.attempt, moment(e.at), e.station, e.cause, e.host, e.permanent, e.message)
            for e in errors
        ),
        empty=f"  {job.last_error or 'nothing more is known'}",
    )
    print_line()


@app.command("show")
def show_dead(
    context: typer.Context,
    job: JobWords = None,
    product_id: ProductId = None,
    as_json: AsJson = False,
) -> None:
    """Show one dead letter with everything that was tried.

    Example: spec deadletter show q_000123
    """
    found, errors = perform(_show(settings_from(context), job, product_id))
    if as_json:
        print_json(_dead_json(found, errors, True))
    else:
        _print_dead(found, errors)


async def _show(
    settings: Settings, words: str | None, product_id: str | None
) -> tuple[Job, list[JobError]]:
    async with open_factory(settings) as factory:
        job = await _find_dead(factory, words, product_id)
        return job, await factory.jobs.errors(job.id)


async def _find_dead(factory: Workbench, words: str | None, product_id: str | None) -> Job:
    from specfactory.errors import UsageError
    from specfactory.model import JobStatus

    job = await find_job(factory.jobs, words, product_id)
    if job.status is not JobStatus.FAILED:
        raise UsageError(f"{job.name} is no dead letter, it is {job.status}; see: spec queue show")
    return job


@app.command("analyze")
def analyze_dead(context: typer.Context, run: RunNumber = None, as_json: AsJson = False) -> None:
    """Group dead letters by cause, host and station, and say which are worth another try.

    The last error of each counts; of a great many, the latest ten thousand.

    Example: spec deadletter analyze
    """
    groups = perform(_analyze(settings_from(context), run))
    if as_json:
        print_json([_group_json(group) for group in groups])
    else:
        _print_groups(groups)


async def _analyze(settings: Settings, run: int | None) -> list[DeadGroup]:
    from specfactory.queue import analyze

    async with open_factory(settings) as factory:
        await _check_run(factory, run)
        return analyze(await factory.jobs.dead_errors(run))


async def _check_run(factory: Workbench, run: int | None) -> None:
    from specfactory.errors import UnknownSubject

    if run is not None and await factory.runs.get(run) is None:
        raise UnknownSubject("run", str(run), "see: spec monitor --details")


def _group_json(group: DeadGroup) -> dict[str, Any]:
    from specfactory.model import job_name

    return {
        "cause": group.cause,
        "host": group.host,
        "station": group.station,
        "jobs": group.jobs,
        "first_at": moment(group.first_at),
        "last_at": moment(group.last_at),
        "worth_retrying": group.worth_retrying,
        "advice": group.advice,
        "examples": [
            {"job": job_name(each.job_id), "message": each.message} for each in group.examples
        ],
    }


def _print_groups(groups: list[DeadGroup]) -> None:
    from specfactory.model import job_name

    table(
        ("jobs", "cause", "station", "host", "last", "retry", "why"),
        (
            (g.jobs, g.cause, g.station, g.host, moment(g.last_at), g.worth_retrying, g.advice)
            for g in groups
        ),
        empty="no dead letters",
    )
    for group in groups:
        print_line()
        print_line(f"{group.cause} at {group.host or group.station}:")
        for each in group.examples:
            print_line(f"  {job_name(each.job_id)} {shorten(each.message, 100)}")
    worth = sum(group.jobs for group in groups if group.worth_retrying)
    if groups:
        total = sum(group.jobs for group in groups)
        print_line()
        retry = f"{spec_command()} deadletter retry --worthwhile"
        print_line(f"{worth} of {total} are worth another try: {retry}")


@app.command("retry")
def retry_dead(
    context: typer.Context,
    job: JobWords = None,
    product_id: ProductId = None,
    worthwhile: Annotated[
        bool, typer.Option("--worthwhile", help="All that are worth it, instead of one.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Try a dead letter again: due at once, with all its tries.

    What went wrong before stays with it. --worthwhile takes all that analyze says are worth it.

    Example: spec deadletter retry q_000123
    """
    if worthwhile:
        counts = perform(_retry_many(settings_from(context), None, all_of_them=False))
        _print_retried(counts, as_json)
        return
    before, after = perform(_retry(settings_from(context), job, product_id))
    if as_json:
        print_json(job_json(after))
    else:
        print_line(f"{after.name} {after.key}: {before.status} → {after.status}")


async def _retry(settings: Settings, words: str | None, product_id: str | None) -> tuple[Job, Job]:
    from specfactory.model import Action
    from specfactory.ports import JOBS_CHANNEL

    async with open_factory(settings) as factory:
        before = await _find_dead(factory, words, product_id)
        async with factory.database.transaction() as tx:
            after = await factory.jobs.act(tx, before.id, Action.REQUEUE, factory.clock.now())
        await factory.wakeup.notify(JOBS_CHANNEL)
        return before, after


@app.command("retry-run")
def retry_run(
    context: typer.Context,
    run: Annotated[int, typer.Argument(metavar="RUN", help="The run, by its number.")],
    all_of_them: Annotated[
        bool, typer.Option("--all", help="Also those for which another try is not worth it.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Try the dead letters of a run again; a run that was over is taken up again.

    Those that would meet the same again (see analyze) are left, unless --all.

    Example: spec deadletter retry-run 17
    """
    _print_retried(perform(_retry_many(settings_from(context), run, all_of_them)), as_json)


def _print_retried(counts: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(counts)
        return
    of_run = "" if counts["run"] is None else f" of run {counts['run']}"
    print_line(f"{counts['retried']} jobs{of_run} are tried again")
    if counts["left"]:
        print_line(f"{counts['left']} are left, they would meet the same again")
    for each in counts["refused"]:
        print_line(f"{each['job']}: {each['reason']}")


async def _retry_many(settings: Settings, run: int | None, all_of_them: bool) -> dict[str, Any]:
    from specfactory.ports import JOBS_CHANNEL

    async with open_factory(settings) as factory:
        await _check_run(factory, run)
        dead = await _all_dead(factory, run)
        wanted = dead if all_of_them else [job for job in dead if await _is_worth(factory, job)]
        refused = [told for job in wanted if (told := await _requeue(factory, job))]
        await factory.wakeup.notify(JOBS_CHANNEL)
    return {
        "run": run,
        "retried": len(wanted) - len(refused),
        "left": len(dead) - len(wanted),
        "refused": refused,
    }


async def _all_dead(factory: Workbench, run: int | None) -> list[Job]:
    from specfactory.store.queue import Glances

    glances = Glances(factory.database)
    dead: list[Job] = []
    while found := await glances.dead_letters(PAGE, run, len(dead)):
        dead += found
    return dead


async def _is_worth(factory: Workbench, job: Job) -> bool:
    from specfactory.queue import analyze

    groups = analyze((await factory.jobs.errors(job.id))[-1:])
    return all(group.worth_retrying for group in groups)


async def _requeue(factory: Workbench, job: Job) -> dict[str, str] | None:
    """Queue a job again; what stands in its way, if anything does."""
    from specfactory.errors import UsageError
    from specfactory.model import Action

    try:
        async with factory.database.transaction() as tx:
            await factory.jobs.act(tx, job.id, Action.REQUEUE, factory.clock.now())
    except UsageError as problem:
        return {"job": job.name, "reason": str(problem)}
    return None


@app.command("purge")
def purge(
    context: typer.Context,
    older_than: Annotated[
        str, typer.Option("--older-than", metavar="AGE", help="Failed longer ago: 30d, 12h.")
    ],
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete dead letters that failed long ago, with their errors; their counts are kept.

    Those of a run that is under way stay. It asks first, or takes --yes.

    Example: spec deadletter purge --older-than 30d --yes
    """
    from specfactory.entry.cli.jobs.queue_moves import clear_jobs
    from specfactory.model import JobStatus

    age = age_ms(older_than, "--older-than")
    purged = perform(clear_jobs(settings_from(context), JobStatus.FAILED, age, yes))
    if as_json:
        print_json({"purged": purged})
    else:
        print_line(f"{purged} dead letters purged; their counts are kept")
