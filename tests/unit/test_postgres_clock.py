"""A clock that follows the server's: offsets, trips, jumps and sleeps."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from specfactory.adapters.postgres.clock import LONGEST_TRIP_SECONDS, REFRESH_SECONDS, PostgresClock

START = 1_000.0


class Machine:
    """The two clocks of a machine, moved by hand."""

    def __init__(self) -> None:
        self.steady, self.wall = 50.0, START

    def passes(self, seconds: float) -> None:
        self.steady += seconds
        self.wall += seconds


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def clock(machine: Machine) -> PostgresClock:
    return PostgresClock(lambda: machine.steady, lambda: machine.wall)


def server(
    shows_seconds: float, machine: Machine, trip_seconds: float = 0.0
) -> Callable[[], Awaitable[float]]:
    async def answer() -> float:
        machine.passes(trip_seconds)
        return shows_seconds * 1000

    return answer


def test_before_the_server_was_asked_it_is_this_machines_time(
    clock: PostgresClock, machine: Machine
) -> None:
    machine.passes(2)

    assert clock.now() == 1_002_000
    assert clock.is_due()


async def test_it_shows_the_servers_time_and_carries_it_on(
    clock: PostgresClock, machine: Machine
) -> None:
    await clock.ask(server(5_000, machine))
    machine.passes(1.5)

    assert clock.now() == 5_001_500
    assert clock.monotonic() == 51.5


async def test_an_answer_is_half_a_trip_old(clock: PostgresClock, machine: Machine) -> None:
    await clock.ask(server(5_000, machine, trip_seconds=0.2))

    assert clock.now() == 5_000_100


async def test_a_slow_answer_says_nothing_once_there_was_a_quick_one(
    clock: PostgresClock, machine: Machine
) -> None:
    await clock.ask(server(5_000, machine))
    await clock.ask(server(9_000, machine, trip_seconds=LONGEST_TRIP_SECONDS * 2))

    assert clock.now() == 5_001_000


async def test_setting_this_machines_clock_changes_nothing(
    clock: PostgresClock, machine: Machine
) -> None:
    await clock.ask(server(5_000, machine))
    machine.wall -= 3600

    assert clock.now() == 5_000_000
    assert clock.is_due()


async def test_a_server_that_was_set_back_is_met_at_half_speed(
    clock: PostgresClock, machine: Machine
) -> None:
    await clock.ask(server(5_000, machine))
    before = clock.now()
    await clock.ask(server(4_990, machine))

    shown = [before]
    for _ in range(30):
        machine.passes(1)
        shown.append(clock.now())
    assert shown == sorted(shown)
    assert shown[:3] == [5_000_000, 5_000_500, 5_001_000]
    assert shown[-1] == 5_020_000  # 4,990 s + 30 s: they agree again


async def test_it_is_asked_again_after_a_while_and_after_the_machine_slept(
    clock: PostgresClock, machine: Machine
) -> None:
    await clock.ask(server(5_000, machine))
    assert not clock.is_due()

    machine.passes(REFRESH_SECONDS + 1)
    assert clock.is_due()
    await clock.ask(server(5_031, machine))
    machine.wall += 60  # the steady clock stands still while a machine sleeps
    assert clock.is_due()
