"""The station on the ladder, and hosts that are treated in a special way."""

from dataclasses import replace
from random import Random

import pytest

from specfactory.adapters.memory.state import MemoryState
from specfactory.fetch import FetchStation
from specfactory.fetch.ladder.ways import Ways
from specfactory.fetch.proxies.pool import ProxyPool
from specfactory.model import Cause, HostCare, Outcome, Rung, Tier
from specfactory.model.proxy import Proxy
from specfactory.settings import FetchSettings
from specfactory.store import HostPolicies
from specfactory.testing import DirectReaders, ManualClock, ScriptedBrowser, ScriptedFetcher, answer

SITE = "https://shop.example"
URL = SITE + "/mice/viper"
WORDS = "<p>Weight: 54 g, and more to say. </p>" * 100
PAGE = f"<title>Viper</title><h1>Viper</h1>{WORDS}"
SHELL = "<title>Viper</title><div id=root></div><script src=/app.js></script>"
AWAY = "https://other.example/"
BLOCKED = answer("<title>Access denied</title>", 403)
PROXY = Proxy("http://u:s3cret@proxy.example:8080", "proxy.example:8080")
OTHER = Proxy("http://other.example:8080", "other.example:8080")


def rendered(dom: str = PAGE, body: str = SHELL):
    return replace(answer(body), dom=dom.encode())


class TreatedHosts(HostPolicies):
    """Policies whose remedies a test sets."""

    def __init__(self, state, clock, cares):
        super().__init__(state, clock)
        self.cares = cares

    async def of(self, host):
        return replace(await super().of(host), care=self.cares.get(host, HostCare()))


class Desk:
    """A station over scripted ways to the network."""

    def __init__(self, http=None, browser=None, proxies=(), care=None, **settings):
        self.clock = ManualClock()
        self.state = MemoryState(self.clock)
        self.http = ScriptedFetcher(http or {})
        self.browser = ScriptedBrowser(browser) if browser is not None else None
        self.cares = {"shop.example": care or HostCare()}
        self.policies = TreatedHosts(self.state, self.clock, self.cares)
        pool = ProxyPool(proxies, self.state, self.clock, Random(2)) if proxies else None
        self.ways = Ways(self.http, self.browser, 45.0, "no browser is installed", pool)
        self.station = FetchStation(
            self.ways, self.state, self.clock, FetchSettings(**settings), Random(1),
            DirectReaders(), policies=self.policies,
        )  # fmt: skip

    async def fetch(self, url=URL, previous=None):
        return await self.station.fetch_page(url, Tier.RETAILER, previous)

    def asked(self):
        return [request for request in self.http.requests if "robots" not in request.url]


async def test_policy_says_which_page_needed_a_higher_rung_and_why():
    desk = Desk({URL: answer(SHELL)}, {URL: rendered()})
    await desk.fetch()

    climb = desk.policies.last_climb("shop.example")
    assert climb.url == URL
    assert (climb.began, climb.reached) == (Rung.HTTP, Rung.BROWSER)
    assert (climb.outcome, climb.status) == (Outcome.JS_REQUIRED, 200)


async def test_a_page_that_came_at_once_or_not_at_all_is_no_climb():
    desk = Desk({URL: answer(PAGE), SITE + "/b": BLOCKED}, {SITE + "/b": BLOCKED})
    await desk.fetch()
    await desk.fetch(SITE + "/b")

    assert desk.policies.last_climb("shop.example") is None


async def test_page_that_needs_scripts_is_opened_in_the_browser_after_a_turn_of_its_own():
    desk = Desk({URL: answer(SHELL)}, {URL: rendered()})
    fetched = await desk.fetch()

    assert (fetched.page.outcome, fetched.page.rung) == (Outcome.OK, Rung.BROWSER)
    assert (fetched.body, fetched.response) == (PAGE.encode(), SHELL.encode())
    assert fetched.page.response_hash != fetched.page.content_hash
    assert (fetched.page.media_type, fetched.page.charset) == ("text/html", "utf-8")
    assert desk.clock.slept == [2, 2]  # after robots.txt, and before the browser
    assert desk.browser.requests[0].timeout_seconds == 45


