"""Every fetch of a page is a visit: a real server, every database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from specfactory.assembly import open_factory
from specfactory.contract import CompiledContract, make_product
from specfactory.errors import JobFailed
from specfactory.model import (
    Cause,
    Job,
    JobKind,
    JobStatus,
    Outcome,
    Page,
    Product,
    Source,
    Tier,
    Visit,
)
from specfactory.orchestrate import Done, Workbench, run_attempt
from specfactory.orchestrate.kinds.page import work_on_page
from specfactory.orchestrate.pages.product_reading import read_page
from specfactory.orchestrate.pages.unchanged_pages import as_confirmed
from specfactory.orchestrate.pages.visits import note_visit
from specfactory.orchestrate.workers.sweeper import Sweeper
from specfactory.ports import Hit
from specfactory.settings import (
    FetchSettings,
    PlanSettings,
    ProfileSettings,
    ReaderSettings,
    Settings,
)
from specfactory.store import Reading
from specfactory.testing import ANY_LOOPBACK
from tests.pages import CONTRACT

NETWORK = {"ttfb", "download"}
READ = {"parse", "extract", "store"}
PAGE = """<html lang=en><title>Razer Viper V3 Pro</title><h1>Razer Viper V3 Pro</h1>
<table><tr><th>Weight</th><td>54 g</td></tr><tr><th>Sensor</th><td>Focus Pro 35K</td></tr></table>
""" + ("<p>It is a pleasure to use every day. We like how it feels in the hand.</p>" * 8)


@dataclass
class Shop:
    """A server with one page, and a factory that may fetch it."""

    settings: Settings
    port: int = 0
    page: str = PAGE
    status: int = 200
    etag: str = '"one"'
    asked: list[str] = field(default_factory=list)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}/p"

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        self.asked.append(request.path)
        headers = {"ETag": self.etag} if self.etag else {}
        if self.etag and request.headers.get("If-None-Match") == self.etag and self.status == 200:
            return web.Response(status=304, headers=headers)
        text = self.page.replace("NONCE", str(len(self.asked)))
        return web.Response(
            text=text, status=self.status, content_type="text/html", headers=headers
        )

    def without_etag(self) -> None:
        """From now on every answer is a little different, and says the same."""
        self.etag = ""
        self.page = f"<script nonce='NONCE'>t(NONCE)</script>{PAGE}"

    def job(self, **payload: str) -> Job:
        return Job(1, JobKind.PAGE, self.url, JobStatus.IN_PROGRESS, 3, 0, 0, payload, "mouse")


@pytest.fixture
async def shop(tmp_path: Path, database_url: str) -> AsyncIterator[Shop]:
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "mouse.yaml").write_text(CONTRACT)
    fetch = FetchSettings(allow_loopback=ANY_LOOPBACK, host_delay_seconds=0.0, respect_robots=False)
    made = Shop(
        Settings(
            database_url=database_url,
            contracts_dir=str(tmp_path / "contracts"),
            contract_sources=False,
            fetch=fetch,
        )
    )
    runner = web.ServerRunner(web.Server(made.handle))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.port = runner.addresses[0][1]
    yield made
    await runner.cleanup()


async def work(bench: Workbench, job: Job) -> None:
    done = await work_on_page(bench, job)
    assert isinstance(done, Done)
    assert done.write is not None
    async with bench.database.transaction() as tx:
        await done.write(tx)


async def visits(bench: Workbench, shop: Shop) -> list[Visit]:
    return await bench.visits.recent(shop.host, 10)


async def test_a_page_that_is_read_says_how_surely_and_where_the_time_went(shop: Shop) -> None:
    async with open_factory(shop.settings) as bench:
        await work(bench, shop.job(brand="Razer", model="Viper V3 Pro"))

        [visit] = await visits(bench, shop)
        assert (visit.outcome, visit.status, visit.url) == (Outcome.OK, 200, shop.url)
        assert visit.timings_ms.keys() >= NETWORK | READ
        assert visit.confidence == pytest.approx(3 / 12, abs=1 / 12)  # weight, sensor, the name
        assert (await bench.pages.get(visit.page_id)).url == shop.url


@pytest.mark.parametrize("at_once", [1, 2])
async def test_a_page_that_is_given_and_found_is_fetched_once(
    shop: Shop, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Search:
        async def search(self, product: Product, source: Source) -> list[Hit]:
            return [Hit(shop.url, product.name, "site_search")]

    monkeypatch.setattr(Workbench, "searches", (Search(),))
    source, product = (
        Source(shop.host, Tier.LAB, "http"),
        make_product("mouse", "Razer", "Viper V3 Pro"),
    )
    settings = replace(shop.settings, plan=PlanSettings(sources_at_once=at_once))
    async with open_factory(settings) as bench:
        made = await run_attempt(bench, product, urls=[shop.url], sources=[source])

    assert made.record is not None
    assert shop.asked.count("/p") == 1


async def test_a_page_that_is_only_kept_has_no_confidence(shop: Shop) -> None:
    async with open_factory(shop.settings) as bench:
        await work(bench, shop.job())

        [visit] = await visits(bench, shop)
        assert visit.confidence is None
        assert visit.timings_ms.keys() >= NETWORK | {"store"}
        assert "extract" not in visit.timings_ms


async def test_a_page_that_has_not_changed_is_a_visit_to_the_page_it_was(shop: Shop) -> None:
    async with open_factory(shop.settings) as bench:
        await work(bench, shop.job())
        await work(bench, shop.job())

        again, first = await visits(bench, shop)
        assert again.outcome is Outcome.NOT_MODIFIED
        assert again.page_id == first.page_id
        assert (await bench.pages.get(first.page_id)).confirmed_at is not None


async def test_a_page_that_failed_is_a_visit_too(shop: Shop) -> None:
    shop.status = 403
    async with open_factory(shop.settings) as bench:
        with pytest.raises(JobFailed):
            await work_on_page(bench, shop.job())

        [visit] = await visits(bench, shop)
        assert (visit.outcome, visit.status) == (Outcome.BLOCKED, 403)
        assert visit.evidence


async def test_an_attempt_notes_its_visits(shop: Shop) -> None:
    async with open_factory(shop.settings) as bench:
        await run_attempt(bench, make_product("mouse", "Razer", "Viper V3 Pro"), urls=[shop.url])
        shop.status = 503
        await run_attempt(
            bench, make_product("mouse", "Razer", "Viper V3 Pro"), urls=[shop.url], refresh=True
        )

        *failed, read = await visits(bench, shop)
        assert read.timings_ms.keys() >= NETWORK | READ
        assert read.confidence
        assert {visit.outcome for visit in failed} == {Outcome.MAINTENANCE}
        assert len(shop.asked) == len(failed) + 1


async def test_without_sampling_nothing_is_timed_and_visits_stay(shop: Shop) -> None:
    settings = replace(shop.settings, profile=ProfileSettings(sample=0.0))
    async with open_factory(settings) as bench:
        await work(bench, shop.job(brand="Razer", model="Viper V3 Pro"))

        [visit] = await visits(bench, shop)
        assert visit.timings_ms == {}
        assert visit.confidence is not None
        assert await bench.visits.timings(shop.host, 0) == []


async def test_what_was_not_asked_for_is_no_visit(shop: Shop) -> None:
    page = Page(
        "p", shop.url, shop.url, shop.host, Tier.RETAILER, 5, Outcome.REFUSED,
        "paused: DNS failure", cause=Cause.PAUSED,
    )  # fmt: skip
    async with open_factory(shop.settings) as bench:
        async with bench.database.transaction() as tx:
            await note_visit(bench, tx, page)
            await note_visit(bench, tx, replace(page, cause=Cause.BREAKER))
            await note_visit(bench, tx, replace(page, cause=Cause.GATE))

        [visit] = await visits(bench, shop)
        assert visit.cause is Cause.GATE


async def test_the_sweeper_forgets_visits_that_are_past_their_days(shop: Shop) -> None:
    async with open_factory(shop.settings) as bench:
        day_ms = 86_400_000
        old = bench.clock.now() - 31 * day_ms
        page = Page("p", shop.url, shop.url, shop.host, Tier.RETAILER, old, Outcome.OK, "")
        async with bench.database.transaction() as tx:
            await note_visit(bench, tx, page)
            await note_visit(bench, tx, replace(page, fetched_at=old + 2 * day_ms))
        await Sweeper(bench).prune()

        [kept] = await visits(bench, shop)
        assert kept.at == old + 2 * day_ms


VIPER = {"brand": "Razer", "model": "Viper V3 Pro"}


@pytest.fixture
def readings(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that are read, each time they are."""
    read: list[str] = []

    def counted(product: Product, compiled: CompiledContract, *rest: Any, **more: Any) -> Reading:
        read.append(rest[1].url)
        return read_page(product, compiled, *rest, **more)

    monkeypatch.setattr("specfactory.orchestrate.pages.product_reading.read_page", counted)
    shop.settings = replace(shop.settings, readers=ReaderSettings(processes=0))  # counted here
    return read


