"""A clock that is set back does not take the factory back with it."""

from __future__ import annotations

from specfactory.adapters.memory.clock import SystemClock


class Hands:
    """A steady and a wall clock that a test can move."""

    def __init__(self) -> None:
        self.steady, self.wall = 100.0, 1_000.0

    def pass_seconds(self, seconds: float) -> None:
        self.steady += seconds
        self.wall += seconds


def test_a_clock_that_is_set_back_goes_on_at_half_speed_until_then():
    hands = Hands()
    clock = SystemClock(lambda: hands.steady, lambda: hands.wall)
    before = clock.now()
    hands.wall -= 10

    hands.pass_seconds(4)
    assert clock.now() == before + 2_000
    hands.pass_seconds(20)
    assert clock.now() == before + 14_000  # the wall clock has caught up


def test_a_clock_that_is_set_forward_is_followed_at_once():
    hands = Hands()
    clock = SystemClock(lambda: hands.steady, lambda: hands.wall)
    before = clock.now()

    hands.wall += 3_600
    assert clock.now() == before + 3_600_000
