"""``spec queue``: put work in the queue and look after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.jobs import queue_add, queue_batch, queue_moves
from specfactory.entry.cli.jobs.queue_moves import status_of
from specfactory.entry.cli.terminal import (
    JobWords,
    Limit,
    ProductId,
    Reply,
    RunNumber,
    command,
    find_job,
    kinds_done_here,
    out,
    status_words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from specfactory.model import Event, Instant, Job
    from specfactory.orchestrate import Workbench

app = typer.Typer(help="Put work in the queue and look after it.")
for part in (queue_add, queue_batch):
    app.add_typer(part.app)

ERRORS = (
    ("try", "attempt"),
    ("when", "at"),
    "station",
    "cause",
    "host",
    ("message", lambda e: out.shorten(e.message, 70)),
)
TRIES = (
    ("attempt", "run_id"),
    "status",
    "pages",
    ("error", lambda one: out.shorten(one.error or "", 60)),
)


@command(app, "list")
async def list_jobs(
    factory: Workbench,
    status: Annotated[str | None, "--status STATUS", "Only jobs in this state."] = None,
    category: Annotated[str | None, "--category CATEGORY", "Only this category."] = None,
    tag: Annotated[str | None, "--tag TAG", "Only jobs with this tag."] = None,
    run: RunNumber = None,
    kind: Annotated[str | None, "--kind KIND", "Only jobs of this kind."] = None,
    limit: Limit = 100,
) -> Reply:
    """List jobs, the first one first.

    What is asked for must all be true of a job. More than --limit are not shown, and it says so.

    Example: spec queue list --status queued --category mouse
    """
    state = None if status is None else status_of(status)
    now = factory.clock.now()
    found = await factory.jobs.list(
        status=state, category=category, tag=tag, run_id=run, kind=kind, limit=limit + 1
    )

    def about(job: Job) -> str:
        return out.shorten(job.key if job.kind == "product" else f"{job.kind} {job.key}", 70)

    def show(_: object) -> None:
        out.table(
            (
                ("job", "name"),
                ("status", lambda job: status_words(job, now)),
                ("prio", "priority"),
                ("tries", lambda job: f"{job.attempts}/{job.max_attempts}"),
                ("about", about),
                ("added", lambda job: shapes.moment(job.added_at)),
                ("error", lambda job: out.shorten(job.last_error or "", 50)),
            ),
            found[:limit],
            empty="no such jobs; add one: spec queue add",
        )
        if len(found) > limit:
            out.line(f"and more; the first {limit} are shown, see --limit")

    return Reply(shapes.jobs.JobShape.all_of(found[:limit]), show)


@command(app, "show")
async def show_job(factory: Workbench, job: JobWords = None, product_id: ProductId = None) -> Reply:
    """Show a job with its history, its attempts and everything that went wrong.

    Of several jobs about the same product, the active one is shown, else the latest.

    Example: spec queue show q_000123
    """
    from specfactory.store.queue import Glances

    found = await find_job(factory.jobs, job, product_id)
    events = await Glances(factory.database).story(found.id)
    attempts = await factory.attempts.list(found.key)
    story = shapes.jobs.JobStory.of(
        found,
        errors=await factory.jobs.errors(found.id),
        history=events,
        tries=[one for one in attempts if one.job_id == found.id],
    )
    now = factory.clock.now()
    return Reply(story, lambda story: _print_job(found, now, events, story))


def _print_job(
    job: Job, now: Instant, events: Sequence[Event], story: shapes.jobs.JobStory
) -> None:
    out.heading(f"{job.name}: {job.kind} {job.key}")
    lines = {
        "status": status_words(job, now),
        "priority": f"{job.priority}" + (f" ({job.priority_reason})" * bool(job.priority_reason)),
        "added": f"{story.added_at}" + (f" by {job.added_by}" * bool(job.added_by)),
        "tries": f"{job.attempts} of {job.max_attempts}",
        "run": job.run_id,
        "tags": ", ".join(job.tags),
        "asked for": ", ".join(f"{name}={value}" for name, value in job.overrides.items()),
        "worker": job.lease_owner,
        "lease until": shapes.when(job.lease_until),
        "ended": shapes.when(job.finished_at),
        "error": job.last_error,
    }
    for name, words in lines.items():
        if words not in (None, ""):
            out.line(f"  {name:12}{out.clean(words)}")
    out.section("", (("when", lambda e: shapes.moment(e.at)), ("what", _event_words)), events)
    out.section("", TRIES, story.tries)
    out.section("", ERRORS, story.errors)


def _event_words(event: Event) -> str:
    """An event in few words, without the other jobs that it may be about."""
    words = ", ".join(
        f"{name} {shapes.moment(value) if name == 'due_at' and isinstance(value, int) else value}"
        for name, value in event.fields.items()
        if name not in ("job_id", "job_ids", "message") and isinstance(value, str | int)
    )
    return f"{event.name} ({words})" if words else event.name


@command(app, "stats")
async def stats(factory: Workbench) -> Reply:
    """Count jobs by status, priority and kind.

    Jobs of a kind that this version cannot do are kept, and named. Jobs no longer kept in full
    are counted apart.

    Example: spec queue stats
    """
    from collections import Counter

    from specfactory.observe import kinds_done, unknown_kinds

    counts, summaries = await factory.jobs.stats(), await factory.jobs.summaries()
    lost_after = factory.settings.queue.lost_after_seconds
    workers = await factory.workers.list(factory.clock.now(), lost_after)
    by_kind: Counter[str] = Counter()
    past: Counter[str] = Counter()
    for count in counts.counts:
        by_kind[count.kind] += count.jobs
    for gone in summaries:
        past[str(gone.status)] += gone.jobs
    by_status = counts.by_status()
    shape = shapes.jobs.QueueStats(
        total=counts.total,
        by_status={str(status): jobs for status, jobs in by_status.items()},
        by_priority={
            str(status): {str(level): jobs for level, jobs in counts.by_priority(status).items()}
            for status in by_status
        },
        by_kind=dict(sorted(by_kind.items())),
        no_longer_kept=dict(past),
        unknown_kinds=unknown_kinds(counts, kinds_done(kinds_done_here(), workers)),
    )
    return Reply(shape, _print_stats)


def _print_stats(found: shapes.jobs.QueueStats) -> None:
    def counted(counts: dict[str, int]) -> str:
        return ", ".join(f"{jobs} {name}" for name, jobs in counts.items()) or "none"

    out.table(
        ("status", "1 urgent", "2 high", "3 normal", "4 low", "5 background", "total"),
        (
            (status, *(jobs or None for jobs in levels.values()), found.by_status[status])
            for status, levels in found.by_priority.items()
        ),
    )
    out.line(f"{found.total} jobs: {counted(found.by_kind)}")
    if found.no_longer_kept:
        out.line(f"no longer kept in full: {counted(found.no_longer_kept)}")
    for kind, jobs in found.unknown_kinds.items():
        out.line(f"{jobs} of kind {kind!r} wait: nobody here can do them; they are kept")


app.add_typer(queue_moves.app)
