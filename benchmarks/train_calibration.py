"""Fit the curves that say what likelihoods mean: python -m benchmarks.train_calibration DIR.

DIR is a folder of sets (see ``benchmarks.real``). The same sets give the same file, which is
written to ``src/specfactory/extract/learned/data/calibration.json``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from benchmarks.calibration_fitting import calibration_json, fit_calibration
from benchmarks.real import options
from benchmarks.real_sets.calibration import judged_sets
from specfactory.extract.answers import calibration as calibrated


def main() -> None:
    """Judge all sets, fit on all sites, write the file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, default=_shipped())
    options(parser)
    given = parser.parse_args(["calibration", *_rest()])
    judged = judged_sets(given.dir, given)
    fitted = fit_calibration((each.family, each.likelihood, each.right) for each in judged)
    given.out.write_text(json.dumps(calibration_json(fitted), indent=1) + "\n")
    print(f"{len(judged)} answers of {len(fitted.families)} families in {given.out.name}")


def _rest() -> list[str]:
    import sys

    return sys.argv[1:]


def _shipped() -> Path:
    return Path(calibrated.__file__).parents[1] / "learned" / "data" / calibrated.FILE


if __name__ == "__main__":
    main()
