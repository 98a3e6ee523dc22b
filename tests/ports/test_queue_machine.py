"""The queue against a simple model: any order of steps, clients that die at any commit.

After every step the whole table equals the model, and the events told add up to it. A seed that
ever failed is kept as a test below.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Awaitable, Callable
from copy import deepcopy
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from specfactory.assembly import choose_database
from specfactory.errors import UsageError
from specfactory.model import Job, JobError, JobStatus, Lease, NewJob, RunStatus
from specfactory.model.transitions import LEASED, LEFT_TO_DO, Action
from specfactory.ports import Transaction
from specfactory.settings import Settings
from specfactory.store import Jobs, Outbox, Runs
from specfactory.testing import START
from tests.crashing import Crashed, CrashingDatabase, Moment
from tests.ports.conftest import EMPTY
from tests.queue_model import ModelJob, ModelLease, ModelQueue, Refused

Result = TypeVar("Result")

KEYS = st.sampled_from("ab")
ALL = ("product", "page", "run")
KINDS = st.sampled_from([ALL, ALL, ("product",), ("run",)])
PLACES = st.integers(0, 30)
CRASH = st.sampled_from([None, None, None, "before", "after"])
NONE_OR_PLACE = st.sampled_from([None, 0, 1, 2])
ACTIONS = st.sampled_from([action for action in Action if action not in LEASED])
SPANS = st.lists(PLACES, min_size=1, max_size=4)
LEASE_MS = 60_000
STATUS_AFTER = {
    "job.added": JobStatus.QUEUED, "job.claimed": JobStatus.IN_PROGRESS,
    "job.finished": JobStatus.COMPLETE, "job.retried": JobStatus.QUEUED,
    "job.failed": JobStatus.FAILED, "job.asked": JobStatus.AWAITING_REVIEW,
    "job.released": JobStatus.QUEUED, "lease.expired": JobStatus.QUEUED,
    "job.paused": JobStatus.PAUSED, "job.resumed": JobStatus.QUEUED,
    "job.skipped": JobStatus.SKIPPED, "job.requeued": JobStatus.QUEUED,
    "job.aged": JobStatus.STALE,
}  # fmt: skip


class QueueMachine(RuleBasedStateMachine):
    """Steps of workers, people and the clock, on the real queue and on the model."""

    url = "sqlite:///:memory:"
    empty: Callable[[], Awaitable[None]] | None = None

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.model, self.now = ModelQueue(), START
        self.leases: list[tuple[ModelLease, Lease]] = []
        self.run_ids: list[int] = []
        self.real: list[Job] = []
        self.told: dict[int, JobStatus] = {}
        self.runner.run(self._open())

    async def _open(self) -> None:
        if self.empty is not None:
            await type(self).empty()  # type: ignore[misc]
        self.db = CrashingDatabase(choose_database(Settings(database_url=self.url)))
        await self.db.migrate()
        self.jobs, self.runs = Jobs(self.db), Runs(self.db)

    async def died(self) -> None:
        """Whatever is to be done after the death of a client."""

    # one step on both

    def step(
        self,
        crash: Moment | None,
        real: Callable[[Transaction], Awaitable[Result]],
        model: Callable[[], Any],
    ) -> tuple[Result, Any] | None:
        """Do it on both; None when it was refused by both, or the client died."""
        kept = deepcopy((self.model, self.leases))
        try:
            wanted = model()
        except Refused:
            self.model, self.leases = kept
            with pytest.raises(UsageError):
                self.runner.run(self._do(None, real))
            return None
        try:
            return self.runner.run(self._do(crash, real)), wanted
        except Crashed:
            self.runner.run(self.died())
            if crash == "before":
                self.model, self.leases = kept
            return None

    async def _do(
        self, crash: Moment | None, real: Callable[[Transaction], Awaitable[Result]]
    ) -> Result:
        self.db.crash = crash
        try:
            async with self.db.transaction() as tx:
                return await real(tx)
        finally:
            self.db.crash = None

    # what comes in

    @initialize(keys=st.sampled_from(["", "a", "ab", "abc"]))
    def begin_with_a_run(self, keys: str) -> None:
        if keys:
            self.join("x", None)
            self.runner.run(self._look())
            self.add(list(keys), 0, "product", 3, 0, 1, None)

    @rule(
        keys=st.lists(KEYS, min_size=1, max_size=3), run=NONE_OR_PLACE,
        kind=st.sampled_from(["product", "product", "page"]), priority=st.integers(1, 5),
        delay=st.sampled_from([0, 0, 30_000]), most=st.sampled_from([1, 1, 3]), crash=CRASH,
    )  # fmt: skip
    def add(
        self, keys: list[str], run: int | None, kind: str, priority: int, delay: int, most: int,
        crash: Any,
    ) -> None:  # fmt: skip
        place = None if run is None or not self.run_ids else run % len(self.run_ids)
        run_id = None if place is None else self.run_ids[place]
        due = self.now + delay
        new = [
            NewJob(kind, key, priority=priority, due_at=due, max_attempts=most, run_id=run_id)
            for key in keys
        ]

        def model() -> list[bool]:
            of_run = None if place is None else self.model.runs[place]
            return [
                self.model.add(ModelJob(kind, key, of_run, priority, due, most)) for key in keys
            ]

        done = self.step(crash, lambda tx: self.jobs.add(tx, new, self.now), model)
        if done:
            assert [added.is_new for added in done[0]] == done[1]

    @rule(config=st.sampled_from("xy"), crash=CRASH)
    def join(self, config: str, crash: Any) -> None:
        done = self.step(
            crash,
            lambda tx: self.runs.join(tx, {"site": config}, self.now),
            lambda: self.model.join(config),
        )
        if done:
            assert done[0][1] == done[1][1]

    # workers

    @rule(count=st.integers(1, 4), kinds=KINDS, crash=CRASH)
    def claim(self, count: int, kinds: tuple[str, ...], crash: Any) -> None:
        done = self.step(
            crash,
            lambda tx: self.jobs.claim(tx, "w", count, kinds, LEASE_MS / 1000, self.now),
            lambda: self.model.claim(count, kinds, LEASE_MS, self.now),
        )
        if done:
            assert [job.key for job in done[0]] == [self.key_of(job) for job in done[1]]
            for job, wanted in zip(*done, strict=True):
                self.leases.append(((wanted, wanted.token), job.lease))

    @precondition(lambda self: self.leases)
    @rule(places=SPANS, crash=CRASH)
    def finish(self, places: list[int], crash: Any) -> None:
        model, real = self.some(places)
        done = self.step(
            crash,
            lambda tx: self.jobs.finish(tx, real(), self.now),
            lambda: self.model.finish(model(), self.now),
        )
        if done:
            assert len(done[0]) == done[1]

    @precondition(lambda self: self.leases)
    @rule(places=SPANS, crash=CRASH)
    def complete(self, places: list[int], crash: Any) -> None:
        model, real = self.some(places[:1])
        done = self.step(
            crash,
            lambda tx: self.runs.complete(tx, real()[0], "sum", self.now),
            lambda: self.model.finish(model(), self.now, "sum"),
        )
        if done:
            assert done[0] == bool(done[1])

    @precondition(lambda self: self.leases)
    @rule(places=SPANS, how=st.sampled_from(["retry", "fail", "ask"]), crash=CRASH)
    def end(self, places: list[int], how: str, crash: Any) -> None:
        model, real = self.some(places[:1])
        due = self.now + 2000

        async def really(tx: Transaction) -> bool:
            [lease] = real()
            error = JobError(lease.job_id, 1, self.now, "w", "fetch", "timeout", "m")
            if how == "retry":
                return await self.jobs.retry(tx, lease, error, due)
            if how == "fail":
                return await self.jobs.fail(tx, lease, error, self.now)
            return await self.jobs.ask(tx, lease, self.now)

        def wanted() -> bool:
            [lease] = model()
            if how == "retry":
                return self.model.retry(lease, due)
            if how == "fail":
                return self.model.fail(lease, self.now)
            return self.model.ask(lease, self.now)

        done = self.step(crash, really, wanted)
        if done:
            assert done[0] == done[1]

    @precondition(lambda self: self.leases)
    @rule(places=SPANS, crash=CRASH)
    def release(self, places: list[int], crash: Any) -> None:
        model, real = self.some(places)
        done = self.step(
            crash,
            lambda tx: self.jobs.release(tx, real(), self.now),
            lambda: self.model.release(model()),
        )
        if done:
            assert done[0] == done[1]

    @precondition(lambda self: self.leases)
    @rule(places=SPANS, crash=CRASH)
    def renew(self, places: list[int], crash: Any) -> None:
        model, real = self.some(places)
        until = self.now + LEASE_MS
        done = self.step(
            crash,
            lambda tx: self.jobs.renew(tx, real(), until),
            lambda: self.model.renew(model(), until),
        )
        if done:
            assert len(done[0]) == done[1]

    # the clock, the sweepers, people

    @rule(ms=st.sampled_from([1, 2000, 30_000, LEASE_MS, -30_000]))
    def time_passes(self, ms: int) -> None:
        self.now += ms

    @rule(kinds=KINDS, crash=CRASH)
    def work(self, kinds: tuple[str, ...], crash: Any) -> None:
        """A worker does what it has claimed."""
        before = len(self.leases)
        self.claim(4, kinds, None)
        if len(self.leases) > before:
            self.finish(list(range(before, len(self.leases))), crash)

    @rule(kinds=KINDS, crash=CRASH)
    def perish(self, kinds: tuple[str, ...], crash: Any) -> None:
        """A worker dies of what it has claimed."""
        self.claim(2, kinds, None)
        self.now += LEASE_MS
        self.rescue(3, crash)

    @rule(limit=st.integers(1, 3), crash=CRASH)
    def rescue(self, limit: int, crash: Any) -> None:
        done = self.step(
            crash,
            lambda tx: self.jobs.rescue(tx, self.now, limit),
            lambda: self.model.rescue(self.now, limit),
        )
        if done:
            assert len(done[0]) == done[1]

    @rule()
    def sweep(self) -> None:
        done = self.step(None, lambda tx: self.runs.sweep(tx, self.now), lambda: [])
        assert done == ([], [])  # nothing was left behind

    @precondition(lambda self: self.model.jobs)
    @rule(place=PLACES, action=ACTIONS, crash=CRASH)
    def act(self, place: int, action: Action, crash: Any) -> None:
        place %= len(self.model.jobs)
        job_id = self.ids()[place]
        self.step(
            crash,
            lambda tx: self.jobs.act(tx, job_id, action, self.now),
            lambda: self.model.act(self.model.jobs[place], action, self.now),
        )

    @precondition(lambda self: self.model.jobs)
    @rule(place=PLACES, priority=st.integers(1, 5), crash=CRASH)
    def prioritize(self, place: int, priority: int, crash: Any) -> None:
        place %= len(self.model.jobs)
        job_id = self.ids()[place]

        def model() -> None:
            self.model.jobs[place].priority = priority

        self.step(crash, lambda tx: self.jobs.prioritize(tx, job_id, priority, "", self.now), model)

    @precondition(lambda self: self.run_ids)
    @rule(place=PLACES, crash=CRASH)
    def cancel(self, place: int, crash: Any) -> None:
        place %= len(self.run_ids)
        done = self.step(
            crash,
            lambda tx: self.runs.cancel(tx, self.run_ids[place], self.now),
            lambda: self.model.cancel(self.model.runs[place], self.now),
        )
        if done:
            assert done[0] == done[1]

    @rule(ago=st.sampled_from([0, 30_000]), crash=CRASH)
    def age(self, ago: int, crash: Any) -> None:
        before = self.now - ago
        done = self.step(
            crash, lambda tx: self.jobs.age(tx, before, self.now), lambda: self.model.age(before)
        )
        if done:
            assert done[0] == done[1]

    @rule(status=st.sampled_from([JobStatus.COMPLETE, JobStatus.FAILED]), crash=CRASH)
    def clear(self, status: JobStatus, crash: Any) -> None:
        done = self.step(
            crash,
            lambda tx: self.jobs.clear(tx, status, self.now),
            lambda: self.model.prune(status, 0),
        )
        if done:
            assert done[0] == done[1]

    # what always holds

    @invariant()
    def always(self) -> None:
        self.runner.run(self._look())
        self._the_queue_is_as_the_model_says()
        self._the_events_add_up_to_it()
        assert self.counted == Counter((j.status, j.kind, j.priority) for j in self.real)
        self._a_run_that_has_something_to_do_is_not_over()

    def _the_queue_is_as_the_model_says(self) -> None:
        assert [(run.status, run.summary) for run in self.real_runs] == [
            (run.status, run.summary) for run in self.model.runs
        ]
        assert [
            (job.kind, job.key, job.status, job.priority, job.due_at, job.attempts,
             job.lease_token, job.lease_until, job.run_id)
            for job in self.real
        ] == [
            (job.kind, self.key_of(job), job.status, job.priority, job.due_at, job.attempts,
             job.token, job.until,
             None if job.run is None else self.run_ids[self.model.runs.index(job.run)])
            for job in self.model.jobs
        ]  # fmt: skip

    async def _look(self) -> None:
        self.real = await self.jobs.list(limit=10_000)
        counts = (await self.jobs.stats()).counts
        self.counted = {(count.status, count.kind, count.priority): count.jobs for count in counts}
        self.real_runs = sorted(await self.runs.list(), key=lambda run: run.id)
        self.run_ids = [run.id for run in self.real_runs]
        async with self.db.transaction() as tx:
            batches = await Outbox(self.db).undelivered("log", limit=10_000)
            ids = [batch.id for batch in batches]
            await Outbox(self.db).delivered(tx, "log", ids, 0)
        self.events = [event for batch in batches for event in batch.events]

    def _the_events_add_up_to_it(self) -> None:
        for event in self.events:
            if event.name in STATUS_AFTER:
                ids = event.fields.get("job_ids") or [event.fields["job_id"]]
                self.told |= dict.fromkeys(ids, STATUS_AFTER[event.name])
        for job in self.real:
            assert self.told[job.id] is job.status

    def _a_run_that_has_something_to_do_is_not_over(self) -> None:
        over = {run.id for run in self.real_runs if run.status is not RunStatus.OPEN}
        assert not [job for job in self.real if job.run_id in over and job.status in LEFT_TO_DO]

    # at the end

    def teardown(self) -> None:
        try:
            self.runner.run(self._errors_are_kept())
        finally:
            self.runner.run(self.db.close())
            self.runner.close()

    async def _errors_are_kept(self) -> None:
        for job, wanted in zip(self.real, self.model.jobs, strict=False):
            assert [error.cause for error in await self.jobs.errors(job.id)] == wanted.errors

    # looking things up

    def ids(self) -> list[int]:
        return [job.id for job in self.real]

    def key_of(self, job: ModelJob) -> str:
        return str(self.run_ids[int(job.key)]) if job.kind == "run" else job.key

    def some(
        self, places: list[int]
    ) -> tuple[Callable[[], list[ModelLease]], Callable[[], list[Lease]]]:
        """Some leases that were ever given, looked up when they are used."""
        chosen = [place % len(self.leases) for place in places]
        return (
            lambda: [self.leases[place][0] for place in chosen],
            lambda: [self.leases[place][1] for place in chosen],
        )


def _machine(url: str, empty: Callable[[], Awaitable[None]] | None = None) -> type[QueueMachine]:
    given = None if empty is None else staticmethod(empty)
    return type("QueueMachine", (QueueMachine,), {"url": url, "empty": given})


def _settings(examples: int, steps: int = 40) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


def test_any_order_of_steps_leaves_the_queue_as_the_model_says() -> None:
    run_state_machine_as_test(_machine("sqlite:///:memory:"), settings=_settings(60))


def test_a_file_that_is_opened_again_after_every_death_loses_nothing(tmp_path: Path) -> None:
    places = (f"sqlite:///{tmp_path}/{number}.db" for number in itertools.count())

    class Reopened(QueueMachine):
        async def _open(self) -> None:
            self.url = next(places)
            await super()._open()

        async def died(self) -> None:
            await self.db.close()
            await super()._open()

    run_state_machine_as_test(Reopened, settings=_settings(10, 25))


def test_postgresql_is_as_the_model_says(postgres_url: str) -> None:
    async def empty() -> None:
        raw = await asyncpg.connect(postgres_url)
        await raw.execute(EMPTY)
        await raw.close()

    run_state_machine_as_test(_machine(postgres_url, empty), settings=_settings(10, 25))
