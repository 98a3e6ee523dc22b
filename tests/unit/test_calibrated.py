"""The shipped curves, and likelihoods without them."""

from __future__ import annotations

import pytest

from specfactory.extract.answers import calibration as calibrated
from specfactory.extract.answers.calibration import shipped, uncalibrated


def test_the_shipped_curves_rise_and_stay_shares() -> None:
    curves = [shipped().common, *shipped().families.values()]

    assert len(curves) > 5
    for curve in curves:
        assert list(curve.scores) == sorted(curve.scores)
        assert list(curve.shares) == sorted(curve.shares)
        assert 0 <= curve.shares[0] <= curve.shares[-1] <= 1


def test_a_likelihood_is_read_off_the_curve_of_its_family() -> None:
    curve = shipped().families["brand"]

    assert calibrated.calibrated("brand", curve.scores[0]) == curve.shares[0]
    assert calibrated.calibrated("no such family", 0.5) == shipped().common.at(0.5)


def test_who_fits_curves_sees_likelihoods_as_they_are() -> None:
    with uncalibrated():
        assert calibrated.calibrated("brand", 0.123) == 0.123


def test_without_the_file_a_likelihood_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrated, "FILE", "missing.json")
    shipped.cache_clear()

    try:
        assert calibrated.calibrated("brand", 0.4) == pytest.approx(0.4)
    finally:
        monkeypatch.undo()
        shipped.cache_clear()
