"""Jobs as rows and back, and the JSON in which lists are passed to the database."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from specfactory.declared_events import event
from specfactory.errors import UsageError
from specfactory.hosts import host_of_address
from specfactory.model import AT_HOSTS, Event, Instant, Job, JobStatus, Json, Lease, NewJob
from specfactory.ports import Row
from specfactory.store.base import to_json

Queued = TypeVar("Queued", NewJob, Job)


def job_events(name: str, rows: Iterable[Row], now: Instant, **more: Json) -> list[Event]:
    """The event that something happened to the jobs in these rows; none without rows."""
    ids = sorted(row["id"] for row in rows)
    return [event(name, now, job_ids=ids, **more)] if ids else []


def new_row(job: NewJob, now: Instant) -> list[Any]:
    """A new job as the array that ``add_jobs`` takes."""
    if not 1 <= job.priority <= 5:  # in the hot path of 100,000 jobs
        raise UsageError(f"priority of {job.key} is {job.priority}; allowed: 1 to 5")
    return [
        job.kind, job.key, job.category, job.priority, job.priority_reason,
        to_json(job.payload) if job.payload else "{}", job.run_id,
        to_json(job.tags) if job.tags else "[]",
        to_json(job.overrides) if job.overrides else "{}", job.added_by,
        now if job.due_at is None else job.due_at, max(job.max_attempts, 1), _host_of(job),
    ]  # fmt: skip


def old_row(job: Job) -> list[Any]:
    """An exported job as the array that ``restore_jobs`` takes; it is in progress nowhere."""
    status = JobStatus.QUEUED if job.status is JobStatus.IN_PROGRESS else job.status
    return [
        job.kind, job.key, job.category, status, job.priority, job.priority_reason,
        to_json(job.payload), to_json(job.tags), to_json(job.overrides), job.added_at,
        job.added_by, job.due_at, job.attempts, job.max_attempts, job.last_attempt_at,
        job.last_error, job.last_cause, job.finished_at, _host_of(job),
    ]  # fmt: skip


def _host_of(job: NewJob | Job) -> str:
    if job.kind not in AT_HOSTS:
        return ""
    url = job.payload.get("url")
    return host_of_address(url if isinstance(url, str) and url else job.key)


def tidy(jobs: Sequence[Queued]) -> Sequence[Queued]:
    """Replace characters that no database takes inside JSON: NUL and lone surrogates."""
    return jobs if all(map(_is_tidy, jobs)) else [_tidied(job) for job in jobs]


def numbered(rows: Sequence[Any]) -> str:
    """Rows keyed by their position: both databases read an object with ``json_each``."""
    return to_json({str(place): row for place, row in enumerate(rows)})


def leases_json(leases: Iterable[Lease]) -> str:
    """Leases as an object of tokens by job id, in the order in which rows are locked.

    Of two leases of one job only the later can be good.
    """
    pairs = sorted((lease.job_id, lease.token) for lease in leases)
    return to_json({str(job_id): token for job_id, token in pairs})


def names_json(names: Iterable[Any]) -> str:
    """A set of names or ids as an object."""
    return to_json(dict.fromkeys(map(str, names), 0))


def _is_tidy(job: NewJob | Job) -> bool:
    words = f"{job.kind}{job.key}{job.category}{job.priority_reason}{job.added_by}"
    if isinstance(job, Job):
        words += f"{job.last_error or ''}{job.last_cause or ''}"
    return words.isascii() and "\x00" not in words


def _tidied(job: Queued) -> Queued:
    cleaned: dict[str, Any] = {}
    for name in job.__struct_fields__:
        if type(words := getattr(job, name)) is str:
            cleaned[name] = words.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
    return replace(job, **cleaned)
