"""Confidence that means something: fitted on answers of which the truth is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from specfactory.model import Calibration, Curve, Threshold, lower_bound

TARGET = 0.99
_LEAST_OWN = 100  # answers of a family, before it gets a curve of its own
_PRIOR = 1.0  # imagined answers in every block, right as often as all are
_LEAST_IN_BIN = 5  # fewer tell nothing
_BINS = 15

Pairs = Sequence[tuple[float, bool]]  # a score, and whether the answer was right


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers of similar confidence: how sure they were said, and how many were right."""

    low: float
    high: float
    count: int
    confidence: float
    accuracy: float


def fit_calibration(answers: Iterable[tuple[str, float, bool]]) -> Calibration:
    """Curves out of (family, score, right); small families share the common one."""
    by_family: dict[str, list[tuple[float, bool]]] = {}
    for family, score, right in answers:
        by_family.setdefault(family, []).append((score, right))
    everything = [pair for pairs in by_family.values() for pair in pairs]
    if not everything:
        return Calibration()
    own = {
        family: fit_curve(pairs) for family, pairs in by_family.items() if len(pairs) >= _LEAST_OWN
    }
    rest = [pair for family, pairs in by_family.items() if family not in own for pair in pairs]
    return Calibration(fit_curve(rest if len(rest) >= _LEAST_OWN else everything), own)


def fit_curve(pairs: Pairs) -> Curve:
    """The rising curve nearest to the answers (isotonic, by pooling neighbours that fall)."""
    share = sum(right for _, right in pairs) / len(pairs)
    blocks: list[_Block] = []
    for block in _by_score(pairs):
        blocks.append(block)
        while len(blocks) > 1 and blocks[-2].share(share) >= blocks[-1].share(share):
            last = blocks.pop()
            blocks[-1] = blocks[-1] + last
    return Curve(
        tuple(block.score for block in blocks), tuple(block.share(share) for block in blocks)
    )


@dataclass(frozen=True, slots=True)
class _Block:
    total: float  # of the scores
    count: int
    right: int

    @property
    def score(self) -> float:
        return self.total / self.count

    def share(self, prior: float) -> float:
        return (self.right + _PRIOR * prior) / (self.count + _PRIOR)

    def __add__(self, other: _Block) -> _Block:
        return _Block(self.total + other.total, self.count + other.count, self.right + other.right)


def _by_score(pairs: Pairs) -> list[_Block]:
    """One block per distinct score, rising."""
    found: dict[float, _Block] = {}
    for score, right in pairs:
        more = _Block(score, 1, int(right))
        found[score] = found[score] + more if score in found else more
    return [found[score] for score in sorted(found)]


def reliability(pairs: Pairs, bins: int = _BINS) -> list[Bin]:
    """Answers in bins of equal mass, the least sure first; a handful of answers is one bin."""
    bins = max(1, min(bins, len(pairs) // _LEAST_IN_BIN))
    ranked = [  # equal scores are right equally often
        (block.score, block.right / block.count)
        for block in _by_score(pairs)
        for _ in range(block.count)
    ]
    edges = [round(at * len(ranked) / bins) for at in range(bins + 1)]
    parts = [ranked[a:b] for a, b in pairwise(edges) if b > a]
    return [_bin(part) for part in parts]


def _bin(part: Sequence[tuple[float, float]]) -> Bin:
    count = len(part)
    confidence = sum(score for score, _ in part) / count
    return Bin(part[0][0], part[-1][0], count, confidence, sum(share for _, share in part) / count)


def calibration_error(pairs: Pairs, bins: int = _BINS) -> float:
    """How far confidence and accuracy differ, on average over answers (ECE, equal mass)."""
    if not pairs:
        return 0.0
    apart = sum(
        each.count * abs(each.confidence - each.accuracy) for each in reliability(pairs, bins)
    )
    return apart / len(pairs)


def find_threshold(pairs: Pairs, target: float = TARGET) -> Threshold | None:
    """The lowest confidence from which on accuracy passes the target, with its bound.

    None when no threshold does: there are too few answers, or too many wrong ones.
    """
    ranked = sorted(pairs, reverse=True)
    right = count = 0
    best: Threshold | None = None
    for place, (score, is_right) in enumerate(ranked):
        right, count = right + is_right, count + 1
        if place + 1 < len(ranked) and ranked[place + 1][0] == score:
            continue  # equal scores stand or fall together
        bound = lower_bound(right, count)
        if bound >= target:
            best = Threshold(score, right / count, bound, count / len(ranked))
    return best


def published_at(pairs: Pairs, threshold: float) -> Threshold:
    """What is published at a threshold: how much of it is right, and how much is left."""
    kept = [right for score, right in pairs if score >= threshold]
    if not kept:
        return Threshold(threshold, 1.0, 0.0, 0.0)
    bound = lower_bound(sum(kept), len(kept))
    return Threshold(threshold, sum(kept) / len(kept), bound, len(kept) / len(pairs))


def calibration_json(calibration: Calibration) -> dict[str, object]:
    """A calibration as it is shipped."""
    return {
        "common": _curve_json(calibration.common),
        "families": {n: _curve_json(c) for n, c in sorted(calibration.families.items())},
    }


def _curve_json(curve: Curve) -> list[list[float]]:
    points = zip(curve.scores, curve.shares, strict=True)
    return [[round(score, 4), round(share, 4)] for score, share in points]


def calibrated(calibration: Calibration, answers: Iterable[tuple[str, float, bool]]) -> Pairs:
    """Answers with their calibrated confidence."""
    return [(calibration.at(family, score), right) for family, score, right in answers]


def by_family(answers: Iterable[tuple[str, float, bool]]) -> Mapping[str, Pairs]:
    """Answers of each family on their own."""
    found: dict[str, list[tuple[float, bool]]] = {}
    for family, score, right in answers:
        found.setdefault(family, []).append((score, right))
    return found
