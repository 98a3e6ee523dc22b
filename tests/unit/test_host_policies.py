"""How a host is asked: one policy, written by the ladder, the breaker and healing."""

from specfactory.adapters.memory.state import MemoryState
from specfactory.fetch.host_care import refusal
from specfactory.fetch.politeness import BreakerRule
from specfactory.model import (
    Cause,
    Climb,
    HostCare,
    HostPolicy,
    LadderMemory,
    Outcome,
    Rung,
    RungRecord,
)
from specfactory.settings import FetchSettings
from specfactory.store import HostPolicies
from specfactory.testing import ManualClock

HOST = "shop.example"
RULE = BreakerRule.of(FetchSettings(breaker_failures=2, breaker_seconds=7))


def policies_on(clock: ManualClock) -> HostPolicies:
    return HostPolicies(MemoryState(clock, RULE), clock)


async def open_breaker(policies: HostPolicies) -> None:
    for _ in range(RULE.failures):
        await policies.report(HOST, ok=False)


async def test_breaker_opens_and_closes_by_the_numbers_of_the_settings():
    clock = ManualClock()
    policies = policies_on(clock)
    await policies.report(HOST, ok=False)
    assert (await policies.at_turn(HOST)).closed_until == 0

    await policies.report(HOST, ok=False)
    assert (await policies.at_turn(HOST)).closed_until == clock.now() + 7_000
    clock.advance(seconds=8)
    assert (await policies.at_turn(HOST)).closed_until == 0


async def test_host_that_something_was_done_about_may_be_asked_at_once():
    policies = policies_on(ManualClock())
    await open_breaker(policies)
    await policies.reopen(HOST)

    assert await policies.at_turn(HOST) == HostPolicy()


async def test_long_retry_after_leaves_the_probe_of_a_half_open_breaker_to_others():
    clock = ManualClock()
    policies = policies_on(clock)
    await open_breaker(policies)
    clock.advance(seconds=8)
    await policies._state.remember(f"retry-after:{HOST}", clock.now() + 60_000, 60)
    assert (await policies.at_turn(HOST)).outlasts_patience(clock.now())

    await policies._state.forget(f"retry-after:{HOST}")
    assert (await policies.at_turn(HOST)).closed_until == 0


async def test_care_that_is_read_again_keeps_what_the_ladder_learned():
    policies = policies_on(ManualClock())
    climb = Climb(Rung.HTTP, Rung.BROWSER, 1, Outcome.JS_REQUIRED, url="https://shop.example/a")
    memory = LadderMemory({Rung.BROWSER: RungRecord(1, 1, 2.0)}, 1, 5, climb)
    await policies.learn(HOST, memory)
    policies.forget_care(HOST)

    assert policies.last_climb(HOST) == climb
    assert (await policies.of(HOST)).memory == memory


async def test_workers_share_the_climb_and_all_that_the_ladder_learned():
    clock = ManualClock()
    state = MemoryState(clock)
    climb = Climb(
        Rung.HTTP, Rung.BROWSER_PROXY, 1, Outcome.BLOCKED, "no", 403, "https://a/", Cause.NONE
    )
    memory = LadderMemory({Rung.HTTP: RungRecord(0, 1, 0.1)}, 3, 7, climb)
    await HostPolicies(state, clock).learn(HOST, memory)

    assert await HostPolicies(state, clock).memory(HOST) == memory


def test_pause_comes_before_retry_after_and_that_before_the_breaker():
    now = 1_000_000
    care = HostCare(paused_until=now + 5_000, paused_for="rate_limited")
    all_three = HostPolicy(care, retry_at=now + 90_000, closed_until=now + 60_000)
    ends = [
        refusal(policy, HOST, now)
        for policy in (
            all_three,
            HostPolicy(retry_at=now + 90_000, closed_until=now + 60_000),
            HostPolicy(closed_until=now + 60_000),
            HostPolicy(retry_at=now + 5_000),
        )
    ]

    causes = [end.cause if end else None for end in ends]
    assert causes == [Cause.PAUSED, Cause.ASKED_TO_WAIT, Cause.BREAKER, None]
    assert [end.retry_at - now for end in ends if end] == [5_000, 90_000, 60_000]
