"""The ladder: begins where a host has taught it to, goes up on evidence only, and comes down."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.adapters.memory.state import MemoryState
from specfactory.fetch.ladder.ladder import (
    RETRY_PAGES,
    RETRY_SECONDS,
    RUNGS,
    begin_at,
    both,
    learned,
    next_rung,
)
from specfactory.model import Cause, LadderMemory, Outcome, Rung, RungRecord, facts_of
from specfactory.store import HostPolicies
from specfactory.testing import ManualClock

HTTP, PROXY, BROWSER, BROWSER_PROXY = RUNGS
ALL = frozenset(RUNGS)
NEW = LadderMemory()
SHELL = [(HTTP, 0.1), (BROWSER, 2.0)]

rungs = st.sampled_from(RUNGS)
available = st.sets(rungs).map(lambda some: frozenset({HTTP, *some}))
outcomes = st.sampled_from(list(Outcome))
causes = st.sampled_from(list(Cause))
tried = st.builds(
    RungRecord, st.floats(0, 10), st.floats(0, 10), st.floats(0, 100)
).map(lambda t: RungRecord(min(t.good, t.tries), t.tries, t.seconds))  # fmt: skip
memories = st.builds(
    LadderMemory, st.dictionaries(rungs, tried), st.integers(0, 50), st.integers(0, 10**8)
)


def after(memory: LadderMemory, *pages: list[tuple[Rung, float]], now: int = 0) -> LadderMemory:
    for tries in pages:
        memory = learned(memory, tries, now) or memory
    return memory


def test_new_host_is_begun_at_the_bottom():
    assert begin_at(NEW, ALL, HTTP, 0) is HTTP


def test_plain_host_teaches_nothing():
    assert learned(NEW, [(HTTP, 0.2)], 0) is None


def test_host_whose_pages_need_a_browser_is_soon_begun_there():
    memory = after(NEW, *[SHELL] * 3)

    assert begin_at(memory, ALL, HTTP, 1) is BROWSER


def test_cheaper_rung_is_tried_again_after_so_many_pages_and_after_a_time():
    memory = after(NEW, *[SHELL] * 3)
    for _ in range(RETRY_PAGES):
        assert begin_at(memory, ALL, HTTP, 1) is BROWSER
        memory = after(memory, [(BROWSER, 2.0)])

    assert begin_at(memory, ALL, HTTP, 1) is HTTP
    assert begin_at(after(memory, SHELL), ALL, HTTP, 1) is BROWSER
    assert begin_at(after(NEW, *[SHELL] * 3), ALL, HTTP, round(RETRY_SECONDS * 1000)) is HTTP


def test_host_that_works_plainly_again_is_soon_begun_at_the_bottom():
    memory = after(NEW, *[SHELL] * 10)
    pages = 0
    while begin_at(memory, ALL, HTTP, 1) is BROWSER or pages < RETRY_PAGES:
        rung = begin_at(memory, ALL, HTTP, 1)
        memory = after(memory, [(rung, 2.0 if rung is BROWSER else 0.1)])
        pages += 1
        assert pages < 2 * RETRY_PAGES

    for _ in range(3 * RETRY_PAGES):
        assert begin_at(memory, ALL, HTTP, 1) is HTTP
        memory = after(memory, [(HTTP, 0.1)])


def test_cheap_try_that_works_now_and_then_is_worth_it():
    half = after(NEW, *[SHELL, [(HTTP, 0.1)]] * 10)

    assert begin_at(half, ALL, HTTP, 1) is HTTP


def test_what_healing_asks_for_is_the_least():
    assert begin_at(NEW, ALL, BROWSER, 0) is BROWSER
    assert begin_at(NEW, ALL, PROXY, 0) is PROXY
    assert begin_at(after(NEW, *[SHELL] * 5), ALL, PROXY, 1) in (PROXY, BROWSER_PROXY)


def test_what_is_not_there_is_done_without():
    assert begin_at(NEW, frozenset({HTTP, BROWSER}), BROWSER_PROXY, 0) is BROWSER
    assert begin_at(NEW, frozenset({HTTP, PROXY}), BROWSER_PROXY, 0) is PROXY
    assert begin_at(NEW, frozenset({HTTP}), BROWSER_PROXY, 0) is HTTP


@pytest.mark.parametrize(
    ("rung", "outcome", "cause", "following"),
    [
        (HTTP, Outcome.JS_REQUIRED, Cause.NONE, BROWSER),
        (PROXY, Outcome.JS_REQUIRED, Cause.NONE, BROWSER_PROXY),
        (HTTP, Outcome.CONSENT_WALL, Cause.NONE, BROWSER),
        (BROWSER, Outcome.CONSENT_WALL, Cause.NONE, None),
        (HTTP, Outcome.BLOCKED, Cause.NONE, PROXY),
        (HTTP, Outcome.CAPTCHA, Cause.NONE, PROXY),
        (PROXY, Outcome.BLOCKED, Cause.NONE, BROWSER),
        (BROWSER, Outcome.BLOCKED, Cause.NONE, BROWSER_PROXY),
        (BROWSER_PROXY, Outcome.BLOCKED, Cause.NONE, None),
        (HTTP, Outcome.GEO_BLOCKED, Cause.NONE, PROXY),
        (BROWSER, Outcome.GEO_BLOCKED, Cause.NONE, BROWSER_PROXY),
        (HTTP, Outcome.RATE_LIMITED, Cause.NONE, None),
        (HTTP, Outcome.RATE_LIMITED, Cause.BY_ADDRESS, PROXY),
        (HTTP, Outcome.NOT_FOUND, Cause.NONE, None),
        (HTTP, Outcome.DNS_FAILURE, Cause.NONE, None),
        (HTTP, Outcome.TIMEOUT, Cause.NONE, None),
        (HTTP, Outcome.REFUSED, Cause.GATE, None),
        (HTTP, Outcome.REFUSED, Cause.ROBOTS, None),
        (HTTP, Outcome.LOGIN_REQUIRED, Cause.NONE, None),
        (HTTP, Outcome.OK, Cause.NONE, None),
    ],
)
def test_one_goes_up_on_evidence_only(rung, outcome, cause, following):
    assert next_rung(rung, facts_of(outcome, cause), ALL) is following


def test_rung_that_is_not_there_is_left_out_and_named():
    assert next_rung(HTTP, facts_of(Outcome.BLOCKED), {BROWSER}) is BROWSER
    assert next_rung(HTTP, facts_of(Outcome.JS_REQUIRED), {PROXY}) is None
    assert next_rung(HTTP, facts_of(Outcome.JS_REQUIRED)) is BROWSER


@given(memories, available, rungs, st.integers(0, 10**9))
def test_beginning_is_always_possible_and_has_what_healing_asks_for(memory, there, least, now):
    rung = begin_at(memory, there, least, now)

    assert rung in there
    if least in there:
        assert both(rung, least) is rung


@given(rungs, outcomes, causes, st.sets(rungs))
def test_next_rung_is_left_is_new_and_adds_something(rung, outcome, cause, left):
    following = next_rung(rung, facts_of(outcome, cause), left - {rung})

    if following is not None:
        assert following in left
        assert following is not rung
        gains = following.uses_browser > rung.uses_browser
        assert gains or following.uses_proxy > rung.uses_proxy


@given(rungs, st.lists(st.tuples(outcomes, causes), max_size=30), available)
def test_no_page_is_tried_more_often_than_there_are_rungs(rung, ends, there):
    left, tries = set(there) - {rung}, 1
    for outcome, cause in ends:
        following = next_rung(rung, facts_of(outcome, cause), left)
        if following is None:
            break
        left.discard(following)
        rung, tries = following, tries + 1

    assert tries <= len(RUNGS)


@given(memories, st.lists(st.tuples(rungs, st.floats(0, 1000)), min_size=1, max_size=4))
def test_what_is_learned_stays_within_bounds(memory, tries):
    after_it = learned(memory, tries, 5)

    for known in (after_it or memory).rungs.values():
        assert 0 <= known.good <= known.tries + 1e-9
        assert known.tries <= 10 + 1e-6
        assert known.seconds >= 0
        assert 0 < known.rate <= 1.5


async def test_workers_share_what_a_host_has_taught():
    clock = ManualClock()
    state = MemoryState(clock)
    one, other = HostPolicies(state, clock), HostPolicies(state, clock)
    await other.of("shop.example")
    for _ in range(3):
        memory = after((await one.of("shop.example")).memory, SHELL, now=clock.now())
        await one.learn("shop.example", memory)
    clock.advance(10)

    for policies in (one, other):
        memory = (await policies.of("shop.example")).memory
        assert begin_at(memory, ALL, HTTP, clock.now()) is BROWSER
    assert (await other.of("other.example")).memory == NEW


@pytest.mark.parametrize("kept", [7, {}, {"rungs": 5}, {"rungs": {"x": []}, "pages": 1, "at": 1}])
async def test_memory_of_another_version_is_forgotten(kept):
    clock = ManualClock()
    state = MemoryState(clock)
    await state.remember("ladder:shop.example", kept, 60)

    assert (await HostPolicies(state, clock).of("shop.example")).memory == NEW
