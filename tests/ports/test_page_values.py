"""Page jobs that name a category and no product: what the page says is kept, on every database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from aiohttp import web

from specfactory.assembly import open_factory
from specfactory.errors import UnknownCategory
from specfactory.model import Job, JobKind, JobStatus, Method
from specfactory.orchestrate import Done, Workbench
from specfactory.orchestrate.kinds.page import work_on_page
from specfactory.proof import PageViews, prove
from specfactory.settings import FetchSettings, LearnSettings, Settings
from specfactory.testing import ANY_LOOPBACK
from tests.pages import CONTRACT

PAGE = """<html lang=en><title>Viper</title><h1>Viper</h1><p><b class="w">54 g</b></p>
<table><tr><th>Weight</th><td>99 g</td></tr><tr><th>Length</th><td>127 mm</td></tr></table>
""" + ("<p>It is a pleasure to use every day. We like how it feels in the hand.</p>" * 8)


@dataclass
class Shop:
    """A server with one page, and a factory that may fetch it."""

    settings: Settings
    port: int = 0
    page: str = PAGE
    selectors: dict[str, str] = field(default_factory=dict)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        return web.Response(text=self.page, content_type="text/html")

    def job(self, **payload: str) -> Job:
        url = f"http://{self.host}/p"
        return Job(1, JobKind.PAGE, url, JobStatus.IN_PROGRESS, 3, 0, 0, payload, "mouse")

    def factory(self):
        source = {"host": self.host, "tier": "tier3_retailer", "selectors": self.selectors}
        return open_factory(replace(self.settings, sources=(source,)))


@pytest.fixture
async def shop(tmp_path: Path, database_url: str) -> AsyncIterator[Shop]:
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "mouse.yaml").write_text(CONTRACT)
    fetch = FetchSettings(allow_loopback=ANY_LOOPBACK, host_delay_seconds=0.0, respect_robots=False)
    contracts = str(tmp_path / "contracts")
    made = Shop(Settings(database_url=database_url, contracts_dir=contracts, fetch=fetch))
    runner = web.ServerRunner(web.Server(made.handle))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.port = runner.addresses[0][1]
    yield made
    await runner.cleanup()


async def worked(bench: Workbench, job: Job) -> None:
    done = await work_on_page(bench, job)
    assert isinstance(done, Done)
    assert done.write is not None
    async with bench.database.transaction() as tx:
        await done.write(tx)


async def kept(bench: Workbench) -> dict[str, object]:
    (found,) = [one async for one in bench.readings.for_category("mouse")]
    page = await bench.pages.get(found.reading.page_id)
    views = PageViews(page, await bench.pages.body(page))
    candidates = found.reading.candidates
    assert not any(prove(one, bench.contract("mouse"), views) for one in candidates)
    return {one.field: (one.value, one.evidence.method) for one in candidates}


async def test_a_page_is_read_for_its_category(shop):
    async with shop.factory() as bench:
        await worked(bench, shop.job(category="mouse"))

        values = await kept(bench)

    assert values["weight"] == (99, Method.TABLE)
    assert values["length"] == (127, Method.TABLE)


async def test_a_selector_settles_its_field_and_others_fill_the_rest(shop):
    shop.selectors = {"weight": "b.w"}
    async with shop.factory() as bench:
        await worked(bench, shop.job(category="mouse"))

        values = await kept(bench)

    assert values["weight"] == (54, Method.SELECTOR)
    assert values["length"] == (127, Method.TABLE)


async def test_a_selector_settles_its_field_of_a_product_too(shop):
    shop.selectors = {"weight": "b.w"}
    shop.page = PAGE.replace("Viper", "Razer Viper V3 Pro")
    async with shop.factory() as bench:
        await worked(bench, shop.job(category="mouse", brand="Razer", model="Viper V3 Pro"))

        (known,) = await bench.products.of_brand("mouse", "Razer")
        (reading,) = await bench.readings.for_product(known.id)

    assert [one.value for one in reading.candidates if one.field == "weight"] == [54]


async def test_only_the_newest_page_of_an_address_speaks_for_it(shop):
    async with shop.factory() as bench:
        await worked(bench, shop.job(category="mouse"))
        shop.page = PAGE.replace("99 g", "98 g")
        await worked(bench, shop.job(category="mouse"))

        values = await kept(bench)

    assert values["weight"] == (98, Method.TABLE)


async def test_a_value_out_of_range_is_dropped(shop):
    shop.selectors = {"weight": "b.w"}
    shop.page = PAGE.replace("54 g", "900 g").replace("99 g", "")
    async with shop.factory() as bench:
        await worked(bench, shop.job(category="mouse"))

        (found,) = [one async for one in bench.readings.for_category("mouse")]

    assert "weight" not in {one.field for one in found.reading.candidates}
    assert "weight" in {one.field for one in found.reading.dropped}


async def test_a_category_without_a_contract_fails_the_job(shop):
    async with shop.factory() as bench:
        with pytest.raises(UnknownCategory):
            await work_on_page(bench, shop.job(category="mous"))


async def test_good_pages_that_no_template_fits_queue_the_learning_of_their_host(shop):
    shop.settings = replace(shop.settings, learn=LearnSettings(after_pages=3))
    shop.page = PAGE.replace("</table>", "<tr><th>Sensor</th><td>PAW3395</td></tr></table>")
    async with shop.factory() as bench:
        for number in range(3):
            assert await learning_of(bench) == []
            job = shop.job(category="mouse", url=f"http://{shop.host}/p{number}")
            await worked(bench, job)

        assert await learning_of(bench) == [shop.host]
        assert await bench.templates.categories(shop.host) == ["mouse"]


async def test_where_selectors_settle_every_field_nothing_is_to_be_learned(shop):
    shop.settings = replace(shop.settings, learn=LearnSettings(after_pages=1))
    async with shop.factory() as bench:
        fields = bench.contract("mouse").contract.fields
    shop.selectors = dict.fromkeys(fields, "b.w")
    async with shop.factory() as bench:
        await worked(bench, shop.job(category="mouse"))

        assert await learning_of(bench) == []


async def learning_of(bench: Workbench) -> list[str]:
    """The hosts whose learning is queued."""
    return [job.key for job in await bench.jobs.list(kind=JobKind.LEARN)]
