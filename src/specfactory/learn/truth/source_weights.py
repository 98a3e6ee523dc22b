"""Source weights fitted on truth: prior judgements of tiers and methods, moved by observation."""

from collections.abc import Iterable, Mapping

from specfactory.learn.truth.calibration import Pairs, by_family, calibrated, find_threshold
from specfactory.merge import MergeKnowledge, MergeWeights, log_odds, share_of
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
    known = MergeWeights()
    if seen < _LEAST_LESSONS:
        return known
    priors = dict([*known.tiers.items(), *known.methods.items()])
    weights = dict(priors)
    for _ in range(_ROUNDS):
        moved = 0.0
        for part, prior in priors.items():
            cells = [
                (weights[tier] + weights[method], 1.0, right, right + wrong)
                for (tier, method), (right, wrong) in observed.items()
                if part in (tier, method)
            ]
            step = _step(_FIRMNESS / 4 * (prior - weights[part]), _FIRMNESS / 4, cells)
            weights[part] += step
            moved = max(moved, abs(step))
        if moved < _LEAST_MOVE:
            break
    tiers = {tier: weights[tier] for tier in known.tiers}
    return MergeWeights(tiers, {method: weights[method] for method in known.methods}, seen)


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
        cells = [(shift + stretch * at, 1.0, right, count) for at, right, count in points]
        first = _step(-_FIRMNESS * shift / 4, _FIRMNESS / 4, cells)
        shift += first
        cells = [(shift + stretch * at, at, right, count) for at, right, count in points]
        second = _step(_FIRMNESS * (1 - stretch), _FIRMNESS, cells)
        stretch = max(_LEAST_STRETCH, stretch + second)
        if max(abs(first), abs(second)) < _LEAST_MOVE:
            break
    scores = tuple(at / _POINTS for at in range(_POINTS + 1))
    return Curve(scores, tuple(share_of(shift + stretch * log_odds(score)) for score in scores))


def _step(slope: float, bend: float, cells: Iterable[tuple[float, float, int, int]]) -> float:
    """One step of Newton's for one weight, with the others held still.

    ``slope`` and ``bend`` are its prior's. A cell has log-odds, how much the weight moves them,
    and the numbers of right answers and of all.
    """
    for strength, lever, right, count in cells:
        share = share_of(strength)
        slope += (right - count * share) * lever
        bend += count * share * (1 - share) * lever * lever
    return max(-_LONGEST_STEP, min(_LONGEST_STEP, slope / bend))
