"""Jobs of hosts that ail wait, and are done once the host is well: a real server and worker."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import pytest
from aiohttp import web

from specfactory.assembly import open_factory
from specfactory.contract import make_product
from specfactory.errors import JobDeferred
from specfactory.heal import Resources
from specfactory.heal.remedies import next_remedy
from specfactory.model import (
    OUTCOMES,
    Diagnosis,
    HealingStatus,
    HostCare,
    Job,
    JobStatus,
    NewJob,
    Outcome,
    OutcomeFacts,
    Problem,
    Source,
    Tier,
    Visit,
    failure_facts,
)
from specfactory.orchestrate import Workbench, Worker, WorkerPlan, run_attempt, standard_handlers
from specfactory.orchestrate.healing import wait_after
from specfactory.orchestrate.kinds.page import work_on_page
from specfactory.queue import after_failure
from specfactory.settings import (
    BrowserSettings,
    FetchSettings,
    HealSettings,
    QueueSettings,
    Settings,
)
from specfactory.testing import ANY_LOOPBACK, ManualClock
from tests.pages import CONTRACT

PAGE = "<html lang=en><title>Razer Viper V3 Pro</title><h1>Razer Viper V3 Pro</h1>" + (
    "<p>It is a pleasure to use every day. We like how it feels in the hand.</p>" * 8
)
PAGES = 12


@dataclass
class Shop:
    """A server that answers as it is told, and a factory that heals quickly."""

    settings: Settings
    port: int = 0
    status: Callable[[int], int] = field(default=lambda asked: 200)
    asked: int = 0

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, name: object = "p") -> str:
        return f"http://{self.host}/{name}"

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        self.asked += 1
        status = self.status(self.asked)
        text = PAGE if status == 200 else f"<title>{status}</title>"
        return web.Response(text=text, status=status, content_type="text/html")


@pytest.fixture
async def shop(tmp_path: Path, database_url: str) -> AsyncIterator[Shop]:
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "mouse.yaml").write_text(CONTRACT)
    made = Shop(
        Settings(
            database_url=database_url,
            contracts_dir=str(tmp_path / "contracts"),
            contract_sources=False,
            fetch=FetchSettings(
                allow_loopback=ANY_LOOPBACK, host_delay_seconds=0.0, respect_robots=False
            ),
            browser=BrowserSettings(enabled=False),
            heal=HealSettings(first_pause_seconds=0.2, longest_pause_seconds=1.0),
            queue=QueueSettings(retry_first_seconds=0.1, poll_seconds=0.05),
        )
    )
    runner = web.ServerRunner(web.Server(made.handle))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.port = runner.addresses[0][1]
    yield made
    await runner.cleanup()


@asynccontextmanager
async def at_work(bench: Workbench) -> AsyncIterator[None]:
    handlers = standard_handlers()
    plan = WorkerPlan("w", "localhost", os.getpid(), handlers.choose(["page"]), 4, 5.0)
    worker = Worker(bench, handlers, plan)
    running = asyncio.create_task(worker.run())
    yield
    worker.drain()
    await asyncio.wait_for(running, 20)


async def queue(bench: Workbench, shop: Shop) -> None:
    jobs = [NewJob("page", shop.url(n), {"url": shop.url(n)}) for n in range(PAGES)]
    async with bench.database.transaction() as tx:
        await bench.jobs.add(tx, jobs, bench.clock.now())


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Wait for something to be so."""
    async with asyncio.timeout(30):
        for _ in range(10_000):
            if await condition():
                return
            await asyncio.sleep(0.02)


async def until_done(bench: Workbench) -> None:
    async def are_done() -> bool:
        return (await bench.jobs.stats()).by_status()[JobStatus.COMPLETE] == PAGES

    await until(are_done)


async def test_no_job_is_lost_in_a_burst_of_server_errors(shop: Shop) -> None:
    async with open_factory(shop.settings) as bench:
        shop.status = lambda asked: 500 if 3 < asked <= 12 else 200
        await queue(bench, shop)
        async with at_work(bench):
            await until_done(bench)

        events = await bench.healings.of_host(shop.host, 10)
        assert {event.diagnosis for event in events} == {"server_errors"}
        assert events[0].status is HealingStatus.HELPED
        assert await bench.policies.care(shop.host) == HostCare()


