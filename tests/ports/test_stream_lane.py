"""Jobs that mostly wait end by the handful, on every database."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from typing import Any

import pytest

from specfactory.assembly import heartbeat_database, open_factory
from specfactory.model import Job, JobStatus, NewJob
from specfactory.orchestrate import Done, Handlers, Workbench, Worker, WorkerPlan
from specfactory.settings import load

SLOTS = 8


@pytest.fixture
async def bench(database_url: str) -> AsyncIterator[Workbench]:
    flags = {"queue.poll_seconds": 0.05, "queue.retry_first_seconds": 3600,
             "database_url": database_url}  # fmt: skip
    async with open_factory(load(environment={}, flags=flags)) as opened:
        yield opened


async def add(bench: Workbench, count: int) -> list[int]:
    jobs = [NewJob("noop", f"job-{number}") for number in range(count)]
    async with bench.database.transaction() as tx:
        return [one.job_id for one in await bench.jobs.add(tx, jobs, bench.clock.now())]


def worker(bench: Workbench, work: Any, **more: Any) -> Worker:
    handlers = Handlers()
    handlers.register("noop", work)
    plan = WorkerPlan("w1", "here", os.getpid(), ("noop",), SLOTS, **more)
    return Worker(bench, handlers, plan, heartbeat_database(bench.settings))


async def statuses(bench: Workbench) -> list[JobStatus]:
    return [job.status for job in await bench.jobs.list(limit=100)]


async def finished_together(bench: Workbench) -> list[int]:
    told = [event for event in await bench.outbox.recent(500) if event.name == "job.finished"]
    return [len(event.fields["job_ids"]) for event in told]


async def test_what_ends_together_is_written_together(bench):
    await add(bench, 3 * SLOTS)
    waiting = 0
    gate = asyncio.Event()

    async def work(_bench: Workbench, _job: Job) -> Done:
        nonlocal waiting, gate
        waiting += 1
        here = gate
        if waiting % SLOTS == 0:
            gate = asyncio.Event()
            here.set()
        await asyncio.wait_for(here.wait(), 30)
        return Done()

    end = await worker(bench, work, max_jobs=3 * SLOTS).run()

    assert end.done == 3 * SLOTS
    assert await finished_together(bench) == [SLOTS] * 3


async def test_a_slow_job_keeps_nobody_waiting(bench):
    ids = await add(bench, 5)
    others_ended = asyncio.Event()

    async def work(bench: Workbench, job: Job) -> Done:
        if job.id == ids[0]:
            await asyncio.wait_for(others_ended.wait(), 30)
        return Done()

    async def watch() -> None:
        while (await statuses(bench)).count(JobStatus.COMPLETE) < 4:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        others_ended.set()

    watching = asyncio.create_task(asyncio.wait_for(watch(), 30))
    end = await worker(bench, work, max_jobs=5).run()
    await watching

    assert end.done == 5


async def test_what_follows_comes_after_the_end_is_written(bench):
    ids = await add(bench, 3)
    seen: list[JobStatus] = []

    async def work(bench: Workbench, job: Job) -> Done:
        async def after() -> None:
            found = await bench.jobs.get(job.id)
            assert found is not None
            seen.append(found.status)

        return Done(after=after)

    await worker(bench, work, max_jobs=len(ids)).run()

    assert seen == [JobStatus.COMPLETE] * 3


async def test_a_result_that_cannot_be_written_takes_no_other_with_it(bench):
    ids = await add(bench, SLOTS)

    async def work(_bench: Workbench, job: Job) -> Done:
        async def write(_: Any) -> None:
            raise ValueError("never")

        return Done(write if job.id == ids[0] else None)

    end = await worker(bench, work, max_jobs=SLOTS).run()

    assert (end.done, end.failed, end.lost) == (SLOTS - 1, 1, 0)


async def test_when_told_to_stop_what_has_ended_is_kept_and_the_rest_given_back(bench):
    ids = await add(bench, 4)
    begun: list[int] = []

    async def work(_bench: Workbench, job: Job) -> Done:
        begun.append(job.id)
        if len(begun) == 4:
            going.stop()
        if job.id != ids[0]:
            await asyncio.Event().wait()
        return Done()

    going = worker(bench, work)
    end = await asyncio.wait_for(going.run(), 30)

    assert end.done == 1
    assert sorted(await statuses(bench)) == [JobStatus.COMPLETE, *[JobStatus.QUEUED] * 3]
