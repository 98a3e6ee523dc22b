"""Each fault of a site over real HTTP, as a bare client meets it: it does what the table says."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import aiohttp
import pytest

from specfactory.adapters.http.fetcher import HttpFetcher
from specfactory.assembly import open_factory
from specfactory.demo import Running, build_world, serve
from specfactory.demo.faults import FAULTS, Scope
from specfactory.entry.cli import run_command
from specfactory.fetch.addresses import policy_for_pages
from specfactory.fetch.outcomes.classification import classify
from specfactory.model import FetchResponse, Outcome, Rung, Tier
from specfactory.settings import load
from specfactory.testing import ANY_LOOPBACK, open_to_loopback
from tests.fetch_requests import request_to

SHOWN = {
    "page_unavailable": Outcome.MAINTENANCE,
    "page_slow_body": Outcome.TIMEOUT,
    "page_broken_gzip": Outcome.NETWORK_ERROR,
    "page_reset": Outcome.NETWORK_ERROR,
    "rate_limited_seconds": Outcome.RATE_LIMITED,
    "rate_limited_date": Outcome.RATE_LIMITED,
    "rate_limited_too_fast": Outcome.RATE_LIMITED,
    "blocked_address": Outcome.BLOCKED,
    "blocked": Outcome.BLOCKED,
    "captcha_address": Outcome.CAPTCHA,
    "captcha": Outcome.CAPTCHA,
    "geo_block_address": Outcome.GEO_BLOCKED,
    "geo_block": Outcome.GEO_BLOCKED,
    "soft_404_address": Outcome.SOFT_404,
    "soft_404": Outcome.SOFT_404,
    "site_gone": Outcome.NOT_FOUND,
    "empty_pages": Outcome.EMPTY,
    "script_shell": Outcome.JS_REQUIRED,
    "consent_wall": Outcome.CONSENT_WALL,
    "cookie_wall": Outcome.NETWORK_ERROR,
    "login_refused": Outcome.LOGIN_REQUIRED,
    "login_page": Outcome.LOGIN_REQUIRED,
    "redirect_loop": Outcome.NETWORK_ERROR,
    "redirect_private": Outcome.REFUSED,
    "moved_site": Outcome.OK,
    "server_errors_burst": Outcome.NETWORK_ERROR,
    "server_errors": Outcome.NETWORK_ERROR,
    "maintenance": Outcome.MAINTENANCE,
    "waiting_room": Outcome.WAITING_ROOM,
    "slow_host": Outcome.TIMEOUT,
    "slow_body": Outcome.TIMEOUT,
    "broken_gzip": Outcome.NETWORK_ERROR,
    "truncated_body": Outcome.NETWORK_ERROR,
    "connection_resets": Outcome.NETWORK_ERROR,
    "connections_lost": Outcome.NETWORK_ERROR,
    "huge_pages": Outcome.TOO_LARGE,
    "changed_encoding": Outcome.OK,
    "unreadable_encoding": Outcome.REFUSED,
    "layout_change": Outcome.OK,
}
BY_PROXY = [fault.name for fault in FAULTS if fault.name.endswith("_address")]
SLOW_SECONDS = 1.0
PATIENT_SECONDS, IMPATIENT_SECONDS = 20.0, 0.3


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    async with serve(build_world(5, base_port=0, products=20), slow_seconds=SLOW_SECONDS) as web:
        yield web


@pytest.fixture
async def fetcher() -> AsyncIterator[HttpFetcher]:
    fetcher = HttpFetcher(policy_for_pages(ANY_LOOPBACK))
    yield fetcher
    await fetcher.close()


def page_urls(running: Running, site: str = "mousemetrics") -> list[str]:
    shelf = next(shelf for shelf in running.world.shelves if shelf.site.name == site)
    return [f"{shelf.site.origin}{shelf.path(mouse)}" for mouse in shelf.mice]


async def fetch(
    fetcher: HttpFetcher, url: str, seconds: float = PATIENT_SECONDS, **headers: str
) -> tuple[Outcome, FetchResponse]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    response = await fetcher.fetch(request_to(url, named, timeout_seconds=seconds))
    return classify(response)[0], response


def test_every_fault_that_a_site_can_do_is_shown_here():
    assert set(SHOWN) == {f.name for f in FAULTS if f.scope in (Scope.PATH, Scope.SITE)}


@pytest.mark.parametrize("fault", SHOWN)
async def test_a_fault_shows_itself_at_its_site_only_and_goes_when_it_is_switched_off(
    running, fetcher, fault
):
    url = page_urls(running)[0]
    seconds = IMPATIENT_SECONDS if SHOWN[fault] is Outcome.TIMEOUT else PATIENT_SECONDS
    running.switch("mousemetrics", fault)
    outcomes = {(await fetch(fetcher, url, seconds))[0] for url in page_urls(running)[:12]}

    assert SHOWN[fault] in outcomes
    assert (await fetch(fetcher, page_urls(running, "gearbarn")[0]))[0] is Outcome.OK

    running.switch("mousemetrics", fault, on=False)
    assert (await fetch(fetcher, url))[0] is Outcome.OK


async def test_a_fault_may_begin_in_the_middle(running, fetcher):
    running.switch("mousemetrics", "blocked", after=2)

    outcomes = [(await fetch(fetcher, url))[0] for url in page_urls(running)[:4]]

    assert outcomes == [Outcome.OK, Outcome.OK, Outcome.BLOCKED, Outcome.BLOCKED]


async def test_a_site_fails_under_one_name_and_is_well_under_another(running, fetcher):
    running.switch("other-mousemetrics", "blocked")
    url = page_urls(running)[0]

    assert (await fetch(fetcher, url))[0] is Outcome.OK
    assert (await fetch(fetcher, url.replace("//", "//other-")))[0] is Outcome.BLOCKED


@pytest.mark.parametrize("fault", BY_PROXY)
async def test_who_comes_through_a_proxy_is_welcome(running, fetcher, fault):
    running.switch("mousemetrics", fault)

    assert (await fetch(fetcher, page_urls(running)[0], Via="1.1 proxy"))[0] is Outcome.OK


async def test_single_pages_fail_so_often_and_no_more(running, fetcher):
    running.switch("mousemetrics", "page_unavailable")
    urls = page_urls(running)

    rounds = [[(await fetch(fetcher, url))[0] for url in urls] for _ in range(3)]

    assert rounds[0] == rounds[1]
    assert {Outcome.OK, Outcome.MAINTENANCE} == set(rounds[0])
    assert set(rounds[2]) == {Outcome.OK}


async def test_asking_otherwise_is_the_cure(running, fetcher):
    url = page_urls(running)[0]
    for fault, headers in (
        ("broken_gzip", {"Accept_Encoding": "identity"}),
        ("cookie_wall", {"Cookie": "visit=1"}),
        ("consent_wall", {"Cookie": "consent=needed"}),
        ("slow_host", {}),
    ):
        running.switch("mousemetrics", fault)

        assert (await fetch(fetcher, url, **headers))[0] is Outcome.OK, fault


async def test_a_script_finds_the_content_that_the_shell_lacks(running, fetcher):
    url = page_urls(running)[0]
    _, well = await fetch(fetcher, url)
    running.switch("mousemetrics", "script_shell")
    path = url.removeprefix(running.urls["mousemetrics"])

    _, shell = await fetch(fetcher, url)
    _, bundle = await fetch(fetcher, f"{running.urls['mousemetrics']}/__fault/app.js")
    _, found = await fetch(fetcher, f"{running.urls['mousemetrics']}/__fault/content{path}")

    assert b'src="/__fault/app.js"' in shell.body
    assert b"/__fault/content" in bundle.body
    assert json.loads(found.body)["html"] == well.body.decode()


async def test_a_moved_site_is_well_at_its_new_host(running, fetcher):
    url = page_urls(running)[0]
    running.switch("mousemetrics", "moved_site")

    outcome, response = await fetch(fetcher, url)

    assert outcome is Outcome.OK
    assert response.redirects == (url.replace("//", "//new-"),)


async def test_a_relaunched_site_says_the_same_in_other_markup(running, fetcher):
    url = page_urls(running, "razer")[0]
    _, before = await fetch(fetcher, url)
    running.switch("razer", "layout_change")

    _, after = await fetch(fetcher, url)

    assert after.body != before.body
    assert after.status == 200


async def test_pages_are_in_utf_8_whatever_they_claim(running, fetcher):
    running.switch("mousemetrics", "changed_encoding")

    _, response = await fetch(fetcher, page_urls(running)[0])

    assert response.headers["content-type"].endswith("iso-8859-1")
    assert "Grüße" in response.body.decode("utf-8")


async def test_faults_are_switched_over_http(running, fetcher):
    faults = f"{running.index_url.rstrip('/')}/faults".replace("index.localhost", "127.0.0.1")
    async with aiohttp.ClientSession() as client:
        for site, fault in (("razer", "boredom"), ("razer", "dns_gone")):
            async with client.post(f"{faults}/{site}/{fault}") as answer:
                assert answer.status == 400
                assert fault in (await answer.json())["error"]
        async with client.post(f"{faults}/razer/blocked?after=1") as answer:
            assert (await answer.json())["razer"]["fault"] == "blocked"
        outcomes = [(await fetch(fetcher, url))[0] for url in page_urls(running, "razer")[:2]]
        async with client.get(faults) as answer:
            state = await answer.json()
        async with client.delete(f"{faults}/razer") as answer:
            assert await answer.json() == {}

    assert outcomes == [Outcome.OK, Outcome.BLOCKED]
    assert 0 <= state["razer"].pop("seconds") < 60
    assert state == {"razer": {"fault": "blocked", "struck": 1}}


def test_the_command_lists_them_all(capsys):
    assert run_command(["demo", "faults", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)

    assert [entry["name"] for entry in listed] == [fault.name for fault in FAULTS]
    assert all(entry["ends"] for entry in listed)


@pytest.mark.parametrize("fault", ["script_shell", "consent_wall"])
async def test_a_browser_reads_what_a_plain_client_cannot(running, tmp_path, fault):
    flags = {"database_url": f"sqlite:///{tmp_path}/factory.db",
             "fetch.host_delay_seconds": 0, "browser.settle_seconds": 0.2}  # fmt: skip
    running.switch("mousemetrics", fault)

    async with open_factory(open_to_loopback(load(environment={}, flags=flags))) as bench:
        got = await bench.fetch.fetch_page(page_urls(running)[0], Tier.LAB)

    assert (got.page.outcome, got.page.rung) == (Outcome.OK, Rung.BROWSER), got.page
    assert b"Weight" in got.body
