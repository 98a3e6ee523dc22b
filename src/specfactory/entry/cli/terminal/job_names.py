"""Jobs as people name them and as commands show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry.cli.terminal.output import shorten
from specfactory.entry.cli.terminal.session import named
from specfactory.entry.shapes import moment
from specfactory.errors import UnknownSubject, UsageError

if TYPE_CHECKING:
    from specfactory.model import Instant, Job
    from specfactory.store import Jobs

JobWords = Annotated[
    str | None,
    typer.Argument(metavar="JOB", help="q_000123, a number, a product id, or words of it."),
]
ProductId = Annotated[
    str | None,
    typer.Option("--product-id", metavar="ID", help="The job of this product, instead of JOB."),
]
RunNumber = Annotated[
    int | None,
    typer.Option(
        "--run", metavar="RUN", min=1, max=2**62, help="Only jobs of this run, by its number."
    ),
]
Limit = Annotated[int, typer.Option("--limit", min=1, max=1_000_000, help="So many at the most.")]


async def find_job(jobs: Jobs, words: str | None, product_id: str | None = None) -> Job:
    """Find the one job that is meant; of several about the same, the active or else latest one."""
    from specfactory.model import ACTIVE

    if (words is None) == (product_id is None):
        raise UsageError("name one job: JOB, or --product-id ID")
    wanted = words or product_id or ""
    found = await jobs.find(wanted) if wanted.strip() else []
    if not found:
        raise UnknownSubject("job", wanted, "see: spec queue list")
    # Whole words of the key come first: 777 does not mean 4777.
    parts = set(wanted.casefold().replace("-", " ").split())
    found = [job for job in found if parts <= set(job.key.casefold().split("-"))] or found
    if len({job.key for job in found}) > 1:
        some = named([f"{job.name} ({shorten(job.key, 60)})" for job in found])
        raise UsageError(f"{wanted!r} may be any of {some}; give an id or more words")
    return min(found, key=lambda job: (job.status not in ACTIVE, -job.id))


def status_words(job: Job, now: Instant) -> str:
    """The state with what matters about it: the round, the time it is scheduled for."""
    if job.round is not None and job.status == "in_progress":
        return f"in_progress (round {job.round})"
    if job.status == "queued" and job.due_at > now:
        return f"queued for {moment(job.due_at)}"
    return str(job.status)


def kinds_done_here() -> tuple[str, ...]:
    """The kinds that this version can do, with those of SPEC_HANDLERS."""
    import os

    from specfactory.orchestrate.jobs import VARIABLE
    from specfactory.orchestrate.kinds import standard_handlers

    return standard_handlers(os.environ.get(VARIABLE, "")).choose()
