"""The fetch station: one page in, with its outcome, whatever the web does."""

from dataclasses import replace
from random import Random

import pytest

from specfactory.adapters.memory.state import MemoryState
from specfactory.fetch import FetchStation
from specfactory.model import Outcome, Tier
from specfactory.settings import FetchSettings
from specfactory.testing import DirectReaders, ManualClock, ScriptedFetcher, answer

SITE = "https://shop.example"
URL = SITE + "/mice/viper"
PAGE = "<title>Viper</title><h1>Viper</h1>" + "<p>Weight: 54 g, and more to say. </p>" * 100


class Desk:
    """A station over a scripted network."""

    def __init__(self, script=None, **settings):
        self.clock = ManualClock()
        self.fetcher = ScriptedFetcher(script or {URL: answer(PAGE)})
        self.state = MemoryState(self.clock)
        self.station = FetchStation(
            self.fetcher, self.state, self.clock, FetchSettings(**settings), Random(1),
            DirectReaders(),
        )  # fmt: skip

    async def fetch(self, url=URL, previous=None):
        fetched = await self.station.fetch_page(url, Tier.RETAILER, previous)
        return fetched.page, fetched.body


async def test_page_carries_what_is_needed_to_prove_it_later():
    desk = Desk({URL: answer(PAGE, headers={"content-type": "text/html; charset=UTF-8"})})
    page, body = await desk.fetch()

    assert body == PAGE.encode()
    assert (page.outcome, page.status, page.host, page.tier) == (
        Outcome.OK, 200, "shop.example", Tier.RETAILER,
    )  # fmt: skip
    assert (page.media_type, page.charset, page.size_bytes) == ("text/html", "utf-8", len(body))
    assert len(page.content_hash) == 64
    assert page.fetched_at == desk.clock.now()


async def test_ids_are_different_ordered_by_time_and_repeatable():
    def desk():
        return Desk(host_delay_seconds=0)

    one, other = desk(), desk()
    first, second = [(await one.fetch())[0].id for _ in range(2)]
    one.clock.advance(1)
    third = (await one.fetch())[0].id

    assert first == (await other.fetch())[0].id
    assert len({first, second, third}) == 3
    assert third > max(first, second)


async def test_robots_is_asked_first_and_requests_are_apart():
    desk = Desk()
    await desk.fetch()
    await desk.fetch()

    assert desk.fetcher.urls == [SITE + "/robots.txt", URL, URL]
    assert desk.clock.slept == [2, 2]
    assert {r.headers["User-Agent"] for r in desk.fetcher.requests} == {FetchSettings().user_agent}


async def test_page_that_robots_forbids_is_refused_with_the_rule():
    desk = Desk(
        {SITE + "/robots.txt": answer("User-agent: *\nDisallow: /mice/"), URL: answer(PAGE)}
    )
    page, body = await desk.fetch()

    assert (page.outcome, body) == (Outcome.REFUSED, b"")
    assert page.outcome_evidence == "robots.txt forbids it: Disallow: /mice/"
    assert URL not in desk.fetcher.urls


async def test_robots_can_be_disregarded_by_the_operator():
    desk = Desk(
        {SITE + "/robots.txt": answer("User-agent: *\nDisallow: /"), URL: answer(PAGE)},
        respect_robots=False,
    )

    assert (await desk.fetch())[0].outcome is Outcome.OK
    assert desk.fetcher.urls == [URL]


async def test_crawl_delay_is_honoured():
    desk = Desk({SITE + "/robots.txt": answer("User-agent: *\nCrawl-delay: 7"), URL: answer(PAGE)})
    await desk.fetch()
    await desk.fetch()

    assert desk.clock.slept == [2, 7]


async def test_page_ends_like_the_robots_file_that_cannot_be_had():
    failure = answer(failure=Outcome.DNS_FAILURE, detail="no such name")
    desk = Desk({SITE + "/robots.txt": failure, URL: answer(PAGE)})
    page, _ = await desk.fetch()

    assert page.outcome is Outcome.DNS_FAILURE
    assert page.outcome_evidence == "robots.txt: no such name"


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/", "http://169.254.169.254/", "file:///etc/passwd", "nonsense", ""]
)
async def test_what_the_gate_refuses_is_a_page_without_a_request(url):
    desk = Desk()
    page, body = await desk.fetch(url)

    assert (page.outcome, body) == (Outcome.REFUSED, b"")
    assert page.outcome_evidence.startswith("gate: ")
    assert desk.fetcher.urls == []