async def test_browser_that_crashes_is_how_the_page_ends_and_a_dead_proxy_is_not():
    crash = answer(
        failure=Outcome.NETWORK_ERROR, detail="browser crashed", cause=Cause.BROWSER_CRASHED
    )
    dead = answer(failure=Outcome.NETWORK_ERROR, detail="proxy: no connection", cause=Cause.PROXY)
    crashed = (await Desk({URL: answer(SHELL)}, {URL: crash}).fetch()).page
    blocked = (await Desk({URL: [BLOCKED, dead]}, None, [PROXY]).fetch()).page

    assert (crashed.outcome_evidence, crashed.rung) == ("browser crashed", Rung.BROWSER)
    assert (blocked.outcome, blocked.rung) == (Outcome.BLOCKED, Rung.HTTP)


async def test_page_that_failed_while_its_host_came_under_another_treatment_is_tried_under_it():
    broken = answer(failure=Outcome.NETWORK_ERROR, detail="broken gzip")
    desk = Desk({URL: [broken, answer(PAGE)]})

    async def changing(request, _given=desk.http.fetch):
        answered = await _given(request)
        if request.url == URL:
            desk.cares["shop.example"] = HostCare(plain=True)
        return answered

    desk.http.fetch = changing
    page = (await desk.fetch()).page

    assert page.outcome is Outcome.OK
    assert [r.headers.get("Accept-Encoding") for r in desk.asked()] == [None, "identity"]


async def test_page_that_waited_for_its_turn_is_not_asked_for_when_its_host_is_paused_meanwhile():
    desk = Desk({URL: answer(PAGE)})
    paused = HostCare(paused_until=desk.clock.now() + 90_000, paused_for="rate_limited")

    async def changing(request, _given=desk.http.fetch):
        desk.cares["shop.example"] = paused
        return await _given(request)

    desk.http.fetch = changing  # robots.txt is asked for first
    page = (await desk.fetch()).page

    assert (page.outcome, desk.asked()) == (Outcome.RATE_LIMITED, [])
    assert page.outcome_evidence.startswith("paused: rate_limited")


async def test_page_is_read_in_the_charset_that_was_found_out_while_it_was_fetched():
    desk = Desk({URL: answer(PAGE)})

    async def changing(request, _given=desk.http.fetch):
        desk.cares["shop.example"] = HostCare(charset="windows-1251")
        return await _given(request)

    desk.http.fetch = changing

    assert (await desk.fetch()).page.charset == "windows-1251"


async def test_host_is_soon_begun_with_the_browser():
    desk = Desk({URL: answer(SHELL)}, {URL: rendered()})
    for _ in range(6):
        assert (await desk.fetch()).page.outcome is Outcome.OK

    assert len(desk.browser.urls) == 6
    assert len(desk.asked()) <= 3


async def test_what_would_be_needed_is_said_when_it_is_not_there():
    desk = Desk({URL: answer(SHELL), SITE + "/blocked": BLOCKED})
    shell, blocked = await desk.fetch(), await desk.fetch(SITE + "/blocked")

    assert shell.page.outcome is Outcome.JS_REQUIRED
    said = "a browser might help, but no browser is installed"
    assert shell.page.outcome_evidence.endswith(said)
    said = "a proxy might help, but the settings name no proxies"
    assert blocked.page.outcome_evidence.endswith(said)


async def test_blocked_page_goes_up_rung_by_rung_each_once():
    desk = Desk({URL: BLOCKED}, {URL: [BLOCKED, rendered()]}, [PROXY, OTHER])
    fetched = await desk.fetch()

    ways = [bool(request.proxy) for request in (*desk.asked(), *desk.browser.requests)]
    assert ways == [False, True, False, True]
    assert (fetched.page.outcome, fetched.page.rung) == (Outcome.OK, Rung.BROWSER_PROXY)
    first, second = desk.asked()[1].proxy, desk.browser.requests[1].proxy
    assert {first, second} == {PROXY.url, OTHER.url}  # the one that was blocked is not used again
    assert fetched.page.proxy in (PROXY.place, OTHER.place)
    assert "s3cret" not in repr(fetched)


async def test_page_that_is_blocked_on_all_rungs_teaches_nothing():
    desk = Desk({URL: [BLOCKED, BLOCKED, answer(PAGE)]}, {URL: BLOCKED}, [PROXY])
    blocked = await desk.fetch()
    again = await desk.fetch()

    assert blocked.page.outcome is Outcome.BLOCKED
    assert (again.page.outcome, again.page.rung) == (Outcome.OK, Rung.HTTP)


