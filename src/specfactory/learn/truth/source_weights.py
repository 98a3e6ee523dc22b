"""Source weights fitted on truth: prior judgements of tiers and methods, moved by observation."""

import math
from collections.abc import Iterable, Mapping, Sequence

from specfactory.learn.truth.calibration import Pairs, by_family, calibrated, find_threshold
from specfactory.merge import (
    METHOD_SHIFT,
    TIER_ACCURACY,
    MergeKnowledge,
    MergeWeights,
    log_odds,
    share_of,
)
from specfactory.model import Calibration, Curve, Method, Tier

_FIRMNESS = 20.0  # a prior judgement weighs as much as this many observations
_ROUNDS = 100
_LEAST_MOVE = 1e-4
_LONGEST_STEP = 0.5  # longer steps of Newton's overshoot where the curve is flat
_LEAST_LESSONS = 30  # fewer answers must not turn a whole record
_POINTS = 100  # of a curve
_LEAST_STRETCH = 0.05  # keeps a curve rising

Observed = Mapping[tuple[Tier, Method], tuple[int, int]]  # right, wrong


def fit_weights(observed: Observed) -> MergeWeights:
    """Fit log-odds per tier and shifts per method to who was right.

    A logistic model of two parts, with the judgements in ``merge.weights`` as its prior.
    """
    seen = sum(right + wrong for right, wrong in observed.values())
    if seen < _LEAST_LESSONS:
        return MergeWeights()
    tiers = {tier: log_odds(share) for tier, share in TIER_ACCURACY.items()}
    methods = dict(METHOD_SHIFT)
    for _ in range(_ROUNDS):
        moved = 0.0
        for tier in tiers:
            cells = [(methods[m], counts) for (t, m), counts in observed.items() if t is tier]
            step = _weight_step(tiers[tier], log_odds(TIER_ACCURACY[tier]), cells)
            tiers[tier] += step
            moved = max(moved, abs(step))
        for method in methods:
            cells = [(tiers[t], counts) for (t, m), counts in observed.items() if m is method]
            step = _weight_step(methods[method], METHOD_SHIFT[method], cells)
            methods[method] += step
            moved = max(moved, abs(step))
        if moved < _LEAST_MOVE:
            break
    return MergeWeights(tiers, methods, seen)


def _weight_step(
    weight: float, prior: float, cells: Iterable[tuple[float, tuple[int, int]]]
) -> float:
    """One step of Newton's for one weight, with the others held still."""
    slope, bend = _FIRMNESS / 4 * (prior - weight), _FIRMNESS / 4
    for other, (right, wrong) in cells:
        share = 1 / (1 + math.exp(-(weight + other)))
        slope += right - (right + wrong) * share
        bend += (right + wrong) * share * (1 - share)
    return max(-_LONGEST_STEP, min(_LONGEST_STEP, slope / bend))


def fit_knowledge(
    accuracy: Mapping[tuple[str, str], tuple[int, int]],
    observed: Observed,
    lessons: Iterable[tuple[str, float, bool]],
) -> MergeKnowledge:
    """Fit everything that truth teaches; ``lessons`` are (family, confidence, right)."""
    taught = list(lessons)
    calibration = Calibration()
    if len(taught) >= _LEAST_LESSONS:
        families = {
            family: bent_curve(pairs)
            for family, pairs in by_family(taught).items()
            if len(pairs) >= _LEAST_LESSONS
        }
        calibration = Calibration(bent_curve([(s, right) for _, s, right in taught]), families)
    threshold = find_threshold(calibrated(calibration, taught))
    return MergeKnowledge(accuracy, fit_weights(observed), calibration, len(taught), threshold)


def bent_curve(pairs: Pairs) -> Curve:
    """Fit a shift and a stretch of the log-odds; the prior keeps few answers from moving it far."""
    counts: dict[float, list[int]] = {}
    for score, right in pairs:
        found = counts.setdefault(round(score, 2), [0, 0])
        found[0] += right
        found[1] += 1
    points = [(log_odds(score), right, count) for score, (right, count) in sorted(counts.items())]
    shift, stretch = 0.0, 1.0
    for _ in range(_ROUNDS):
        first = _step(points, shift, stretch, -_FIRMNESS * shift / 4, _FIRMNESS / 4, along=False)
        shift += first
        second = _step(points, shift, stretch, _FIRMNESS * (1 - stretch), _FIRMNESS, along=True)
        stretch = max(_LEAST_STRETCH, stretch + second)
        if max(abs(first), abs(second)) < _LEAST_MOVE:
            break
    scores = tuple(at / _POINTS for at in range(_POINTS + 1))
    return Curve(scores, tuple(share_of(shift + stretch * log_odds(score)) for score in scores))


def _step(
    points: Sequence[tuple[float, int, int]],
    shift: float,
    stretch: float,
    slope: float,
    bend: float,
    along: bool,
) -> float:
    """One step of Newton's for the shift or (``along``) the stretch, prior included."""
    for at, right, count in points:
        share = share_of(shift + stretch * at)
        lever = at if along else 1.0
        slope += (right - count * share) * lever
        bend += count * share * (1 - share) * lever * lever
    return max(-_LONGEST_STEP, min(_LONGEST_STEP, slope / bend))
