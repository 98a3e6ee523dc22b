"""Memory and Redis do the same, whatever is asked of them; and both keep their limits."""

import asyncio
import json
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from specfactory.adapters.memory.clock import SystemClock
from specfactory.adapters.memory.state import MemoryState, slack_seconds
from specfactory.adapters.redis.state import RedisState
from specfactory.fetch.politeness import BreakerRule
from specfactory.ports import RateLimit, SharedState
from specfactory.testing import ManualClock
from tests.ports.test_shared_state import BREAKER, _redis, happened

KEYS = st.sampled_from(["a", "b"])
LIMITS = st.builds(RateLimit, st.sampled_from([0.1, 1.0, 7.5]), st.integers(1, 3))
PAUSES = [0.004, 0.06, 0.1, 0.6, 1.0, 4.5, 31.0, 61.0, 700.0]
STEPS = st.one_of(
    st.tuples(st.just("advance"), st.sampled_from(PAUSES)),
    st.tuples(st.just("reserve"), KEYS, LIMITS),
    st.tuples(st.just("enter"), st.dictionaries(KEYS, LIMITS, min_size=1), st.booleans()),
    st.tuples(st.just("permit"), KEYS),
    st.tuples(st.just("report"), KEYS, st.booleans()),
    st.tuples(st.just("remember"), KEYS, st.sampled_from([None, 3, "x", {"y": [1.5]}])),
    st.tuples(st.just("recall"), KEYS),
    st.tuples(st.just("forget"), KEYS),
    st.tuples(st.just("add"), KEYS, st.integers(-3, 9)),
)


async def take(state: SharedState, clock: ManualClock, step: tuple) -> object:
    match step:
        case "advance", seconds:
            clock.advance(seconds)
            return None
        case "reserve", key, limit:
            return pytest.approx(await state.reserve(key, limit), abs=1e-5)
        case "enter", limits, booked:
            return pytest.approx(await state.enter(limits, booked=booked), abs=1e-5)
        case "permit", key:
            permit = await state.permit(key)
            wait = pytest.approx(permit.wait_seconds, abs=1e-5)
            return permit.allowed, permit.probe, wait
        case "report", key, ok:
            return await state.report(key, ok=ok)
        case "remember", key, value:
            return await state.remember(key, value, 30)
        case "add", key, amount:
            return await state.add(key, amount)
        case name, key:
            return await getattr(state, name)(key)


def plain(said: object) -> object:
    """What stands behind an approximation."""
    if isinstance(said, tuple):
        return tuple(plain(part) for part in said)
    return getattr(said, "expected", said)


@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(STEPS, max_size=30))
def test_redis_and_memory_answer_alike_whatever_is_asked(redis, steps):
    async def compare() -> None:
        clocks = ManualClock(jump=False), ManualClock(jump=False)
        states = MemoryState(clocks[0], BREAKER), _redis(redis, clocks[1])
        for step in steps:
            said = [await take(*both, step) for both in zip(states, clocks, strict=True)]
            assert plain(said[0]) == said[1], step
        await states[1].close()

    asyncio.run(compare())


WORKERS = st.lists(
    st.tuples(
        st.integers(0, 3000),  # ms until it comes
        st.sampled_from(["a", "b"]),
        st.lists(st.integers(0, 400), min_size=1, max_size=4),  # ms that it oversleeps
    ),
    min_size=1, max_size=40,
)  # fmt: skip


@settings(deadline=None)
@given(WORKERS)
def test_no_limit_is_ever_passed_however_late_workers_wake(workers):
    host, everywhere = RateLimit(0.1), RateLimit(0.04)
    passed: dict[str, list[float]] = {"a": [], "b": [], "everywhere": []}

    async def work(state, clock, begins, name, late) -> None:
        await clock.sleep(begins / 1000)
        limits, tries = {f"host:{name}": host, "everywhere": everywhere}, 0
        wait = await state.enter(limits)
        while wait > 0:
            await clock.sleep(wait + late[tries % len(late)] / 1000)
            tries += 1
            wait = await state.enter(limits, booked=True)
        passed[name].append(clock.monotonic())
        passed["everywhere"].append(clock.monotonic())

    async def all_of_them() -> None:
        clock = ManualClock(jump=False)
        state = MemoryState(clock)
        tasks = [asyncio.create_task(work(state, clock, *worker)) for worker in workers]
        while not all(task.done() for task in tasks):
            for _ in range(3):
                await asyncio.sleep(0)
            clock.advance(0.005)
            assert clock.monotonic() < 60, "somebody never had a turn"

    asyncio.run(all_of_them())
    assert len(passed["everywhere"]) == len(workers)
    for key, times in passed.items():
        limit = everywhere if key == "everywhere" else host
        room = slack_seconds(limit) + 1e-6
        for first in range(len(times)):
            for last in range(first, len(times)):
                allowed = 1 + (times[last] - times[first] + room) / limit.interval_seconds
                assert last - first + 1 <= allowed


PROBERS = """
import asyncio, json, sys
from specfactory.fetch.politeness import BreakerRule
from specfactory.adapters.redis.state import RedisState
from specfactory.adapters.memory.clock import SystemClock

async def ask():
    state = RedisState(sys.argv[1], SystemClock(), BreakerRule(probe_seconds=600))
    await state.recall("warm up")
    print("ready", flush=True)
    sys.stdin.readline()
    permits = await asyncio.gather(*(state.permit("host") for _ in range(10)))
    await state.close()
    return [permit.probe for permit in permits if permit.allowed]

print(json.dumps(asyncio.run(ask())))
"""


def test_of_many_processes_that_find_a_breaker_half_open_exactly_one_probes(redis):
    url = f"{redis.url}?namespace=probers"
    asyncio.run(break_down(url))
    crew = [
        subprocess.Popen([sys.executable, "-c", PROBERS, url], text=True,
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(3)
    ]  # fmt: skip
    for process in crew:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in crew:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()

    allowed = [probe for process in crew for probe in json.loads(process.communicate()[0])]
    assert allowed == [True]


async def break_down(url: str) -> None:
    state = RedisState(url, SystemClock(), BreakerRule(failures=3, open_seconds=0))
    for _ in range(3):
        await state.report("host", ok=False)
    await state.close()


async def test_events_reach_the_listeners_of_other_processes(redis):
    url = f"{redis.url}?namespace=listeners"
    one, other = RedisState(url, SystemClock()), RedisState(url, SystemClock())
    listener = other.subscribe()
    await other.publish([])  # the listener has its seat

    await one.publish([happened(5)])

    assert (await asyncio.wait_for(anext(listener), 30)).at == 5
    await one.close()
    await other.close()
