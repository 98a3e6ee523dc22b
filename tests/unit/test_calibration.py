"""Confidence is fitted on truth: curves that rise, errors that are measured, thresholds."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.calibration_fitting import fit_calibration, fit_curve, published_at
from specfactory.learn.truth.calibration import (
    calibrated,
    calibration_error,
    find_threshold,
    reliability,
)
from specfactory.model.record import Calibration, Curve

PAIRS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60)


def _answers(count: int, share: float, score: float) -> list[tuple[float, bool]]:
    return [(score, at < share * count) for at in range(count)]


@given(PAIRS)
def test_a_curve_rises_and_stays_between_nothing_and_all(pairs: list[tuple[float, bool]]) -> None:
    curve = fit_curve(pairs)
    shares = [curve.at(at / 50) for at in range(51)]

    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] <= 1


@given(PAIRS)
def test_every_answer_is_in_one_bin(pairs: list[tuple[float, bool]]) -> None:
    bins = reliability(pairs, 7)

    assert sum(each.count for each in bins) == len(pairs)
    assert sum(each.count * each.accuracy for each in bins) == pytest.approx(
        sum(right for _, right in pairs)
    )


def test_a_curve_says_how_many_were_right() -> None:
    pairs = [*_answers(1000, 0.5, 0.2), *_answers(1000, 0.9, 0.8)]
    curve = fit_curve(pairs)

    assert curve.at(0.2) == pytest.approx(0.5, abs=0.01)
    assert curve.at(0.8) == pytest.approx(0.9, abs=0.01)
    assert curve.at(0.5) == pytest.approx(0.7, abs=0.01)


def test_scores_that_mean_nothing_all_become_the_average() -> None:
    falling = [*_answers(100, 0.9, 0.1), *_answers(100, 0.5, 0.9)]

    assert fit_curve(falling).at(0.1) == pytest.approx(fit_curve(falling).at(0.9))


def test_calibration_cures_what_was_said_too_surely() -> None:
    draw = random.Random(1)
    said = [("text", score := draw.random(), draw.random() < score**2) for _ in range(6000)]
    half = len(said) // 2
    calibration = fit_calibration(said[:half])

    assert calibration_error([(s, r) for _, s, r in said[half:]]) > 0.1
    assert calibration_error(calibrated(calibration, said[half:])) < 0.03


def test_a_large_family_has_its_own_curve_and_a_small_one_the_common() -> None:
    said = [("price", s, r) for s, r in _answers(400, 0.9, 0.5)]
    said += [("date", s, r) for s, r in _answers(20, 0.1, 0.5)]
    calibration = fit_calibration(said)

    assert set(calibration.families) == {"price"}
    assert calibration.at("price", 0.5) == pytest.approx(0.9, abs=0.01)
    assert calibration.at("date", 0.5) == calibration.common.at(0.5)


def test_without_answers_a_score_stays_as_it_is() -> None:
    assert Calibration().at("text", 0.3) == pytest.approx(0.3)
    assert fit_calibration([]).at("text", 0.3) == pytest.approx(0.3)


def test_the_threshold_is_the_lowest_that_is_sure_enough() -> None:
    pairs = [*_answers(1000, 1.0, 0.9), *_answers(500, 1.0, 0.8), *_answers(300, 0.6, 0.5)]
    found = find_threshold(pairs)

    assert found is not None
    assert found.at == 0.8
    assert found.lower_bound >= 0.99
    assert found.coverage == pytest.approx(1500 / 1800)
    assert published_at(pairs, found.at).accuracy == 1.0


def test_few_answers_give_no_threshold_however_right_they_are() -> None:
    assert find_threshold(_answers(50, 1.0, 0.9)) is None
    assert find_threshold([]) is None


def test_a_threshold_that_nothing_reaches_publishes_nothing() -> None:
    assert published_at(_answers(10, 1.0, 0.5), 0.9).coverage == 0.0


def test_equal_scores_are_no_order() -> None:
    pairs = [(0.9, False)] * 50 + [(0.9, True)] * 50

    assert {round(each.accuracy, 6) for each in reliability(pairs, 5)} == {0.5}
    assert calibration_error(pairs) == pytest.approx(0.4)


def test_a_curve_of_one_point_is_flat() -> None:
    assert Curve((0.5,), (0.7,)).at(0.1) == Curve((0.5,), (0.7,)).at(0.9) == 0.7


def test_a_handful_of_answers_is_one_bin():
    pairs = [(0.9, True), (0.91, True), (0.92, False)]

    assert [each.count for each in reliability(pairs, 10)] == [3]
    assert [each.count for each in reliability(pairs * 10, 10)] == [5] * 6
