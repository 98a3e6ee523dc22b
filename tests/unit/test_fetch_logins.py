"""Pages behind a login: who is shown what, and who never is."""

from dataclasses import replace
from random import Random

import pytest

from specfactory.adapters.memory.state import MemoryState
from specfactory.errors import SettingError
from specfactory.fetch import FetchStation
from specfactory.fetch.addresses.gate import parse_url
from specfactory.fetch.addresses.logins import read_logins
from specfactory.model import Tier
from specfactory.settings import FetchSettings
from specfactory.testing import DirectReaders, ManualClock, ScriptedFetcher, answer
from tests.fetch_requests import request_to

SECRETS = {"SHOP_SESSION": "s3cret", "SHOP_KEY": "Bearer t0ken"}
SHOP = {
    "host": "shop.example",
    "cookies": {"session": "SHOP_SESSION"},
    "headers": {"Authorization": "SHOP_KEY"},
}
PAGE = answer("<title>Mouse</title>" + "<p>Something about a mouse and its weight. </p>" * 60)


class Desk:
    """A station with logins over a scripted network."""

    def __init__(self, script, logins=(SHOP,), environment=SECRETS):
        self.fetcher = ScriptedFetcher(script)
        clock = ManualClock()
        self.station = FetchStation(
            self.fetcher, MemoryState(clock), clock, FetchSettings(host_delay_seconds=0),
            Random(1), DirectReaders(), logins=read_logins(logins, environment),
        )  # fmt: skip

    async def fetch(self, url):
        return (await self.station.fetch_page(url, Tier.RETAILER)).page

    def shown(self):
        """What each URL was shown that was asked for."""
        return {
            request.url: (request.headers.get("Cookie"), request.headers.get("Authorization"))
            for request in self.fetcher.requests
        }


BOTH, NOTHING = ("session=s3cret", "Bearer t0ken"), (None, None)


async def test_login_goes_to_its_host_and_not_to_robots():
    desk = Desk({"https://shop.example/x": PAGE})
    await desk.fetch("https://shop.example/x")

    assert desk.shown() == {
        "https://shop.example/robots.txt": NOTHING,
        "https://shop.example/x": BOTH,
    }


@pytest.mark.parametrize(
    "elsewhere",
    ["https://evil.example/y", "http://shop.example/y", "https://shop.example:8443/y",
     "https://www.shop.example/y", "https://shop.example.evil.example/y"],
)  # fmt: skip
async def test_login_is_not_shown_to_another_origin_even_on_a_redirect(elsewhere):
    desk = Desk({"https://shop.example/x": answer("", 302, {"location": elsewhere})})
    await desk.fetch("https://shop.example/x")

    assert desk.shown()["https://shop.example/x"] == BOTH
    assert {said for url, said in desk.shown().items() if url == elsewhere} <= {NOTHING}


async def test_login_is_shown_again_when_a_redirect_comes_back():
    desk = Desk({
        "https://shop.example/x": answer("", 302, {"location": "https://sso.example/"}),
        "https://sso.example/": answer("", 302, {"location": "https://shop.example/y"}),
        "https://shop.example/y": PAGE,
    })  # fmt: skip
    await desk.fetch("https://shop.example/x")

    assert desk.shown()["https://sso.example/"] == NOTHING
    assert desk.shown()["https://shop.example/y"] == BOTH


async def test_missing_variable_is_named_before_the_page_is_asked_for():
    desk = Desk({}, environment={"SHOP_KEY": "x"})

    with pytest.raises(SettingError, match="SHOP_SESSION"):
        await desk.fetch("https://shop.example/x")
    assert "https://shop.example/x" not in desk.fetcher.urls
    with pytest.raises(SettingError, match="SHOP_SESSION"):
        read_logins([SHOP], {}).check()


def test_no_secret_is_in_what_can_be_printed():
    logins = read_logins([SHOP], SECRETS)

    assert not any(secret in repr(login) for login in logins for secret in ("s3cret", "t0ken"))


@pytest.mark.parametrize(
    "entry",
    [
        {"cookies": {"a": "SHOP_KEY"}},
        {"host": 7, "cookies": {}},
        {"host": "shop.example"},
        {"host": "shop.example", "cookie": {"a": "SHOP_KEY"}},
        {"host": "shop.example", "cookies": "SHOP_KEY"},
        {"host": "shop.example", "cookies": {"a b": "SHOP_KEY"}},
        {"host": "shop.example", "headers": {"X:": "SHOP_KEY"}},
        {"host": "shop.example", "headers": {"X": 3}},
        {"host": "not a host", "headers": {"X": "SHOP_KEY"}},
    ],
)
def test_malformed_login_is_refused(entry):
    with pytest.raises(SettingError, match=r"fetch\.logins"):
        read_logins([entry], SECRETS)


@pytest.mark.parametrize("value", ["two\r\nX-Lines: 1", "tab\x00", "ünï", " leading"])
def test_value_that_would_break_the_request_is_refused_and_not_shown(value):
    with pytest.raises(SettingError) as refused:
        read_logins([SHOP], {**SECRETS, "SHOP_KEY": value})

    assert value not in str(refused.value)


@pytest.mark.parametrize("written", ["Bearer s3cret", "s3cret-1", "9s3cret"])
def test_secret_in_the_place_of_a_variable_is_refused_and_not_shown(written):
    with pytest.raises(SettingError, match="environment variable") as refused:
        read_logins([{"host": "shop.example", "headers": {"Authorization": written}}], SECRETS)

    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize("value", ["a;b", "a b", 'a"b', "a,b"])
def test_cookie_holds_no_more_than_a_cookie_may(value):
    with pytest.raises(SettingError):
        read_logins([SHOP], {**SECRETS, "SHOP_SESSION": value})


def test_cookies_of_the_login_join_those_that_are_there():
    request = request_to("https://shop.example/x", {"Cookie": "seen=1", "User-Agent": "x"})
    applied = read_logins([SHOP], SECRETS).applied_to(request, parse_url(request.url))

    assert applied.headers["Cookie"] == "seen=1; session=s3cret"
    assert replace(applied, headers=request.headers) == request
