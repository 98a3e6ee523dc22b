"""Accuracy, confidence and source weights, fitted on truth."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .calibration import Pairs, calibration_error, find_threshold, reliability
    from .evaluation import Evaluation, FieldScore, JudgedAnswer, evaluate
    from .source_weights import fit_knowledge
    from .truth_sets import read_pages, truth_rows
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
