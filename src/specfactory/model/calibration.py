"""Calibration: curves from a score to the share of right answers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

from specfactory.model.base import Frozen, field


class Curve(Frozen):
    """A rising curve through points (score, share of right answers); straight between them."""

    scores: tuple[float, ...]
    shares: tuple[float, ...]

    def at(self, score: float) -> float:
        """The share of right answers at this score."""
        place = bisect_right(self.scores, score)
        if place == 0:
            return self.shares[0]
        if place == len(self.scores):
            return self.shares[-1]
        (left, right), (low, high) = (
            self.scores[place - 1 : place + 1],
            self.shares[place - 1 : place + 1],
        )
        return low + (high - low) * (score - left) / (right - left)


class Calibration(Frozen):
    """Curves per family of fields; ``common`` for the families that have none of their own."""

    common: Curve = Curve((0.0, 1.0), (0.0, 1.0))
    families: Mapping[str, Curve] = field(default_factory=dict)

    def at(self, family: str, score: float) -> float:
        """The calibrated share for a score in a family."""
        return self.families.get(family, self.common).at(score)


class Threshold(Frozen):
    """Accuracy and coverage of the answers from this confidence on."""

    at: float
    accuracy: float
    lower_bound: float
    coverage: float
