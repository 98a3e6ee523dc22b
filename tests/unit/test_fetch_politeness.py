"""Turns at a host: how far apart, and when there is none."""

import asyncio
from dataclasses import replace

import pytest

from specfactory.adapters.memory.state import MemoryState
from specfactory.fetch.politeness import BreakerRule, Politeness
from specfactory.fetch.politeness.request_limits import retry_after_seconds
from specfactory.hosts import domain_of
from specfactory.model import FetchResponse, Outcome
from specfactory.settings import FetchSettings
from specfactory.testing import START, ManualClock

HOST = "shop.example"
RULE = BreakerRule(failures=2, open_seconds=60)


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def politeness(clock):
    return polite(clock)


def polite(clock, state=None, **settings):
    given = FetchSettings(**{"host_delay_seconds": 2, **settings})
    return Politeness(state or MemoryState(clock, RULE), clock, given)


def answered(status=200, **headers):
    return FetchResponse(
        "u", "u", status, {k.replace("_", "-"): v for k, v in headers.items()}, b""
    )


async def test_turns_at_one_host_are_apart_and_hosts_do_not_wait_for_each_other(politeness, clock):
    for host in (HOST, HOST, "other.example", HOST):
        assert await politeness.take_turn(host) is None

    assert clock.slept == [2, 2]


async def test_longer_crawl_delay_wins_over_the_setting(politeness, clock):
    await politeness.take_turn(HOST, crawl_delay=10)
    await politeness.take_turn(HOST, crawl_delay=10)

    assert clock.slept == [10]


async def test_shorter_crawl_delay_does_not(politeness, clock):
    await politeness.take_turn(HOST, crawl_delay=0.5)
    await politeness.take_turn(HOST, crawl_delay=0.5)

    assert clock.slept == [2]


async def test_short_retry_after_is_waited_for(politeness, clock):
    await politeness.report(HOST, Outcome.RATE_LIMITED, answered(429, retry_after="20"))

    assert await politeness.take_turn(HOST) is None
    assert clock.slept == [20]


async def test_long_retry_after_is_reported_until_it_is_over(politeness, clock):
    await politeness.report(HOST, Outcome.RATE_LIMITED, answered(429, retry_after="3600"))

    outcome, evidence, *_ = await politeness.take_turn(HOST)
    assert outcome is Outcome.RATE_LIMITED
    assert "3600 s" in evidence
    assert await politeness.take_turn("other.example") is None
    clock.advance(3600)
    assert await politeness.take_turn(HOST) is None


async def test_host_that_keeps_failing_is_left_alone_and_then_probed_once(politeness, clock):
    for _ in range(2):
        await politeness.report(HOST, Outcome.TIMEOUT, answered(0))

    outcome, evidence, *_ = await politeness.take_turn(HOST)
    assert outcome is Outcome.REFUSED
    assert evidence.startswith("breaker")
    clock.advance(60)
    assert await politeness.take_turn(HOST) is None
    assert await politeness.take_turn(HOST) is not None


@pytest.mark.parametrize("outcome", [Outcome.OK, Outcome.NOT_FOUND, Outcome.NOT_MODIFIED,
                                     Outcome.JS_REQUIRED, Outcome.TOO_LARGE])  # fmt: skip
async def test_answers_that_are_not_the_hosts_fault_do_not_count(politeness, outcome):
    for _ in range(5):
        await politeness.report(HOST, outcome, answered())

    assert await politeness.take_turn(HOST) is None


def took(seconds):
    return replace(answered(), timings_ms={"ttfb": seconds * 1000})


async def test_slow_host_is_asked_less_often_and_a_quick_one_as_set(clock):
    politeness = polite(clock, latency_factor=2)
    for host, seconds in ((HOST, 5), ("quick.example", 0.1)):
        await politeness.report(host, Outcome.OK, took(seconds))
        await politeness.take_turn(host)
        await politeness.take_turn(host)

    assert clock.slept == [10, 2]


async def test_pause_follows_the_usual_answer_time_not_the_last_one(clock):
    politeness = polite(clock, latency_factor=1)
    for seconds in (10, 10, 10, 1):
        await politeness.report(HOST, Outcome.OK, took(seconds))
    await politeness.take_turn(HOST)
    await politeness.take_turn(HOST)

    assert 2 < clock.slept[0] < 10


