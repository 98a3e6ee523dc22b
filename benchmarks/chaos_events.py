"""The event checker: attempts, jobs and records, held against what the events tell of them.

A pure function of the final database. Every step of a job and of an attempt has its event, and
every event its step: written in one transaction, neither may lack, whoever was killed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.chaos_history import FinalJob
from specfactory.model import Event

RUNNING, COMPLETE = "running", "complete"
ENDS = ("job.finished", "job.retried", "job.released", "job.deferred", "job.asked", "lease.expired")

Told = Mapping[str, "Counter[tuple[object, ...]]"]


@dataclass(frozen=True, slots=True)
class FinalAttempt:
    """An attempt as the database has it in the end."""

    id: str
    job_id: int | None
    status: str


@dataclass(frozen=True, slots=True)
class FinalRecord:
    """One version of a record."""

    product_id: str
    version: int
    attempt_id: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """What the database holds in the end, and all events."""

    jobs: Sequence[FinalJob]
    attempts: Sequence[FinalAttempt]
    records: Sequence[FinalRecord]
    events: Sequence[Event]


@dataclass(frozen=True, slots=True)
class EventVerdict:
    """What is wrong, one line each."""

    gaps: tuple[str, ...]
    left_open: tuple[str, ...]


def check_events(ledger: Ledger) -> EventVerdict:
    """Hold attempts, jobs and records against the events, both ways."""
    told = _told(ledger.events)
    gaps = (
        *_attempts(ledger.attempts, told),
        *_records(ledger, told),
        *_product_jobs(ledger),
        *_claims(ledger.jobs, told),
    )
    left_open = (f"attempt {a.id} still runs" for a in ledger.attempts if a.status == RUNNING)
    return EventVerdict(gaps, tuple(left_open))


def _told(events: Iterable[Event]) -> Told:
    """How often each event tells of each subject."""
    told: dict[str, Counter[tuple[object, ...]]] = {}
    for event in events:
        told.setdefault(event.name, Counter()).update(_subjects(event))
    return told


def _subjects(event: Event) -> Iterator[tuple[object, ...]]:
    fields = event.fields
    if event.name == "attempt.started":
        yield (fields["attempt_id"],)
    elif event.name == "attempt.finished":
        yield fields["attempt_id"], str(fields["status"])
    elif event.name == "record.published":
        yield fields["product_id"], fields["version"], fields["attempt_id"]
    elif event.name == "job.failed":
        # One whose lease expired for the last time is told of by lease.expired, too.
        yield fields["job_id"], fields["cause"] == "lease_expired"
    elif event.name.startswith(("job.", "lease.")):
        ids = fields.get("job_ids") or [fields.get("job_id")]
        assert isinstance(ids, list)
        yield from ((job_id,) for job_id in ids)


def _differences(
    what: str, there: Iterable[tuple[object, ...]], told: Counter[tuple[object, ...]]
) -> Iterator[str]:
    """Steps that are not told of exactly once, and what is told of and is not there."""
    wanted = Counter(there)
    for subject in wanted.keys() | told.keys():
        if wanted[subject] != told[subject]:
            yield f"{what} {subject}: there {wanted[subject]} times, told {told[subject]} times"


def _attempts(attempts: Sequence[FinalAttempt], told: Told) -> Iterator[str]:
    started = ((attempt.id,) for attempt in attempts)
    ended = ((a.id, a.status) for a in attempts if a.status != RUNNING)
    yield from _differences("attempt.started", started, told.get("attempt.started", Counter()))
    yield from _differences("attempt.finished", ended, told.get("attempt.finished", Counter()))


def _records(ledger: Ledger, told: Told) -> Iterator[str]:
    versions = ((one.product_id, one.version, one.attempt_id) for one in ledger.records)
    yield from _differences("record.published", versions, told.get("record.published", Counter()))
    status = {attempt.id: attempt.status for attempt in ledger.attempts}
    for record in ledger.records:
        if status.get(record.attempt_id) not in (COMPLETE, "awaiting_review"):
            found = status.get(record.attempt_id, "not there")
            yield f"record {record.product_id} {record.version}: its attempt is {found}"


def _product_jobs(ledger: Ledger) -> Iterator[str]:
    """The end of a product's attempt is the end of its job."""
    done = Counter(attempt.job_id for attempt in ledger.attempts if attempt.status == COMPLETE)
    for job in ledger.jobs:
        wanted = 1 if job.status == COMPLETE else 0
        if job.kind == "product" and done[job.id] != wanted:
            yield f"job {job.id} is {job.status} and has {done[job.id]} complete attempts"


def _claims(jobs: Sequence[FinalJob], told: Told) -> Iterator[str]:
    """Every claim has its event, and every claim of a job that is over its end."""
    ended: Counter[object] = Counter()
    for name in ENDS:
        for (job_id,), times in told.get(name, Counter()).items():
            ended[job_id] += times
    for (job_id, expired), times in told.get("job.failed", Counter()).items():
        ended[job_id] += 0 if expired else times
    for job in jobs:
        claimed = told.get("job.claimed", Counter())[(job.id,)]
        if told.get("job.added", Counter())[(job.id,)] != 1:
            yield f"job {job.id} was not added once"
        if claimed != job.token:
            yield f"job {job.id} was claimed {job.token} times, told {claimed} times"
        if job.status in ("complete", "failed") and ended[job.id] != claimed:
            yield f"job {job.id} was claimed {claimed} times and ended {ended[job.id]} times"