@pytest.mark.parametrize(
    "given",
    [answer("gone", 404), answer(failure=Outcome.DNS_FAILURE), answer(failure=Outcome.TIMEOUT),
     answer("", 429), answer("busy", 503)],
)  # fmt: skip
async def test_other_ends_do_not_go_up(given):
    desk = Desk({URL: given}, {URL: rendered()}, [PROXY])
    fetched = await desk.fetch()

    assert fetched.page.rung is Rung.HTTP
    assert desk.browser.urls == []
    assert len(desk.asked()) == 1


async def test_breaker_that_opens_on_the_way_up_does_not_hide_what_the_server_said():
    desk = Desk({f"{SITE}/{n}": BLOCKED for n in range(9)}, {})
    pages = [(await desk.fetch(f"{SITE}/{n}")).page for n in range(3)]

    assert {page.outcome for page in pages} <= {Outcome.BLOCKED, Outcome.NOT_FOUND}


async def test_browser_that_shows_nothing_either_gives_an_empty_page():
    desk = Desk({URL: answer(SHELL)}, {URL: rendered(dom=SHELL)})

    assert (await desk.fetch()).page.outcome is Outcome.EMPTY


async def test_browsers_page_is_not_asked_for_conditionally():
    etag = {"etag": '"v1"', "content-type": "text/html"}
    desk = Desk({URL: answer(SHELL, headers=etag)}, {URL: rendered()})
    first = (await desk.fetch()).page
    first = replace(first, headers=etag)
    await desk.fetch(previous=first)

    for request in (*desk.http.requests, *desk.browser.requests):
        assert "If-None-Match" not in request.headers


async def test_proxy_that_fails_for_itself_is_replaced_once():
    broken = answer(failure=Outcome.NETWORK_ERROR, detail="proxy: no connection", cause=Cause.PROXY)

    desk = Desk({URL: [BLOCKED, broken, answer(PAGE)]}, None, [PROXY, OTHER])
    fetched = await desk.fetch()

    assert (fetched.page.outcome, fetched.page.rung) == (Outcome.OK, Rung.HTTP_PROXY)
    assert len(desk.asked()) == 3


async def test_robots_and_sitemaps_have_another_proxy_too_and_the_pool_learns_of_it():
    dead = answer(failure=Outcome.NETWORK_ERROR, detail="proxy: no connection", cause=Cause.PROXY)
    sitemap = SITE + "/sitemap.xml"
    script = {SITE + "/robots.txt": [dead, answer("User-agent: *\nAllow: /")],
              sitemap: [dead, answer("<urlset/>")]}  # fmt: skip
    desk = Desk(script, None, [PROXY, OTHER], HostCare(rung=Rung.HTTP_PROXY, timeout_factor=2))
    response = await desk.station.fetch_support(sitemap)
    known = [desk.ways.proxies.health(proxy) for proxy in (PROXY, OTHER)]

    assert response.status == 200
    assert len(desk.http.requests) == 4
    assert {request.timeout_seconds for request in desk.http.requests} == {60}
    assert sum(health.score < 1 for health in known) >= 1


async def test_page_that_was_not_asked_for_is_not_held_against_the_proxy():
    script = {SITE + "/robots.txt": answer(failure=Outcome.TIMEOUT, detail="no answer")}
    desk = Desk(script, None, [PROXY], HostCare(rung=Rung.HTTP_PROXY))
    for _ in range(5):
        assert (await desk.fetch()).page.outcome is Outcome.TIMEOUT

    assert len(desk.http.requests) == 1
    assert desk.ways.proxies.health(PROXY).cooldowns["shop.example"].failures == 1


async def test_proxies_that_all_rest_are_done_without():
    desk = Desk({URL: answer(PAGE)}, None, [PROXY], HostCare(rung=Rung.HTTP_PROXY))
    await desk.ways.proxies.rest(PROXY, "tired")
    fetched = await desk.fetch()

    assert (fetched.page.outcome, fetched.page.rung) == (Outcome.OK, Rung.HTTP)


async def test_care_asks_for_a_rung_and_robots_goes_through_the_proxy_too():
    desk = Desk({URL: answer(PAGE)}, {}, [PROXY], HostCare(rung=Rung.HTTP_PROXY))
    fetched = await desk.fetch()

    assert fetched.page.rung is Rung.HTTP_PROXY
    assert {request.proxy for request in desk.http.requests} == {PROXY.url}
    assert len(desk.http.requests) == 2


async def test_care_makes_time_outs_longer_answers_plain_and_requests_rarer():
    care = HostCare(timeout_factor=3, plain=True, delay_seconds=9)
    desk = Desk({URL: answer(PAGE)}, care=care, timeout_seconds=10)
    await desk.fetch()
    await desk.fetch()

    assert [request.timeout_seconds for request in desk.asked()] == [30, 30]
    assert desk.asked()[0].headers["Accept-Encoding"] == "identity"
    assert desk.clock.slept[-1] == 9


