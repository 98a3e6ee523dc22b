"""How fast jobs end and when nothing will be left, from samples of totals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.observe.throughput import (
    QueueSample,
    Throughput,
    completion_at,
    history,
    throughput,
    trend,
)
from specfactory.store.queue.quick_looks import EndedCount

NOW = 1_000_000_000


def test_the_pace_is_what_ended_within_the_window() -> None:
    samples = [
        QueueSample(NOW - 120_000, 0, 0),
        QueueSample(NOW - 60_000, 50, 0),
        QueueSample(NOW, 80, 10),
    ]

    pace = throughput(samples, NOW, window_seconds=60)

    assert (pace.done, pace.failed, pace.seconds) == (30, 10, 60)
    assert pace.per_minute == 40
    assert pace.failure_share == 0.25


def test_a_window_longer_than_the_samples_reaches_as_far_as_they_do() -> None:
    samples = [QueueSample(NOW - 30_000, 0, 0), QueueSample(NOW, 15, 0)]

    assert throughput(samples, NOW, window_seconds=600).per_minute == 30


def test_jobs_queued_again_do_not_make_the_pace_negative() -> None:
    samples = [
        QueueSample(NOW - 60_000, 100, 40),
        QueueSample(NOW - 30_000, 100, 0),
        QueueSample(NOW, 110, 0),
    ]

    pace = throughput(samples, NOW, window_seconds=60)

    assert (pace.done, pace.failed) == (10, 0)


@given(
    st.lists(
        st.tuples(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6)), max_size=30
    ),
    st.floats(0.1, 10_000),
)
def test_whatever_was_sampled_gives_figures(
    rows: list[tuple[int, int, int]], window: float
) -> None:
    samples = [
        QueueSample(NOW - at, done, failed) for at, done, failed in sorted(rows, reverse=True)
    ]

    pace = throughput(samples, NOW, window)

    assert pace.done >= 0
    assert pace.failed >= 0
    assert 0 <= pace.failure_share <= 1
    assert pace.seconds <= window + 0.001
    assert all(value is None or value >= 0 for value in trend(samples, NOW, 1000, 20))


@pytest.mark.parametrize(
    ("left", "pace", "at"),
    [
        (0, Throughput(0, 0, 60), NOW),
        (10, Throughput(0, 0, 60), None),
        (10, Throughput(5, 5, 60), NOW + 60_000),
        (10, Throughput(0, 0, 0), None),
    ],
)
def test_completion_is_what_is_left_at_this_pace(
    left: int, pace: Throughput, at: int | None
) -> None:
    assert completion_at(left, pace, NOW) == at


def test_what_ended_before_the_first_look_is_known_from_the_jobs_kept() -> None:
    ended = [EndedCount(NOW - 40_000, 10, 0), EndedCount(NOW - 20_000, 20, 5)]

    samples = history(ended, QueueSample(NOW, 100, 9), NOW - 60_000, 10_000, whole=True)

    assert samples[0] == QueueSample(NOW - 60_000, 70, 4)
    assert samples[-1] == QueueSample(NOW, 100, 9)
    assert throughput(samples, NOW, 60) == Throughput(30, 5, 60)


def test_when_older_jobs_are_gone_the_pace_is_measured_from_the_first_one_kept() -> None:
    ended = [EndedCount(NOW - 20_000, 40, 0)]

    samples = history(ended, QueueSample(NOW, 900, 0), NOW - 600_000, 10_000, whole=False)

    assert throughput(samples, NOW, 600) == Throughput(40, 0, 20)


def test_the_trend_spreads_what_ended_over_the_time_between_two_looks() -> None:
    samples = [QueueSample(NOW - 20_000, 0, 0), QueueSample(NOW, 10, 0)]

    assert trend(samples, NOW, 10_000, 4) == (None, None, 30, 30)
