"""What ails the factory itself is put on record, on every database."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from specfactory.adapters.memory.state import MemoryState
from specfactory.errors import DatabaseAway, StorageFull
from specfactory.heal import FACTORY
from specfactory.model import HealingEvent, HealingStatus, Problem
from specfactory.orchestrate.bench.factory_health import FactoryHealth
from specfactory.orchestrate.jobs.database_retry import until_written
from specfactory.ports import Database
from specfactory.store import Healings, Outbox
from specfactory.testing import ManualClock


class LostState(MemoryState):
    """A shared state that can be away."""

    is_lost = False


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def health(db: Database, clock: ManualClock) -> FactoryHealth:
    return FactoryHealth(db, clock, MemoryState(clock))


async def events(db: Database) -> list[HealingEvent]:
    return (await Healings(db).of_host(FACTORY, 10))[::-1]


@pytest.mark.parametrize(
    ("problem", "diagnosis"),
    [
        (DatabaseAway("db", "connection refused"), Problem.DATABASE_AWAY),
        (StorageFull("factory.db", "no space left on device"), Problem.DISK_FULL),
    ],
)
async def test_a_database_that_was_away_is_told_when_it_is_back(
    db: Database, health: FactoryHealth, clock: ManualClock, problem: Exception, diagnosis: Problem
) -> None:
    failures = [problem] * 5

    async def work() -> None:
        if failures:
            raise failures.pop()

    await until_written(work, clock, Random(1), health.database_failed)
    await health.database_answered()

    [event] = await events(db)
    assert (event.diagnosis, event.remediation, event.status) == (diagnosis, "wait", "helped")
    assert event.checked_at is not None
    assert event.checked_at > event.created_at
    assert str(problem) in event.reasons
    [told] = [e for e in await Outbox(db).recent() if e.name == "factory.recovered"]
    assert told.fields["seconds"] > 1


async def test_a_hiccup_is_not_worth_a_word(db: Database, health: FactoryHealth) -> None:
    for _ in range(2):
        await health.database_failed(DatabaseAway("db", "busy"))
    await health.database_answered()

    assert await events(db) == []


async def test_a_model_that_is_down_is_noted_once_and_recovers(
    db: Database, clock: ManualClock
) -> None:
    several = [FactoryHealth(db, clock, MemoryState(clock)) for _ in range(3)]
    for _ in range(4):
        await asyncio.gather(*(each.model_failed("no answer") for each in several))
    assert [e.status for e in await events(db)] == [HealingStatus.TRIED]
    clock.advance(90)

    await several[2].model_answered()

    [event] = await events(db)
    assert (event.diagnosis, event.status) == ("model_down", "helped")
    assert event.checked_at == event.created_at + 90_000


async def test_who_starts_later_closes_what_another_left_open(
    db: Database, health: FactoryHealth, clock: ManualClock
) -> None:
    await health.begins(Problem.MODEL_DOWN, "no answer")

    await FactoryHealth(db, clock, MemoryState(clock)).model_answered()

    assert [e.status for e in await events(db)] == [HealingStatus.HELPED]


async def test_a_lost_state_is_noted_and_its_return(db: Database) -> None:
    clock = ManualClock(jump=False)
    state = LostState(clock)
    watching = asyncio.create_task(FactoryHealth(db, clock, state).watch_state())
    for is_lost in (False, True, True, False):
        state.is_lost = is_lost
        await _look(db, clock, 1 if is_lost or await events(db) else 0, is_lost)

    watching.cancel()
    [event] = await events(db)
    assert (event.diagnosis, event.status) == ("state_away", "helped")


class Browser:
    """A browser that can be used, or not."""

    trouble, works = "", False


async def test_a_browser_that_is_none_is_noted_and_the_next_that_works(db: Database) -> None:
    clock, browser = ManualClock(jump=False), Browser()
    health = FactoryHealth(db, clock, MemoryState(clock))
    watching = asyncio.create_task(health.watch_browser(browser))
    browser.trouble = "browser.executable (/bin/true) is no Chromium"
    await _look(db, clock, 1, True)
    watching.cancel()

    later = FactoryHealth(db, clock, MemoryState(clock))
    watching = asyncio.create_task(later.watch_browser(browser))
    browser.trouble, browser.works = "", True
    await _look(db, clock, 1, False)

    watching.cancel()
    [event] = await events(db)
    assert (event.diagnosis, event.status) == ("browser_unusable", "helped")
    assert event.reasons == ("browser.executable (/bin/true) is no Chromium",)


async def _look(db: Database, clock: ManualClock, count: int, is_lost: bool) -> None:
    """Let it look once, and wait until it has written what it saw."""
    async with asyncio.timeout(10):
        while True:
            clock.advance(0.5)
            await asyncio.sleep(0)
            seen = await events(db)
            is_open = any(e.status is HealingStatus.TRIED for e in seen)
            if len(seen) == count and is_open == is_lost:
                return
