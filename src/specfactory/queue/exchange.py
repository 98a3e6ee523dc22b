"""The queue as a file: product_queue.json, as other tools write and read it."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from specfactory.errors import UsageError
from specfactory.model import (
    Frozen,
    IdentityRules,
    Instant,
    Job,
    JobKind,
    JobStatus,
    Json,
    iso_milliseconds,
    job_name,
)
from specfactory.queue.intake import Intake, WrongColumn, instant_of, product_job

VERSION = "1.0.0"
BY_MODEL = IdentityRules(names=("model",))  # what was exported without a brand needs none
_IDENTITY = ("brand", "model", "variant")


class WrongQueueEntry(Frozen):
    """An entry that cannot be imported, and why; the others can."""

    entry: int
    column: str
    reason: str


def queue_json(jobs: Iterable[Job], now: Instant) -> dict[str, Json]:
    """The products of the queue in the form of product_queue.json; other jobs have no place."""
    return {
        "queue_version": VERSION,
        "updated_at": _moment(now),
        "entries": [entry_json(job) for job in jobs if job.kind == JobKind.PRODUCT],
    }


def entry_json(job: Job) -> dict[str, Json]:
    """One job as an entry; fields that other tools do not know come last."""
    entry: dict[str, Json] = {
        "queue_id": job_name(job.id),
        "product_id": job.key,
        "category": job.category,
        "identity": {name: job.payload.get(name, "") for name in _IDENTITY},
        "priority": job.priority,
        "priority_reason": job.priority_reason,
        "status": str(job.status),
        "added_at": _moment(job.added_at),
        "added_by": job.added_by,
        "attempts": job.attempts,
        "max_attempts": job.max_attempts,
        "last_attempt_at": _moment(job.last_attempt_at),
        "last_error": job.last_error,
        "scheduled_for": _moment(job.due_at) if job.due_at > job.added_at else None,
        "tags": list(job.tags),
        "overrides": dict(job.overrides),
        "finished_at": _moment(job.finished_at),
    }
    more = {name: value for name, value in job.payload.items() if name not in _IDENTITY}
    cause: dict[str, Json] = {"last_cause": job.last_cause} if job.last_cause else {}
    return entry | cause | ({"payload": more} if more else {})


def read_queue(text: str) -> tuple[list[Job], list[WrongQueueEntry]]:
    """The jobs of a product_queue.json, and the entries that are none."""
    try:
        content = json.loads(text)
    except RecursionError:
        raise UsageError("the file is nested too deeply; nothing was imported") from None
    except ValueError as problem:
        raise UsageError(f"the file is no JSON: {problem}; nothing was imported") from None
    entries = content.get("entries") if isinstance(content, dict) else None
    if not isinstance(entries, list):
        raise UsageError("the file has no `entries`: it is no product_queue.json")
    jobs: list[Job] = []
    wrong: list[WrongQueueEntry] = []
    for number, entry in enumerate(entries, 1):
        try:
            jobs.append(_job(entry))
        except WrongColumn as problem:
            wrong.append(WrongQueueEntry(number, problem.column, problem.reason))
        except UsageError as problem:
            wrong.append(WrongQueueEntry(number, "", str(problem)))
    return jobs, wrong


def _job(entry: Any) -> Job:
    if not isinstance(entry, dict):
        raise UsageError(f"is {repr(entry)[:60]}; an object is wanted")
    identity = entry.get("identity")
    if not isinstance(identity, dict):
        raise WrongColumn("identity", "is missing; brand, model and variant are wanted")
    added_at = _instant(entry, "added_at")
    if added_at is None:
        raise WrongColumn("added_at", "is missing")
    status = str(entry.get("status", "queued"))
    if status.startswith("round_"):  # the round of a job at work, as other tools write it
        status = JobStatus.IN_PROGRESS
    if status not in set(JobStatus):
        allowed = f"{', '.join(JobStatus)}, round_N"
        raise WrongColumn("status", f"is {status[:60]!r}; allowed: {allowed}")
    attempts = entry.get("attempts", 0)
    if not isinstance(attempts, int) or not 0 <= attempts <= 1_000_000:
        raise WrongColumn("attempts", f"is {repr(attempts)[:60]}; a count is wanted")
    new = product_job({**entry, **identity}, Intake(added_by="", rules_of=lambda _: BY_MODEL))
    more = entry.get("payload")
    return Job(
        0, JobKind.PRODUCT, new.key, JobStatus(status), new.priority, added_at,
        new.due_at or added_at, {**new.payload, **(more if isinstance(more, Mapping) else {})},
        new.category, new.priority_reason, new.added_by, attempts, new.max_attempts,
        tags=new.tags, overrides=new.overrides,
        last_attempt_at=_instant(entry, "last_attempt_at"),
        last_error=_text(entry, "last_error"),
        last_cause=_text(entry, "last_cause"),
        finished_at=_instant(entry, "finished_at"),
    )  # fmt: skip


def _instant(entry: Mapping[str, Any], name: str) -> Instant | None:
    written = entry.get(name)
    if written is None:
        return None
    if not isinstance(written, str):
        raise WrongColumn(name, f"is {repr(written)[:60]}; a date is wanted")
    return instant_of(name, written)


def _text(entry: Mapping[str, Any], name: str) -> str | None:
    written = entry.get(name)
    return None if written is None else str(written)[:10_000]


def _moment(at: Instant | None) -> str | None:
    """An instant to the millisecond, so that an import restores it exactly."""
    return None if at is None else iso_milliseconds(at).replace(".000Z", "Z")
