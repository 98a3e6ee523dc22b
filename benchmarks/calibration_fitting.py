"""Calibration curves fitted on judged answers; the shipped file is made from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from specfactory.learn.truth.calibration import Pairs, by_family
from specfactory.model.learned_templates import lower_bound
from specfactory.model.record import Calibration, Curve, Threshold

_LEAST_OWN = 100  # answers of a family before it gets a curve of its own
_PRIOR = 1.0  # imaginary answers in every block, right as often as all are


def fit_calibration(answers: Iterable[tuple[str, float, bool]]) -> Calibration:
    """Fit curves to (family, score, right); small families share the common one."""
    families = by_family(answers)
    everything = [pair for pairs in families.values() for pair in pairs]
    if not everything:
        return Calibration()
    own = {
        family: fit_curve(pairs) for family, pairs in families.items() if len(pairs) >= _LEAST_OWN
    }
    rest = [pair for family, pairs in families.items() if family not in own for pair in pairs]
    return Calibration(fit_curve(rest if len(rest) >= _LEAST_OWN else everything), own)


@dataclass(frozen=True, slots=True)
class _Block:
    total: float  # sum of the scores
    count: int
    right: int

    def share(self, prior: float) -> float:
        return (self.right + _PRIOR * prior) / (self.count + _PRIOR)

    def __add__(self, other: _Block) -> _Block:
        return _Block(self.total + other.total, self.count + other.count, self.right + other.right)


def fit_curve(pairs: Pairs) -> Curve:
    """Fit the nearest rising curve (isotonic regression by pooling adjacent violators)."""
    prior = sum(right for _, right in pairs) / len(pairs)
    by_score: dict[float, _Block] = {}
    for score, right in pairs:
        more = _Block(score, 1, int(right))
        by_score[score] = by_score[score] + more if score in by_score else more
    blocks: list[_Block] = []
    for score in sorted(by_score):
        blocks.append(by_score[score])
        while len(blocks) > 1 and blocks[-2].share(prior) >= blocks[-1].share(prior):
            last = blocks.pop()
            blocks[-1] = blocks[-1] + last
    return Curve(
        tuple(block.total / block.count for block in blocks),
        tuple(block.share(prior) for block in blocks),
    )


def published_at(pairs: Pairs, threshold: float) -> Threshold:
    """Measure accuracy and coverage of what a threshold would publish."""
    kept = [right for score, right in pairs if score >= threshold]
    if not kept:
        return Threshold(threshold, 1.0, 0.0, 0.0)
    bound = lower_bound(sum(kept), len(kept))
    return Threshold(threshold, sum(kept) / len(kept), bound, len(kept) / len(pairs))


def calibration_json(calibration: Calibration) -> dict[str, object]:
    """Write a calibration the way it is shipped."""

    def points(curve: Curve) -> list[list[float]]:
        pairs = zip(curve.scores, curve.shares, strict=True)
        return [[round(score, 4), round(share, 4)] for score, share in pairs]

    return {
        "common": points(calibration.common),
        "families": {n: points(c) for n, c in sorted(calibration.families.items())},
    }
