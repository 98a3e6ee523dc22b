"""One behavioural suite for the Wakeup port, run against every adapter."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator

import asyncpg
import pytest

from specfactory.adapters.memory.clock import SystemClock
from specfactory.adapters.memory.wakeup import MemoryWakeup
from specfactory.adapters.postgres.wakeup import PostgresWakeup
from specfactory.assembly import choose_wakeup
from specfactory.ports import Database, Listener, Wakeup
from specfactory.testing import ManualClock

LONG = 20.0  # a test that needs so long has failed
SHORT = 0.05


@pytest.fixture
async def wakeup(db: Database) -> AsyncIterator[Wakeup]:
    made = choose_wakeup(db, SystemClock())
    yield made
    await made.close()


async def listening(wakeup: Wakeup, channel: str = "jobs") -> Listener:
    """A listener that is connected and has been told of everything before."""
    listener = wakeup.listen(channel)
    if isinstance(wakeup, PostgresWakeup):
        assert await listener.wait(LONG)
    return listener


async def test_a_call_wakes_who_waits(wakeup: Wakeup) -> None:
    listener = await listening(wakeup)
    waiting = asyncio.create_task(listener.wait(LONG))
    await asyncio.sleep(0)

    await wakeup.notify("jobs")

    assert await waiting


async def test_a_call_before_the_wait_is_remembered_once(wakeup: Wakeup) -> None:
    listener = await listening(wakeup)

    await wakeup.notify("jobs")
    await wakeup.notify("jobs")

    assert await listener.wait(LONG)
    await asyncio.sleep(SHORT)  # the second call may come a little later
    await listener.wait(0)
    assert not await listener.wait(SHORT)


async def test_nobody_calls_and_the_time_passes(wakeup: Wakeup) -> None:
    listener = await listening(wakeup)

    assert not await listener.wait(SHORT)


async def test_a_call_on_another_channel_is_not_heard(wakeup: Wakeup) -> None:
    listener, other = await listening(wakeup), await listening(wakeup, 'other "channel"')

    await wakeup.notify('other "channel"')

    assert await other.wait(LONG)
    assert not await listener.wait(SHORT)


async def test_all_who_listen_are_woken(wakeup: Wakeup) -> None:
    one, other = await listening(wakeup), wakeup.listen("jobs")

    await wakeup.notify("jobs")

    assert await asyncio.gather(one.wait(LONG), other.wait(LONG)) == [True, True]


async def test_who_listens_no_more_is_left_alone(wakeup: Wakeup) -> None:
    gone, there = await listening(wakeup), wakeup.listen("jobs")
    gone.close()
    gone.close()

    await wakeup.notify("jobs")

    assert await there.wait(LONG)
    assert not await gone.wait(SHORT)


async def test_closing_twice_is_harmless(wakeup: Wakeup) -> None:
    await listening(wakeup)

    await wakeup.close()
    await wakeup.close()


async def test_cancelling_a_wait_loses_no_call(wakeup: Wakeup) -> None:
    listener = await listening(wakeup)
    waiting = asyncio.create_task(listener.wait(LONG))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)

    await wakeup.notify("jobs")

    assert await listener.wait(LONG)


async def test_the_wait_follows_the_clock_it_was_given() -> None:
    clock = ManualClock(jump=False)
    listener = MemoryWakeup(clock).listen("jobs")
    waiting = asyncio.create_task(listener.wait(3600))
    for _ in range(5):
        await asyncio.sleep(0)

    clock.advance(3601)

    assert not await waiting


async def test_another_thread_can_call() -> None:
    wakeup = MemoryWakeup(SystemClock())
    listener = wakeup.listen("jobs")
    waiting = asyncio.create_task(listener.wait(LONG))
    await asyncio.sleep(0)

    caller = threading.Thread(target=lambda: asyncio.run(wakeup.notify("jobs")))
    caller.start()

    assert await waiting
    caller.join()


# --- PostgreSQL ----------------------------------------------------------------------


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
async def test_a_lost_connection_is_made_again_and_everybody_looks_once(
    wakeup: Wakeup, postgres_url: str
) -> None:
    listener = await listening(wakeup)
    raw = await asyncpg.connect(postgres_url)
    killed = await raw.fetchval(
        "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity"
        " WHERE application_name = 'specfactory wakeup' AND datname = current_database()"
    )
    await raw.close()

    assert killed == 1
    assert await listener.wait(LONG)  # a call may have been missed
    await wakeup.notify("jobs")
    assert await listener.wait(LONG)


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
async def test_a_call_reaches_other_processes(db: Database, wakeup: Wakeup) -> None:
    elsewhere = choose_wakeup(db, SystemClock())  # a connection of its own
    listener = await listening(elsewhere)

    await wakeup.notify("jobs")

    assert await listener.wait(LONG)
    await elsewhere.close()
