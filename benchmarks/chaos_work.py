"""What the chaos asks of the queue, and how each job must end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from benchmarks.chaos_history import Subject
from benchmarks.chaos_jobs import LONG, SHORT, found_jobs
from specfactory.model import Instant, Job, JobStatus, Json, NewJob
from specfactory.ports import Database
from specfactory.store import Jobs, Runs

RUNS = 4
PATIENT = 50  # tries of jobs that shall be done, however often their worker is killed
POISON_TRIES = 3
SHARES = ("plain",) * 50 + ("long",) * 20 + ("finds",) * 10 + ("fails",) * 10 + ("own",) * 10
KILLERS, FAILERS = 1, 5  # poison of both kinds


@dataclass
class Work:
    """All jobs, by the run they belong to (None: to none), and how each must end."""

    jobs: dict[int | None, list[NewJob]] = field(default_factory=dict)
    expected: dict[Subject, str] = field(default_factory=dict)


def plan(seed: int, count: int, seconds: float) -> Work:
    """The first jobs; some are due later, so that there is something to do all the time."""
    chosen, work = random.Random(seed), Work()
    poison = ["kills"] * KILLERS + ["hopeless"] * FAILERS
    for number in range(count):
        behaviour = poison.pop() if poison else chosen.choice(SHARES)
        place = chosen.choice((None, *range(RUNS)))
        later = round(chosen.uniform(0, seconds) * 1000)
        job = _job(f"job-{number}", behaviour, chosen, later)
        work.jobs.setdefault(place, []).append(job)
    return work


def _job(key: str, behaviour: str, chosen: random.Random, later: int) -> NewJob:
    payload: dict[str, Json] = {}
    kind, tries = SHORT, PATIENT
    if behaviour == "long":
        kind, payload = LONG, {"seconds": round(chosen.uniform(0.05, 0.5), 3)}
    elif behaviour == "own":
        kind, payload = LONG, {"own": True, "seconds": round(chosen.uniform(0, 0.1), 3)}
    elif behaviour == "finds":  # often the same as others have found
        payload = {"finds": [f"found-{chosen.randrange(100)}" for _ in range(2)]}
    elif behaviour == "fails":
        payload = {"fails": chosen.choice((1, 2))}
    elif behaviour == "hopeless":
        payload, tries = {"fails": PATIENT}, POISON_TRIES
    elif behaviour == "kills":
        kind, payload, tries = LONG, {"kills": True}, POISON_TRIES
    return NewJob(kind, key, payload, due_at=later, max_attempts=tries, added_by="chaos")


async def add(database: Database, work: Work, now: Instant) -> None:
    """Put everything in the queue, one transaction per run, and note how it must end."""
    jobs, runs = Jobs(database), Runs(database)
    for place, planned in work.jobs.items():
        async with database.transaction() as tx:
            run_id = None
            if place is not None:
                run_id = (await runs.join(tx, {"chaos": place}, now))[0].id
            new = list(_placed(planned, run_id, now))
            await jobs.add(tx, new, now)
        for job in new:
            work.expected |= _ends(job)


def _placed(planned: list[NewJob], run_id: int | None, now: Instant) -> Iterator[NewJob]:
    """Outside a run nothing is found: the same could be found again once it is done."""
    for job in planned:
        payload = {} if run_id is None and "finds" in job.payload else job.payload
        due_at = now + (job.due_at or 0)
        yield replace(job, payload=payload, due_at=due_at, run_id=run_id)


def _ends(job: NewJob) -> dict[Subject, str]:
    """How a job and those that it finds must end."""
    doomed = job.max_attempts == POISON_TRIES
    found = found_jobs(Job(0, job.kind, job.key, JobStatus.QUEUED, 3, 0, 0, job.payload))
    ends: dict[Subject, str] = {(job.run_id, child.key): "complete" for child in found}
    ends[job.run_id, job.key] = "failed" if doomed else "complete"
    return ends