async def test_redirects_are_followed_with_robots_and_turns_of_each_host():
    other = "https://other.example"
    desk = Desk({
        URL: answer("", 301, {"location": "/new"}),
        SITE + "/new": answer("", 302, {"location": other + "/x"}),
        other + "/x": answer(PAGE),
    })  # fmt: skip
    page, _ = await desk.fetch()

    assert page.outcome is Outcome.OK
    assert (page.url, page.final_url, page.host) == (URL, other + "/x", "other.example")
    assert page.headers[":redirects"] == f"{SITE}/new {other}/x"
    assert desk.fetcher.urls == [
        SITE + "/robots.txt", URL, SITE + "/new", other + "/robots.txt", other + "/x",
    ]  # fmt: skip


async def test_redirect_to_where_robots_forbids_is_not_followed():
    desk = Desk({
        SITE + "/robots.txt": answer("User-agent: *\nDisallow: /private"),
        URL: answer("", 301, {"location": "/private/x"}),
        SITE + "/private/x": answer(PAGE),
    })  # fmt: skip

    assert (await desk.fetch())[0].outcome_evidence.startswith("robots.txt forbids")
    assert SITE + "/private/x" not in desk.fetcher.urls


@pytest.mark.parametrize("location", ["http://10.0.0.1/", "file:///etc/passwd", "http://[::1]/"])
async def test_redirect_to_an_inner_place_is_refused(location):
    desk = Desk({URL: answer("", 302, {"location": location})})
    page, _ = await desk.fetch()

    assert page.outcome is Outcome.REFUSED
    assert page.outcome_evidence.startswith("gate: ")


async def test_passwords_that_a_server_sends_are_not_kept():
    secret = "https://ann:s3cret@other.example/x"
    headers = {"location": secret, "link": f"<{secret}>; rel=canonical"}
    page, _ = await Desk({URL: answer("", 302, headers)}).fetch()

    assert page.outcome is Outcome.REFUSED
    assert "s3cret" not in repr(page)


async def test_redirects_in_a_circle_or_without_end_are_given_up():
    circle = Desk(
        {URL: answer("", 302, {"location": "/b"}), SITE + "/b": answer("", 302, {"location": URL})}
    )
    endless = {f"{SITE}/{n}": answer("", 302, {"location": f"/{n + 1}"}) for n in range(30)}

    assert "circle" in (await circle.fetch())[0].outcome_evidence
    page, _ = await Desk(endless).fetch(SITE + "/0")
    assert (page.outcome, page.outcome_evidence) == (Outcome.NETWORK_ERROR, "more than 5 redirects")


async def test_known_page_is_asked_for_only_if_it_changed():
    validators = {"etag": '"v1"', "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT"}
    desk = Desk({URL: [answer(PAGE, headers=validators), answer("", 304)]})
    first, _ = await desk.fetch()
    second, body = await desk.fetch(previous=first)

    sent = desk.fetcher.requests[-1].headers
    assert sent["If-None-Match"] == '"v1"'
    assert sent["If-Modified-Since"] == validators["last-modified"]
    assert (second.outcome, body) == (Outcome.NOT_MODIFIED, b"")
    assert second.content_hash == first.content_hash
    assert second.confirmed_at == desk.clock.now()


@pytest.mark.parametrize("etag", ['"a\x01b"', '"größe"', '"a\udc80"', '"' + "z" * 3000 + '"'])
async def test_validator_that_no_request_can_hold_is_not_sent_back(etag):
    desk = Desk({URL: answer(PAGE, headers={"etag": etag})})
    first, _ = await desk.fetch()
    again, _ = await desk.fetch(previous=first)

    assert "If-None-Match" not in desk.fetcher.requests[-1].headers
    assert again.outcome is Outcome.OK


async def test_condition_goes_only_to_the_url_whose_body_is_known():
    desk = Desk({URL: answer("", 302, {"location": "/new"}),
                 SITE + "/new": answer(PAGE, headers={"etag": '"v1"'})})  # fmt: skip
    first, _ = await desk.fetch()
    desk.fetcher.requests.clear()
    await desk.fetch(previous=first)

    assert ["If-None-Match" in r.headers for r in desk.fetcher.requests] == [False, True]


