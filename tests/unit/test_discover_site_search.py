"""Finding a product by a source's own search page."""

import pytest

from specfactory.discover import SiteSearch
from specfactory.discover.slugs import resemblance, wanted, words_of
from specfactory.model import Outcome, Product, Source, Tier
from specfactory.testing import DirectReaders, ScriptedFetcher, answer
from tests.fetch_requests import request_to

VIPER = Product("mouse", "Razer", "Viper V3 Pro", "Wireless")
SITE = "https://shop.example"
SHOP = Source("shop.example", Tier.RETAILER, search=SITE + "/search?q={query}")
FIRST = SITE + "/search?q=Razer%20Viper%20V3%20Pro"
SECOND = SITE + "/search?q=Viper%20V3%20Pro"


def searching(script, readers=None):
    fetcher = ScriptedFetcher(script)

    async def get(url):
        return await fetcher.fetch(request_to(url))

    return SiteSearch(get, readers or DirectReaders()), fetcher


class WatchedReaders(DirectReaders):
    """Notes how many fetched bytes are in sight, and if they may be read right here."""

    def __init__(self):
        self.seen = []

    async def run(self, work, *given, quick=False, deadline_seconds=None):
        self.seen.append((sum(len(one) for one in given if isinstance(one, bytes)), quick))
        return await super().run(work, *given)


def score(text: str, product: Product = VIPER) -> float:
    return resemblance(wanted(product), words_of(text))


def test_the_very_name_resembles_most_and_another_number_not_at_all():
    assert score("Razer Viper V3 Pro Wireless") > score("Viper V3 Pro") > score("Viper Pro V3 skin")
    for other in ("Razer Viper V2 Pro", "Razer Viper", "Viper 8KHz", "DeathAdder V3 Pro", ""):
        assert score(other) == 0


def test_words_run_together_are_recognised():
    assert score("/p/razerviperv3pro-black") > 0
    assert score("viper-v3-pro_white") > 0


def test_support_and_comparison_pages_resemble_less():
    assert score("razer viper v3 pro") > score("support razer viper v3 pro")
    assert score("razer viper v3 pro") > score("razer viper v3 pro vs superlight")


def test_accents_and_case_do_not_matter():
    assert words_of("Élan VITAL-2") == ["elan", "vital", "2"]


async def test_results_that_resemble_the_product_come_in_page_order():
    search, fetcher = searching({FIRST: answer("""
        <a href="/">Home</a> <a href="/login">Log in</a>
        <a href="/search?q=viper&page=2">Viper V3 Pro, next page</a>
        <a href="/mice/viper-v2-pro">Razer Viper V2 Pro</a>
        <a href="/mice/p-1#reviews"><img alt=""></a>
        <a href="/mice/p-1">Razer Viper V3 Pro Black</a>
        <a href="/mice/razer-viper-v3-pro-wireless"><img alt="The mouse"></a>
        <a href="https://ads.example/viper-v3-pro">Viper V3 Pro</a>
        <a href="javascript:void(0)">Viper V3 Pro</a>
    """)})  # fmt: skip
    hits = await search.search(VIPER, SHOP)

    assert [hit.url for hit in hits] == [
        SITE + "/mice/p-1", SITE + "/mice/razer-viper-v3-pro-wireless",
    ]  # fmt: skip
    assert [hit.title for hit in hits] == ["Razer Viper V3 Pro Black", "The mouse"]
    assert {hit.way for hit in hits} == {"site_search"}
    assert fetcher.urls == [FIRST]


async def test_model_alone_is_tried_when_brand_and_model_find_nothing():
    search, fetcher = searching({
        FIRST: answer("<p>No results</p>"),
        SECOND: answer('<a href="/mice/viper-v3-pro">Viper V3 Pro</a>'),
    })  # fmt: skip

    assert [hit.url for hit in await search.search(VIPER, SHOP)] == [SITE + "/mice/viper-v3-pro"]
    assert fetcher.urls == [FIRST, SECOND]


async def test_search_that_leads_straight_to_the_product_is_a_hit():
    target = SITE + "/mice/razer-viper-v3-pro"
    search, _ = searching({
        FIRST: answer("", 302, {"location": "/mice/razer-viper-v3-pro"}),
        target: answer("<title>Razer Viper V3 Pro &amp; more</title>"),
    })  # fmt: skip

    hits = await search.search(VIPER, SHOP)
    assert [(hit.url, hit.title) for hit in hits] == [(target, "Razer Viper V3 Pro & more")]


async def test_best_results_are_kept_when_there_are_too_many():
    links = [
        f'<a href="/acc/{n}">Skates for gaming mouse Razer Viper V3 Pro {n}</a>' for n in range(30)
    ]
    body = "".join([*links, '<a href="/mice/x">Razer Viper V3 Pro Wireless</a>'])
    search, _ = searching({FIRST: answer(body)})
    hits = await search.search(VIPER, SHOP)

    assert len(hits) == 10
    assert hits[-1].url == SITE + "/mice/x"


@pytest.mark.parametrize(
    "given",
    [answer("", 500), answer("", 404), answer(failure=Outcome.TIMEOUT), answer(""),
     answer(b"\xff\xfe\x00binary"), answer("<a href='http://[bad'>Viper V3 Pro</a>")],
)  # fmt: skip
async def test_search_that_fails_finds_nothing(given):
    search, _ = searching({FIRST: given, SECOND: given})

    assert await search.search(VIPER, SHOP) == []


@pytest.mark.parametrize("source", [None, Source("shop.example", Tier.RETAILER)])
async def test_source_without_a_search_is_not_asked(source):
    search, fetcher = searching({})

    assert await search.search(VIPER, source) == []
    assert fetcher.urls == []


async def test_query_cannot_leave_its_place_in_the_url():
    hostile = Product("mouse", "A&b=c", "x/../#y")
    search, fetcher = searching({})
    await search.search(hostile, SHOP)

    assert fetcher.urls[0] == SITE + "/search?q=A%26b%3Dc%20x%2F..%2F%23y"


@pytest.mark.parametrize(("links", "quick"), [(20, True), (2_000, False)])
async def test_only_results_of_few_links_may_be_read_on_the_event_loop(links, quick):
    body = b"<html>" + b"<a href=/p/viper-v3-pro>Razer Viper V3 Pro</a>" * links
    readers = WatchedReaders()
    search, _ = searching({FIRST: answer(body)}, readers)

    assert [hit.url for hit in await search.search(VIPER, SHOP)] == [SITE + "/p/viper-v3-pro"]
    assert readers.seen == [(len(body), quick)]
