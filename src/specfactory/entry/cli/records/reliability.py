"""How far confidence can be believed: a table, its error, and the publishing threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from specfactory.entry.cli.terminal import print_heading, print_line, print_table

if TYPE_CHECKING:
    from specfactory.learn.truth import Pairs
    from specfactory.model import Threshold

BINS = 10


def print_reliability(pairs: Pairs) -> None:
    """Print how sure answers were and how many of them were right."""
    from specfactory.learn.truth import calibration_error, find_threshold, reliability

    print_line()
    print_heading("Reliability")
    print_table(
        ("confidence", "answers", "said", "right"),
        (
            (f"{each.low:.2f}–{each.high:.2f}", each.count, each.confidence, each.accuracy)
            for each in reliability(pairs, BINS)
        ),
        empty="no answers",
    )
    print_line(f"calibration error {calibration_error(pairs):.3f}")
    print_line(_said(find_threshold(pairs)))


def reliability_json(pairs: Pairs) -> dict[str, Any]:
    """The same for machines."""
    from specfactory.learn.truth import calibration_error, find_threshold, reliability

    found = find_threshold(pairs)
    return {
        "calibration_error": round(calibration_error(pairs), 4),
        "reliability": [
            {"low": each.low, "high": each.high, "answers": each.count,
             "confidence": round(each.confidence, 4), "accuracy": round(each.accuracy, 4)}
            for each in reliability(pairs, BINS)
        ],
        "threshold": None if found is None else {
            "at": found.at, "accuracy": round(found.accuracy, 4),
            "lower_bound": round(found.lower_bound, 4), "coverage": round(found.coverage, 4),
        },
    }  # fmt: skip


def _said(threshold: Threshold | None) -> str:
    if threshold is None:
        return "no threshold reaches 99% with its bound: too few answers, or too many wrong ones"
    return (
        f"publishing from {threshold.at:.3f} on: {threshold.accuracy:.1%} right "
        f"(at least {threshold.lower_bound:.1%}), coverage {threshold.coverage:.1%}"
    )
