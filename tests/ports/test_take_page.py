"""Every page is taken the same way, whatever it is fetched for: a real server, every database."""

from __future__ import annotations

import asyncio
import contextlib
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from aiohttp import web

from specfactory.assembly import open_factory
from specfactory.entry.cli.pages import page_input as pages
from specfactory.errors import PageNotUsable, StoreError
from specfactory.model import Method, Outcome, Page, Tier
from specfactory.orchestrate import Workbench
from specfactory.orchestrate.kinds.page import work_on_page
from specfactory.orchestrate.learning.learn_host import DomainLearner
from specfactory.orchestrate.learning.sample_collection import Collected, Collector
from specfactory.orchestrate.pages.profile import profile_page
from specfactory.orchestrate.pages.taken_page import PagePurpose, take_page
from specfactory.orchestrate.pages.web_archives import PageImporter
from specfactory.settings import HealSettings, LearnSettings, Settings
from specfactory.store import Pages
from specfactory.store.base import body_hash
from specfactory.store.warc import PageWriter
from tests.ports.test_learning import CONTRACT as TWO_FIELDS
from tests.ports.test_learning import markup
from tests.ports.test_page_values import Shop, kept, shop

__all__ = ["shop"]  # the fixture

FAILURES = 3  # more would open the breaker of the host

Way = Callable[["Site", Workbench], Awaitable[None]]


class Site(Shop):
    """A site whose pages all fail, but for its sitemap; once told to, it answers."""

    fails = True
    etag = '"1"'

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.path == "/sitemap.xml":
            places = "".join(f"<url><loc>{self.url(n)}</loc></url>" for n in range(FAILURES * 2))
            return web.Response(text=f"<urlset>{places}</urlset>", content_type="text/xml")
        if self.fails:
            return web.Response(status=403, text="no")
        if request.headers.get("If-None-Match") == self.etag:
            return web.Response(status=304)
        return web.Response(text=self.page, content_type="text/html")

    def url(self, number: int) -> str:
        return f"http://{self.host}/p/{number}"


@pytest.fixture
async def site(shop: Shop) -> AsyncIterator[Site]:
    heal = HealSettings(failures_in_a_row=FAILURES)
    made = Site(replace(shop.settings, heal=heal))
    runner = web.ServerRunner(web.Server(made.handle))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.port = runner.addresses[0][1]
    yield made
    await runner.cleanup()


async def learned(site: Site, bench: Workbench) -> None:
    source = {"host": site.host, "tier": "tier3_retailer", "scheme": "http"}
    bench = replace(bench, settings=replace(bench.settings, sources=(source,)))
    collector = Collector(bench, site.host, "mouse", lambda _: None)
    await collector.fetch_more(Collected(), FAILURES)


async def profiled(site: Site, bench: Workbench) -> None:
    for number in range(FAILURES):
        await profile_page(bench, site.url(number))


async def looked_at(site: Site, bench: Workbench) -> None:
    def opened(settings: Settings) -> contextlib.nullcontext[Workbench]:
        return contextlib.nullcontext(bench)

    for number in range(FAILURES):
        with contextlib.suppress(PageNotUsable), patch.object(pages, "open_factory", opened):
            await pages.read_place(site.settings, site.url(number), category="mouse")


@pytest.mark.parametrize("way", [learned, profiled, looked_at])
async def test_a_host_that_fails_is_treated_whatever_its_pages_are_for(
    site: Site, way: Way
) -> None:
    async with open_factory(site.settings) as bench:
        await way(site, bench)

        assert {visit.outcome for visit in await bench.visits.recent(site.host, 9)} == {
            Outcome.BLOCKED
        }
        assert await bench.healings.of_host(site.host, 9)


