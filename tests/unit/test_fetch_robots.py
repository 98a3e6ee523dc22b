"""What a robots.txt says to us, and when it is asked again."""

import asyncio

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specfactory.adapters.memory.state import MemoryState
from specfactory.fetch.addresses.gate import parse_url
from specfactory.fetch.robots.book import UNREACHABLE_SECONDS, RobotsBook
from specfactory.fetch.robots.rules import Robots, parse_robots, product_token
from specfactory.model import Outcome
from specfactory.testing import DirectReaders, ManualClock, ScriptedFetcher, answer
from tests.fetch_requests import request_to
from tests.yardstick import within

SITE = "http://shop.example"


def allowed(text: str, path: str, agent: str = "specfactory") -> bool:
    return parse_robots(text, agent).allows(SITE + path)


@pytest.mark.parametrize(
    ("rules", "path", "expected"),
    [
        ("Disallow: /", "/x", False),
        ("Disallow:", "/x", True),
        ("Disallow: /a", "/a", False),
        ("Disallow: /a", "/abc", False),
        ("Disallow: /a", "/b/a", True),
        ("Disallow: /a/\nAllow: /a/b", "/a/b/c", True),
        ("Allow: /a\nDisallow: /a", "/a", True),
        ("Allow: /page\nDisallow: /*.htm", "/page.htm", False),
        ("Disallow: /*.pdf$", "/x/y.pdf", False),
        ("Disallow: /*.pdf$", "/x/y.pdf?v=1", True),
        ("Disallow: /a*c*e", "/abcde", False),
        ("Disallow: /a*c*e", "/abde", True),
        ("Disallow: *x$", "/axbx", False),
        ("Disallow: /$", "/", False),
        ("Disallow: /$", "/x", True),
        ("Disallow: /*?", "/search?", False),
        ("Disallow: /*?q=", "/search?q=1", False),
        ("Disallow: /ä", "/%C3%A4bc", False),
        ("Disallow: /%c3%a4", "/%C3%A4bc", False),
        ("Disallow: /a%2Ab", "/a*b", False),
        ("disallow /secret", "/secret", False),
        ("Dissallow: /secret", "/secret", False),
        ("Disallow: /secret # really", "/secret", False),
        ("Disallow: /robots", "/robots.txt", True),
        ("Allow: /docs/index.html\nDisallow: /", "/docs/", True),
        ("Noindex: /", "/x", True),
        ("Disallow: /cash$", "/cash", False),
        ("Disallow: /cash$", "/cash$", False),
        ("Disallow: /cash$", "/cash%24", False),
        ("Disallow: /cash$", "/cash%24%24", True),
        ("Disallow: /cash$", "/cash$x", True),
        ("Disallow: /a*$", "/abc", False),
        ("Disallow: /ab*bc$", "/abc", True),
        ("Allow: /mäuse\nDisallow: /", "/m%C3%A4use", True),
        ("Allow: /mäuse\nDisallow: /", "/mäuse", False),
    ],
)
def test_rules_are_matched_as_the_standard_says(rules, path, expected):
    assert allowed(f"User-agent: *\n{rules}\n", path) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("User-agent: *\nDisallow: /\n\nUser-agent: SpecFactory\nDisallow:\n", True),
        ("User-agent: specfactory\nDisallow: /\n\nUser-agent: *\nDisallow:\n", False),
        ("User-agent: SpecFactory/1.0\nDisallow: /\n", False),
        ("User-agent: SpecFactoryNews\nDisallow: /\n", True),
        ("User-agent: spec*y\nDisallow: /\n", False),
        ("User-agent: spec*tory/2.0 or so\nDisallow: /\n", False),
        ("User-agent: spec*x\nDisallow: /\n", True),
        ("User-agent: spec*tor\nDisallow: /\n", True),
        ("User-agent: other\nUser-agent: specfactory\nDisallow: /\n", False),
        ("User-agent: other\nDisallow: /\nUser-agent: specfactory\nAllow: /\n", True),
        ("User-agent: specfactory\nUser-agent: *\nCrawl-delay: 5\nDisallow: /\n", False),
        ("User-agent: specfactory\nSitemap: http://x/s.xml\nDisallow: /\n", False),
        ("Disallow: /\n", True),
        ("\ufeffUser-agent: *\r\nDisallow: /\r\n", False),
        ("user-agent:*\rdisallow:/\r", False),
        ("<!DOCTYPE html><html>User-agent: *</html>", True),
    ],
)
def test_the_group_that_names_us_holds_and_else_the_one_for_everyone(text, expected):
    assert allowed(text, "/x") is expected


