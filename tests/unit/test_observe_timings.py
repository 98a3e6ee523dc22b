"""Where a page's time goes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.errors import UsageError
from specfactory.observe import CrawlProfiler, Laps, aggregate, profile_of
from specfactory.observe.timings import PHASES, percentile
from specfactory.testing import ManualClock

MS = st.floats(0, 1e6, allow_nan=False)
TIMINGS = st.dictionaries(st.sampled_from([*PHASES, "elsewhere"]), MS, max_size=10)


def test_laps_follow_one_another_and_leave_out_what_lies_between() -> None:
    clock = ManualClock()
    laps = Laps(clock.monotonic)

    clock.advance(seconds=0.5)
    laps.begin()
    clock.advance(seconds=0.02)
    laps.lap("parse")
    clock.advance(seconds=0.03)
    laps.lap("extract")
    clock.advance(seconds=0.01)
    laps.lap("parse")

    assert laps.ms == pytest.approx({"parse": 30.0, "extract": 30.0})


def test_a_profile_names_its_phases_in_their_order_and_the_longest() -> None:
    profile = profile_of({"store": 5.0, "later": 1.0, "download": 312.0, "dns": 45.0})

    assert list(profile["phases"]) == ["dns", "download", "store", "later"]
    assert profile["total"] == 363.0
    assert profile["bottleneck"] == "download"


def test_a_page_without_timings_has_no_bottleneck() -> None:
    assert profile_of({}) == {"phases": {}, "total": 0, "bottleneck": ""}


def test_many_pages_give_averages_percentiles_and_shares_of_bottlenecks() -> None:
    pages = [{"dns": 1.0, "ttfb": float(ms)} for ms in range(1, 101)] + [{"parse": 500.0}]

    stats = aggregate(pages)
    assert stats["pages"] == 101
    assert stats["avg_total"] == pytest.approx((5050 + 100 + 500) / 101, abs=0.01)
    assert stats["p50"] == 52.0
    assert stats["phases"]["ttfb"]["p95"] == 95.0
    assert stats["phases"]["dns"]["avg"] == pytest.approx(100 / 101, abs=0.01)
    assert stats["bottlenecks"] == {"ttfb": 0.9802, "dns": 0.0099, "parse": 0.0099}


@given(st.lists(TIMINGS, max_size=30))
def test_aggregates_add_up_whatever_the_timings(pages: list[dict[str, float]]) -> None:
    stats = aggregate(pages)

    phases = sum(phase["avg"] for phase in stats["phases"].values())
    assert phases == pytest.approx(stats["avg_total"], abs=0.2)
    assert sum(stats["bottlenecks"].values()) <= 1.001
    assert stats["p50"] <= stats["p95"] + 0.01


@given(st.lists(MS, min_size=1), st.floats(0, 1))
def test_a_percentile_lies_within_the_values(values: list[float], share: float) -> None:
    ordered = sorted(values)

    assert ordered[0] <= percentile(ordered, share) <= ordered[-1] * 1.000001


async def test_the_profiler_times_phases_as_they_are_started_and_ended() -> None:
    clock = ManualClock()
    profiler = CrawlProfiler(clock)
    for name, seconds in (("dns", 0.045), ("fetch", 0.312), ("fetch", 0.1)):
        profiler.start(name)
        clock.advance(seconds=seconds)
        profiler.end(name)

    profile = profiler.get_profile()
    assert profile["phases"] == pytest.approx({"dns": 45.0, "fetch": 412.0})
    assert profile["total"] == pytest.approx(457.0)
    assert profile["bottleneck"] == "fetch"


async def test_the_profiler_aggregates_the_pages_that_went_through_it() -> None:
    clock = ManualClock()
    profiler = CrawlProfiler(clock)
    for host, seconds in (("a.example", 0.1), ("a.example", 0.3), ("b.example", 9.0)):
        profiler.start("fetch")
        clock.advance(seconds=seconds)
        profiler.end("fetch")
        profiler.end_page(host)

    stats = await profiler.get_aggregate_stats(host="a.example")
    assert (stats["pages"], stats["avg_total"]) == (2, 200.0)
    assert stats["bottlenecks"] == {"fetch": 1.0}
    assert (await profiler.get_aggregate_stats())["pages"] == 3


async def test_nothing_measured_gives_zeros() -> None:
    stats = await CrawlProfiler(ManualClock()).get_aggregate_stats(host="a.example")

    assert (stats["pages"], stats["avg_total"], stats["bottlenecks"]) == (0, 0.0, {})


def test_a_phase_is_started_once_and_ended_once() -> None:
    profiler = CrawlProfiler(ManualClock())
    profiler.start("dns")

    with pytest.raises(UsageError, match="'dns' has started already"):
        profiler.start("dns")
    profiler.end("dns")
    with pytest.raises(UsageError, match="'dns' has not been started"):
        profiler.end("dns")
