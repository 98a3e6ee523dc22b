"""What every SharedState does, whichever technology is behind it."""

import asyncio
import secrets
from collections.abc import AsyncIterator

import pytest

from specfactory.adapters.memory.live_events import LiveEvents
from specfactory.adapters.memory.state import MemoryState
from specfactory.adapters.redis.state import RedisState
from specfactory.fetch.politeness import BreakerRule
from specfactory.model import Event
from specfactory.ports import RateLimit, SharedState
from specfactory.testing import ManualClock
from tests.redis_servers import RedisServer

BREAKER = BreakerRule(failures=3, window_seconds=600, open_seconds=60, probe_seconds=30)
QUEUE_SIZE = 10
WAIT_SECONDS = 30


def _redis(server: RedisServer, clock: ManualClock) -> RedisState:
    return RedisState(
        f"{server.url}?namespace={secrets.token_hex(6)}", clock, BREAKER,
        live=LiveEvents(QUEUE_SIZE), quiet_seconds=0, goes_by_clock=True,
    )  # fmt: skip


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(jump=False)


@pytest.fixture(params=["memory", "redis"])
async def state(request: pytest.FixtureRequest, clock: ManualClock) -> AsyncIterator[SharedState]:
    made: SharedState = (
        MemoryState(clock, BREAKER, queue_size=QUEUE_SIZE)
        if request.param == "memory"
        else _redis(request.getfixturevalue("redis"), clock)
    )
    yield made
    await made.close()


def happened(number: int) -> Event:
    return Event("page.read", number, {"number": number})


async def test_first_slot_is_free_and_the_next_ones_queue_up(state):
    limit = RateLimit(interval_seconds=2)

    assert [await state.reserve("host:a", limit) for _ in range(4)] == [0, 2, 4, 6]


async def test_slots_of_different_keys_do_not_wait_for_each_other(state):
    limit = RateLimit(interval_seconds=2)
    await state.reserve("host:a", limit)

    assert await state.reserve("host:b", limit) == 0


async def test_waiting_shrinks_as_time_passes(state, clock):
    limit = RateLimit(interval_seconds=2)
    await state.reserve("host:a", limit)
    clock.advance(1.5)

    assert await state.reserve("host:a", limit) == pytest.approx(0.5)


async def test_an_idle_host_saves_up_no_more_than_its_burst(state, clock):
    limit = RateLimit(interval_seconds=2, burst=2)
    await state.reserve("host:a", limit)
    clock.advance(3600)

    assert [await state.reserve("host:a", limit) for _ in range(4)] == [0, 0, 2, 4]


async def test_one_goes_through_at_a_time_and_the_others_are_booked_in_order(state, clock):
    limits = {"host:a": RateLimit(2)}

    assert [await state.enter(limits) for _ in range(3)] == [0, 2, 4]
    clock.advance(2)
    assert await state.enter(limits, booked=True) == 0
    assert await state.enter(limits) == 4  # who comes now stands behind who was booked
    clock.advance(2)
    assert await state.enter(limits, booked=True) == 0


async def test_who_is_late_does_not_push_another_but_takes_a_new_turn(state, clock):
    limits = {"host:a": RateLimit(2)}
    assert [await state.enter(limits) for _ in range(3)] == [0, 2, 4]
    clock.advance(4)  # the first of the booked overslept

    assert await state.enter(limits, booked=True) == 0
    assert await state.enter(limits, booked=True) == 2


async def test_who_is_on_time_waits_for_one_who_was_a_little_late(state, clock):
    limits = {"host:a": RateLimit(2)}
    assert [await state.enter(limits) for _ in range(3)] == [0, 2, 4]
    clock.advance(2.9)
    assert await state.enter(limits, booked=True) == 0
    clock.advance(1.1)

    assert await state.enter(limits, booked=True) == pytest.approx(0.9)


async def test_several_limits_are_passed_together_or_not_at_all(state, clock):
    host, all_hosts = {"host:a": RateLimit(10)}, {"everywhere": RateLimit(1)}
    assert await state.enter({**host, **all_hosts}) == 0
    clock.advance(1)

    assert await state.enter({**host, **all_hosts}) == 9
    assert await state.enter({"host:b": RateLimit(10), **all_hosts}) == 0


async def test_a_little_early_is_on_time_but_not_again_and_again(state, clock):
    limits = {"host:a": RateLimit(2)}
    await state.enter(limits)
    clock.advance(1.99)
    assert await state.enter(limits) == 0
    clock.advance(1.98)

    assert await state.enter(limits) == pytest.approx(0.03)


