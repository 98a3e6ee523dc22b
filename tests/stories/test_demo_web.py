"""The demo web over real HTTP, as a crawler and as a person meet it."""

from __future__ import annotations

import gzip
import json
import re
import xml.etree.ElementTree as ET
import zlib
from collections.abc import AsyncIterator
from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser

import aiohttp
import pytest

from specfactory.demo import Running, build_world, serve
from specfactory.demo.faults import fault_of
from specfactory.fetch.outcomes.classification import classify
from specfactory.model import FetchResponse, Outcome

LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    async with serve(build_world(5, base_port=0, products=20)) as running:
        yield running


@pytest.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(auto_decompress=False) as client:
        yield client


def on_loopback(url: str) -> str:
    """The same page by address: not every system resolves ``*.localhost``."""
    parts = urlsplit(url)
    return parts._replace(netloc=f"127.0.0.1:{parts.port}").geturl()


async def get(client: aiohttp.ClientSession, url: str, **headers: str) -> tuple[int, bytes]:
    async with client.get(on_loopback(url), headers=headers, allow_redirects=False) as response:
        return response.status, await response.read()


async def locations(client: aiohttp.ClientSession, url: str) -> list[str]:
    """Every page of a sitemap, through its index where it has one."""
    status, body = await get(client, url)
    assert status == 200, url
    root = ET.fromstring(gzip.decompress(body) if url.endswith(".gz") else body)
    found = [node.text or "" for node in root.iter(LOC)]
    if root.tag.endswith("sitemapindex"):
        return [page for part in found for page in await locations(client, part)]
    return found


async def test_free_ports_are_taken_and_pages_link_with_them(running, client):
    ports = [site.port for site in running.world.sites]
    status, body = await get(client, running.urls["razer"] + "/sitemap.xml")

    assert 0 not in ports
    assert len(set(ports)) == len(ports)
    assert status == 200
    assert running.urls["razer"].encode() in body


async def test_every_site_has_a_robots_txt_that_can_be_obeyed(running, client):
    for site in running.world.sites:
        status, body = await get(client, f"{site.origin}/robots.txt")
        assert status == 200
        assert rules(body).can_fetch("SpecFactory", f"{site.origin}/anything") == (
            site.robots != "closed"
        )


async def test_robots_forbid_private_pages_and_ask_for_a_delay(running, client):
    by_robots = {site.robots: site for site in running.world.sites}
    private, slow = by_robots["private"], by_robots["delay"]
    _, forbids = await get(client, f"{private.origin}/robots.txt")
    _, asks = await get(client, f"{slow.origin}/robots.txt")

    assert not rules(forbids).can_fetch("us", f"{private.origin}/private/x")
    assert re.search(rb"(?m)^Crawl-delay: [0-9.]+$", asks)  # a fraction, which few parsers read


def rules(body: bytes) -> RobotFileParser:
    """robots.txt as somebody else's parser reads it."""
    parser = RobotFileParser()
    parser.parse(body.decode().splitlines())
    return parser


async def test_sitemaps_lead_to_every_product(running, client):
    for shelf in running.world.shelves:
        site = shelf.site
        if site.tier is None:
            continue
        _, robots = await get(client, f"{site.origin}/robots.txt")
        named = re.search(rb"Sitemap: (\S+)", robots)
        start = named[1].decode() if named else f"{site.origin}/sitemap.xml"
        pages = await locations(client, start)
        assert {f"{site.origin}{entry.path}" for entry in shelf.products.values()} <= set(pages)


async def test_a_site_without_sitemap_xml_names_it_in_robots_txt(running, client):
    site = next(site for site in running.world.sites if site.sitemap == "robots")

    assert (await get(client, f"{site.origin}/sitemap.xml"))[0] == 404


async def test_site_search_finds_the_product(running, client):
    wanted = running.world.mice[0]
    for shelf in running.world.shelves:
        if shelf.site.search == "none" or not shelf.lists(wanted):
            continue
        url = f"{shelf.site.origin}/search?q=razer+viper+v3+pro+wireless"
        status, body = await get(client, url)
        assert status == 200
        main = body.decode().partition("<main>")[2].partition("</main>")[0]
        links = re.findall(r'<h3><a href="([^"]+)"', main)
        place = 1 if shelf.site.search == "sibling_first" else 0
        assert links[place] == shelf.path(wanted), shelf.site.name


async def test_a_search_for_nothing_known_finds_nothing(running, client):
    status, body = await get(client, running.urls["razer"] + "/search?q=%3Cscript%3Etoaster")

    assert status == 200
    assert b"0 results" in body
    assert b"<script>toaster" not in body


async def test_the_web_search_answers_json(running, client):
    url = running.urls["search"] + "/search?q=Razer%20Viper%20V3%20Pro%20Wireless&format=json"
    _, body = await get(client, url)

    results = json.loads(body)["results"]
    assert {"url", "title", "content"} == results[0].keys()
    assert len({urlsplit(result["url"]).netloc for result in results}) >= 5


