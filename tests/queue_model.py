"""The queue as simple as it can be said: lists and loops. What the real one is held against."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from specfactory.model import JobStatus as S
from specfactory.model import RunStatus as R
from specfactory.model.transitions import ACTIVE, LEFT_TO_DO, TRANSITIONS, Action

UNDER_WAY = (R.OPEN, R.POST_PROCESSING)


class Refused(Exception):
    """The model says that this cannot be done."""


@dataclass(eq=False)
class ModelRun:
    config: str
    status: R = R.OPEN
    summary: str | None = None


@dataclass(eq=False)
class ModelJob:
    kind: str
    key: str
    run: ModelRun | None
    priority: int
    due_at: int
    max_attempts: int
    status: S = S.QUEUED
    attempts: int = 0
    token: int = 0
    until: int | None = None
    finished_at: int | None = None
    errors: list[str] = field(default_factory=list)

    def holds(self, token: int) -> bool:
        return self.status is S.IN_PROGRESS and self.token == token


ModelLease = tuple[ModelJob, int]


@dataclass
class ModelQueue:
    """Jobs and runs in the order in which they came."""

    jobs: list[ModelJob] = field(default_factory=list)
    runs: list[ModelRun] = field(default_factory=list)

    def add(self, job: ModelJob) -> bool:
        if job.run is not None and job.run.status not in UNDER_WAY:
            raise Refused
        if any(self._same(job, other) for other in self.jobs):
            return False
        self.jobs.append(job)
        if job.run is not None and job.run.status is R.POST_PROCESSING:
            self._reopen(job.run)
        return True

    def _same(self, job: ModelJob, other: ModelJob) -> bool:
        if (job.kind, job.key, job.run) != (other.kind, other.key, other.run):
            return False
        return job.run is not None or other.status in ACTIVE

    def claim(self, count: int, kinds: Sequence[str], lease_ms: int, now: int) -> list[ModelJob]:
        due = [
            (job.priority, job.due_at, place)
            for place, job in enumerate(self.jobs)
            if job.status is S.QUEUED and job.kind in kinds and job.due_at <= now
        ]
        taken = [self.jobs[place] for _, _, place in sorted(due)[:count]]
        for job in taken:
            job.status, job.until = S.IN_PROGRESS, now + lease_ms
            job.attempts, job.token = job.attempts + 1, job.token + 1
        return taken

    def finish(self, leases: Iterable[ModelLease], now: int, summary: str | None = None) -> int:
        held = {job for job, token in leases if job.holds(token)}
        for job in held:
            self._end(job, S.COMPLETE, now)
        self._ended(held, R.COMPLETE, now, summary)
        return len(held)

    def retry(self, lease: ModelLease, due_at: int) -> bool:
        job, token = lease
        if not job.holds(token):
            return False
        job.status, job.due_at, job.until = S.QUEUED, due_at, None
        job.errors.append("timeout")
        return True

    def fail(self, lease: ModelLease, now: int) -> bool:
        job, token = lease
        if not job.holds(token):
            return False
        self._end(job, S.FAILED, now)
        job.errors.append("timeout")
        self._ended([job], R.FAILED, now)
        return True

    def ask(self, lease: ModelLease, now: int) -> bool:
        job, token = lease
        if not job.holds(token):
            return False
        job.status, job.until = S.AWAITING_REVIEW, None
        self._close(job.run, now)
        return True

    def release(self, leases: Iterable[ModelLease]) -> int:
        held = {job for job, token in leases if job.holds(token)}
        for job in held:
            job.status, job.until, job.attempts = S.QUEUED, None, job.attempts - 1
        return len(held)

    def renew(self, leases: Iterable[ModelLease], until: int) -> int:
        held = {job for job, token in leases if job.holds(token)}
        for job in held:
            job.until = until
        return len(held)

    def rescue(self, now: int, limit: int) -> int:
        silent = [
            (job.until, place)
            for place, job in enumerate(self.jobs)
            if job.status is S.IN_PROGRESS and job.until is not None and job.until <= now
        ]
        taken = [self.jobs[place] for _, place in sorted(silent)[:limit]]
        for job in taken:
            job.errors.append("lease_expired")
            job.status, job.until = S.QUEUED, None
            if job.attempts >= job.max_attempts:
                self._end(job, S.FAILED, now)
        self._ended([job for job in taken if job.status is S.FAILED], R.FAILED, now)
        return len(taken)

    def act(self, job: ModelJob, action: Action, now: int) -> None:
        after = TRANSITIONS.get((job.status, action))
        if after is None or (action is Action.FINISH and job.status is S.IN_PROGRESS):
            raise Refused
        waking = job.status not in ACTIVE and after in ACTIVE
        if waking and job.run is None and any(self._same(job, other) for other in self.jobs):
            raise Refused
        run = job.run or self._post_processed(job)
        reopened = R.OPEN if job.run else R.POST_PROCESSING
        if run is not None and job.run is None and waking and run.status is R.OPEN:
            raise Refused
        wants_run = run is not None and (after in LEFT_TO_DO if job.run else waking)
        if run is not None and wants_run and run.status is not reopened and self._later(run):
            raise Refused
        self._move(job, after, action, now)
        if run is None:
            return
        if wants_run:
            self._take_up(run, reopened)
        elif job.run is not None:
            self._close(run, now)
        elif after is S.SKIPPED and run.status in UNDER_WAY:
            run.status = R.CANCELLED

    def _move(self, job: ModelJob, after: S, action: Action, now: int) -> None:
        job.status, job.until = after, None
        if action is Action.REQUEUE:
            job.attempts, job.due_at, job.finished_at = 0, now, None
        elif action is Action.RESUME:
            job.finished_at = None
        elif after in (S.COMPLETE, S.SKIPPED):
            job.finished_at = now

    def age(self, before: int) -> int:
        latest = {job.key: job for job in self.jobs if self._idle(job) and job.kind == "product"}
        old = [job for job in latest.values() if job.status is S.COMPLETE]
        aged = [job for job in old if job.finished_at is not None and job.finished_at < before]
        for job in aged:
            job.status = S.STALE
        return len(aged)

    def prune(self, status: S, keep: int) -> int:
        found = [
            job for job in self.jobs
            if job.status is status and (job.run is None or job.run.status not in UNDER_WAY)
        ]  # fmt: skip
        order = {job: place for place, job in enumerate(self.jobs)}
        found.sort(key=lambda job: (job.finished_at or 0, order[job]), reverse=True)
        for job in found[keep:]:
            self.jobs.remove(job)
        return len(found[keep:])

    def join(self, config: str) -> tuple[ModelRun, bool]:
        for run in self.runs:
            if run.config == config and run.status in UNDER_WAY:
                return run, False
        self.runs.append(ModelRun(config))
        return self.runs[-1], True

    def cancel(self, run: ModelRun, now: int) -> bool:
        if run.status not in UNDER_WAY:
            return False
        for job in self.jobs:
            if job.run is run and job.status in LEFT_TO_DO:
                self._end(job, S.SKIPPED, now)
        self._withdraw(run, now)
        run.status = R.CANCELLED
        return True

    def _end(self, job: ModelJob, status: S, now: int) -> None:
        job.status, job.finished_at, job.until = status, now, None

    def _ended(
        self, jobs: Collection[ModelJob], status: R, now: int, summary: str | None = None
    ) -> None:
        of_jobs = [job.run for job in jobs]
        for run in self.runs:  # in the order in which they began
            if run in of_jobs:
                self._close(run, now)
        for job in jobs:
            ended = self._post_processed(job)
            if ended is not None and ended.status in UNDER_WAY:
                ended.status, ended.summary = status, summary

    def _close(self, run: ModelRun | None, now: int) -> None:
        if run is None or run.status is not R.OPEN:
            return
        if any(job.run is run and job.status in LEFT_TO_DO for job in self.jobs):
            return
        run.status = R.POST_PROCESSING
        self.add(ModelJob("run", self.name(run), None, 2, now, 3))

    def _take_up(self, run: ModelRun, status: R, now: int = 0) -> None:
        if run.status is status:
            return
        if status is R.OPEN:
            self._reopen(run, now)
        else:
            run.status, run.summary = status, None

    def _reopen(self, run: ModelRun, now: int = 0) -> None:
        run.status, run.summary = R.OPEN, None
        self._withdraw(run, now)

    def _withdraw(self, run: ModelRun, now: int) -> None:
        for job in self.jobs:
            if self._post_processed(job) is run and job.status in ACTIVE:
                job.status, job.until = S.SKIPPED, None

    def _later(self, run: ModelRun) -> bool:
        return any(
            other is not run and other.config == run.config and other.status in UNDER_WAY
            for other in self.runs
        )

    def _idle(self, job: ModelJob) -> bool:
        return job.status not in (S.QUEUED, S.IN_PROGRESS)

    def _post_processed(self, job: ModelJob) -> ModelRun | None:
        if job.kind != "run" or job.run is not None:
            return None
        return self.runs[int(job.key)]

    def name(self, run: ModelRun) -> str:
        return str(self.runs.index(run))