async def test_burst_goes_through_at_once(state, clock):
    limits = {"host:a": RateLimit(2, burst=3)}

    assert [await state.enter(limits) for _ in range(5)] == [0, 0, 0, 2, 4]


async def test_breaker_stays_closed_while_failures_are_not_in_a_row(state):
    for ok in (False, False, True, False, False):
        await state.report("b", ok=ok)

    assert (await state.permit("b")).allowed


async def test_breaker_opens_after_failures_in_a_row_and_says_for_how_long(state, clock):
    for _ in range(3):
        await state.report("b", ok=False)
    clock.advance(20)

    permit = await state.permit("b")
    assert not permit.allowed
    assert permit.wait_seconds == pytest.approx(40)


async def test_old_failures_do_not_count(state, clock):
    await state.report("b", ok=False)
    await state.report("b", ok=False)
    clock.advance(601)
    await state.report("b", ok=False)

    assert (await state.permit("b")).allowed


async def test_half_open_breaker_lets_exactly_one_probe_through(state, clock):
    for _ in range(3):
        await state.report("b", ok=False)
    clock.advance(60)

    permits = await asyncio.gather(*(state.permit("b") for _ in range(5)))
    assert [permit.probe for permit in permits if permit.allowed] == [True]


async def test_good_probe_closes_the_breaker(state, clock):
    for _ in range(3):
        await state.report("b", ok=False)
    clock.advance(60)
    await state.permit("b")
    await state.report("b", ok=True)

    permit = await state.permit("b")
    assert permit.allowed
    assert not permit.probe


async def test_bad_probe_opens_the_breaker_again(state, clock):
    for _ in range(3):
        await state.report("b", ok=False)
    clock.advance(60)
    await state.permit("b")
    await state.report("b", ok=False)
    clock.advance(59)

    assert not (await state.permit("b")).allowed
    clock.advance(1)
    assert (await state.permit("b")).probe


async def test_lost_probe_makes_room_for_another(state, clock):
    for _ in range(3):
        await state.report("b", ok=False)
    clock.advance(60)
    await state.permit("b")
    clock.advance(29)

    assert not (await state.permit("b")).allowed
    clock.advance(1)
    assert (await state.permit("b")).probe


async def test_failure_reported_late_does_not_keep_an_open_breaker_open(state, clock):
    for _ in range(3):
        await state.report("b", ok=False)
    clock.advance(50)
    await state.report("b", ok=False)
    clock.advance(10)

    assert (await state.permit("b")).probe


async def test_memory_lasts_as_long_as_asked(state, clock):
    await state.remember("robots:x", {"rules": [[True, "/"]]}, ttl_seconds=10)
    clock.advance(9.9)

    assert await state.recall("robots:x") == {"rules": [[True, "/"]]}
    clock.advance(0.1)
    assert await state.recall("robots:x") is None
    assert await state.recall("never heard of") is None


async def test_counters_add_up(state):
    await state.add("pages")
    await state.add("pages", 4)

    assert await state.add("pages", 0) == 5
    assert await state.add("other") == 1


async def test_every_listener_gets_events_from_its_subscription_on(state):
    await state.publish([happened(0)])
    first = state.subscribe()
    await state.publish([happened(1)])
    second = state.subscribe()
    await state.publish([happened(2)])

    assert [(await anext(first)).at, (await anext(first)).at] == [1, 2]
    assert (await anext(second)).at == 2


async def test_closed_subscription_ends(state):
    listener = state.subscribe()
    await listener.aclose()
    await state.publish([happened(1)])

    assert [event async for event in listener] == []


async def test_waiting_listener_is_woken_by_an_event(state):
    waiting = asyncio.ensure_future(anext(state.subscribe()))
    await asyncio.sleep(0)
    await state.publish([happened(7)])

    assert (await asyncio.wait_for(waiting, 30)).at == 7


async def test_slow_listener_is_dropped_and_the_others_go_on(state):
    slow, quick = state.subscribe(), state.subscribe()
    seen = []
    for number in range(QUEUE_SIZE + 5):
        await state.publish([happened(number)])
        seen.append((await anext(quick)).at)

    assert seen == list(range(QUEUE_SIZE + 5))
    assert [event.at async for event in slow] == list(range(QUEUE_SIZE))
