"""The history checker: what was seen outside, held against what the database says in the end.

A pure function of the log that workers keep outside the database, the final database, and what
was asked for. A log line says that an execution was started, or that its result was accepted;
an acceptance may lack its line (its worker was killed), a line never lacks its acceptance.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

STARTED, ACCEPTED = "started", "accepted"
FINAL = ("complete", "failed", "skipped")
OWN_RESULTS = ("run", "product")  # what they write is checked otherwise

Subject = tuple[int | None, str]  # run, key


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the outside log; the token tells executions of one job apart."""

    what: str
    job_id: int
    token: int


@dataclass(frozen=True, slots=True)
class FinalJob:
    """A job as the database has it in the end."""

    id: int
    kind: str
    key: str
    status: str
    token: int
    run_id: int | None = None


@dataclass(frozen=True, slots=True)
class Dump:
    """The database in the end."""

    jobs: Sequence[FinalJob]
    runs: Mapping[int, str]  # status by id
    results: Mapping[int, Mapping[int, int]]  # how often each token of a job wrote a result
    finished: Mapping[int, int]  # how often the outbox tells that a job was finished
    ended_runs: Mapping[int, int]  # how often the outbox tells that a run was over


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong, one line each; nothing when the history is good."""

    lost: tuple[str, ...]
    doubled: tuple[str, ...]

    @property
    def is_good(self) -> bool:
        """Nothing lost, nothing doubled."""
        return not self.lost and not self.doubled


def check(lines: Iterable[Line], dump: Dump, expected: Mapping[Subject, str]) -> Verdict:
    """Hold the log against the database; ``expected`` is how each job must have ended."""
    started, accepted = _by_job(lines)
    jobs = {job.id: job for job in dump.jobs}
    lost = [
        *_not_as_expected(dump.jobs, expected),
        *_accepted_and_gone(accepted, jobs),
        *_without_result(dump),
        *_runs_never_ended(dump),
    ]
    doubled = [
        *_subjects_twice(dump.jobs),
        *_accepted_twice(accepted),
        *_results_twice(dump, jobs, started),
        *_runs_ended_twice(dump),
    ]
    return Verdict(tuple(lost), tuple(doubled))


def _by_job(lines: Iterable[Line]) -> tuple[dict[int, Counter[int]], dict[int, Counter[int]]]:
    seen: dict[str, dict[int, Counter[int]]] = {
        STARTED: defaultdict(Counter),
        ACCEPTED: defaultdict(Counter),
    }
    for line in lines:
        seen[line.what][line.job_id][line.token] += 1
    return seen[STARTED], seen[ACCEPTED]


def _not_as_expected(jobs: Sequence[FinalJob], expected: Mapping[Subject, str]) -> Iterator[str]:
    for job in jobs:
        if job.status not in FINAL:
            yield f"job {job.id} ({job.key}) never reached a final state: {job.status}"
    ends = {(job.run_id, job.key): job.status for job in jobs}
    for subject, status in expected.items():
        if subject not in ends:
            yield f"job {subject[1]} of run {subject[0]} is gone"
        elif ends[subject] in FINAL and ends[subject] != status:
            yield f"job {subject[1]} of run {subject[0]} is {ends[subject]}, not {status}"


def _accepted_and_gone(
    accepted: Mapping[int, Mapping[int, int]], jobs: Mapping[int, FinalJob]
) -> Iterator[str]:
    for job_id, tokens in accepted.items():
        job = jobs.get(job_id)
        if job is None or job.status != "complete" or job.token not in tokens:
            now = "gone" if job is None else f"{job.status} by token {job.token}"
            yield f"job {job_id} was accepted by token {sorted(tokens)}, but it is {now}"


def _without_result(dump: Dump) -> Iterator[str]:
    for job in dump.jobs:
        if job.status != "complete":
            continue
        if not dump.finished.get(job.id):
            yield f"job {job.id} is complete, but no event tells of it"
        if job.kind not in OWN_RESULTS and not dump.results.get(job.id, {}).get(job.token):
            yield f"job {job.id} is complete, but its result is missing"


def _runs_never_ended(dump: Dump) -> Iterator[str]:
    for run_id, status in dump.runs.items():
        if status != "complete" or not dump.ended_runs.get(run_id):
            yield f"run {run_id} was never post-processed: {status}"


def _subjects_twice(jobs: Sequence[FinalJob]) -> Iterator[str]:
    times = Counter((job.run_id, job.kind, job.key) for job in jobs if job.status != "skipped")
    for (run_id, _, key), count in times.items():
        if count > 1:
            yield f"job {key} of run {run_id} is there {count} times"


def _accepted_twice(accepted: Mapping[int, Mapping[int, int]]) -> Iterator[str]:
    for job_id, tokens in accepted.items():
        if sum(tokens.values()) > 1:
            yield f"job {job_id} was accepted {sum(tokens.values())} times: tokens {sorted(tokens)}"


def _results_twice(
    dump: Dump, jobs: Mapping[int, FinalJob], started: Mapping[int, Mapping[int, int]]
) -> Iterator[str]:
    for job_id, count in dump.finished.items():
        if count > 1:
            yield f"job {job_id} was finished {count} times"
    for job_id, tokens in dump.results.items():
        job = jobs.get(job_id)
        if sum(tokens.values()) > 1:
            yield f"job {job_id} has {sum(tokens.values())} results: tokens {sorted(tokens)}"
        if job is not None and (job.status != "complete" or job.token not in tokens):
            yield f"job {job_id} is {job.status}, but has a result of token {sorted(tokens)}"
        if not all(started.get(job_id, {}).get(token) for token in tokens):
            yield f"job {job_id} has a result of an execution that never started"


def _runs_ended_twice(dump: Dump) -> Iterator[str]:
    for run_id, count in dump.ended_runs.items():
        if count > 1:
            yield f"run {run_id} was post-processed {count} times"
