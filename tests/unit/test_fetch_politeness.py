"""Turns at a host: how far apart, and when there is none."""

import pytest

from specfactory.adapters.memory_state import BreakerRule, MemoryState
from specfactory.fetch.politeness import Politeness, retry_after_seconds
from specfactory.model import FetchResponse, Outcome
from specfactory.testing import START, ManualClock

HOST = "shop.example"


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def politeness(clock):
    rule = BreakerRule(failures=2, open_seconds=60)
    return Politeness(MemoryState(clock, rule), clock, host_delay_seconds=2)


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

    outcome, evidence = await politeness.take_turn(HOST)
    assert outcome is Outcome.RATE_LIMITED
    assert "3600 s" in evidence
    assert await politeness.take_turn("other.example") is None
    clock.advance(3600)
    assert await politeness.take_turn(HOST) is None


async def test_host_that_keeps_failing_is_left_alone_and_then_probed_once(politeness, clock):
    for _ in range(2):
        await politeness.report(HOST, Outcome.TIMEOUT, answered(0))

    outcome, evidence = await politeness.take_turn(HOST)
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