async def test_a_page_that_says_the_same_is_not_read_again(shop: Shop, readings: list[str]) -> None:
    shop.without_etag()
    async with open_factory(shop.settings) as bench:
        for _ in range(3):
            await work(bench, shop.job(**VIPER))

        *again, first = await visits(bench, shop)
        assert len(readings) == 1
        assert {visit.outcome for visit in again} == {Outcome.NOT_MODIFIED}
        assert {visit.evidence for visit in again} == {f"same content as page {first.page_id}"}
        page = await bench.pages.latest(shop.url)
        assert page is not None
        assert page.id == first.page_id
        assert page.confirmed_at == again[0].at
        assert page.substance_hash


async def test_an_attempt_does_not_read_again_what_says_the_same(
    shop: Shop, readings: list[str]
) -> None:
    shop.without_etag()
    product = make_product("mouse", "Razer", "Viper V3 Pro")
    async with open_factory(shop.settings) as bench:
        first = await run_attempt(bench, product, urls=[shop.url])
        again = await run_attempt(bench, product, urls=[shop.url], refresh=True)

        assert len(shop.asked) > 1
        assert len(readings) == 1
        assert first.record is not None
        assert again.record is not None
        assert again.record.fields["weight"].value == first.record.fields["weight"].value == 54


async def test_a_changed_value_is_read(shop: Shop, readings: list[str]) -> None:
    shop.without_etag()
    async with open_factory(shop.settings) as bench:
        await work(bench, shop.job(**VIPER))
        shop.page = shop.page.replace("54 g", "55 g")
        await work(bench, shop.job(**VIPER))
        await work(bench, shop.job(**VIPER))

        outcomes = [visit.outcome for visit in await visits(bench, shop)]
        assert outcomes == [Outcome.NOT_MODIFIED, Outcome.OK, Outcome.OK]
        assert len(readings) == 2