async def test_page_without_a_stored_body_is_asked_for_in_full():
    desk = Desk()
    first, _ = await desk.fetch()
    await desk.fetch(previous=replace(first, content_hash="", headers={"etag": '"v1"'}))

    assert "If-None-Match" not in desk.fetcher.requests[-1].headers


async def test_private_headers_are_not_kept():
    headers = {"set-cookie": "session=s3cret", "www-authenticate": "x", "x-long": "y" * 9000}
    page, _ = await Desk({URL: answer(PAGE, headers=headers)}).fetch()

    assert "s3cret" not in str(page)
    assert len(page.headers["x-long"]) == 2000


async def test_body_of_a_wall_is_kept_as_evidence_and_binary_is_not():
    wall = Desk({URL: answer("<title>Robot check</title>", 403)})
    picture = Desk({URL: answer(b"\x89PNG", headers={"content-type": "image/png"})})

    page, body = await wall.fetch()
    assert (page.outcome, body) == (Outcome.CAPTCHA, b"<title>Robot check</title>")
    page, body = await picture.fetch()
    assert (page.outcome, body, page.content_hash) == (Outcome.REFUSED, b"", "")
    assert page.outcome_evidence == "not a page but image/png"


async def test_host_that_asked_for_a_pause_gets_it():
    desk = Desk({URL: [answer("", 429, {"retry-after": "600"}), answer(PAGE)]})

    assert (await desk.fetch())[0].outcome is Outcome.RATE_LIMITED
    page, _ = await desk.fetch()
    assert (page.outcome, page.status) == (Outcome.RATE_LIMITED, 0)
    assert len(desk.fetcher.urls) == 2
    desk.clock.advance(600)
    assert (await desk.fetch())[0].outcome is Outcome.OK


async def test_host_that_keeps_failing_is_left_alone_for_a_while():
    failing = [answer(failure=Outcome.TIMEOUT, detail="slow")] * 5
    desk = Desk({URL: [*failing, answer(PAGE)]})
    for _ in range(5):
        await desk.fetch()

    page, _ = await desk.fetch()
    assert page.outcome is Outcome.REFUSED
    assert page.outcome_evidence.startswith("breaker")
    desk.clock.advance(61)
    assert (await desk.fetch())[0].outcome is Outcome.OK


async def test_support_files_pass_the_same_gate_and_robots():
    desk = Desk({SITE + "/robots.txt": answer("User-agent: *\nDisallow: /search"),
                 SITE + "/sitemap.xml": answer("<urlset/>")})  # fmt: skip

    assert (await desk.station.fetch_support(SITE + "/sitemap.xml")).status == 200
    assert (await desk.station.fetch_support(SITE + "/search?q=x")).failure is Outcome.REFUSED
    assert (await desk.station.fetch_support("http://10.0.0.1/")).failure is Outcome.REFUSED


@pytest.mark.parametrize(
    ("url", "host"),
    [(URL, "shop.example"), ("http://a.localhost:8601/x", "a.localhost:8601"), ("nonsense", ""),
     ("https://Shop.example:443/", "shop.example")],
)  # fmt: skip
def test_host_of_a_url_is_written_as_sources_write_it(url, host):
    assert Desk().station.host_of(url) == host


async def test_timeout_covers_the_whole_chain():
    def slow(request):
        return replace(answer("", 302, {"location": "/b"}), timings_ms={"ttfb": 4000.0})

    desk = Desk({URL: slow, SITE + "/b": answer(PAGE)}, timeout_seconds=10)
    await desk.fetch()

    assert desk.fetcher.requests[-1].timeout_seconds == 6


async def test_a_password_in_an_address_is_not_kept():
    page, _ = await Desk().fetch("https://ann:s3cret@shop.example/mice")

    assert page.outcome is Outcome.REFUSED
    assert page.url == "https://…@shop.example/mice"
    assert "s3cret" not in repr(page)


async def test_a_page_that_is_timed_begins_with_its_own_connection():
    desk = Desk({SITE + "/robots.txt": answer("", status=404), URL: answer(PAGE)})

    await desk.station.start_afresh(URL)

    assert [request.url for request in desk.fetcher.requests] == [SITE + "/robots.txt"]
    await desk.fetch()
    assert [request.url for request in desk.fetcher.requests][1:] == [URL]
