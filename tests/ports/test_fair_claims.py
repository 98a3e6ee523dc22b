"""Claims take from many hosts: one with much to do keeps no other waiting."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web

from specfactory.assembly import open_factory
from specfactory.model import Job, JobStatus, NewJob
from specfactory.orchestrate import Worker, WorkerPlan, standard_handlers
from specfactory.ports import Database
from specfactory.settings import BrowserSettings, FetchSettings, QueueSettings, Settings
from specfactory.store import HostTurns, Jobs
from specfactory.store.queue.host_line import PICTURE
from specfactory.testing import ANY_LOOPBACK

NOW = 1_000_000
PAGE = "<html lang=en><title>Viper</title><h1>Viper</h1>" + "<p>It is a pleasure to use.</p>" * 12


def pages(host: str, number: int, **more: int) -> list[NewJob]:
    return [NewJob("page", f"http://{host}/{n}", **more) for n in range(number)]


async def add(db: Database, *jobs: NewJob) -> None:
    async with db.transaction() as tx:
        await Jobs(db).add(tx, jobs, NOW)


async def claim(
    db: Database, count: int, turns: HostTurns | None = None, kinds: tuple[str, ...] = ("page",)
) -> list[Job]:
    async with db.transaction() as tx:
        return await Jobs(db).claim(tx, "w", count, kinds, 300.0, NOW, turns)


async def test_a_job_knows_its_host(db: Database) -> None:
    other = NewJob("page", "some name", {"url": "https://Other.example:443/p"})
    await add(db, *pages("a.example:8080", 1), other, NewJob("product", "http://no.example/x"))

    hosts = {job.key: job.host for job in await Jobs(db).list()}

    assert hosts == {
        "http://a.example:8080/0": "a.example:8080",
        "some name": "other.example",
        "http://no.example/x": "",
    }


async def test_a_claim_takes_from_every_host_however_many_jobs_the_first_has(db: Database) -> None:
    await add(db, *pages("big.example", 60), *pages("small.example", 10))

    claimed = await claim(db, 8)

    assert Counter(job.host for job in claimed) == {"big.example": 4, "small.example": 4}
    assert claimed[0].key == "http://big.example/0"


async def test_what_one_host_lacks_is_taken_from_the_others(db: Database) -> None:
    await add(db, *pages("big.example", 60), *pages("small.example", 2))
    await add(db, *pages("urgent.example", 1, priority=1))

    claimed = await claim(db, 20)

    hosts = {"urgent.example": 1, "big.example": 17, "small.example": 2}
    assert Counter(job.host for job in claimed) == hosts
    assert claimed[0].host == "urgent.example"


async def test_jobs_at_hosts_and_others_are_claimed_together(db: Database) -> None:
    await add(db, *pages("a.example", 3), NewJob("product", "p"), NewJob("page", "no address"))

    claimed = await claim(db, 10, kinds=("page", "product"))

    assert Counter(job.host for job in claimed) == {"a.example": 3, "": 2}


async def test_claims_come_around_to_every_one_of_very_many_hosts(db: Database) -> None:
    later = [NewJob("page", f"http://a{n:03}.example/", due_at=NOW + 1) for n in range(PICTURE)]
    hosts = [f"b{n:03}.example" for n in range(PICTURE + 5)]
    await add(db, *later, *(job for host in hosts for job in pages(host, 2)))
    turns, seen = HostTurns(), list[str]()

    while claimed := await claim(db, 50, turns):
        seen += [job.host for job in claimed]

    assert Counter(seen) == dict.fromkeys(hosts, 2)
    assert len({*seen[: len(hosts)]}) > PICTURE // 2  # not host after host


@pytest.fixture
async def port() -> AsyncIterator[int]:
    async def answer(request: web.BaseRequest) -> web.StreamResponse:
        return web.Response(text=PAGE, content_type="text/html")

    runner = web.ServerRunner(web.Server(answer))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield runner.addresses[0][1]
    await runner.cleanup()


async def test_a_host_at_its_pace_keeps_no_slot_and_no_other_host_waiting(
    tmp_path: Path, database_url: str, port: int
) -> None:
    fetch = FetchSettings(
        allow_loopback=ANY_LOOPBACK, host_delay_seconds=0.6, respect_robots=False, latency_factor=0
    )
    settings = Settings(
        database_url=database_url, fetch=fetch, browser=BrowserSettings(enabled=False),
        queue=QueueSettings(poll_seconds=5.0),
    )  # fmt: skip
    big, small = [f"{name}.localhost:{port}" for name in ("big", "small")]
    async with open_factory(settings) as bench:
        async with bench.database.transaction() as tx:
            await bench.jobs.add(tx, pages(big, 40) + pages(small, 5), bench.clock.now())
        handlers = standard_handlers()
        plan = WorkerPlan("w", "localhost", os.getpid(), handlers.choose(["page"]), 2)
        worker = Worker(bench, handlers, plan)
        running = asyncio.create_task(worker.run())
        async with asyncio.timeout(60):
            while True:
                done = await bench.jobs.list(status=JobStatus.COMPLETE)
                hosts = Counter(job.host for job in done)
                if hosts[small] == 5:
                    break
                assert not running.done()
                await asyncio.sleep(0.05)
        worker.drain()
        await running

    assert hosts[big] <= 7, "the small host waited for the big one"
    assert hosts[big] >= 3, "the big host's turns were not used"
