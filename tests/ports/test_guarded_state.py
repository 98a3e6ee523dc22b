"""Redis goes and comes back: workers go on, more cautious, and say so."""

import asyncio
import secrets

import pytest

from specfactory.adapters.memory.clock import SystemClock
from specfactory.adapters.redis.guarded_state import GuardedState
from specfactory.fetch.politeness import BreakerRule
from specfactory.model import Event
from specfactory.ports import RateLimit
from specfactory.testing import ManualClock
from tests.redis_servers import redis_server

WAIT_SECONDS = 20
BREAKER = BreakerRule(failures=3, open_seconds=60)
LIMITS = {"host:a": RateLimit(10)}


@pytest.fixture(scope="module")
def server():
    with redis_server("s3cret") as own:
        yield own


@pytest.fixture
def clock():
    return ManualClock(jump=False)


def guarded(server, clock, namespace="", **options):
    url = f"{server.url}?namespace={namespace or secrets.token_hex(6)}"
    given = {"quiet_seconds": 0, "goes_by_clock": True, "sign_seconds": 0.02, **options}
    return GuardedState(url, "Redis here", clock, BREAKER, **given)


async def heard(listener) -> Event:
    return await asyncio.wait_for(anext(listener), WAIT_SECONDS)


async def stopped(server) -> None:
    await asyncio.to_thread(server.stop)


async def started(server) -> None:
    await asyncio.to_thread(server.start)


async def test_lost_redis_is_told_once_and_so_is_its_return(server, clock):
    state = guarded(server, clock)
    listener = state.subscribe()
    await state.add("warm")
    await stopped(server)
    lost = await heard(listener)
    await started(server)
    back = await heard(listener)

    assert (lost.name, lost.fields["place"]) == ("state.lost", "Redis here")
    assert "s3cret" not in str(lost)
    assert back.name == "state.recovered"
    assert not state.is_lost
    await state.close()


async def test_alone_a_process_takes_its_share_after_a_whole_round(server, clock):
    name = secrets.token_hex(6)
    state, other = (guarded(server, clock, namespace=name) for _ in range(2))
    listener = state.subscribe()
    await other.look()
    await state.look()
    assert await state.enter(LIMITS) == 0
    await stopped(server)
    lost = await heard(listener)

    assert lost.fields["processes"] == 2
    waited = 0.0
    while (wait := await state.enter(LIMITS, booked=True)) > 0:
        clock.advance(wait)
        waited += wait
    assert waited >= 40  # two processes, half of the limit
    again = 0.0
    while (wait := await state.enter(LIMITS)) > 0:
        clock.advance(wait)
        again += wait
    assert again == pytest.approx(40, abs=0.1)
    await started(server)
    await state.close()
    await other.close()


async def test_restarted_redis_lets_nobody_through_until_all_have_noticed(server):
    state = guarded(server, SystemClock(), quiet_seconds=60, goes_by_clock=False)
    listener = state.subscribe()
    await state.add("warm")
    await asyncio.to_thread(server.restart)
    while (await heard(listener)).name != "state.recovered":
        pass

    assert 30 < await state.enter(LIMITS) <= 60
    await state.close()


async def test_what_a_server_asked_for_is_known_alone_and_to_a_redis_that_forgot(server, clock):
    state = guarded(server, clock)
    listener = state.subscribe()
    await state.remember("retry-after:a", 123, 600)
    await stopped(server)
    await heard(listener)
    assert await state.recall("retry-after:a") == 123
    await started(server)
    await heard(listener)

    assert await state._shared.recall("retry-after:a") == 123
    await state.close()


async def test_alone_a_process_goes_by_its_own_breakers_counters_and_events(server, clock):
    state = guarded(server, clock)
    listener = state.subscribe()
    for _ in range(3):
        await state.report("b", ok=False)
    await stopped(server)
    await heard(listener)

    assert not (await state.permit("b")).allowed
    assert await state.add("pages", 2) == 2
    await state.forget("never known")
    assert await state.reserve("model", RateLimit(1)) == 0
    await state.publish([Event("page.read", 9, {})])
    assert (await heard(listener)).at == 9
    await started(server)
    await state.close()


async def test_redis_that_was_never_there_is_no_reason_to_stop(clock):
    state = GuardedState("redis://127.0.0.1:1/0", "Redis nowhere", clock, sign_seconds=0.02)

    assert await state.recall("x") is None
    assert await state.enter(LIMITS) > 0
    assert state.is_lost
    await state.close()
    await state.close()
