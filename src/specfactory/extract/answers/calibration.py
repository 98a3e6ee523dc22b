"""Calibration of likelihoods: curves per family of fields, fitted on truth.

They are a data file made by ``benchmarks/train_calibration.py``; without it a likelihood
stays as the ranking gave it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from specfactory.extract.learned import learned
from specfactory.model import Calibration, Curve

FILE = "calibration.json"
_raw: ContextVar[bool] = ContextVar("raw", default=False)


def calibrated(family: str, likelihood: float) -> float:
    """The share of right answers among those with this likelihood."""
    return likelihood if _raw.get() else shipped().at(family, likelihood)


@contextmanager
def uncalibrated() -> Iterator[None]:
    """Leave likelihoods as the ranking gives them, to fit curves."""
    token = _raw.set(True)
    try:
        yield
    finally:
        _raw.reset(token)


@cache
def shipped() -> Calibration:
    """The curves of the package."""
    written = learned(FILE)
    if not written:
        return Calibration()
    families = {name: _curve(points) for name, points in written["families"].items()}
    return Calibration(_curve(written["common"]), families)


def _curve(points: list[list[Any]]) -> Curve:
    return Curve(tuple(point[0] for point in points), tuple(point[1] for point in points))
