"""Accuracy, confidence and source weights, fitted on truth."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.learn.truth.calibration import (
        Pairs,
        calibration_error,
        find_threshold,
        reliability,
    )
    from specfactory.learn.truth.evaluation import Evaluation, FieldScore, JudgedAnswer, evaluate
    from specfactory.learn.truth.source_weights import fit_knowledge
    from specfactory.learn.truth.truth_sets import read_pages, truth_rows
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "Evaluation", "FieldScore", "JudgedAnswer", "Pairs", "calibration_error", "evaluate",
    "find_threshold", "fit_knowledge", "read_pages", "reliability", "truth_rows",
]  # fmt: skip
