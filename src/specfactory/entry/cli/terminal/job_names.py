"""Jobs as people name them and as commands show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal.output import moment, shorten

if TYPE_CHECKING:
    from specfactory.model import Instant, Job, JobError
    from specfactory.store import Jobs

MOST_NAMED = 8
DAY_MS = 86_400_000

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


async def find_job(jobs: Jobs, words: str | None, product_id: str | None = None) -> Job:
    """The one job that is meant; of several about the same, the one that is active or latest."""
    from specfactory.errors import UnknownSubject, UsageError

    if (words is None) == (product_id is None):
        raise UsageError("name one job: JOB, or --product-id ID")
    wanted = words or product_id or ""
    found = await jobs.find(wanted) if wanted.strip() else []
    if not found:
        raise UnknownSubject("job", wanted, "see: spec queue list")
    found = _whole_words(wanted, found) or found
    if len({job.key for job in found}) > 1:
        raise UsageError(f"{wanted!r} may be any of {_named(found)}; give an id or more words")
    return min(found, key=_likeliest)


def _whole_words(words: str, jobs: Sequence[Job]) -> list[Job]:
    """The jobs in whose key every word stands as such: 777 is not in 4777."""
    wanted = set(words.casefold().replace("-", " ").split())
    return [job for job in jobs if wanted <= set(job.key.casefold().split("-"))]


def _likeliest(job: Job) -> tuple[bool, int]:
    from specfactory.model import ACTIVE

    return job.status not in ACTIVE, -job.id


def _named(jobs: Sequence[Job]) -> str:
    named = ", ".join(f"{job.name} ({shorten(job.key, 60)})" for job in jobs[:MOST_NAMED])
    more = len(jobs) - MOST_NAMED
    return f"{named} and {more} more" if more > 0 else named


def job_json(job: Job) -> dict[str, Any]:
    """A job for machines."""
    return {
        "job": job.name,
        "kind": job.kind,
        "key": job.key,
        "category": job.category,
        "status": str(job.status),
        "round": job.round,
        "priority": job.priority,
        "priority_reason": job.priority_reason,
        "run": job.run_id,
        "payload": dict(job.payload),
        "tags": list(job.tags),
        "overrides": dict(job.overrides),
        "attempts": job.attempts,
        "max_attempts": job.max_attempts,
        "added_at": moment(job.added_at),
        "added_by": job.added_by,
        "due_at": moment(job.due_at),
        "last_attempt_at": when(job.last_attempt_at),
        "last_error": job.last_error,
        "finished_at": when(job.finished_at),
        "worker": job.lease_owner,
        "lease_until": when(job.lease_until),
    }


def error_json(error: JobError) -> dict[str, Any]:
    """One thing that went wrong, for machines."""
    return {
        "attempt": error.attempt,
        "at": moment(error.at),
        "worker": error.worker,
        "station": error.station,
        "cause": error.cause,
        "host": error.host,
        "permanent": error.permanent,
        "message": error.message,
    }


def when(at: Instant | None) -> str | None:
    """An instant, or nothing."""
    return None if at is None else moment(at)


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


def age_ms(words: str, option: str) -> int:
    """An age as a person writes it: 30d, 12h, 90min; a bare number is days."""
    import re

    from specfactory.errors import UsageError

    units = {"": DAY_MS, "d": DAY_MS, "h": 3_600_000, "m": 60_000, "min": 60_000, "w": 7 * DAY_MS}
    found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)\s*(d|h|m|min|w|)", words.strip().lower())
    if not found:
        raise UsageError(f"{option} is {words!r}; allowed: an age such as 30d, 12h or 90min")
    return round(float(found[1]) * units[found[2]])