def test_groups_that_name_us_twice_are_one():
    text = "User-agent: specfactory\nDisallow: /a\nUser-agent: x\nDisallow: /\n" \
           "User-agent: specfactory\nDisallow: /b\n"  # fmt: skip

    assert [allowed(text, path) for path in ("/a", "/b", "/c")] == [False, False, True]


def test_delay_and_sitemaps_are_read():
    robots = parse_robots(
        "Sitemap: http://x/1.xml\nUser-agent: *\nCrawl-delay: 2.5\nUser-agent: a\n"
        "Crawl-delay: 9\nDisallow: /\nsite-map: http://x/2.xml\n", "specfactory"
    )  # fmt: skip

    assert robots.crawl_delay_seconds == 2.5
    assert robots.sitemaps == ("http://x/1.xml", "http://x/2.xml")


@pytest.mark.parametrize("written", ["soon", "-1", "nan", "inf", ""])
def test_delay_that_makes_no_sense_is_none(written):
    text = f"User-agent: *\nCrawl-delay: {written}\n"

    assert parse_robots(text, "specfactory").crawl_delay_seconds == 0


def test_delay_of_weeks_is_a_delay():
    robots = parse_robots("User-agent: *\nCrawl-delay: 999999\n", "specfactory")

    assert robots.crawl_delay_seconds == 999_999


def test_we_are_addressed_by_our_name_without_version():
    assert product_token("SpecFactory/0.1 (+https://example.com)") == "specfactory"
    assert product_token("Mozilla/5.0 (compatible; SpecFactory/0.1; +x)") == "specfactory"
    assert product_token("Mozilla/5.0 (compatible; Fäbrik-bot)") == "fäbrik-bot"
    assert product_token("Mozilla/5.0 (X11; Linux)") == "mozilla"
    assert product_token("") == ""


def test_hostile_pattern_is_matched_quickly():
    text = "User-agent: *\nDisallow: /" + "*a" * 500 + "b$\n"

    with within(yards=15):
        assert allowed(text, "/" + "a" * 3000)


@pytest.mark.parametrize(
    "text",
    ["\n" * 500_000, "User-agent: *\nAllow: " + "/index.htm" * 5_000, "\r\n" * 250_000],
    ids=["empty lines", "one index below another", "line ends"],
)
def test_hostile_text_is_read_quickly(text):
    with within(yards=5):
        assert parse_robots(text, "specfactory").allows("https://site.example/a")


LINES = st.sampled_from(
    ["User-agent: *", "User-agent: specfactory", "Disallow: /", "Allow: /a*b$", "Disallow: /%zz",
     "Crawl-delay: x", "\x00", "Sitemap:", "Disallow: $", "Allow: *", ":", "#"]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(LINES | st.text(max_size=30)), st.text(max_size=30))
def test_any_text_is_read_and_kept_without_loss(lines, path):
    robots = parse_robots("\n".join(lines), "specfactory")

    kept = msgspec.convert(msgspec.json.decode(msgspec.json.encode(robots)), Robots)
    assert kept == robots
    assert kept.allows(SITE + "/" + path) in (True, False)


class Desk:
    """A robots book over a scripted network."""

    def __init__(self, script, hours=24.0):
        self.clock = ManualClock()
        self.fetcher = ScriptedFetcher(script)
        self.state = MemoryState(self.clock)
        self.hours = hours
        self.book = self.new_book()

    def new_book(self) -> RobotsBook:
        async def ask(url):
            await asyncio.sleep(0)  # as a network does: let others have their turn
            return await self.fetcher.fetch(request_to(url, max_redirects=5))

        return RobotsBook(self.state, self.clock, "SpecFactory/1", self.hours, ask, DirectReaders())

    async def ask(self, path="/x"):
        return await self.book.answer_for(parse_url(SITE + path))


ROBOTS = SITE + "/robots.txt"
CLOSED = answer("User-agent: *\nDisallow: /\n")


