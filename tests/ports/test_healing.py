"""Healing carried out on every database: hosts that fail are treated, checked, and let be."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from specfactory.assembly import open_factory
from specfactory.fetch import FetchStation
from specfactory.fetch.ladder.ways import Ways
from specfactory.heal.trials import GIVEN_UP
from specfactory.model import (
    Cause,
    Event,
    HealingEvent,
    HealingStatus,
    HostCare,
    JobError,
    JobStatus,
    NewJob,
    Outcome,
    ReviewKind,
    Rung,
    Tier,
    Visit,
)
from specfactory.orchestrate.bench.workbench import Workbench
from specfactory.orchestrate.healing.api import SelfHealing
from specfactory.orchestrate.healing.heal_host import after_visit, ease, undo
from specfactory.orchestrate.pages.visits import note_visit
from specfactory.settings import (
    BrowserSettings,
    FetchSettings,
    HealSettings,
    ProxySettings,
    Settings,
)
from specfactory.testing import DirectReaders, ManualClock, ScriptedBrowser, ScriptedFetcher, answer
from tests.host_care import contradictions

HOST = "a.example"
WELL = Visit(HOST, "https://a.example/p", 0, Outcome.OK, "HTTP 200", 200)
BLOCKED = replace(WELL, outcome=Outcome.BLOCKED, evidence="HTTP 403", status=403)
NO_NAME = replace(WELL, outcome=Outcome.DNS_FAILURE, evidence="no such name", status=0)
CAPTCHA = replace(WELL, outcome=Outcome.CAPTCHA, evidence="captcha")
LIMITED = replace(WELL, outcome=Outcome.RATE_LIMITED, evidence="HTTP 429", status=429)
LOOP = replace(
    WELL, outcome=Outcome.NETWORK_ERROR, evidence="more than 5 redirects", status=302,
    cause=Cause.REDIRECT_LOOP,
)  # fmt: skip

Behaviour = Callable[[HostCare], Visit]


class Simulated:
    """A host that behaves as it is treated, visited every few seconds."""

    def __init__(self, bench: Workbench, clock: ManualClock) -> None:
        self.bench, self.clock = bench, clock
        self.made = 0

    async def visit(self, behaviour: Behaviour | Visit, times: int = 1, seconds: float = 2) -> int:
        """Visit the host so often, unless it is paused; how many visits there were."""
        visited = 0
        for _ in range(times):
            self.clock.advance(seconds)
            care = (await self.bench.policies.of(HOST)).care
            if care.paused_until > self.clock.now():
                continue
            visited += 1
            self.made += 1
            seen = behaviour if isinstance(behaviour, Visit) else behaviour(care)
            seen = replace(seen, at=self.clock.now(), url=f"https://a.example/{self.made}")
            async with self.bench.database.transaction() as tx:
                await self.bench.visits.add(tx, seen)
            await after_visit(self.bench, seen)
        return visited

    async def events(self) -> list[HealingEvent]:
        """What was done, the first one first."""
        return (await self.bench.healings.of_host(HOST, 100))[::-1]

    async def story(self) -> list[tuple[str, str, str]]:
        """The same in words."""
        return [(e.diagnosis, e.remediation, e.status) for e in await self.events()]

    async def told(self, name: str) -> list[Event]:
        """The events of a name."""
        return [one for one in await self.bench.outbox.recent(1000) if one.name == name]


@pytest.fixture
async def host(database_url: str) -> AsyncIterator[Simulated]:
    """A factory on every database, with a clock moved by hand."""
    clock = ManualClock()
    without = BrowserSettings(enabled=False)
    given_settings = Settings(database_url=database_url, browser=without)
    async with open_factory(given_settings, clock=clock, random=Random(1)) as bench:
        yield Simulated(bench, clock)


async def test_a_remedy_that_helps_is_kept(host: Simulated) -> None:
    await host.visit(WELL, 5)
    await host.visit(lambda care: WELL if care.keep_cookies else LOOP, 6)

    assert await host.story() == [("redirect_loop", "keep_cookies", "helped")]
    assert (await host.bench.policies.care(HOST)).keep_cookies
    [healed] = await host.told("host.healed")
    assert healed.fields["seconds"] == 6.0
    [event] = await host.events()
    assert (event.failure_type, event.success) == ("network_error", True)
    assert event.reasons[0] == "the last 3 visits ended as network_error (more than 5 redirects)"


async def test_a_remedy_in_vain_is_taken_back_and_the_next_is_tried(host: Simulated) -> None:
    await host.visit(WELL, 5)
    await host.visit(BLOCKED, 5)
    assert (await host.bench.policies.care(HOST)).delay_seconds == 4.0

    await host.visit(BLOCKED, 3)

    assert await host.story() == [("blocked", "slow_down", "undone"), ("blocked", "ask", "asked")]
    care = await host.bench.policies.care(HOST)
    assert replace(care, paused_until=0, paused_for="") == HostCare()
    assert care.paused_for == "blocked"


async def test_a_block_of_all_cheap_proxies_is_left_behind_on_the_next_tier(
    database_url: str,
) -> None:
    urls = ("http://p1.example:1 datacenter", "http://p2.example:1 residential")
    tiered = Settings(
        database_url=database_url,
        browser=BrowserSettings(enabled=False),
        proxy=ProxySettings(urls=urls),
    )
    clock = ManualClock()

    def behaves(care: HostCare) -> Visit:
        if care.proxy_tier == "residential":
            return replace(WELL, rung=Rung.HTTP_PROXY, proxy="p2.example:1")
        if care.rung is Rung.HTTP_PROXY:
            return replace(CAPTCHA, rung=Rung.HTTP_PROXY, proxy="p1.example:1")
        return CAPTCHA

    async with open_factory(tiered, clock=clock, random=Random(1)) as bench:
        host = Simulated(bench, clock)
        await host.visit(WELL, 5)
        await host.visit(behaves, 20)

        assert await host.story() == [
            ("soft_block", "use_proxy", "undone"),
            ("soft_block", "higher_tier", "helped"),
        ]
        care = await bench.policies.care(HOST)
        assert (care.proxy_tier, care.rung) == ("residential", Rung.HTTP_PROXY)

        clock.advance(80 * 3600)
        await host.visit(behaves, 3)
        assert await ease(bench, HOST)
        assert (await bench.policies.care(HOST)).proxy_tier == ""
        await host.visit(behaves, 6)

        assert (await bench.policies.care(HOST)).proxy_tier == "residential"


async def test_a_person_is_asked_what_was_tried(host: Simulated) -> None:
    await host.visit(BLOCKED, 8)

    [review] = await host.bench.reviews.list_open(HOST)
    assert review.kind is ReviewKind.HOST
    assert review.reason.startswith("blocked: the host refuses us; the last 5 visits ended")
    assert review.proposed["tried"] == ["slow_down"]


async def test_a_question_is_closed_when_the_host_is_well_again(host: Simulated) -> None:
    await host.visit(BLOCKED, 8)
    host.clock.advance(3600)

    assert await host.visit(WELL) == 1

    assert await host.bench.reviews.list_open(HOST) == []
    assert await host.bench.policies.care(HOST) == HostCare()
    assert (await host.story())[-1] == ("blocked", "ask", "helped")


async def test_a_host_that_is_down_is_paused_longer_and_longer(host: Simulated) -> None:
    await host.visit(NO_NAME, 3)
    assert await host.visit(NO_NAME, 29, seconds=2) == 0
    assert await host.visit(NO_NAME, 1) == 1

    [event] = await host.events()
    assert (event.params["seconds"], event.params["times"]) == (120, 2)
    assert event.status is HealingStatus.TRIED


async def test_a_paused_host_comes_back_by_itself(host: Simulated) -> None:
    await host.visit(NO_NAME, 3)
    host.clock.advance(60)

    await host.visit(WELL, 2)

    assert await host.story() == [("dns_failure", "pause", "helped")]
    assert await host.bench.policies.care(HOST) == HostCare()
    assert len(await host.told("host.paused")) == len(await host.told("host.resumed")) == 1


async def test_a_host_that_stays_down_is_put_to_review(host: Simulated) -> None:
    for _ in range(12):
        await host.visit(NO_NAME, 3)
        host.clock.advance(3600)

    assert [s[1:] for s in await host.story()] == [("pause", "undone"), ("ask", "asked")]
    assert (await host.bench.policies.care(HOST)).paused_for == "dns_failure"
    assert len(await host.bench.reviews.list_open(HOST)) == 1


async def test_only_one_looks_at_the_end_of_a_pause(host: Simulated) -> None:
    await host.visit(NO_NAME, 3)
    host.clock.advance(61)

    policies = await asyncio.gather(
        *(asyncio.create_task(host.bench.policies.of(HOST)) for _ in range(10))
    )

    pauses = [policy.care.paused_until for policy in policies]
    assert len([until for until in pauses if until <= host.clock.now()]) == 1
    late = max(pauses)
    assert late == host.clock.now() + 5_000  # the others come back soon


async def test_who_looks_may_ask_more_than_once(host: Simulated) -> None:
    await host.visit(NO_NAME, 3)
    host.clock.advance(61)

    policies = [await host.bench.policies.of(HOST) for _ in range(3)]
    assert [policy.care.paused_until for policy in policies] == [0, 0, 0]


async def test_many_workers_treat_a_host_once(host: Simulated) -> None:
    await host.visit(BLOCKED, 4)
    host.clock.advance(1)
    async with host.bench.database.transaction() as tx:
        last = replace(BLOCKED, at=host.clock.now(), url="https://a.example/last")
        await host.bench.visits.add(tx, last)

    await asyncio.gather(*(after_visit(host.bench, last) for _ in range(8)))

    assert await host.story() == [("blocked", "slow_down", "tried")]
    assert (await host.bench.policies.care(HOST)).delay_seconds == 4.0


async def test_a_limit_is_kept_by_asking_less_often(host: Simulated) -> None:
    await host.visit(lambda care: WELL if care.delay_seconds >= 10 else LIMITED, 20, seconds=10)

    assert await host.story() == [
        ("rate_limited", "slow_down", "undone"), ("rate_limited", "slow_down", "helped"),
    ]  # fmt: skip


async def test_a_new_layout_is_learned(host: Simulated) -> None:
    await host.visit(replace(WELL, confidence=0.8), 12)
    poor = replace(WELL, confidence=0.3)
    await host.visit(poor, 3)

    [job] = await host.bench.jobs.list(kind="learn")
    assert job.key == HOST
    assert await host.story() == [("layout_change", "relearn", "tried")]
    await host.visit(poor, 20)
    assert await host.story() == [("layout_change", "relearn", "tried")]  # it is not learned yet


async def test_a_layout_that_was_learned_is_judged_by_the_pages_after(host: Simulated) -> None:
    await host.visit(replace(WELL, confidence=0.8), 12)
    await host.visit(replace(WELL, confidence=0.3), 5)
    await finish_learning(host)

    await host.visit(replace(WELL, confidence=0.75), 3)

    assert await host.story() == [("layout_change", "relearn", "helped")]


async def finish_learning(host: Simulated) -> None:
    bench, now = host.bench, host.clock.now()
    async with bench.database.transaction() as tx:
        [job] = await bench.jobs.claim(tx, "w", 1, ["learn"], 60, now)
        await bench.jobs.finish(tx, [job.lease], now)


async def test_jobs_that_died_of_it_are_done_again(host: Simulated) -> None:
    await host.visit(WELL, 5)
    dead = await dead_letter(host, "forbidden")
    robots = await dead_letter(host, "forbidden", Cause.ROBOTS)
    missing = await dead_letter(host, "no_such_product")
    unreadable = await dead_letter(host, "unreadable", Cause.READER_DIED)

    await host.visit(BLOCKED, 5)

    jobs = (dead, robots, missing, unreadable)
    status = [(await host.bench.jobs.get(job)).status for job in jobs]  # type: ignore[union-attr]
    assert status == [JobStatus.QUEUED, *[JobStatus.FAILED] * 3]


async def test_jobs_that_died_before_the_illness_stay_dead(host: Simulated) -> None:
    dead = await dead_letter(host, "timeout")
    await host.visit(WELL, 5)
    await host.visit(BLOCKED, 5)

    job = await host.bench.jobs.get(dead)
    assert job is not None
    assert job.status is JobStatus.FAILED


async def dead_letter(host: Simulated, cause: str, page_cause: Cause = Cause.NONE) -> int:
    bench = host.bench
    host.clock.advance(2)
    now = host.clock.now()
    async with bench.database.transaction() as tx:
        key = f"https://a.example/{now}"
        [added] = await bench.jobs.add(tx, [NewJob("page", key, {"url": key})], now)
        [job] = await bench.jobs.claim(tx, "w", 1, ["page"], 60, now)
        error = JobError(
            job.id, 1, now, "w", "fetch", cause, "no page", HOST, page_cause=page_cause
        )
        await bench.jobs.fail(tx, job.lease, error, now)
    return added.job_id


async def test_care_that_is_no_longer_needed_is_eased(host: Simulated) -> None:
    await host.visit(lambda care: WELL if care.keep_cookies else LOOP, 8)
    host.clock.advance(25 * 3600)
    assert not await ease(host.bench, HOST)  # nobody has seen it well since

    await host.visit(WELL, 3)
    assert await ease(host.bench, HOST)
    await host.visit(WELL, 3)

    assert (await host.story())[-1] == ("ease", "ease", "helped")
    assert await host.bench.policies.care(HOST) == HostCare()


async def test_care_that_is_still_needed_is_back_at_once(host: Simulated) -> None:
    behaviour: Behaviour = lambda care: WELL if care.keep_cookies else LOOP  # noqa: E731
    await host.visit(behaviour, 8)
    host.clock.advance(25 * 3600)
    await host.visit(behaviour, 3)
    await ease(host.bench, HOST)

    await host.visit(behaviour, 3)

    assert (await host.story())[-1] == ("ease", "ease", "undone")
    assert (await host.bench.policies.care(HOST)).keep_cookies
    await host.visit(behaviour, 3)
    host.clock.advance(25 * 3600)
    assert not await ease(host.bench, HOST)  # twice as long, the next time


async def test_a_relapse_is_told(host: Simulated) -> None:
    await host.visit(NO_NAME, 3)
    host.clock.advance(60)
    await host.visit(WELL, 5)

    await host.visit(NO_NAME, 3)

    [relapse] = await host.told("host.relapsed")
    assert relapse.fields["diagnosis"] == "dns_failure"


async def test_one_failure_after_a_recovery_is_no_relapse(host: Simulated) -> None:
    await host.visit(NO_NAME, 3)
    host.clock.advance(60)
    await host.visit(WELL, 1)

    await host.visit(NO_NAME, 2)

    assert len(await host.events()) == 1


async def test_what_the_ladder_cured_is_on_record_once_and_changes_no_course(
    host: Simulated,
) -> None:
    shell = "<title>Mouse</title><div id=root></div><script src=/app.js></script>"
    page = f"<title>Mouse</title><h1>Mouse</h1>{'<p>It weighs 54 g, and more.</p>' * 99}"
    url = "https://a.example/p"
    ways = Ways(
        ScriptedFetcher({url: answer(shell)}),
        ScriptedBrowser({url: replace(answer(shell), dom=page.encode())}),
    )
    bench, clock = host.bench, host.clock
    station = FetchStation(
        ways,
        bench.state,
        clock,
        FetchSettings(),
        Random(1),
        DirectReaders(),
        policies=bench.policies,
    )
    network = replace(bench.network(), fetch=station)
    climbing = replace(bench, network=lambda: network)
    for _ in range(25):  # the cheap rung is tried again in between
        clock.advance(5)
        fetched = await station.fetch_page(url, Tier.RETAILER)
        async with bench.database.transaction() as tx:
            visit = await note_visit(climbing, tx, fetched.page)
        await after_visit(climbing, visit)

    [cure] = await host.events()
    assert (cure.diagnosis, cure.remediation) == ("content_block", "use_browser")
    assert (cure.status, cure.params["by"]) == (HealingStatus.HELPED, "ladder")
    assert len(await host.told("host.healed")) == 1
    assert await bench.policies.care(HOST) == HostCare()

    await host.visit(LOOP, 3)
    assert (await host.story())[-1] == ("redirect_loop", "keep_cookies", "tried")
    assert await host.told("host.relapsed") == []


async def test_a_person_can_take_a_remedy_back(host: Simulated) -> None:
    await host.visit(BLOCKED, 8)
    [_, asked] = await host.events()

    undone = await undo(host.bench, asked.id, "ann")

    assert undone.status is HealingStatus.TAKEN_BACK
    assert await host.bench.policies.care(HOST) == HostCare()
    assert await host.bench.reviews.list_open(HOST) == []
    [told] = [e for e in await host.told("remedy.undone") if e.fields["actor"] == "ann"]
    assert told.fields["healing_id"] == asked.id


async def test_pages_that_wait_for_the_end_of_a_pause_are_due_when_it_is_taken_back(
    host: Simulated,
) -> None:
    await host.visit(BLOCKED, 8)
    [_, asked] = await host.events()
    later = host.bench.clock.now() + 3_600_000
    urls = [f"https://{HOST}/mice/1", "https://other.example/mice/1"]
    waiting = [NewJob("page", url, {"url": url}, due_at=later) for url in urls]
    async with host.bench.database.transaction() as tx:
        await host.bench.jobs.add(tx, waiting, host.bench.clock.now())

    await undo(host.bench, asked.id, "ann")

    due = {job.key: job.due_at for job in await host.bench.jobs.list(kind="page")}
    assert due == {urls[0]: host.bench.clock.now(), urls[1]: later}


async def test_nothing_is_treated_where_healing_is_switched_off(database_url: str) -> None:
    off = Settings(database_url=database_url, heal=HealSettings(enabled=False))
    clock = ManualClock()
    async with open_factory(off, clock=clock) as bench:
        host = Simulated(bench, clock)
        await host.visit(BLOCKED, 10)

        assert await host.events() == []


outcomes = st.sampled_from(
    [WELL, BLOCKED, NO_NAME, LIMITED, LOOP, replace(WELL, landed="b.example"),
     replace(WELL, confidence=0.1), replace(WELL, confidence=0.9),
     replace(WELL, outcome=Outcome.CAPTCHA, evidence="captcha"),
     replace(WELL, outcome=Outcome.NOT_FOUND, evidence="HTTP 404", status=404),
     replace(WELL, outcome=Outcome.LOGIN_REQUIRED, evidence="HTTP 401", status=401)]
)  # fmt: skip
blocks = st.lists(st.tuples(outcomes, st.integers(1, 9), st.sampled_from([2, 90, 9_000])))


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(history=blocks)
def test_no_history_makes_a_contradictory_care(history: list[tuple[Visit, int, int]]) -> None:
    asyncio.run(_live_through(history))


async def _live_through(history: list[tuple[Visit, int, int]]) -> None:
    clock = ManualClock()
    async with open_factory(Settings(database_url="sqlite:///:memory:"), clock=clock) as bench:
        host = Simulated(bench, clock)
        for visit, times, seconds in history:
            await host.visit(visit, times, seconds)
            assert contradictions(await bench.policies.care(HOST), HOST) == []
        for event in reversed(await host.events()):
            if event.status not in GIVEN_UP:
                await undo(bench, event.id, "test")
        assert await bench.policies.care(HOST) == HostCare()


async def test_a_look_that_tells_nothing_makes_room_for_another(host: Simulated) -> None:
    await host.visit(NO_NAME, 3)
    host.clock.advance(61)
    missing = replace(WELL, outcome=Outcome.NOT_FOUND, evidence="HTTP 404", status=404)

    assert await host.visit(missing) == 1
    assert await asyncio.create_task(host.visit(WELL)) == 1

    assert await host.story() == [("dns_failure", "pause", "helped")]


async def test_a_failure_told_in_python_names_its_host_in_any_spelling_and_keeps_no_password(
    host: Simulated,
) -> None:
    url = "https://ann:s3cret@shop.example/mice"
    about = {"url": url, "status": 403, "proxy": "http://bob:s3cret@proxy.example:3128"}
    await SelfHealing(host.bench).handle_failure("https://Shop.Example/", f"403 at {url}", about)

    (visit,) = await host.bench.visits.recent("shop.example", 5)
    assert "s3cret" not in repr(visit)
    assert visit.proxy == "proxy.example:3128"
