"""Finding a product by a source's sitemaps."""

import asyncio
import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.hostile_worker import LoopWatch
from specfactory.discover import Sitemaps
from specfactory.discover.sitemaps import read_sitemap
from specfactory.model import Outcome, Product, Source, Tier
from specfactory.testing import DirectReaders, ManualClock, ScriptedFetcher, answer
from tests.fetch_requests import request_to
from tests.yardstick import within, yard

VIPER = Product("mouse", "Razer", "Viper V3 Pro", "Wireless")
SITE = "https://shop.example"
SHOP = Source("shop.example", Tier.RETAILER)
MAP = SITE + "/sitemap.xml"
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def listing(*urls: str) -> str:
    entries = "".join(f"<url><loc> {url} </loc><lastmod>2026-01-01</lastmod></url>" for url in urls)
    return f'<?xml version="1.0"?><urlset {NAMESPACE}>{entries}</urlset>'


def index(*urls: str) -> str:
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f"<sitemapindex {NAMESPACE}>{entries}</sitemapindex>"


class Desk:
    def __init__(self, script):
        self.clock = ManualClock()
        self.fetcher = ScriptedFetcher(script)
        self.sitemaps = Sitemaps(self.get, DirectReaders(), monotonic=self.clock.monotonic)

    async def get(self, url):
        return await self.fetcher.fetch(request_to(url))

    async def find(self, product=VIPER, source=SHOP):
        return [hit.url for hit in await self.sitemaps.search(product, source)]


async def test_likeliest_page_comes_first_and_others_not_at_all():
    desk = Desk({MAP: answer(listing(
        SITE + "/support/razer-viper-v3-pro",
        SITE + "/mice/razer-viper-v2-pro",
        SITE + "/mice/razer-viper-v3-pro",
        SITE + "/mice/razer-viper-v3-pro-wireless",
        SITE + "/about",
        "https://other.example/mice/razer-viper-v3-pro-wireless",
    ))})  # fmt: skip

    assert await desk.find() == [
        SITE + "/mice/razer-viper-v3-pro-wireless",
        SITE + "/mice/razer-viper-v3-pro",
        SITE + "/support/razer-viper-v3-pro",
    ]


async def test_sitemap_named_by_the_source_is_used_alone():
    named = Source("shop.example", Tier.RETAILER, sitemap=SITE + "/maps/all.xml")
    desk = Desk({SITE + "/maps/all.xml": answer(listing(SITE + "/viper-v3-pro"))})

    assert await desk.find(source=named) == [SITE + "/viper-v3-pro"]
    assert desk.fetcher.urls == [SITE + "/maps/all.xml"]


async def test_sitemaps_named_in_robots_are_used():
    robots = "User-agent: *\nDisallow:\nSITEMAP: https://shop.example/a.xml\nSitemap:/none"
    desk = Desk({SITE + "/robots.txt": answer(robots),
                 SITE + "/a.xml": answer(listing(SITE + "/viper-v3-pro"))})  # fmt: skip

    assert await desk.find() == [SITE + "/viper-v3-pro"]
    assert MAP not in desk.fetcher.urls


async def test_index_files_are_followed_products_first_pictures_last():
    packed = gzip.compress(listing(SITE + "/viper-v3-pro").encode())
    desk = Desk({
        MAP: answer(index(SITE + "/images.xml", SITE + "/misc.xml", SITE + "/products-1.xml.gz")),
        SITE + "/products-1.xml.gz": answer(packed),
    })  # fmt: skip

    assert await desk.find() == [SITE + "/viper-v3-pro"]
    assert [url.rpartition("/")[2] for url in desk.fetcher.urls[2:]] == [
        "products-1.xml.gz", "misc.xml", "images.xml",
    ]  # fmt: skip


async def test_index_that_lists_itself_or_goes_ever_deeper_ends():
    script = {f"{SITE}/{n}.xml": answer(index(f"{SITE}/{n + 1}.xml", MAP)) for n in range(60)}
    desk = Desk({**script, MAP: answer(index(MAP, SITE + "/0.xml"))})

    assert await desk.find() == []
    assert len(desk.fetcher.urls) <= 6


async def test_wide_index_is_read_up_to_the_cap():
    desk = Desk({MAP: answer(index(*(f"{SITE}/{n}.xml" for n in range(500))))})
    await desk.find()

    assert len(desk.fetcher.urls) <= 26


