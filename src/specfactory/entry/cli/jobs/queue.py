"""``spec queue``: put work in the queue and look after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.jobs import queue_add, queue_batch, queue_moves, queue_pages
from specfactory.entry.cli.jobs.queue_moves import status_of
from specfactory.entry.cli.terminal import (
    AsJson,
    JobWords,
    ProductId,
    RunNumber,
    clean,
    error_json,
    find_job,
    job_json,
    kinds_done_here,
    moment,
    open_factory,
    perform,
    print_heading,
    print_json,
    print_line,
    print_table,
    settings_from,
    shorten,
    status_words,
)

if TYPE_CHECKING:
    from specfactory.model import Attempt, Event, Instant, Job, JobError
    from specfactory.settings import Settings
    from specfactory.store import Stats, Summary

app = typer.Typer(help="Put work in the queue and look after it.")
for part in (queue_add, queue_pages, queue_batch):
    app.add_typer(part.app)


@app.command("list")
def list_jobs(
    context: typer.Context,
    status: Annotated[
        str | None, typer.Option("--status", metavar="STATUS", help="Only jobs in this state.")
    ] = None,
    category: Annotated[
        str | None, typer.Option("--category", metavar="CATEGORY", help="Only this category.")
    ] = None,
    tag: Annotated[
        str | None, typer.Option("--tag", metavar="TAG", help="Only jobs with this tag.")
    ] = None,
    run: RunNumber = None,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="KIND", help="Only jobs of this kind.")
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, max=1_000_000, help="So many at the most.")
    ] = 100,
    as_json: AsJson = False,
) -> None:
    """List jobs, the first one first.

    What is asked for must all be true of a job. More than --limit are not shown, and it says so.

    Example: spec queue list --status queued --category mouse
    """
    wanted = {
        "status": None if status is None else status_of(status),
        "category": category, "tag": tag, "run_id": run, "kind": kind,
    }  # fmt: skip
    found, now = perform(_list(settings_from(context), wanted, limit + 1))
    if as_json:
        print_json([job_json(job) for job in found[:limit]])
        return
    print_table(
        ("job", "status", "prio", "tries", "about", "added", "error"),
        (_row(job, now) for job in found[:limit]),
        empty="no such jobs; add one: spec queue add",
    )
    if len(found) > limit:
        print_line(f"and more; the first {limit} are shown, see --limit")


def _row(job: Job, now: Instant) -> tuple[object, ...]:
    return (
        job.name,
        status_words(job, now),
        job.priority,
        f"{job.attempts}/{job.max_attempts}",
        shorten(job.key if job.kind == "product" else f"{job.kind} {job.key}", 70),
        moment(job.added_at),
        shorten(job.last_error or "", 50),
    )


async def _list(
    settings: Settings, wanted: dict[str, Any], limit: int
) -> tuple[list[Job], Instant]:
    async with open_factory(settings) as factory:
        found = await factory.jobs.list(**wanted, limit=limit)
        return found, factory.clock.now()


@app.command("show")
def show_job(
    context: typer.Context,
    job: JobWords = None,
    product_id: ProductId = None,
    as_json: AsJson = False,
) -> None:
    """Show a job with its history, its attempts and everything that went wrong.

    Of several jobs about the same product, the active one is shown, else the latest.

    Example: spec queue show q_000123
    """
    perform(_show(settings_from(context), job, product_id, as_json))


async def _show(
    settings: Settings, words: str | None, product_id: str | None, as_json: bool
) -> None:
    from specfactory.store.queue import Glances

    async with open_factory(settings) as factory:
        job = await find_job(factory.jobs, words, product_id)
        errors = await factory.jobs.errors(job.id)
        story = await Glances(factory.database).story(job.id)
        attempts = [a for a in await factory.attempts.list(job.key) if a.job_id == job.id]
        now = factory.clock.now()
    if as_json:
        print_json(_shown_json(job, errors, story, attempts))
    else:
        _print_job(job, now)
        _print_past(errors, story, attempts)


def _shown_json(
    job: Job, errors: list[JobError], story: list[Event], attempts: list[Attempt]
) -> dict[str, Any]:
    return {
        **job_json(job),
        "errors": [error_json(error) for error in errors],
        "history": [{"at": moment(each.at), "event": each.name} for each in story],
        "tries": [
            {"run_id": a.id, "status": str(a.status), "started_at": moment(a.started_at),
             "pages": a.spent.pages, "error": a.error}
            for a in attempts
        ],
    }  # fmt: skip


def _print_job(job: Job, now: Instant) -> None:
    print_heading(f"{job.name}: {job.kind} {job.key}")
    lines = {
        "status": status_words(job, now),
        "priority": f"{job.priority}" + (f" ({job.priority_reason})" * bool(job.priority_reason)),
        "added": f"{moment(job.added_at)}" + (f" by {job.added_by}" * bool(job.added_by)),
        "tries": f"{job.attempts} of {job.max_attempts}",
        "run": job.run_id,
        "tags": ", ".join(job.tags),
        "asked for": ", ".join(f"{name}={value}" for name, value in job.overrides.items()),
        "worker": job.lease_owner,
        "lease until": None if job.lease_until is None else moment(job.lease_until),
        "ended": None if job.finished_at is None else moment(job.finished_at),
        "error": job.last_error,
    }
    for name, words in lines.items():
        if words not in (None, ""):
            print_line(f"  {name:12}{clean(words)}")


def _print_past(errors: list[JobError], story: list[Event], attempts: list[Attempt]) -> None:
    if story:
        print_line()
        print_table(("when", "what"), ((moment(e.at), _told(e)) for e in story))
    if attempts:
        print_line()
        print_table(
            ("attempt", "status", "pages", "error"),
            ((a.id, str(a.status), a.spent.pages, shorten(a.error or "", 60)) for a in attempts),
        )
    if errors:
        print_line()
        print_table(
            ("try", "when", "station", "cause", "host", "message"),
            (
                (e.attempt, moment(e.at), e.station, e.cause, e.host, shorten(e.message, 70))
                for e in errors
            ),
        )


def _told(event: Event) -> str:
    """An event in few words, without the other jobs it may tell of."""
    more = {k: v for k, v in event.fields.items() if k not in ("job_id", "job_ids", "message")}
    words = ", ".join(
        f"{name} {moment(value) if name == 'due_at' and isinstance(value, int) else value}"
        for name, value in more.items()
        if isinstance(value, str | int)
    )
    return f"{event.name} ({words})" if words else event.name


@app.command("stats")
def stats(context: typer.Context, as_json: AsJson = False) -> None:
    """Count jobs by status, priority and kind.

    Jobs of a kind that this version cannot do are kept, and named. Jobs no longer kept in full
    are counted apart.

    Example: spec queue stats
    """
    counted = perform(_stats(settings_from(context)))
    if as_json:
        print_json(counted)
    else:
        _print_stats(counted)


async def _stats(settings: Settings) -> dict[str, Any]:
    from specfactory.observe import kinds_done, unknown_kinds

    async with open_factory(settings) as factory:
        counts, past = await factory.jobs.stats(), await factory.jobs.summaries()
        workers = await factory.workers.list(factory.clock.now())
    kinds = kinds_done(kinds_done_here(), workers)
    return _stats_json(counts, past) | {"unknown_kinds": unknown_kinds(counts, kinds)}


def _stats_json(counts: Stats, summaries: list[Summary]) -> dict[str, Any]:
    by_kind: dict[str, int] = {}
    past: dict[str, int] = {}
    for count in counts.counts:
        by_kind[count.kind] = by_kind.get(count.kind, 0) + count.jobs
    for gone in summaries:
        past[str(gone.status)] = past.get(str(gone.status), 0) + gone.jobs
    by_status = counts.by_status()
    return {
        "total": counts.total,
        "by_status": {str(status): jobs for status, jobs in by_status.items()},
        "by_priority": {
            str(status): {str(level): jobs for level, jobs in counts.by_priority(status).items()}
            for status in by_status
        },
        "by_kind": dict(sorted(by_kind.items())),
        "no_longer_kept": past,
    }


def _print_stats(counted: dict[str, Any]) -> None:
    print_table(
        ("status", "1 urgent", "2 high", "3 normal", "4 low", "5 background", "total"),
        (
            (status, *(jobs or None for jobs in levels.values()), counted["by_status"][status])
            for status, levels in counted["by_priority"].items()
        ),
    )
    print_line(f"{counted['total']} jobs: " + _counted(counted["by_kind"]))
    if counted["no_longer_kept"]:
        print_line(f"no longer kept in full: {_counted(counted['no_longer_kept'])}")
    for kind, jobs in counted["unknown_kinds"].items():
        print_line(f"{jobs} of kind {kind!r} wait: nobody here can do them; they are kept")


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{jobs} {name}" for name, jobs in counts.items()) or "none"


app.add_typer(queue_moves.app)
