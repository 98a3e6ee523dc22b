"""How far confidence can be believed: a table, its error, and the publishing threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specfactory.entry.cli.terminal import print_line, print_section

if TYPE_CHECKING:
    from specfactory.entry.shapes import EvaluationShape, Reliability

BINS = (
    ("confidence", lambda b: f"{b.low:.2f}–{b.high:.2f}"),
    "answers",
    ("said", "confidence"),
    ("right", "accuracy"),
)


def print_reliability(found: Reliability | EvaluationShape) -> None:
    """Print how sure answers were and how many of them were right."""
    print_section("Reliability", BINS, found.reliability, empty="no answers")
    print_line(f"calibration error {found.calibration_error:.3f}")
    if (threshold := found.threshold) is None:
        print_line(
            "no threshold reaches 99% with its bound: too few answers, or too many wrong ones"
        )
    else:
        print_line(
            f"publishing from {threshold.at:.3f} on: {threshold.accuracy:.1%} right "
            f"(at least {threshold.lower_bound:.1%}), coverage {threshold.coverage:.1%}"
        )