async def test_a_job_of_a_paused_host_waits_without_an_attempt(shop: Shop) -> None:
    async with open_factory(shop.settings) as bench:
        paused_until = bench.clock.now() + 3_600_000
        await pause(bench, shop.host, paused_until)
        await queue(bench, shop)

        async def all_wait() -> bool:
            return all(job.due_at >= paused_until for job in await bench.jobs.list())

        async with at_work(bench):
            await until(all_wait)

        jobs = await bench.jobs.list()
        assert {(job.status, job.attempts) for job in jobs} == {(JobStatus.QUEUED, 0)}
        assert all("paused" in (job.last_error or "") for job in jobs)
        assert shop.asked == 0
        told = [e for e in await bench.outbox.recent(1000) if e.name == "job.deferred"]
        assert {e.fields["host"] for e in told} == {shop.host}


async def pause(bench: Workbench, host: str, until: int) -> None:
    async with bench.database.transaction() as tx:
        care = HostCare(paused_until=until, paused_for="maintenance")
        await bench.policies.put_care(tx, host, care, bench.clock.now())


async def test_an_open_breaker_makes_jobs_wait_too(shop: Shop) -> None:
    clock = ManualClock()
    job = Job(1, "page", shop.url(), JobStatus.IN_PROGRESS, 3, 0, 0, {}, "")
    shop.status = lambda asked: 500
    off = replace(shop.settings, heal=HealSettings(failures_in_a_row=50))
    async with open_factory(off, clock=clock) as bench:
        for _ in range(5):
            with pytest.raises(Exception, match="HTTP 500"):
                await work_on_page(bench, job)

        with pytest.raises(JobDeferred, match="breaker"):
            await work_on_page(bench, job)
        assert len(await bench.visits.recent(shop.host, 10)) == 5


async def test_a_product_goes_on_without_a_paused_source(shop: Shop) -> None:
    async with open_factory(shop.settings) as bench:
        await pause(bench, shop.host, bench.clock.now() + 3_600_000)
        product = make_product("mouse", "Razer", "Viper V3 Pro")
        source = Source(shop.host, Tier.MANUFACTURER, scheme="http")

        result = await run_attempt(bench, product, urls=[shop.url()], sources=[source])

        assert shop.asked == 0
        attempt = await bench.attempts.get(result.attempt.id)
        assert attempt is not None
        assert "127.0.0.1" in (attempt.error or "")
        assert "(paused)" in (attempt.error or "")


@pytest.fixture
def dns_wait(monkeypatch: pytest.MonkeyPatch) -> Iterator[float]:
    """Seconds that the row of ``dns_failure`` asks to wait."""
    row = replace(OUTCOMES[Outcome.DNS_FAILURE], retry_seconds=1800.0)
    monkeypatch.setitem(cast("dict[Outcome, OutcomeFacts]", OUTCOMES), Outcome.DNS_FAILURE, row)
    failure_facts.cache_clear()
    yield 1800.0
    failure_facts.cache_clear()


async def test_the_first_wait_of_an_outcome_is_one_row(shop: Shop, dns_wait: float) -> None:
    async with open_factory(shop.settings) as bench:
        now, job = bench.clock.now(), Job(1, "page", shop.url(), JobStatus.IN_PROGRESS, 3, 0, 0)
        await pause(bench, shop.host, now)
        visit = Visit(shop.host, shop.url(), now, Outcome.DNS_FAILURE, "no such name", 0)

        _, retried = after_failure(job, "dns_failure", QueueSettings(), bench.random)
        deferred = await wait_after(bench, visit)
        known = Diagnosis(Problem.DNS_FAILURE, "dns_failure", 1.0, ())
        remedy = next_remedy(shop.host, known, HostCare(), (), Resources(), Settings(), now)

        assert dns_wait <= retried <= dns_wait * 1.25
        assert deferred is not None
        assert dns_wait <= (deferred - now) / 1000 <= dns_wait + 60
        assert remedy.params["seconds"] == dns_wait


async def test_a_page_that_is_fetched_after_a_pause_resumes_the_host(shop: Shop) -> None:
    async with open_factory(shop.settings) as bench:
        shop.status = lambda asked: 503
        await queue(bench, shop)

        async def is_paused() -> bool:
            return bool((await bench.policies.care(shop.host)).paused_for)

        async with at_work(bench):
            await until(is_paused)
            shop.status = lambda asked: 200
            await until_done(bench)

        names = [event.name for event in await bench.outbox.recent(1000)]
        assert names.count("host.healed") == 1
        latest = await bench.visits.recent(shop.host, 1)
        assert latest[0].outcome is Outcome.OK
