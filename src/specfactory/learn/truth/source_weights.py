"""How far kinds of voices are believed: what was judged before, moved by what was observed."""

from __future__ import annotations

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

_FIRMNESS = 20.0  # how hard a judgement is to move: like so many observations
_ROUNDS = 100
_LEAST_MOVE = 1e-4
_LONGEST_STEP = 0.5  # so that no step goes past what it aims at
_LEAST_LESSONS = 30  # before confidence is calibrated anew
_POINTS = 100  # of a curve
_LEAST_STRETCH = 0.05  # a curve always rises

Observed = Mapping[tuple[Tier, Method], tuple[int, int]]  # right, wrong


def fit_weights(observed: Observed) -> MergeWeights:
    """Log-odds per tier and shifts per method that explain who was right.

    A logistic model of two parts, drawn to the judgements in ``merge.weights`` where little
    was observed.
    """
    seen = sum(right + wrong for right, wrong in observed.values())
    if seen < _LEAST_LESSONS:  # one answer must not turn a whole record
        return MergeWeights()
    tiers = {tier: log_odds(share) for tier, share in TIER_ACCURACY.items()}
    methods = dict(METHOD_SHIFT)
    for _ in range(_ROUNDS):
        moved = 0.0
        for tier in tiers:
            cells = [(methods[m], counts) for (t, m), counts in observed.items() if t is tier]
            moved = max(moved, _move(tiers, tier, log_odds(TIER_ACCURACY[tier]), cells))
        for method in methods:
            cells = [(tiers[t], counts) for (t, m), counts in observed.items() if m is method]
            moved = max(moved, _move(methods, method, METHOD_SHIFT[method], cells))
        if moved < _LEAST_MOVE:
            break
    return MergeWeights(tiers, methods, seen)


def _move(
    weights: dict[Tier, float] | dict[Method, float],
    name: Tier | Method,
    judged: float,
    cells: Iterable[tuple[float, tuple[int, int]]],
) -> float:
    """One step of Newton's for one weight, the others held; returns how far it went."""
    held: float = weights[name]  # type: ignore[index]
    slope, bend = _FIRMNESS / 4 * (judged - held), _FIRMNESS / 4
    for other, (right, wrong) in cells:
        share = 1 / (1 + math.exp(-(held + other)))
        slope += right - (right + wrong) * share
        bend += (right + wrong) * share * (1 - share)
    step = _short(slope / bend)
    weights[name] = held + step  # type: ignore[index]
    return abs(step)


def fit_knowledge(
    accuracy: Mapping[tuple[str, str], tuple[int, int]],
    observed: Observed,
    lessons: Iterable[tuple[str, float, bool]],
) -> MergeKnowledge:
    """Everything that truth has taught; ``lessons`` are (family, confidence, right)."""
    taught = list(lessons)
    weights = fit_weights(observed)
    meaning = fit_meaning(taught)
    threshold = find_threshold(calibrated(meaning, taught))
    return MergeKnowledge(accuracy, weights, meaning, len(taught), threshold)


def fit_meaning(lessons: Sequence[tuple[str, float, bool]]) -> Calibration:
    """What our confidence means by the lessons so far; with few of them it means itself."""
    families = {
        family: bent_curve(pairs)
        for family, pairs in by_family(lessons).items()
        if len(pairs) >= _LEAST_LESSONS
    }
    if len(lessons) < _LEAST_LESSONS:
        return Calibration()
    return Calibration(bent_curve([(score, right) for _, score, right in lessons]), families)


def bent_curve(pairs: Pairs) -> Curve:
    """Log-odds moved and stretched to fit the answers; firm, so that few move it little."""
    points = _counted(pairs)
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


def _counted(pairs: Pairs) -> list[tuple[float, int, int]]:
    """Log-odds with how many were right and how many there were, like scores together."""
    counts: dict[float, list[int]] = {}
    for score, right in pairs:
        found = counts.setdefault(round(score, 2), [0, 0])
        found[0] += right
        found[1] += 1
    return [(log_odds(score), right, count) for score, (right, count) in sorted(counts.items())]


def _step(
    points: Sequence[tuple[float, int, int]],
    shift: float,
    stretch: float,
    slope: float,
    bend: float,
    along: bool,
) -> float:
    """One step of Newton's for the shift or (``along``) the stretch, with the pull to stay."""
    for at, right, count in points:
        share = share_of(shift + stretch * at)
        lever = at if along else 1.0
        slope += (right - count * share) * lever
        bend += count * share * (1 - share) * lever * lever
    return _short(slope / bend)


def _short(step: float) -> float:
    return max(-_LONGEST_STEP, min(_LONGEST_STEP, step))
