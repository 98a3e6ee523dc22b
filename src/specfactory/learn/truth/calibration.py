"""Confidence against accuracy: reliability, its error, and the threshold worth publishing at."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import fmean

from specfactory.model import Calibration, Frozen, Threshold, lower_bound

TARGET = 0.99
_LEAST_IN_BIN = 5  # fewer answers say nothing about accuracy
_BINS = 15

Pairs = Sequence[tuple[float, bool]]  # a score, and whether the answer was right


class ReliabilityBin(Frozen):
    """Answers of similar confidence: their mean confidence and the share that was right."""

    low: float
    high: float
    count: int
    confidence: float
    accuracy: float


def reliability(pairs: Pairs, bins: int = _BINS) -> list[ReliabilityBin]:
    """Put answers into bins of equal mass, least confident first; a handful is one bin."""
    by_score: dict[float, list[bool]] = {}
    for score, right in pairs:
        by_score.setdefault(score, []).append(right)
    # Answers of equal score share one accuracy, so that a bin's edge between them is fair.
    ranked = [
        (score, sum(by_score[score]) / len(by_score[score]))
        for score in sorted(by_score)
        for _ in by_score[score]
    ]
    bins = max(1, min(bins, len(pairs) // _LEAST_IN_BIN))
    edges = [round(at * len(ranked) / bins) for at in range(bins + 1)]
    return [
        ReliabilityBin(
            part[0][0], part[-1][0], len(part), fmean(s for s, _ in part), fmean(a for _, a in part)
        )
        for part in (ranked[a:b] for a, b in pairwise(edges) if b > a)
    ]


def calibration_error(pairs: Pairs, bins: int = _BINS) -> float:
    """Mean distance between confidence and accuracy (ECE over bins of equal mass)."""
    found = reliability(pairs, bins)
    apart = sum(each.count * abs(each.confidence - each.accuracy) for each in found)
    return apart / max(len(pairs), 1)


def find_threshold(pairs: Pairs, target: float = TARGET) -> Threshold | None:
    """Find the lowest confidence above which accuracy surely passes the target.

    None when no threshold does: there are too few answers, or too many wrong ones.
    """
    ranked = sorted(pairs, reverse=True)
    right = count = 0
    best: Threshold | None = None
    for place, (score, is_right) in enumerate(ranked):
        right, count = right + is_right, count + 1
        if place + 1 < len(ranked) and ranked[place + 1][0] == score:
            continue  # a threshold cannot separate equal scores
        bound = lower_bound(right, count)
        if bound >= target:
            best = Threshold(score, right / count, bound, count / len(ranked))
    return best


def calibrated(calibration: Calibration, answers: Iterable[tuple[str, float, bool]]) -> Pairs:
    """Replace the scores of (family, score, right) by calibrated confidence."""
    return [(calibration.at(family, score), right) for family, score, right in answers]


def by_family(answers: Iterable[tuple[str, float, bool]]) -> Mapping[str, Pairs]:
    """Group (family, score, right) by family."""
    found: dict[str, list[tuple[float, bool]]] = {}
    for family, score, right in answers:
        found.setdefault(family, []).append((score, right))
    return found
