"""Processes that have lost each other stay within the limit all the same."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from specfactory.adapters.redis.fallback_limits import LONGEST_WAIT_SECONDS, AloneLimits
from specfactory.ports import RateLimit
from specfactory.testing import START, ManualClock

STEP = 0.01


@settings(deadline=None, max_examples=40)
@given(
    st.integers(1, 6),
    st.sampled_from([0.1, 0.5, 2.0]),
    st.lists(st.integers(0, 1000), min_size=6, max_size=6),
)
def test_all_of_them_together_take_half_of_the_limit_and_never_meet(processes, interval, lost_ms):
    clock = ManualClock(START + 12_345)
    limits = {"host:a": RateLimit(interval)}
    alone: dict[int, AloneLimits] = {}
    passed: list[float] = []
    for _ in range(round((1 + interval * processes * 6) / STEP)):
        for number in range(processes):
            if number not in alone and clock.monotonic() * 1000 >= lost_ms[number]:
                alone[number] = AloneLimits(clock, number, processes)
            if number in alone and alone[number].enter(limits) == 0:
                passed.append(clock.monotonic())
        clock.advance(STEP)

    apart = [after - before for before, after in itertools.pairwise(passed)]
    assert len(passed) >= processes
    assert all(gap >= interval * 2 - 0.03 for gap in apart)


@given(st.lists(st.floats(20, 60), min_size=4, max_size=4), st.sampled_from(["host:a", "host:b"]))
def test_those_who_come_late_do_not_meet_either(seconds, key):
    limits = {key: RateLimit(1)}
    passed = []
    for number, at in enumerate(seconds):
        clock = ManualClock(START)
        alone = AloneLimits(clock, number, 4)
        clock.advance(at)
        for _ in range(3):
            while (wait := alone.enter(limits)) > 0:
                clock.advance(wait)
            passed.append(clock.monotonic())

    apart = [after - before for before, after in itertools.pairwise(sorted(passed))]
    assert all(gap >= 0.98 for gap in apart)


def test_first_turn_comes_after_a_whole_round():
    clock = ManualClock(START)
    alone = AloneLimits(clock, 0, 4)
    while (wait := alone.enter({"host:a": RateLimit(1)})) > 0:
        clock.advance(wait)

    assert clock.monotonic() >= 8


def test_long_wait_is_cut_so_that_the_others_are_soon_found_again():
    alone = AloneLimits(ManualClock(START), 0, 100)

    assert alone.enter({"host:a": RateLimit(60)}) == LONGEST_WAIT_SECONDS


def test_all_limits_are_passed_together():
    clock = ManualClock(START)
    alone = AloneLimits(clock, 0, 1)
    fast, slow = {"host:a": RateLimit(0.1)}, {"domain:a": RateLimit(5)}
    for limits in (fast, slow):
        while (wait := alone.enter(limits)) > 0:
            clock.advance(wait)
    clock.advance(1)

    assert alone.enter({**fast, **slow}) > 1
    assert alone.enter(fast) < 0.2


def test_quick_limit_is_used_by_a_process_that_is_always_late():
    clock = ManualClock(START)
    alone, passed = AloneLimits(clock, 1, 4), 0
    for _ in range(200):
        passed += alone.enter({"everywhere": RateLimit(0.01)}) == 0
        clock.advance(0.05)

    assert 100 <= passed <= 10 / 0.08


def test_many_hosts_share_a_limit_without_losing_their_turns():
    clock = ManualClock(START)
    alone, passed = AloneLimits(clock, 3, 8), 0
    for _ in range(2_000):
        for host in range(50):
            limits = {f"host:{host}": RateLimit(1), "everywhere": RateLimit(0.01)}
            passed += alone.enter(limits) == 0
        clock.advance(0.05)

    assert passed >= 50 * 100 / 16 * 0.8