async def test_host_that_does_not_answer_counts_as_slow(clock):
    politeness = polite(clock, timeout_seconds=20)
    await politeness.report(HOST, Outcome.TIMEOUT, replace(answered(0), failure=Outcome.TIMEOUT))
    await politeness.take_turn(HOST)
    await politeness.take_turn(HOST)

    assert clock.slept == [20]


async def test_other_workers_learn_how_slow_a_host_is(clock):
    state = MemoryState(clock, RULE)
    await polite(clock, state).report(HOST, Outcome.OK, took(7))
    other = polite(clock, state)
    await other.take_turn(HOST)
    await other.take_turn(HOST)

    assert clock.slept == [7]


async def test_neither_slow_host_nor_robots_can_make_the_pause_endless(clock):
    politeness = polite(clock, latency_factor=100, longest_delay_seconds=30)
    await politeness.report(HOST, Outcome.OK, took(9))
    for _ in range(2):
        await politeness.take_turn(HOST)
    for _ in range(2):
        await politeness.take_turn("other.example", crawl_delay=9_999)

    assert clock.slept == [30, 30]


async def test_without_a_pause_of_ours_the_answer_time_makes_none(clock):
    politeness = polite(clock, host_delay_seconds=0)
    await politeness.report(HOST, Outcome.OK, took(9))
    for _ in range(3):
        await politeness.take_turn(HOST)

    assert clock.slept == []


async def test_hosts_of_one_domain_wait_for_each_other_where_asked(clock):
    politeness = polite(clock, host_delay_seconds=0, domain_delay_seconds=3)
    for host in ("a.shop.co.uk", "b.shop.co.uk:8080", "c.other.co.uk"):
        await politeness.take_turn(host)

    assert clock.slept == [3]


async def test_all_hosts_together_keep_the_global_limit(clock):
    politeness = polite(clock, host_delay_seconds=0, requests_per_second=4)
    for number in range(5):
        await politeness.take_turn(f"host{number}.example")

    assert clock.slept == pytest.approx([0.26] * 4)  # a little more than asked for: some are late


async def test_waiting_at_one_host_does_not_hold_up_the_global_limit(clock):
    politeness = polite(clock, host_delay_seconds=100, requests_per_second=10)
    await politeness.take_turn(HOST)
    waiting = [asyncio.ensure_future(politeness.take_turn(HOST)) for _ in range(3)]
    began = clock.monotonic()
    await politeness.take_turn("other.example")
    waited = clock.monotonic() - began
    await asyncio.gather(*waiting)

    assert waited <= 0.2


async def test_retry_after_that_another_worker_was_told_holds_for_those_who_queue(clock):
    state = MemoryState(clock, RULE)
    first, second = polite(clock, state), polite(clock, state)
    await first.take_turn(HOST)
    queued = asyncio.ensure_future(second.take_turn(HOST))
    await first.report(HOST, Outcome.RATE_LIMITED, answered(429, retry_after="3600"))

    assert (await queued).outcome is Outcome.RATE_LIMITED


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.shop.example", "shop.example"),
        ("a.b.shop.co.uk:8443", "shop.co.uk"),
        ("one.github.io", "one.github.io"),
        ("127.0.0.1:8080", "127.0.0.1"),
        ("[::1]:8080", "::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("localhost", "localhost"),
        ("co.uk", "co.uk"),
        ("shop.example.", "shop.example"),
    ],
)
def test_domain_is_what_one_can_register(host, domain):
    assert domain_of(host) == domain


@pytest.mark.parametrize(
    ("status", "written", "seconds"),
    [
        (429, "120", 120),
        (503, "Thu, 01 Jan 2026 00:01:00 GMT", 60),
        (503, "Thu, 01 Jan 2026 00:01:00", 60),
        (429, "Wed, 31 Dec 2025 23:00:00 GMT", 0),
        (429, "999999999999", 86_400),
        (429, "soon", 0),
        (429, "-5", 0),
        (429, "٣", 0),
        (429, "", 0),
        (200, "120", 0),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(status, written, seconds):
    assert retry_after_seconds(answered(status, retry_after=written), START) == seconds
