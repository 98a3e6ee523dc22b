"""All sets with fields, pooled: does confidence mean what it says, and what can be published.

Curves and threshold are fitted on one half of the sites and measured on the other, both ways
round; DIR is a folder of sets. Sets that have no folder there are left out.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.calibration_fitting import fit_calibration, published_at
from benchmarks.real_sets._pages import Judged, half
from benchmarks.report import Report
from specfactory.extract.answers.calibration import uncalibrated
from specfactory.learn.truth.calibration import calibrated, calibration_error, find_threshold
from specfactory.model.record import Threshold

SETS = (
    "swde", "products", "recipes", "articles_meta", "articles_news", "property_listings",
    "attributes",
)  # fmt: skip
_MANY_PAGES = {"swde": 20}  # test pages per site, so that one set does not drown the others


def measure(folder: Path, given: argparse.Namespace) -> Report:
    """Judge every set, then fit and measure."""
    return report(judged_sets(folder, given))


def judged_sets(folder: Path, given: argparse.Namespace) -> list[Judged]:
    """Every answer of every set, with its likelihood before any calibration."""
    with uncalibrated():
        return [
            each
            for name in SETS
            if (folder / name).is_dir()
            for each in _judge(name, folder, given)
        ]


def _judge(name: str, folder: Path, given: argparse.Namespace) -> Sequence[Judged]:
    judge: Callable[[Path, argparse.Namespace], Sequence[Judged]] = importlib.import_module(
        f"benchmarks.real_sets.{name}"
    ).judge
    pages = given.pages or _MANY_PAGES.get(name, 0)
    return judge(folder / name, argparse.Namespace(**{**vars(given), "pages": pages}))


def report(judged: Sequence[Judged]) -> Report:
    """The figures over all sets, and per set as notes."""
    halves = {name: [each for each in judged if half(each.site) == name] for name in "ab"}
    ways = [_measured(halves["a"], halves["b"]), _measured(halves["b"], halves["a"])]
    made = Report("real calibration")
    made.at_most("ece", _mean([way.error for way in ways]), 0.03)
    made.at_least("accuracy_published", _mean([way.published.accuracy for way in ways]), 0.99)
    made.plain("coverage_published", _mean([way.published.coverage for way in ways]))
    made.at_least("proven_share", sum(each.proven for each in judged) / len(judged), 1.0)
    for (fitted, tested), way in zip((("a", "b"), ("b", "a")), ways, strict=True):
        made.notes.append(
            f"fitted on {fitted}, measured on {tested}: ece {way.error:.4f}, threshold "
            f"{way.published.at:.4f}, accuracy {way.published.accuracy:.4f}, coverage "
            f"{way.published.coverage:.4f}, {len(halves[tested])} answers"
        )
        made.notes += way.sets
    return made


class _Way:
    """Fitted on one half, measured on the other."""

    def __init__(self, error: float, published: Threshold, sets: list[str]) -> None:
        self.error, self.published, self.sets = error, published, sets


def _measured(fitted: Sequence[Judged], tested: Sequence[Judged]) -> _Way:
    calibration = fit_calibration(_answers(fitted))
    found = find_threshold(calibrated(calibration, _answers(fitted)))
    at = found.at if found else 1.0
    pairs = calibrated(calibration, _answers(tested))
    lines = []
    for name in sorted({each.set for each in tested}):
        own = calibrated(calibration, _answers([each for each in tested if each.set == name]))
        kept = published_at(own, at)
        lines.append(
            f"  {name}: {len(own)} answers, {sum(r for _, r in own) / len(own):.3f} right, ece "
            f"{calibration_error(own):.3f}, published {kept.coverage:.3f} at {kept.accuracy:.4f}"
        )
    return _Way(calibration_error(pairs), published_at(pairs, at), lines)


def _answers(judged: Sequence[Judged]) -> list[tuple[str, float, bool]]:
    return [(each.family, each.likelihood, each.right) for each in judged]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
