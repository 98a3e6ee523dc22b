"""The drawing of a page's phases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.entry.cli.pages.profile import milliseconds, waterfall
from specfactory.observe import profile_of
from specfactory.observe.timings import PHASES

SEED = {"dns": 45.0, "tcp": 62.0, "tls": 98.0, "ttfb": 38.0, "download": 312.0, "parse": 67.0,
        "extract": 145.0, "store": 23.0}  # fmt: skip
HUNDREDTHS = st.integers(0, 10**9).map(lambda n: n / 100)  # as they are kept


def test_every_phase_begins_where_the_one_before_it_ended() -> None:
    lines = waterfall(profile_of(SEED), 80)

    assert lines[0] == " DNS lookup    " + "▓▓" + "░" * 38 + "  45 ms"
    download = lines[4]
    assert download.index("▓") == len(" DNS lookup    ") + int(243 / 790 * 40)
    assert download.count("▓") in (15, 16)
    assert lines[7].rstrip(" ms23").endswith("▓")
    assert lines[-1].endswith("790 ms total")


def test_a_narrow_terminal_shrinks_the_bars_and_then_drops_them() -> None:
    narrow, slim = waterfall(profile_of(SEED), 40), waterfall(profile_of(SEED), 24)

    assert max(map(len, narrow[:-1])) <= 40
    assert "▓" in narrow[0]
    assert "▓" not in "".join(slim)
    assert max(map(len, slim[:-1])) <= 24
    assert slim[0].split() == ["DNS", "lookup", "45", "ms"]


def test_a_plain_terminal_gets_ascii() -> None:
    lines = waterfall(profile_of(SEED), 80, plain=True)

    assert all(line.isascii() for line in lines)
    assert "#" in lines[0]


@given(
    st.dictionaries(st.sampled_from([*PHASES, "own"]), HUNDREDTHS, max_size=10), st.integers(1, 200)
)
def test_the_drawing_fits_and_shows_every_phase(timings: dict[str, float], width: int) -> None:
    profile = profile_of(timings)

    lines = waterfall(profile, width)
    bars = [line for line in lines if "░" in line or "▓" in line]
    assert all(len(line) <= max(width, 40) for line in lines[:-1])
    assert len(lines) == len(timings) + 2
    for line, ms in zip(bars, profile["phases"].values(), strict=False):
        assert ("▓" in line) == (ms > 0)


@pytest.mark.parametrize(
    ("ms", "words"), [(0.0, "0.00 ms"), (9.5, "9.50 ms"), (45.2, "45 ms"), (1234.0, "1.23 s")]
)
def test_durations_are_said_in_the_unit_that_suits(ms: float, words: str) -> None:
    assert milliseconds(ms) == words
