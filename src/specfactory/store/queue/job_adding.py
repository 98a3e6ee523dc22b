"""Adding jobs: in bulk, in order, without duplicates."""

from collections.abc import Iterable, Sequence
from operator import attrgetter, itemgetter

from specfactory.errors import RunClosed, StoreError
from specfactory.model import Event, Frozen, Instant, Job, NewJob
from specfactory.ports import Transaction
from specfactory.store.queue.job_rows import (
    job_events,
    names_json,
    new_row,
    numbered,
    old_row,
    tidy,
)
from specfactory.store.queue.run_ends import TAKES_JOBS, lock_runs, reopen_run

_SUBJECT, _BIRTH = ("kind", "key", "run_id"), ("kind", "key", "added_at")
_subject, _subject_of = itemgetter(*_SUBJECT), attrgetter(*_SUBJECT)  # of a row, of a job
_row_birth, _birth = itemgetter(*_BIRTH), attrgetter(*_BIRTH)
CHUNK = 1000
_TRIES = 3  # with many writers the duplicate may end before we look at it

Subject = tuple[str, str, int | None]  # kind, key, run


class Added(Frozen):
    """The result for one job: added, or the job that is there already."""

    key: str
    job_id: int
    is_new: bool


async def add_chunk(
    tx: Transaction, jobs: Sequence[NewJob], now: Instant
) -> tuple[list[Added], list[Event]]:
    """Add some jobs; return the result for each, and the events."""
    jobs = tidy(jobs)
    run_ids = {job.run_id for job in jobs if job.run_id is not None}
    runs = await lock_runs(tx, run_ids)
    for run_id in sorted(run_ids):
        if run_id not in runs or runs[run_id].status not in TAKES_JOBS:
            raise RunClosed(run_id, runs[run_id].status if run_id in runs else "not there")
    rows = await tx.fetch("add_jobs", jobs=numbered([new_row(job, now) for job in jobs]), now=now)
    events = job_events("job.added", rows, now, kinds=sorted({row["kind"] for row in rows}))
    for run_id in {row["run_id"] for row in rows} & runs.keys():
        events += await reopen_run(tx, runs[run_id], now)
    new = {_subject(row): row["id"] for row in rows}
    there = await _there(tx, jobs, new, now) if len(new) < len(jobs) else {}
    added, seen = list[Added](), set[Subject]()
    for job in jobs:
        subject = _subject_of(job)
        is_new = subject in new and subject not in seen
        seen.add(subject)
        job_id = new[subject] if subject in new else there[subject]
        added.append(Added(job.key, job_id, is_new))
    return added, events


async def restore_chunk(
    tx: Transaction, jobs: Sequence[Job], now: Instant
) -> tuple[list[Added], list[Event]]:
    """Restore exported jobs; one that was restored before is there already."""
    jobs = tidy(jobs)
    rows = await tx.fetch("known_subjects", keys=names_json(job.key for job in jobs))
    known = {_row_birth(row): row["id"] for row in rows}
    wanted = {_birth(job): job for job in jobs if _birth(job) not in known}
    arrays = numbered([old_row(job) for job in wanted.values()])
    made = await tx.fetch("restore_jobs", jobs=arrays) if wanted else []
    new = {_row_birth(row): row["id"] for row in made}
    latest = {(row["kind"], row["key"]): row["id"] for row in [*rows, *made]}
    restored = []
    for job in jobs:
        birth = _birth(job)
        is_new = birth in new  # only the first of several that are alike
        job_id = new.pop(birth, None) or known.get(birth) or latest[birth[:2]]
        restored.append(Added(job.key, job_id, is_new))
    return restored, job_events("job.restored", made, now)


async def _there(
    tx: Transaction, jobs: Sequence[NewJob], new: dict[Subject, int], now: Instant
) -> dict[Subject, int]:
    """The active jobs of subjects that were not added again."""
    wanted = {_subject_of(job): job for job in jobs if _subject_of(job) not in new}
    found: dict[Subject, int] = {}
    for _ in range(_TRIES):
        found |= await _find(tx, wanted.keys() - found.keys())
        left = [job for subject, job in wanted.items() if subject not in found]
        if not left:
            return found
        again = numbered([new_row(job, now) for job in left])
        rows = await tx.fetch("add_jobs", jobs=again, now=now)
        new |= {_subject(row): row["id"] for row in rows}
        found |= {_subject(row): row["id"] for row in rows}
    raise StoreError(f"{left[0].key} could neither be added nor found; nothing was added")


async def _find(tx: Transaction, subjects: Iterable[Subject]) -> dict[Subject, int]:
    found: dict[Subject, int] = {}
    for run_id in {subject[2] for subject in subjects}:
        alike = [subject for subject in subjects if subject[2] == run_id]
        kinds, keys = names_json(kind for kind, _, _ in alike), names_json(k for _, k, _ in alike)
        if run_id is None:
            rows = await tx.fetch("active_subjects", kinds=kinds, keys=keys)
        else:
            rows = await tx.fetch("subjects_of_run", kinds=kinds, keys=keys, run_id=run_id)
        found |= {_subject(row): row["id"] for row in rows}
    return found