async def test_a_page_that_was_never_read_for_this_product_is_read_from_the_store(
    shop: Shop, readings: list[str]
) -> None:
    async with open_factory(shop.settings) as bench:
        await work(bench, shop.job())
        await work(bench, shop.job(**VIPER))
        await work(bench, shop.job(**VIPER))

        assert [visit.outcome for visit in await visits(bench, shop)] == [
            Outcome.NOT_MODIFIED,
            Outcome.NOT_MODIFIED,
            Outcome.OK,
        ]
        assert len(readings) == 1
        page = await bench.pages.latest(shop.url)
        assert page is not None
        product = make_product("mouse", "Razer", "Viper V3 Pro")
        assert await bench.readings.digest(page.id, product_id=product.id)


async def test_a_damaged_body_is_mended_by_the_next_fetch(shop: Shop) -> None:
    shop.without_etag()
    async with open_factory(shop.settings) as bench:
        await work(bench, shop.job())
        page = await bench.pages.latest(shop.url)
        assert page is not None
        gone = replace(page, id="page-gone", content_hash="0" * 64, fetched_at=page.fetched_at)
        got = await bench.fetch.fetch_page(shop.url, Tier.RETAILER)

        assert (await as_confirmed(bench, got, gone)).page.outcome is Outcome.OK
