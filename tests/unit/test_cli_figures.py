"""Numbers, times and bars in few characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.entry.cli.terminal.options import DAY_MS, age_ms
from specfactory.entry.cli.terminal.short_numbers import duration, per_minute, short, sparkline
from specfactory.errors import UsageError


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "0"), (999, "999"), (1000, "1.0k"), (9949, "9.9k"), (45_300, "45k"), (1_234_567, "1.2M")],
)
def test_counts_are_short(count: int, shown: str) -> None:
    assert short(count) == shown


@given(st.integers(0, 10**12))
def test_a_count_fits_its_column(count: int) -> None:
    assert len(short(count)) <= 5


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "0 s"), (8.4, "8 s"), (720, "12 min"), (11_100, "3 h 05 min"), (352_800, "4 d 2 h")],
)
def test_durations_have_their_two_largest_units(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown


@pytest.mark.parametrize(
    ("rate", "shown"),
    [(0, "0/min"), (0.05, "3.0/h"), (4.25, "4.2/min"), (427, "427/min"), (27_000, "450/s")],
)
def test_a_pace_is_told_in_the_unit_that_suits_it(rate: float, shown: str) -> None:
    assert per_minute(rate) == shown


def test_bars_rise_and_what_is_unknown_is_a_dot() -> None:
    assert sparkline([None, 0, 4, 8], 4) == ["· ▄█"]
    assert sparkline([None, 0, 4, 8], 4, rows=2) == ["   █", "· ██"]


@given(st.lists(st.none() | st.floats(0, 1e9), max_size=80), st.integers(1, 200), st.integers(1, 4))
def test_bars_fill_exactly_their_width(values: list[float | None], width: int, rows: int) -> None:
    lines = sparkline(values, width, rows)

    assert [len(line) for line in lines] == [width] * rows


@pytest.mark.parametrize(
    ("words", "age"),
    [("30d", 30 * DAY_MS), ("30", 30 * DAY_MS), ("12 h", DAY_MS // 2), ("90min", 5_400_000)],
)
def test_ages_are_read_as_people_write_them(words: str, age: int) -> None:
    assert age_ms(words, "--older-than") == age


@pytest.mark.parametrize("words", ["", "-3d", "soon", "3 years", "9999999d"])
def test_what_is_no_age_is_refused(words: str) -> None:
    with pytest.raises(UsageError, match="--older-than"):
        age_ms(words, "--older-than")