async def test_robots_is_asked_once_and_again_when_it_has_aged():
    desk = Desk({ROBOTS: CLOSED})
    for _ in range(3):
        await desk.ask()
    desk.clock.advance(23.9 * 3600)
    await desk.ask()
    assert len(desk.fetcher.urls) == 1

    desk.clock.advance(0.2 * 3600)
    await desk.ask()
    assert len(desk.fetcher.urls) == 2


async def test_robots_is_shared_with_other_workers():
    desk = Desk({ROBOTS: CLOSED})
    await desk.ask()
    desk.book = desk.new_book()

    assert not (await desk.ask()).robots.allows(SITE + "/x")
    assert len(desk.fetcher.urls) == 1


async def test_many_who_ask_at_once_cause_one_request():
    desk = Desk({ROBOTS: CLOSED})

    await asyncio.gather(*(desk.ask() for _ in range(20)))
    assert len(desk.fetcher.urls) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
async def test_missing_robots_allows_everything(status):
    desk = Desk({ROBOTS: answer("User-agent: *\nDisallow: /", status)})

    assert (await desk.ask()).robots.allows(SITE + "/x")
    assert (await desk.ask()).failure is None


@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        (answer("", 500), Outcome.NETWORK_ERROR),
        (answer("", 503), Outcome.MAINTENANCE),
        (answer("", 429), Outcome.RATE_LIMITED),
        (answer(failure=Outcome.TIMEOUT, detail="slow"), Outcome.TIMEOUT),
        (answer(failure=Outcome.DNS_FAILURE, detail="no name"), Outcome.DNS_FAILURE),
        (answer("", failure=Outcome.TOO_LARGE, detail="a long header"), Outcome.TOO_LARGE),
    ],
)
async def test_unreachable_robots_forbids_everything_for_a_while(given, outcome):
    desk = Desk({ROBOTS: [given, answer("", 404)]})

    first = await desk.ask()
    assert first.failure.outcome is outcome
    assert first.failure.evidence.startswith("robots.txt")
    assert (await desk.ask()).failure.outcome is outcome
    desk.clock.advance(UNREACHABLE_SECONDS + 1)
    assert (await desk.ask()).failure is None


async def test_robots_is_followed_over_five_redirects_and_then_counts_as_missing():
    near = {f"{SITE}/{n}": answer("", 302, {"location": f"/{n + 1}"}) for n in range(9)}
    near[ROBOTS] = answer("", 301, {"location": "/5"})
    near[f"{SITE}/9"] = CLOSED
    far = {**near, ROBOTS: answer("", 301, {"location": "/1"})}

    assert not (await Desk(near).ask()).robots.allows(SITE + "/x")
    assert (await Desk(far).ask()).robots.allows(SITE + "/x")


async def test_robots_longer_than_the_limit_counts_as_far_as_it_was_read():
    begun = answer(CLOSED.body)
    cut = type(begun)("", "", 200, {}, begun.body, failure=Outcome.TOO_LARGE, failure_detail="big")

    assert not (await Desk({ROBOTS: cut}).ask()).robots.allows(SITE + "/x")


async def test_last_good_robots_holds_while_the_server_ails_and_is_asked_for_again():
    desk = Desk({ROBOTS: [CLOSED, answer("", 503), answer("", 503), answer("")]})
    await desk.ask()
    desk.clock.advance(25 * 3600)

    assert not (await desk.ask()).robots.allows(SITE + "/x")
    desk.clock.advance(UNREACHABLE_SECONDS + 1)
    assert not (await desk.ask()).robots.allows(SITE + "/x")
    desk.clock.advance(UNREACHABLE_SECONDS + 1)
    assert (await desk.ask()).robots.allows(SITE + "/x")
    assert len(desk.fetcher.urls) == 4


async def test_robots_that_nobody_could_read_for_a_month_forbids_no_more():
    desk = Desk({ROBOTS: answer("", 500)})
    await desk.ask()
    desk.clock.advance(29 * 86_400)
    assert (await desk.ask()).failure.outcome is Outcome.NETWORK_ERROR

    desk.clock.advance(2 * 86_400)
    assert (await desk.ask()).failure is None


async def test_month_begins_anew_when_robots_was_read_in_between():
    desk = Desk({ROBOTS: [answer("", 500), CLOSED, answer("", 500)]})
    await desk.ask()
    desk.clock.advance(29 * 86_400)
    await desk.ask()
    desk.clock.advance(29 * 86_400)

    assert not (await desk.ask()).robots.allows(SITE + "/x")
