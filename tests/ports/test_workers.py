"""Workers on the queue, run against every database."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Any

import asyncpg
import pytest

from specfactory import model
from specfactory.assembly import heartbeat_database, open_factory
from specfactory.contract import make_product
from specfactory.errors import CommitUnknown, DatabaseAway, JobFailed, NewerSchema
from specfactory.model import (
    Attempt,
    AttemptStatus,
    Budget,
    Identity,
    Job,
    JobStatus,
    NewJob,
    Product,
    Record,
    RunStatus,
    Spent,
    Verdict,
)
from specfactory.model.transitions import Action
from specfactory.orchestrate import Done, Handlers, Workbench, Worker, WorkerPlan, standard_handlers
from specfactory.orchestrate.attempts import run_attempt
from specfactory.orchestrate.workers.event_log_delivery import Delivery
from specfactory.orchestrate.workers.heartbeat import Heartbeat
from specfactory.orchestrate.workers.stale_records import DAY_MS, StaleCheck
from specfactory.orchestrate.workers.sweeper import Sweeper
from specfactory.orchestrate.workers.worker import WorkerEnd
from specfactory.ports import Database
from specfactory.settings import load
from specfactory.store import Batch, Jobs, Runs, Workers

QUICK = {
    "queue.poll_seconds": 0.05,
    "queue.heartbeat_seconds": 0.1,
    "queue.retry_first_seconds": 0,
    "contract_sources": False,
}


@pytest.fixture
async def bench(database_url: str) -> AsyncIterator[Workbench]:
    settings = load(environment={}, flags={**QUICK, "database_url": database_url})
    async with open_factory(settings) as opened:
        yield opened


async def add(bench: Workbench, *jobs: NewJob) -> list[int]:
    async with bench.database.transaction() as tx:
        return [one.job_id for one in await bench.jobs.add(tx, jobs, bench.clock.now())]


async def status(bench: Workbench, job_id: int) -> JobStatus:
    job = await bench.jobs.get(job_id)
    assert job is not None
    return job.status


def worker(bench: Workbench, handlers: Handlers, **plan: Any) -> Worker:
    settled: dict[str, Any] = {
        "id": "w1", "host": "here", "pid": os.getpid(), "kinds": handlers.choose(), "slots": 4,
        "until_empty": True,
    }  # fmt: skip
    return Worker(
        bench, handlers, WorkerPlan(**{**settled, **plan}), heartbeat_database(bench.settings)
    )


def handling(work: Callable[[Workbench, Job], Awaitable[Done | None]], **more: Any) -> Handlers:
    handlers = standard_handlers()
    handlers.register("noop", work, **more)
    return handlers


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 – it changes in a handler
            await asyncio.sleep(0.01)


async def taken_by_another(bench: Workbench, job: Job) -> Job:
    """What happens to a worker that fell silent: its job is queued again and another claims it."""
    async with bench.database.transaction() as tx:
        now = bench.clock.now()
        await bench.jobs.act(tx, job.id, Action.PAUSE, now)
        await bench.jobs.act(tx, job.id, Action.RESUME, now)
        (again,) = await bench.jobs.claim(tx, "other", 1, [job.kind], 3600.0, now)
    return again


async def nothing(_bench: Workbench, _job: Job) -> Done:
    return Done()


@pytest.mark.parametrize("short", [True, False])
async def test_a_worker_does_all_that_is_queued_and_stops_when_the_queue_is_empty(bench, short):
    ids = await add(bench, *(NewJob("noop", f"job-{n}") for n in range(250)))
    seen: list[int] = []

    async def work(_bench: Workbench, job: Job) -> Done:
        seen.append(job.id)
        return Done()

    end = await worker(bench, handling(work, short=short)).run()

    assert end == WorkerEnd(250, 0, 0)
    assert sorted(seen) == sorted(ids)
    assert (await bench.jobs.stats()).by_status()[JobStatus.COMPLETE] == 250


@pytest.mark.parametrize("short", [True, False])
async def test_a_worker_reports_the_time_that_its_slots_were_at_work(bench, short):
    await add(bench, *(NewJob("noop", f"job-{n}") for n in range(4)))

    async def work(_bench: Workbench, _job: Job) -> Done:
        await asyncio.sleep(0.1)
        return Done()

    await worker(bench, handling(work, short=short), slots=2).run()

    [report] = await bench.workers.list(bench.clock.now(), 60)
    assert report.busy_ms >= (400 if short else 200)  # four jobs, two of them at once
    assert report.busy_ms <= report.seen_at - report.started_at


@pytest.mark.parametrize("short", [True, False])
async def test_a_job_that_fails_is_tried_again_and_ends_as_a_dead_letter(bench, short):
    (job_id,) = await add(bench, NewJob("noop", "a", max_attempts=3))

    async def work(_bench: Workbench, _job: Job) -> Done:
        raise RuntimeError("out of luck")

    end = await worker(bench, handling(work, short=short)).run()

    assert end.failed == 3
    assert await status(bench, job_id) is JobStatus.FAILED
    errors = await bench.jobs.errors(job_id)
    assert [error.cause for error in errors] == ["unexpected"] * 3
    assert "out of luck" in errors[0].message


async def test_a_permanent_failure_is_a_dead_letter_at_once(bench):
    (job_id,) = await add(bench, NewJob("noop", "a", max_attempts=3))

    async def work(_bench: Workbench, _job: Job) -> Done:
        raise JobFailed("forbidden", "they said no", "fetch", "a.example", permanent=True)

    await worker(bench, handling(work)).run()

    (error,) = await bench.jobs.errors(job_id)
    assert (error.station, error.host, error.permanent) == ("fetch", "a.example", True)


async def test_a_kind_that_nobody_can_do_is_kept_in_the_queue(bench):
    (unknown, known) = await add(bench, NewJob("alchemy", "gold"), NewJob("noop", "a"))

    await worker(bench, handling(nothing)).run()

    assert await status(bench, unknown) is JobStatus.QUEUED
    assert await status(bench, known) is JobStatus.COMPLETE


@pytest.mark.parametrize("short", [True, False])
async def test_what_a_job_writes_lands_with_its_end_or_not_at_all(bench, short):
    (mine, lost) = await add(bench, NewJob("noop", "mine"), NewJob("noop", "lost"))

    async def work(bench: Workbench, job: Job) -> Done:
        if job.id == lost:
            await taken_by_another(bench, job)
        product = Product("mouse", "B", "M", id=job.key)
        return Done(lambda tx: bench.products.save(tx, product))

    serving = worker(bench, handling(work, short=short), until_empty=False, max_jobs=2, slots=1)
    end = await serving.run()

    assert (end.done, end.lost) == (1, 1)
    assert await bench.products.get("mine") is not None
    assert await bench.products.get("lost") is None
    assert await status(bench, mine) is JobStatus.COMPLETE
    assert await status(bench, lost) is JobStatus.IN_PROGRESS


@pytest.mark.parametrize("short", [True, False])
async def test_a_result_that_cannot_be_written_takes_no_other_with_it(bench, short):
    ids = await add(bench, *(NewJob("noop", key, max_attempts=1) for key in "abc"))

    async def refuse(_tx: Any) -> None:
        raise ValueError("will not be written")

    async def work(_bench: Workbench, job: Job) -> Done:
        return Done(refuse if job.key == "b" else None)

    await worker(bench, handling(work, short=short)).run()

    ends = [await status(bench, job_id) for job_id in ids]
    assert ends == [JobStatus.COMPLETE, JobStatus.FAILED, JobStatus.COMPLETE]


async def test_a_lost_lease_cancels_the_job_and_leaves_it_to_the_other(bench):
    (job_id,) = await add(bench, NewJob("noop", "a"))
    begun, cancelled = asyncio.Event(), asyncio.Event()

    async def work(bench: Workbench, job: Job) -> Done:
        await taken_by_another(bench, job)
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        return Done()

    serving = worker(bench, handling(work), until_empty=False)
    running = asyncio.create_task(serving.run())
    async with asyncio.timeout(30):
        await begun.wait()
        await cancelled.wait()
    serving.drain()

    assert (await running).lost == 1
    job = await bench.jobs.get(job_id)
    assert (job.status, job.lease_owner) == (JobStatus.IN_PROGRESS, "other")


async def test_a_held_lease_outlives_its_first_time(bench):
    bench = replace(bench, settings=load(environment={}, flags={
        **QUICK, "database_url": bench.settings.database_url, "queue.lease_seconds": 1,
    }))  # fmt: skip
    (job_id,) = await add(bench, NewJob("noop", "a"))

    async def work(bench: Workbench, job: Job) -> Done:
        left_ms = (job.lease_until or 0) - bench.clock.now()
        await bench.clock.sleep(left_ms / 1000 + 0.2)
        return Done()

    assert (await worker(bench, handling(work)).run()).done == 1
    assert await bench.jobs.errors(job_id) == []


async def test_a_drained_worker_finishes_what_it_began_and_gives_back_the_rest(bench):
    ids = await add(bench, *(NewJob("noop", key) for key in "abc"))
    go_on = asyncio.Event()
    begun: list[int] = []

    async def work(_bench: Workbench, job: Job) -> Done:
        begun.append(job.id)
        await go_on.wait()
        return Done()

    serving = worker(bench, handling(work, short=True), until_empty=False)
    running = asyncio.create_task(serving.run())
    await until(lambda: bool(begun))
    serving.drain()
    go_on.set()

    assert (await running).done == 1
    ends = [await bench.jobs.get(job_id) for job_id in ids]
    assert [end.status for end in ends] == [JobStatus.COMPLETE, JobStatus.QUEUED, JobStatus.QUEUED]
    assert [end.attempts for end in ends] == [1, 0, 0]


async def test_after_the_grace_time_current_jobs_are_given_back(bench):
    (job_id,) = await add(bench, NewJob("noop", "a"))
    begun = asyncio.Event()

    async def work(_bench: Workbench, _job: Job) -> Done:
        begun.set()
        await asyncio.Event().wait()
        return Done()

    serving = worker(bench, handling(work), until_empty=False, grace_seconds=0.2)
    running = asyncio.create_task(serving.run())
    await begun.wait()
    serving.drain()

    assert await asyncio.wait_for(running, 30) == WorkerEnd(0, 0, 0)
    job = await bench.jobs.get(job_id)
    assert (job.status, job.attempts) == (JobStatus.QUEUED, 0)


async def test_a_stopped_worker_gives_everything_back_at_once(bench):
    ids = await add(bench, *(NewJob("noop", key) for key in "abc"))
    begun: list[int] = []

    async def work(_bench: Workbench, job: Job) -> Done:
        begun.append(job.id)
        await asyncio.Event().wait()
        return Done()

    serving = worker(bench, handling(work), until_empty=False, grace_seconds=3600)
    running = asyncio.create_task(serving.run())
    await until(lambda: len(begun) == 3)
    serving.drain()
    serving.stop()

    await asyncio.wait_for(running, 30)
    assert {await status(bench, job_id) for job_id in ids} == {JobStatus.QUEUED}
    assert [one.status for one in await bench.workers.list(bench.clock.now(), 90.0)] == ["gone"]


async def test_products_start_one_after_the_other(bench):
    await add(bench, *(NewJob("product", key) for key in "abc"))
    starts: list[float] = []

    async def work(bench: Workbench, _job: Job) -> Done:
        starts.append(bench.clock.monotonic())
        return Done()

    handlers = standard_handlers()
    handlers.register("product", work)
    await worker(bench, handlers, start_interval_seconds=0.8).run()

    pauses = [later - sooner for sooner, later in pairwise(starts)]
    assert len(pauses) == 2
    assert min(pauses) >= 0.4  # a busy machine begins a job later than it was started


async def test_a_worker_takes_no_more_jobs_than_it_may(bench):
    await add(bench, *(NewJob("noop", f"{n}") for n in range(10)))

    end = await worker(bench, handling(nothing, short=True), until_empty=False, max_jobs=4).run()

    assert end.done == 4
    assert (await bench.jobs.stats()).by_status()[JobStatus.QUEUED] == 6


async def test_a_paused_job_is_taken_from_its_worker_and_its_result_is_discarded(bench):
    (job_id,) = await add(bench, NewJob("noop", "a"))

    async def work(bench: Workbench, job: Job) -> Done:
        async with bench.database.transaction() as tx:
            await bench.jobs.act(tx, job.id, Action.PAUSE, bench.clock.now())
        return Done()

    end = await worker(bench, handling(work)).run()

    assert (end.done, end.lost) == (0, 1)
    assert await status(bench, job_id) is JobStatus.PAUSED


async def test_jobs_that_jobs_find_belong_to_the_run_which_ends_exactly_once(bench):
    async with bench.database.transaction() as tx:
        run, _ = await bench.runs.join(tx, {"name": "r"}, bench.clock.now())
        await bench.jobs.add(tx, [NewJob("noop", "1", run_id=run.id)], bench.clock.now())

    async def work(_bench: Workbench, job: Job) -> Done:
        number = int(job.key)
        found = [NewJob("noop", str(n), run_id=job.run_id) for n in (2 * number, 2 * number + 1)]
        return Done(jobs=found if number < 8 else [])

    await asyncio.gather(
        worker(bench, handling(work), id="w1").run(), worker(bench, handling(work), id="w2").run()
    )

    ended = await bench.runs.get(run.id)
    assert ended.status is RunStatus.COMPLETE
    assert ended.summary["by_status"] == {"complete": 15}
    told = [event.name for event in await bench.outbox.recent(1000)]
    assert told.count("run.finished") == 1
    assert "run.reopened" not in told


async def test_a_silent_workers_job_is_rescued_by_any_other(bench):
    (job_id,) = await add(bench, NewJob("noop", "a"))
    async with bench.database.transaction() as tx:
        await bench.jobs.claim(tx, "dead", 1, ["noop"], 0.0, bench.clock.now())

    end = await worker(bench, handling(nothing)).run()

    assert end.done == 1
    assert [error.cause for error in await bench.jobs.errors(job_id)] == ["lease_expired"]


class Troubled:
    """A database that is away now and then: before it has written, or right after."""

    def __init__(self, real: Database, troubles: list[str]) -> None:
        self._real, self._troubles = real, troubles

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Any]:
        trouble = self._troubles.pop(0) if self._troubles else ""
        if trouble == "away":
            raise DatabaseAway("here", "pulled the plug")
        async with self._real.transaction() as tx:
            yield tx
        if trouble == "unknown":
            raise CommitUnknown("here", "pulled the plug")


@pytest.mark.parametrize("short", [True, False])
async def test_a_database_that_is_away_is_waited_for_and_nothing_is_done_twice(bench, short):
    await add(bench, *(NewJob("noop", f"{n}") for n in range(20)))
    troubles = ["", "away", "unknown", "away", "away", "unknown", "", "unknown", "away"]
    flaky: Any = Troubled(bench.database, troubles)
    troubled = replace(bench, database=flaky, jobs=Jobs(flaky), runs=Runs(flaky),
                       workers=Workers(flaky))  # fmt: skip
    seen: list[int] = []

    async def work(_bench: Workbench, job: Job) -> Done:
        seen.append(job.id)
        return Done()

    await asyncio.wait_for(worker(troubled, handling(work, short=short)).run(), 30)

    assert troubles == []
    assert len(seen) == len(set(seen)) == 20
    assert (await bench.jobs.stats()).by_status()[JobStatus.COMPLETE] == 20


async def test_a_worker_stops_although_the_database_is_away(bench):
    flaky: Any = Troubled(bench.database, ["", *["away"] * 10_000])
    troubled = replace(bench, database=flaky, jobs=Jobs(flaky))
    serving = worker(troubled, handling(nothing), until_empty=False)
    running = asyncio.create_task(serving.run())
    await asyncio.sleep(0)
    serving.drain()

    await asyncio.wait_for(running, 15)


RAZER = NewJob(
    "product", "mouse-razer-x", {"brand": "Razer", "model": "X"}, "mouse", max_attempts=2
)


async def test_the_end_of_an_attempt_is_the_end_of_its_job(bench):
    (job_id,) = await add(bench, RAZER)

    await worker(bench, standard_handlers()).run()

    (attempt,) = await bench.attempts.list("mouse-razer-x")
    assert (attempt.job_id, attempt.status) == (job_id, AttemptStatus.FAILED)
    (error,) = await bench.jobs.errors(job_id)
    assert (error.cause, error.permanent) == ("no_source", True)


async def test_an_attempt_whose_lease_is_gone_leaves_everything_to_the_other(bench):
    (job_id,) = await add(bench, RAZER)
    real = standard_handlers().of("product").work

    async def late(bench: Workbench, job: Job) -> Done | None:
        await taken_by_another(bench, job)
        return await real(bench, job)

    handlers = standard_handlers()
    handlers.register("product", late)
    end = await worker(bench, handlers, until_empty=False, max_jobs=1).run()

    assert end == WorkerEnd(0, 0, 1)
    assert await bench.attempts.list("mouse-razer-x") == []
    job = await bench.jobs.get(job_id)
    assert (job.status, job.lease_owner, job.round) == (JobStatus.IN_PROGRESS, "other", None)


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"category": "spoon"}, "unknown_category"),
        ({"payload": {"brand": "", "model": "X"}}, "bad_payload"),
        ({"payload": {"brand": ["Razer"], "model": "X"}}, "bad_payload"),
        ({"overrides": {"budget": {"max_pages": "many"}}}, "bad_payload"),
        ({"overrides": {"budget": {"max_moons": 3}}}, "bad_payload"),
        ({"overrides": {"sources": ["nowhere.example"]}}, "bad_payload"),
    ],
)
async def test_a_job_that_makes_no_sense_is_a_dead_letter_with_the_reason(bench, change, cause):
    (job_id,) = await add(bench, replace(RAZER, **change))

    await worker(bench, standard_handlers()).run()

    (error,) = await bench.jobs.errors(job_id)
    assert (error.cause, error.permanent) == (cause, True)


async def test_a_product_past_its_age_is_queued_again_as_background_work(bench):
    done, other = await add(bench, RAZER, replace(RAZER, key="mouse-razer-y"))
    async with bench.database.transaction() as tx:
        for job in await bench.jobs.claim(tx, "w1", 2, ["product"], 300.0, bench.clock.now()):
            at = bench.clock.now() - (31 * DAY_MS if job.id == done else 29 * DAY_MS)
            await bench.jobs.finish(tx, [job.lease], at)

    assert await StaleCheck(bench).look() == 1
    assert await StaleCheck(bench).look() == 0

    again = await bench.jobs.get(done)
    assert (again.status, again.priority, again.attempts) == (JobStatus.QUEUED, 4, 0)
    assert await status(bench, other) is JobStatus.COMPLETE


async def test_a_stale_product_whose_job_was_pruned_is_queued_again(bench):
    product = make_product("mouse", "Razer", "Viper")
    long_ago = bench.clock.now() - 31 * DAY_MS
    attempt = Attempt("run_1", product.id, Budget(), long_ago)
    async with bench.database.transaction() as tx:
        await bench.products.save(tx, product)
        await bench.attempts.start(tx, attempt)
        await bench.records.publish(tx, record_of(product, attempt))
        finished = replace(attempt, status=AttemptStatus.COMPLETE, finished_at=long_ago)
        await bench.attempts.finish(tx, finished)

    assert await StaleCheck(bench).look() == 1
    assert await StaleCheck(bench).look() == 0
    (job,) = await bench.jobs.list()
    assert (job.key, job.priority, job.status) == (product.id, 4, JobStatus.QUEUED)


def record_of(product: Product, attempt: Attempt) -> Record:
    identity = Identity(Verdict.SAME, 0.9, ("title",))
    return Record(product, 1, attempt.id, attempt.started_at, "1", "d", identity, {}, Spent())


async def test_a_product_that_cannot_be_found_counts_as_failed(bench):
    await add(bench, NewJob("product", "mouse-a-b", {"brand": "A", "model": "B"}, "mouse"))

    end = await worker(bench, standard_handlers()).run()
    assert (end.done, end.failed) == (0, 1)


@pytest.mark.parametrize("short", [True, False])
async def test_a_job_whose_worker_fell_silent_is_tried_alone(bench, short):
    """Whatever killed its worker must not take other jobs with it, time after time."""
    at_once: list[int] = []

    async def work(bench: Workbench, job: Job) -> Done:
        if job.key.startswith("silent"):
            stats = await bench.jobs.stats()
            at_once.append(stats.by_status()[JobStatus.IN_PROGRESS])
        return Done()

    await add(bench, *(NewJob("noop", f"silent-{n}", priority=1) for n in range(3)))
    async with bench.database.transaction() as tx:
        claimed = await bench.jobs.claim(tx, "gone", 3, ["noop"], -5.0, bench.clock.now())
    rescued = await Sweeper(bench).rescue()
    await add(bench, *(NewJob("noop", f"other-{n}") for n in range(5)))

    assert len(claimed) == len(rescued) == 3
    end = await worker(bench, handling(work, short=short)).run()
    assert (end.done, end.failed, end.lost) == (8, 0, 0)
    assert at_once == [1, 1, 1]
    assert {job.attempts for job in await bench.jobs.list() if "silent" in job.key} == {2}


class Pile:
    """An event log in memory."""

    def __init__(self, name: str = "log") -> None:
        self.name, self.batches, self.is_full = name, list[Batch](), False

    @property
    def names(self) -> list[str]:
        return [event.name for batch in self.batches for event in batch.events]

    def is_ours(self) -> bool:
        return True

    def has_begun(self) -> bool:
        return bool(self.batches)

    def write(self, batch: Batch) -> None:
        if self.is_full:
            raise OSError("no room")
        self.batches.append(batch)


async def test_events_are_delivered_once_and_in_order(bench):
    await add(bench, NewJob("noop", "1"), NewJob("noop", "2"))
    await worker(bench, handling(nothing, short=True)).run()
    log = Pile()
    delivery = Delivery(bench, log)

    assert await delivery.deliver() > 0
    assert await delivery.deliver() == 0
    assert log.names.index("job.added") < log.names.index("job.finished")


async def test_the_logs_of_several_daemons_are_all_whole(bench):
    one, other = Pile("one"), Pile("other")
    first, second = Delivery(bench, one), Delivery(bench, other)
    for number in range(6):
        await add(bench, NewJob("noop", f"{number}"))
        await (first, second)[number % 2].deliver()
    await first.deliver()
    await second.deliver()

    assert one.names == other.names == ["job.added"] * 6


async def test_without_a_daemon_one_of_the_workers_writes_the_events(bench):
    daemon, one, other = Pile("daemon"), Pile("one"), Pile("other")
    await add(bench, NewJob("noop", "1"))

    await Delivery(bench, one, if_alone=True).deliver()
    await Delivery(bench, other, if_alone=True).deliver()
    assert (one.names, other.names) == (["job.added"], [])

    await Delivery(bench, daemon).deliver()
    assert daemon.names == ["job.added"]


async def test_events_that_could_not_be_handed_on_stay(bench):
    await add(bench, NewJob("noop", "1"))
    log = Pile()
    log.is_full = True

    with pytest.raises(OSError, match="no room"):
        await Delivery(bench, log).deliver()
    assert len(await bench.outbox.undelivered("log")) == 1


async def test_no_job_disappears_unless_a_retention_is_set(bench):
    async def refuse(_bench: Workbench, job: Job) -> Done:
        raise JobFailed("bad_payload", "no good", "queue", permanent=True)

    handlers = handling(nothing, short=True)
    handlers.register("bad", refuse)
    await add(bench, *(NewJob("noop", f"{n}") for n in range(120)))
    await add(bench, *(NewJob("bad", f"{n}") for n in range(60)))
    await worker(bench, handlers).run()

    await Sweeper(bench).prune()

    counts = (await bench.jobs.stats()).by_status()
    assert (counts[JobStatus.COMPLETE], counts[JobStatus.FAILED]) == (120, 60)
    assert await bench.jobs.summaries() == []


async def test_a_retention_that_is_set_removes_jobs_and_says_so(bench):
    kept = replace(bench.settings.queue, keep_complete=100)
    bench = replace(bench, settings=replace(bench.settings, queue=kept))
    await add(bench, *(NewJob("noop", f"{n}") for n in range(120)))
    await worker(bench, handling(nothing, short=True)).run()
    told = bench.state.subscribe()
    first = asyncio.ensure_future(anext(told))
    await asyncio.sleep(0)

    await Sweeper(bench).prune()

    assert (await bench.jobs.stats()).by_status()[JobStatus.COMPLETE] == 100
    assert sum(summary.jobs for summary in await bench.jobs.summaries()) == 20
    said = await first
    assert (said.name, said.fields["jobs"]) == ("job.cleared", 20)
    assert said.fields["reason"] == "queue.keep_complete is 100"


ENDS = ("attempt.started", "attempt.finished")


async def told_of_attempts(bench: Workbench) -> list[tuple[str, str, str | None]]:
    events = [one for one in await bench.outbox.recent(1000) if one.name in ENDS]
    return [(one.name, one.fields["attempt_id"], one.fields.get("status")) for one in events]


async def test_an_attempt_is_told_of_from_the_transaction_that_begins_it(bench, monkeypatch):
    async def interrupted(*_: object) -> None:
        (running,) = await bench.attempts.list("mouse-razer-x")
        assert await told_of_attempts(bench) == [("attempt.started", running.id, None)]
        raise asyncio.CancelledError

    monkeypatch.setattr("specfactory.orchestrate.attempts.attempt._make_rounds", interrupted)
    with pytest.raises(asyncio.CancelledError):
        await run_attempt(bench, make_product("mouse", "Razer", "X"))

    (attempt,) = await bench.attempts.list("mouse-razer-x")
    assert attempt.status is AttemptStatus.INTERRUPTED
    assert (await told_of_attempts(bench))[1:] == [("attempt.finished", attempt.id, "interrupted")]


async def test_an_attempt_that_a_bug_ends_is_ended(bench, monkeypatch):
    (job_id,) = await add(bench, replace(RAZER, max_attempts=1))

    async def broken(*_: object) -> None:
        raise KeyError("brand")

    monkeypatch.setattr("specfactory.orchestrate.attempts.attempt._make_rounds", broken)
    await worker(bench, standard_handlers()).run()

    (attempt,) = await bench.attempts.list("mouse-razer-x")
    assert (attempt.job_id, attempt.status) == (job_id, AttemptStatus.FAILED)
    assert [status for _, _, status in await told_of_attempts(bench)] == [None, "failed"]


async def begun(bench: Workbench, job_id: int | None, **more: Any) -> Attempt:
    """An attempt whose process died: it runs for ever."""
    product = make_product("mouse", "Razer", "X")
    attempt = Attempt("run_1", product.id, Budget(), bench.clock.now(), job_id, **more)
    async with bench.database.transaction() as tx:
        await bench.products.save(tx, product)
        await bench.attempts.start(tx, attempt)
    return attempt


async def test_the_attempt_of_a_silent_worker_ends_when_its_job_is_taken(bench):
    (job_id,) = await add(bench, RAZER)
    async with bench.database.transaction() as tx:
        await bench.jobs.claim(tx, "dead", 1, ["product"], -1.0, bench.clock.now())
    await begun(bench, job_id)

    await Sweeper(bench).rescue()

    assert (await bench.attempts.get("run_1")).status is AttemptStatus.INTERRUPTED
    assert await told_of_attempts(bench) == [("attempt.finished", "run_1", "interrupted")]
    assert await status(bench, job_id) is JobStatus.QUEUED


@pytest.mark.parametrize("with_job", [True, False])
async def test_the_sweeper_ends_attempts_whose_worker_is_gone(bench, with_job):
    job_id = (await add(bench, RAZER))[0] if with_job else None
    attempt = await begun(bench, job_id)
    sweeper, hour = Sweeper(bench), 3_600_000

    await sweeper.sweep()
    assert (await bench.attempts.get("run_1")).status is AttemptStatus.RUNNING

    async with bench.announcing() as (tx, events):
        later = attempt.started_at + 2 * hour
        events.extend(await bench.attempts.interrupt_orphans(tx, later, 300.0))

    assert (await bench.attempts.get("run_1")).status is AttemptStatus.INTERRUPTED
    assert await told_of_attempts(bench) == [("attempt.finished", "run_1", "interrupted")]


async def test_an_attempt_at_work_is_left_alone(bench):
    (job_id,) = await add(bench, RAZER)
    async with bench.database.transaction() as tx:
        await bench.jobs.claim(tx, "alive", 1, ["product"], 3600.0, bench.clock.now())
    attempt = await begun(bench, job_id)

    async with bench.database.transaction() as tx:
        later = attempt.started_at + 7_200_000
        assert await bench.attempts.interrupt_orphans(tx, later, 300.0) == []


async def test_an_attempt_that_takes_the_place_of_another_tells_of_both(bench):
    await begun(bench, None)
    await add(bench, RAZER)

    await worker(bench, standard_handlers()).run()

    latest = (await bench.attempts.list("mouse-razer-x"))[0].id
    assert await told_of_attempts(bench) == [
        ("attempt.finished", "run_1", "interrupted"),
        ("attempt.started", latest, None),
        ("attempt.finished", latest, "failed"),
    ]


@contextlib.asynccontextmanager
async def a_newer_schema(bench: Workbench) -> AsyncIterator[None]:
    """What an update of Spec Factory elsewhere does to the database."""
    settings = bench.settings
    if settings.database_url.startswith("sqlite:"):
        writer = bench.database._database._writer
        add = "INSERT INTO schema_version VALUES (99, 'later')"
        await writer.run(lambda raw: raw.execute(add).rowcount, "test")
        yield
        return
    raw = await asyncpg.connect(settings.database_url)
    await raw.execute("INSERT INTO schema_version VALUES (99, 'later')")
    try:
        yield
    finally:
        await raw.execute("DELETE FROM schema_version WHERE version = 99")
        await raw.close()


@pytest.mark.parametrize("kinds", [("noop",), ()])
async def test_a_worker_leaves_a_database_that_is_newer_than_itself(bench, kinds):
    quick = replace(bench.settings.queue, lease_seconds=1.0)
    bench = replace(bench, settings=replace(bench.settings, queue=quick))
    serving = worker(bench, handling(nothing), kinds=kinds, until_empty=False)
    working = asyncio.create_task(serving.run())
    while not await bench.workers.list(bench.clock.now(), 3600.0):  # noqa: ASYNC110 - its hello
        await asyncio.sleep(0.01)

    async with a_newer_schema(bench):
        with pytest.raises(NewerSchema, match="update Spec Factory, nothing was changed"):
            await asyncio.wait_for(working, 60)


async def test_a_worker_that_ends_at_once_leaves_no_heartbeat_behind(bench):
    opened, late = heartbeat_database(bench.settings), threading.Event()

    def slowly() -> Database:
        late.wait(10)
        assert opened is not None
        return opened()

    told = model.WorkerReport("w9", "here", 1, ("noop",), 0, 0)
    heart = Heartbeat(
        bench, lambda: (), lambda: told, lambda _lost: None, slowly if opened else None
    )
    heart.start()
    await heart.stop()
    late.set()
    for thread in threading.enumerate():
        if thread.name == "heartbeat":
            await asyncio.to_thread(thread.join, 10)

    assert "heartbeat" not in [thread.name for thread in threading.enumerate()]
    assert await bench.workers.list(bench.clock.now(), 3600.0) == []