async def test_slow_site_is_given_up_in_time():
    children = [f"{SITE}/{n}.xml" for n in range(20)]
    desk = Desk({MAP: answer(index(*children))})

    def slow(request):
        desk.clock.advance(50)
        return answer(listing(request.url.removesuffix(".xml") + "-viper-v3-pro"))

    desk.fetcher.script |= dict.fromkeys(children, slow)
    assert len(await desk.find()) == 3


async def test_sixty_products_cause_one_reading():
    desk = Desk({MAP: answer(listing(*(f"{SITE}/mouse-x{n}" for n in range(60))))})
    found = await asyncio.gather(*(desk.find(Product("mouse", "A", f"X{n}")) for n in range(60)))

    assert found == [[f"{SITE}/mouse-x{n}"] for n in range(60)]
    assert len(desk.fetcher.urls) == 2


async def test_sitemap_is_read_again_after_some_hours():
    desk = Desk({MAP: [answer(listing()), answer(listing(SITE + "/viper-v3-pro"))]})

    assert await desk.find() == []
    desk.clock.advance(5 * 3600)
    assert await desk.find() == []
    desk.clock.advance(2 * 3600)
    assert await desk.find() == [SITE + "/viper-v3-pro"]


@pytest.mark.parametrize(
    "given",
    [answer("", 404), answer("", 503), answer(""), answer(failure=Outcome.TIMEOUT),
     answer("<html>oops")],
)  # fmt: skip
async def test_site_without_a_usable_sitemap_finds_nothing(given):
    assert await Desk({MAP: given}).find() == []


async def test_without_a_source_there_is_nothing_to_read():
    assert await Desk({}).find(source=None) == []


def test_billion_laughs_and_outside_files_are_refused():
    laughs = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<!DOCTYPE x [<!ENTITY a0 "ha">{laughs}]><urlset><url><loc>&a9;</loc></url></urlset>'
    outside = '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>' \
              "<urlset><url><loc>http://x/&f;</loc></url></urlset>"  # fmt: skip

    with within(yards=15):
        assert read_sitemap(bomb.encode(), MAP).pages == ()
        assert read_sitemap(outside.encode(), MAP).pages == ()


def test_gzip_bomb_is_refused():
    assert read_sitemap(gzip.compress(b"<urlset>" + b" " * 60_000_000), MAP).pages == ()


def test_broken_xml_counts_as_far_as_it_goes():
    broken = listing(SITE + "/a", SITE + "/b")[:-20]

    assert read_sitemap(broken.encode(), MAP).pages[0] == SITE + "/a"


def test_pictures_of_a_page_are_no_pages_and_plain_text_is_read():
    picture = '<image:image xmlns:image="i"><image:loc>http://x/i.png</image:loc></image:image>'
    xml = f"<urlset {NAMESPACE}><url>{picture}<loc>{SITE}/a?b=1&amp;c=2</loc></url></urlset>"

    assert read_sitemap(xml.encode(), MAP).pages == (SITE + "/a?b=1&c=2",)
    assert read_sitemap(f"{SITE}/a\r\n{SITE}/b\n".encode(), MAP).pages == (SITE + "/a", SITE + "/b")


@settings(deadline=None)
@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda t: f"<urlset>{t}".encode()))
def test_any_bytes_are_read_without_trouble(body):
    file = read_sitemap(body, MAP)

    assert all(url.startswith(("http://", "https://")) for url in file.pages + file.files)


async def test_robots_of_line_ends_is_looked_through_in_linear_time():
    named = "\n" * 400_000 + f"Sitemap: {MAP}"
    page = SITE + "/mice/razer-viper-v3-pro"
    desk = Desk({SITE + "/robots.txt": answer(named), MAP: answer(listing(page))})

    with within(yards=10):
        assert await desk.find() == [page]


class ThreadedReaders:
    async def run(self, work, *given, **_):
        return await asyncio.to_thread(work, *given)


async def test_a_list_of_very_many_pages_does_not_hold_the_event_loop():
    pages = "\n".join(f"{SITE}/mice/razer-viper-v{number}-pro" for number in range(45_000))
    desk = Desk({SITE + "/robots.txt": answer(f"Sitemap: {MAP}"), MAP: answer(pages)})
    desk.sitemaps = Sitemaps(desk.get, ThreadedReaders(), monotonic=desk.clock.monotonic)
    watch = LoopWatch()

    with watch.watching():
        found = await asyncio.create_task(desk.find())

    assert SITE + "/mice/razer-viper-v3-pro" in found
    assert watch.longest_ms <= 1_000 * 1.5 * yard(), watch.by
