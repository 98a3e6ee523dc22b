"""Jobs, their errors and past, dead letters, and those who work on them."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from specfactory.entry.shapes.base import Moment, OrNone, Shape
from specfactory.model import Job, JobError, job_name

JobName = Annotated[str, job_name]


class JobShape(Shape):
    """A job without its past."""

    job: Annotated[str, "name"]
    kind: str
    key: str
    category: str
    status: str
    round: int | None
    priority: int
    priority_reason: str
    run: Annotated[int | None, "run_id"]
    payload: dict[str, Any]
    tags: list[str]
    overrides: dict[str, Any]
    attempts: int
    max_attempts: int
    added_at: Moment
    added_by: str
    due_at: Moment
    last_attempt_at: Moment | None
    last_error: str | None
    finished_at: Moment | None
    worker: Annotated[str | None, "lease_owner"]
    lease_until: Moment | None


class AddedJob(JobShape):
    """A job that was asked for; not added where it was in the queue already."""

    added: bool


class JobErrorShape(Shape):
    """One thing that went wrong with a job."""

    attempt: int
    at: Moment
    worker: str
    station: str
    cause: str
    host: str
    permanent: bool
    message: str


class JobEvent(Shape):
    """An event of a job's past."""

    at: Moment
    event: Annotated[str, "name"]


class JobTry(Shape):
    """An attempt at the product of a job."""

    run_id: Annotated[str, "id"]
    status: str
    started_at: Moment
    pages: Annotated[int, "spent.pages"]
    error: str | None


class JobStory(JobShape):
    """A job with its past."""

    errors: list[JobErrorShape]
    history: list[JobEvent]
    tries: list[JobTry]


class QueueStats(Shape):
    """Counts of jobs."""

    total: int
    by_status: dict[str, int]
    by_priority: dict[str, dict[str, int]]
    by_kind: dict[str, int]
    no_longer_kept: dict[str, int]
    unknown_kinds: dict[str, int]


class PagesAdded(Shape):
    """Pages that were put in the queue, and those that were in it."""

    added: int
    known: int


class BatchLine(Shape):
    """Outcome of one line of a file."""

    line: int
    outcome: str
    product_id: Annotated[OrNone, "key"]
    job: Annotated[JobName | None, "job_id"]
    column: OrNone
    reason: OrNone


class WrongEntry(Shape):
    """An entry of a queue file that could not be read."""

    entry: int
    column: OrNone
    reason: str


class QueueImported(Shape):
    """Jobs that came back from a file."""

    imported: int
    duplicate: int
    wrong: list[WrongEntry]


class Cleared(Shape):
    """Jobs of a status that were deleted."""

    status: str
    cleared: int


class Purged(Shape):
    """Dead letters that were deleted."""

    purged: int


class DeadLetter(JobShape):
    """A job that failed for good, with its last error; all of them where asked for."""

    cause: str | None
    station: str | None
    host: str | None
    errors: list[JobErrorShape] | msgspec.UnsetType

    @classmethod
    def of_job(cls, job: Job, errors: list[JobError], *, details: bool) -> DeadLetter:
        """A dead letter; its errors are in the order in which they happened."""
        last = errors[-1] if errors else None
        return cls.of(
            job,
            cause=last.cause if last else None,
            station=last.station if last else None,
            host=last.host if last else None,
            errors=errors if details else msgspec.UNSET,
        )


class DeadExample(Shape):
    """A dead letter that stands for its group."""

    job: Annotated[JobName, "job_id"]
    message: str


class DeadGroupShape(Shape):
    """Dead letters of the same cause, host and station."""

    cause: str
    host: str
    station: str
    jobs: int
    first_at: Moment
    last_at: Moment
    worth_retrying: bool
    advice: str
    examples: list[DeadExample]


class RefusedJob(Shape):
    """A job that could not be tried again."""

    job: str
    reason: str


class Retried(Shape):
    """Dead letters that are tried again."""

    run: int | None
    retried: int
    left: int
    refused: list[RefusedJob]


class JobAtWork(Shape):
    """A job that the daemon is at."""

    job: Annotated[str, "name"]
    key: str
    round: int | None
    worker: Annotated[str | None, "lease_owner"]


class WorkerShape(Shape):
    """A worker that lives."""

    id: str
    pid: int
    host: str
    status: str
    done: int
    failed: int


class DaemonStatus(Shape):
    """The daemon; what it is at only while it runs."""

    running: bool
    pid: int | None
    state: str
    mode: str
    pid_file: str
    log_file: str
    queue: dict[str, int] | msgspec.UnsetType = msgspec.UNSET
    in_progress: list[JobAtWork] | msgspec.UnsetType = msgspec.UNSET
    workers: list[WorkerShape] | msgspec.UnsetType = msgspec.UNSET


class RunState(Shape):
    """A run, how far it is, and what it was asked to do."""

    run: Annotated[int, "id"]
    status: str
    created_at: Moment
    finished_at: Moment | None
    jobs: dict[str, int]
    config: Any
    summary: Any
    errors: dict[str, int] | msgspec.UnsetType = msgspec.UNSET
    config_hash: str = ""


class RunShape(Shape):
    """A run that a file describes."""

    run: Annotated[int, "id"]
    config_hash: str
    status: str
    jobs: int
    new: int
    wrong: list[str]
    summary: Any