async def test_paused_host_is_not_asked():
    clock = ManualClock()
    care = HostCare(paused_until=clock.now() + 90_000, paused_for="dns_failure")
    desk = Desk({URL: answer(PAGE)}, care=care)
    paused = (await desk.fetch()).page
    support = await desk.station.fetch_support(SITE + "/sitemap.xml")

    assert (paused.outcome, paused.outcome_evidence) == (
        Outcome.DNS_FAILURE, "paused: dns_failure; next try in 90 s",
    )  # fmt: skip
    assert (support.failure, desk.http.requests) == (Outcome.DNS_FAILURE, [])
    desk.clock.advance(91)
    assert (await desk.fetch()).page.outcome is Outcome.OK


@pytest.mark.parametrize(
    ("diagnosis", "outcome"),
    [("rate_limited", Outcome.RATE_LIMITED), ("soft_block", Outcome.BLOCKED),
     ("slow_host", Outcome.TIMEOUT), ("tls_failure", Outcome.NETWORK_ERROR),
     ("login_wall", Outcome.LOGIN_REQUIRED), ("", Outcome.NETWORK_ERROR)],
)  # fmt: skip
async def test_paused_host_ends_pages_by_what_it_is_paused_for(diagnosis, outcome):
    care = HostCare(paused_until=ManualClock().now() + 1000, paused_for=diagnosis)

    assert (await Desk(care=care).fetch()).page.outcome is outcome


async def test_page_of_a_host_that_moved_is_asked_for_where_it_is_now():
    care = HostCare(moved_to="new.example:8443")
    desk = Desk({"https://new.example:8443/mice/viper?a=1": answer(PAGE)}, care=care)
    page = (await desk.fetch(URL + "?a=1")).page

    assert (page.outcome, page.url) == (Outcome.OK, URL + "?a=1")
    assert (page.final_url, page.host) == (
        "https://new.example:8443/mice/viper?a=1", "new.example:8443",
    )  # fmt: skip


async def test_cookies_of_a_chain_are_sent_back_only_where_care_asks_for_it_and_to_their_origin():
    def gate(request):
        if "seen=1" in request.headers.get("Cookie", ""):
            return answer(PAGE)
        cookies = "seen=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT; Path=/, lang=en; HttpOnly"
        return answer("", 302, {"location": "/check", "set-cookie": cookies})

    script = {
        URL: gate, SITE + "/check": answer("", 302, {"location": URL}),
        SITE + "/away": answer("", 302, {"location": AWAY, "set-cookie": "a=b"}),
        AWAY: answer(PAGE),
    }  # fmt: skip
    without, desk = Desk(script), Desk(script, care=HostCare(keep_cookies=True))
    looping, page = (await without.fetch()).page, (await desk.fetch()).page
    await desk.fetch(SITE + "/away")

    assert "circle" in looping.outcome_evidence
    assert page.outcome is Outcome.OK
    assert desk.asked()[2].headers["Cookie"] == "seen=1; lang=en"
    assert "Cookie" not in desk.asked()[-1].headers
    assert "set-cookie" not in page.headers


async def test_browser_takes_the_cookies_of_a_redirect_along_as_browsers_do():
    moved = answer("", 302, {"location": URL, "set-cookie": "seen=1"})
    desk = Desk({}, {URL: [moved, rendered()]}, care=HostCare(rung=Rung.BROWSER))
    page = (await desk.fetch()).page

    assert page.outcome is Outcome.OK
    assert [request.headers.get("Cookie") for request in desk.browser.requests] == [None, "seen=1"]


async def test_ten_thousand_cookies_are_not_kept():
    many = ", ".join(f"c{n}={'x' * 100}" for n in range(10_000))
    script = {
        URL: answer("", 302, {"location": "/b", "set-cookie": many}),
        SITE + "/b": answer(PAGE),
    }
    desk = Desk(script, care=HostCare(keep_cookies=True))
    page = (await desk.fetch()).page

    assert page.outcome is Outcome.OK
    assert len(desk.asked()[1].headers["Cookie"]) < 10_000


async def test_pages_that_are_written_otherwise_than_they_say_are_read_so():
    desk = Desk({URL: answer(PAGE)}, care=HostCare(charset="windows-1251"))

    assert (await desk.fetch()).page.charset == "windows-1251"
