"""Learning beside other work: at quiet moments, one host at a time, waited for by nobody."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from specfactory.assembly import open_factory
from specfactory.errors import Interrupted
from specfactory.learn import pause
from specfactory.model import Job, JobStatus, NewJob
from specfactory.orchestrate import Done, Handlers, Workbench, Worker, WorkerPlan, standard_handlers
from specfactory.orchestrate.bench import LearningTime
from specfactory.orchestrate.learning import Pace
from specfactory.settings import load

QUICK = {"queue.poll_seconds": 0.05, "queue.heartbeat_seconds": 0.5, "contract_sources": False}


@pytest.fixture
async def bench(database_url: str) -> AsyncIterator[Workbench]:
    async with open_factory(
        load(environment={}, flags={**QUICK, "database_url": database_url})
    ) as opened:
        yield opened


class Course:
    """Handlers of two kinds that note what is at work together."""

    def __init__(self) -> None:
        self.at_work: set[str] = set()
        self.together: list[set[str]] = []
        self.learning, self.go_on = asyncio.Event(), asyncio.Event()

    def handlers(self) -> Handlers:
        handlers = standard_handlers()
        handlers.register("learn", self._learn)
        handlers.register("noop", self._other)
        return handlers

    async def _learn(self, _bench: Workbench, job: Job) -> Done:
        self.at_work.add(job.key)
        self.together.append(set(self.at_work))
        self.learning.set()
        try:
            await self.go_on.wait()
        finally:
            self.at_work.remove(job.key)
        return Done()

    async def _other(self, _bench: Workbench, job: Job) -> Done:
        self.at_work.add(job.key)
        await asyncio.sleep(0.1)
        self.together.append(set(self.at_work))
        self.at_work.remove(job.key)
        return Done()


def worker(bench: Workbench, handlers: Handlers, **more: Any) -> Worker:
    given = {"kinds": ("noop", "learn"), "slots": 4, "until_empty": True, **more}
    return Worker(bench, handlers, WorkerPlan("w", "here", os.getpid(), **given))


async def add(bench: Workbench, *names: str) -> None:
    jobs = [NewJob("learn" if name.startswith("host") else "noop", name) for name in names]
    async with bench.database.transaction() as tx:
        await bench.jobs.add(tx, jobs, bench.clock.now())


async def statuses(bench: Workbench) -> dict[str, JobStatus]:
    return {job.key: job.status for job in await bench.jobs.list()}


async def test_an_empty_queue_is_not_kept_open_by_learning(bench: Workbench) -> None:
    await add(bench, "page", "host-1")
    course = Course()

    end = await worker(bench, course.handlers()).run()

    assert (end.done, end.to_learn) == (1, 1)
    assert await statuses(bench) == {"page": "complete", "host-1": "queued"}


async def test_learning_is_waited_for_when_asked(bench: Workbench) -> None:
    await add(bench, "page", "host-1", "host-2")
    course = Course()
    course.go_on.set()

    end = await worker(bench, course.handlers(), waits_for_learning=True).run()

    assert end.done == 3
    assert not any({"host-1", "host-2"} <= some for some in course.together)


async def test_a_worker_of_learning_alone_waits_for_it(bench: Workbench) -> None:
    await add(bench, "host-1")
    course = Course()
    course.go_on.set()

    assert (await worker(bench, course.handlers(), kinds=("learn",)).run()).done == 1


async def test_learning_begins_when_nothing_else_is_at_work(bench: Workbench) -> None:
    await add(bench, "a", "b", "host-1", "host-2")
    course = Course()

    working = worker(bench, course.handlers(), until_empty=False)
    running = asyncio.create_task(working.run())
    await asyncio.wait_for(course.learning.wait(), 30)
    working.drain()
    await asyncio.wait_for(running, 30)

    assert course.together[-1] in ({"host-1"}, {"host-2"})
    assert all("host-1" not in some and "host-2" not in some for some in course.together[:-1])
    assert set((await statuses(bench)).values()) == {JobStatus.COMPLETE, JobStatus.QUEUED}


async def test_the_first_signal_gives_learning_back_while_other_work_ends(bench: Workbench) -> None:
    await add(bench, "host-1")
    course = Course()
    working = worker(bench, course.handlers(), until_empty=False, grace_seconds=3600)
    running = asyncio.create_task(working.run())
    await asyncio.wait_for(course.learning.wait(), 30)

    working.drain()  # as SIGTERM does; the grace time is for work that others wait for

    assert (await asyncio.wait_for(running, 30)).done == 0
    assert await statuses(bench) == {"host-1": "queued"}


def think(steps: Callable[[], bool]) -> str:
    """Work until told to end, with pauses as learning has them."""
    while steps():
        pause()
    return "done"


def test_learning_waits_while_it_has_had_its_share() -> None:
    used, allowed = 10.0, threading.Event()
    spent = LearningTime(of_process=lambda: used)
    spent.seconds = 2.0  # of 10: more than a tenth
    pace = Pace(0.1, spent)
    thread = threading.Thread(target=lambda: pace.run(allowed.set))

    thread.start()
    assert not allowed.wait(0.3)
    used = 100.0

    assert allowed.wait(30)
    thread.join(30)


def test_time_without_other_work_is_there_for_learning() -> None:
    spent = LearningTime(of_process=lambda: 10.0)
    spent.seconds = 2.0

    assert spent.is_over(0.1, 0.0)
    spent.idle_seconds = 20.0
    assert not spent.is_over(0.1, 0.0)


async def test_learning_that_somebody_waits_for_has_all_the_time(bench: Workbench) -> None:
    await add(bench, "page", "host-1")
    shares: list[float] = []

    async def learn(given: Workbench, _job: Job) -> Done:
        shares.append(given.settings.learn.cpu_share)
        return Done()

    handlers = Course().handlers()
    handlers.register("learn", learn)
    await worker(bench, handlers, waits_for_learning=True).run()

    assert shares == [1.0]


def test_learning_that_is_stopped_ends_at_its_next_pause() -> None:
    pace, ended = Pace(1.0, LearningTime()), list[Exception]()

    def work() -> None:
        try:
            pace.run(lambda: think(lambda: True))
        except Interrupted as stopped:
            ended.append(stopped)

    thread = threading.Thread(target=work)
    thread.start()
    pace.stop()
    thread.join(30)

    assert len(ended) == 1
    assert not thread.is_alive()


def test_the_time_of_learning_is_counted() -> None:
    spent, steps = LearningTime(), iter(range(20_000))

    assert Pace(1.0, spent).run(lambda: think(lambda: next(steps, None) is not None)) == "done"

    assert spent.seconds > 0