@pytest.mark.parametrize("way", [learned, looked_at])
async def test_a_page_that_has_not_changed_is_confirmed_whatever_it_is_for(
    site: Site, way: Way
) -> None:
    site.fails = False
    async with open_factory(site.settings) as bench:
        await way(site, bench)
        await way(site, bench)

        page = await bench.pages.latest(site.url(0))
        again, first = [v for v in await bench.visits.recent(site.host, 99) if v.url == page.url]
    assert (first.outcome, again.outcome) == (Outcome.OK, Outcome.NOT_MODIFIED)
    assert again.page_id == first.page_id == page.id
    assert page.confirmed_at == again.at


async def profiled_for_mice(site: Shop, bench: Workbench, url: str) -> None:
    await profile_page(bench, url, "mouse")


async def page_job(site: Shop, bench: Workbench, url: str) -> None:
    done = await work_on_page(bench, site.job(category="mouse", url=url))
    async with bench.database.transaction() as tx:
        await done.write(tx)
    if done.after is not None:
        await done.after()


@pytest.mark.parametrize("way", [page_job, profiled_for_mice])
async def test_what_a_watched_template_does_is_told_wherever_a_page_is_read(
    shop: Shop, tmp_path: Path, way: Callable[[Shop, Workbench, str], Awaitable[None]]
) -> None:
    (tmp_path / "contracts" / "mouse.yaml").write_text(TWO_FIELDS)
    (tmp_path / "pages").mkdir()
    for n in range(20):
        (tmp_path / "pages" / f"{n:02d}.html").write_text(markup(n))
    shop.settings = replace(shop.settings, learn=LearnSettings(after_pages=1))
    async with shop.factory() as bench:
        await DomainLearner(bench, "ann").learn_domain(
            shop.host, category="mouse", folder=tmp_path / "pages"
        )
        heard = bench.state.subscribe()
        listening = asyncio.create_task(anext(heard))
        await asyncio.sleep(0)

        await way(shop, bench, f"http://{shop.host}/p")

        told = await asyncio.wait_for(listening, 5)
    assert (told.name, told.fields["host"]) == ("template.drifted", shop.host)


async def test_a_profile_times_what_workers_do_selectors_included(shop: Shop) -> None:
    shop.selectors = {"weight": "b.w"}
    url = shop.job().key
    async with shop.factory() as bench:
        profiled = await profile_page(bench, url, "mouse")
        values = await kept(bench)

        assert values["weight"] == (54, Method.SELECTOR)
        assert profiled.filled == len(values)
        assert profiled.profile["phases"].keys() >= {"parse", "extract", "store"}


async def test_an_unchanged_page_that_is_damaged_in_the_store_is_fetched_anew(site: Site) -> None:
    site.fails, url = False, site.url(0)
    async with open_factory(site.settings) as bench:
        await (await take_page(bench, url, PagePurpose())).keep()
        with patch.object(Pages, "body", side_effect=StoreError("damaged")):
            again = await take_page(bench, url, PagePurpose(needs_body=True))

        assert not again.is_unchanged
        assert (again.page.outcome, again.body) == (Outcome.OK, site.page.encode())


async def test_no_server_confirms_a_page_that_came_out_of_an_archive(site: Site) -> None:
    lie, url = b"<h1>Viper V3 Pro</h1><p>It weighs 1 g.</p>" * 9, site.url(0)
    claimed = Page(
        "page-0000001", url, url, site.host, Tier.RETAILER, 1, Outcome.OK, "HTTP 200", 200,
        headers={"content-type": "text/html", "etag": site.etag}, content_hash=body_hash(lie),
        media_type="text/html", size_bytes=len(lie),
    )  # fmt: skip
    archive = io.BytesIO()
    PageWriter(archive, gzip=False).add(claimed, lie)
    archive.seek(0)
    site.fails = False
    async with open_factory(site.settings) as bench:
        assert (await PageImporter(bench).take(archive, lambda: None)).pages == 1

        taken = await take_page(bench, url, PagePurpose())

    assert not taken.is_unchanged
    assert taken.body == site.page.encode()
