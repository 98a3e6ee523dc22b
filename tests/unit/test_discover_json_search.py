"""Asking a web search API."""

import json

import pytest

from specfactory.adapters.http.search import JsonSearch
from specfactory.errors import SettingError
from specfactory.model import Outcome, Product, Source, Tier
from specfactory.testing import ScriptedFetcher, answer

VIPER = Product("mouse", "Razer", "Viper V3 Pro")
SHOP = Source("shop.example", Tier.RETAILER)
API = "http://127.0.0.1:8888/search?q={query}&format=json"
ANYWHERE = "http://127.0.0.1:8888/search?q=Razer%20Viper%20V3%20Pro%20specifications&format=json"
AT_SHOP = ANYWHERE.replace("&format", "%20site%3Ashop.example&format")
HIT = {"url": "https://shop.example/viper", "title": "Viper"}


def searching(given):
    fetcher = ScriptedFetcher({ANYWHERE: given, AT_SHOP: given})
    return JsonSearch(API, fetcher=fetcher)


@pytest.mark.parametrize(
    "found",
    [
        {"results": [HIT]},
        {"web": {"results": [HIT]}},
        {"items": [{"link": HIT["url"], "title": "Viper"}]},
        {"organic_results": [{"link": HIT["url"], "title": "Viper"}]},
        [HIT],
    ],
)
async def test_results_are_found_wherever_the_api_puts_them(found):
    hits = await searching(answer(json.dumps(found))).search(VIPER, None)

    assert [(hit.url, hit.title, hit.way) for hit in hits] == [
        ("https://shop.example/viper", "Viper", "web_search")
    ]


async def test_with_a_source_only_its_own_pages_count():
    others = [{"url": "https://other.example/viper"}, {"url": "https://www.shop.example/viper"}]
    hits = await searching(answer(json.dumps({"results": [HIT, HIT, *others]}))).search(VIPER, SHOP)

    assert [hit.url for hit in hits] == [
        "https://shop.example/viper", "https://www.shop.example/viper",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "given",
    [answer("not json"), answer("", 500), answer(failure=Outcome.TIMEOUT), answer("null"),
     answer('{"results": {"url": 1}}'), answer('{"results": [1, null, {"url": 5}, {}]}'),
     answer('{"results": [{"url": "javascript:alert(1)"}, {"url": "file:///x"}]}'),
     answer("[" * 100_000)],
)  # fmt: skip
async def test_answer_that_makes_no_sense_finds_nothing(given):
    assert await searching(given).search(VIPER, None) == []


@pytest.mark.parametrize("url", ["https://x.example/search", "ftp://x/{query}", "{query}"])
def test_setting_that_is_no_search_url_is_named(url):
    with pytest.raises(SettingError, match=r"search\.web_url"):
        JsonSearch(url)
