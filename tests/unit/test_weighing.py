"""Weights start as judgements and move towards what was observed."""

from __future__ import annotations

import pytest

from specfactory.learn.truth.source_weights import bent_curve, fit_knowledge, fit_weights
from specfactory.merge.weights import METHOD_SHIFT, TIER_LOG_ODDS, share_of
from specfactory.model import Method, Tier

SHOP = (Tier.RETAILER, Method.TABLE)


def test_without_observations_judgement_stands() -> None:
    weights = fit_weights({})

    assert weights.tiers == TIER_LOG_ODDS
    assert weights.methods == METHOD_SHIFT
    assert weights.observed == 0


def test_many_observations_outweigh_the_judgement() -> None:
    weights = fit_weights({SHOP: (400, 600)})

    share = share_of(weights.tiers[Tier.RETAILER] + weights.methods[Method.TABLE])
    assert share == pytest.approx(0.4, abs=0.03)
    assert weights.observed == 1000


def test_a_few_observations_move_nothing_and_some_a_little() -> None:
    few, some = fit_weights({SHOP: (0, 9)}), fit_weights({SHOP: (20, 20)})

    assert few.tiers == TIER_LOG_ODDS
    assert 0 < TIER_LOG_ODDS[Tier.RETAILER] - some.tiers[Tier.RETAILER] < 1.5


def test_what_nobody_observed_stays() -> None:
    weights = fit_weights({SHOP: (0, 50)})

    assert weights.tiers[Tier.LAB] == TIER_LOG_ODDS[Tier.LAB]
    assert weights.methods[Method.PATTERN] == METHOD_SHIFT[Method.PATTERN]


def test_a_bad_method_is_told_from_a_bad_tier() -> None:
    weights = fit_weights(
        {
            (Tier.RETAILER, Method.TABLE): (95, 5),
            (Tier.RETAILER, Method.PATTERN): (30, 70),
            (Tier.MANUFACTURER, Method.PATTERN): (40, 60),
            (Tier.MANUFACTURER, Method.TABLE): (98, 2),
        }
    )

    assert weights.methods[Method.PATTERN] < weights.methods[Method.TABLE] - 2
    assert weights.tiers[Tier.MANUFACTURER] > weights.tiers[Tier.RETAILER]


def test_few_lessons_leave_confidence_as_it_is_and_many_calibrate_it() -> None:
    few = fit_knowledge({}, {}, [("number", 0.95, False)] * 10)
    many = fit_knowledge({}, {}, [("number", 0.95, at % 2 == 0) for at in range(200)])

    assert few.calibration.at("number", 0.95) == pytest.approx(0.95)
    assert many.calibration.at("number", 0.95) == pytest.approx(0.5, abs=0.08)
    assert many.calibration.at("number", 0.3) < many.calibration.at("number", 0.95) + 1e-9
    assert (few.lessons, many.lessons) == (10, 200)


def test_a_curve_that_was_right_all_along_stays() -> None:
    pairs = [(share, at < share * 100) for share in (0.6, 0.8, 0.95) for at in range(100)]

    assert bent_curve(pairs).at(0.8) == pytest.approx(0.8, abs=0.03)


def test_only_wrong_answers_or_only_right_ones_are_no_trouble() -> None:
    assert bent_curve([(0.999, False)] * 500).at(0.99) < 0.2
    assert 0.9 < bent_curve([(0.9, True)] * 500).at(0.9) <= 1.0


def test_enough_right_lessons_set_the_least_that_is_published() -> None:
    sure = [("number", 0.97, True)] * 600 + [("number", 0.75, at % 2 == 0) for at in range(100)]
    known = fit_knowledge({}, {}, sure)

    assert known.threshold is not None
    assert known.calibration.at("number", 0.75) < known.threshold.at
    assert known.calibration.at("number", 0.97) >= known.threshold.at
    assert fit_knowledge({}, {}, sure[:50]).threshold is None