async def test_sections_list_all_products_page_by_page(running, client):
    shelf = next(s for s in running.world.shelves if s.site.name == "mousemetrics")
    seen = set()
    for page in (1, 2):
        _, body = await get(client, f"{shelf.site.origin}/section/0?page={page}")
        main = body.decode().partition("<main>")[2].partition("<nav>")[0]
        seen |= set(re.findall(r'href="([^"?]+)"', main))

    assert seen == {entry.path for entry in shelf.products.values()}
    assert (await get(client, f"{shelf.site.origin}/section/0?page=99"))[0] == 404


async def test_an_unchanged_page_is_not_sent_again(running, client):
    shelf = next(s for s in running.world.shelves if s.site.name == "razer")
    url = f"{shelf.site.origin}{shelf.path(running.world.mice[0])}"
    async with client.get(on_loopback(url)) as first:
        tag, modified = first.headers["ETag"], first.headers["Last-Modified"]
        await first.read()

    assert await get(client, url, **{"If-None-Match": tag}) == (304, b"")
    assert await get(client, url, **{"If-Modified-Since": modified}) == (304, b"")
    assert (await get(client, url, **{"If-None-Match": '"other"'}))[0] == 200
    assert (await get(client, url, **{"If-Modified-Since": "nonsense"}))[0] == 200


async def test_unknown_pages_are_404_and_soft_404s_say_200(running, client):
    shelf = next(s for s in running.world.shelves if s.site.name == "clickbench")
    gone = [e for s in running.world.shelves for e in s.entries.values() if e.kind == "gone"]

    assert (await get(client, f"{shelf.site.origin}/nowhere"))[0] == 404
    assert gone
    site = next(s.site for s in running.world.shelves if gone[0] in s.entries.values())
    status, body = await get(client, f"{site.origin}{gone[0].path}")
    assert status == 200
    assert b"Page not found" in body


async def test_the_script_shop_is_an_empty_shell_whose_values_come_by_script(running, client):
    shelf = next(s for s in running.world.shelves if s.site.layout == "script")
    path = shelf.path(running.world.mice[0])
    _, page = await get(client, f"{shelf.site.origin}{path}")
    _, values = await get(client, f"{shelf.site.origin}/api{path}.json")

    assert b'<div id="root"></div>' in page
    assert b"Viper" not in page
    assert json.loads(values)["name"] == "Razer Viper V3 Pro Wireless"


async def test_every_page_ends_as_what_it_is(running, client):
    expected = {"blank": Outcome.EMPTY, "gone": Outcome.SOFT_404}
    for shelf in running.world.shelves:
        otherwise = Outcome.JS_REQUIRED if shelf.site.layout == "script" else Outcome.OK
        for entry in shelf.entries.values():
            url = f"{shelf.site.origin}{entry.path}"
            async with client.get(on_loopback(url)) as got:
                headers = {name.lower(): value for name, value in got.headers.items()}
                response = FetchResponse(url, url, got.status, headers, await got.read())
            assert classify(response)[0] is expected.get(entry.kind, otherwise), url


async def test_the_index_lists_sites_products_and_the_truth(running, client):
    _, body = await get(client, running.index_url + "/")
    _, truth = await get(client, running.index_url + "/truth.json")
    text = body.decode()

    assert all(site.host in text for site in running.world.sites if site.layout != "index")
    assert all(product.name in text for product in running.world.products)
    assert json.loads(truth)["products"].keys() == running.world.truth.keys()


async def test_only_get_is_answered(running, client):
    async with client.post(on_loopback(running.urls["razer"] + "/")) as response:
        assert response.status == 405


async def test_a_port_that_is_taken_fails_at_once_and_frees_the_others(running):
    taken = next(site.port for site in running.world.sites)

    with pytest.raises(OSError, match="in use"):
        async with serve(build_world(5, base_port=taken, products=5)):
            pass


async def fault_path(running: Running, name: str) -> str:
    for shelf in running.world.shelves:
        for path in shelf.entries:
            fault = fault_of(running.world.seed, shelf.site.host, path)
            if fault is not None and fault.name == name:
                return f"{shelf.site.origin}{path}"
    raise AssertionError(f"no page with {name}")


async def test_faults_show_themselves_and_curable_ones_pass(client):
    async with serve(build_world(5, base_port=0), faults=True) as running:
        limited = await fault_path(running, "rate_limited_seconds")
        burst = await fault_path(running, "page_unavailable")
        loop = await fault_path(running, "redirect_loop")

        assert [(await get(client, limited))[0] for _ in range(2)] == [429, 429]
        assert [(await get(client, burst))[0] for _ in range(3)] == [503, 503, 200]
        assert {(await get(client, loop))[0] for _ in range(5)} == {302}
        for name, status in (("captcha", 403), ("blocked", 403), ("redirect_private", 302)):
            assert (await get(client, await fault_path(running, name)))[0] == status


async def test_a_reset_and_a_broken_body_are_cured_by_asking_again(client):
    async with serve(build_world(5, base_port=0), faults=True) as running:
        reset = await fault_path(running, "page_reset")
        broken = await fault_path(running, "page_broken_gzip")

        with pytest.raises(aiohttp.ClientError):
            await get(client, reset)
        assert (await get(client, reset))[0] == 200
        first, second = await get(client, broken), await get(client, broken)
        with pytest.raises((zlib.error, EOFError)):
            gzip.decompress(first[1])
        assert not second[1].startswith(b"\x1f\x8b")
