"""Ranking of a page's values for a field by a small learned model over features.

The candidates of a field are grouped by value. A group's score is a weighted sum of its
features; the likelihoods are a softmax over the groups of a page and "none of them". The weights
are a data file made by ``benchmarks/train_ranking.py``; without it nothing is ranked, and the
order of the methods stays.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache

from msgspec import Struct

from specfactory.extract.learned.trees import learned
from specfactory.model import Candidate, Frozen, field

_MOST = 30.0
Features = dict[str, float]


class Group(Struct):
    """Candidates of one value, with the features of each unlabelled place and of the whole."""

    candidates: list[Candidate] = field(default_factory=list)
    places: list[Features] = field(default_factory=list)
    features: Features = field(default_factory=dict)


class Weights(Frozen):
    """Learned weights of one family of fields."""

    weights: Mapping[str, float]
    bias: float
    floor: float  # less likely values are not answered
    slope: float = 1.0  # of the calibration, in log-odds
    shift: float = 0.0

    def likelihoods(self, groups: Sequence[Group]) -> list[float]:
        """Likelihood of each group to be the page's value; the rest is "none of them"."""
        scores = []
        for group in groups:
            score = self.bias + self.sum_of(group.features)
            if group.places:  # log-sum-exp: several places count for more than the best one
                sums = [self.sum_of(place) for place in group.places]
                most = max(sums)
                score = score + most + math.log(sum(math.exp(one - most) for one in sums))
            scores.append(score)
        most = max([0.0, *scores])
        shares = [math.exp(score - most) for score in scores]
        whole = sum(shares) + math.exp(-most)
        return [self.calibrated(share / whole) for share in shares]

    def sum_of(self, features: Features) -> float:
        """Weighted sum of the features of one place."""
        weights = self.weights
        return sum(weights.get(name, 0.0) * seen for name, seen in features.items())

    def calibrated(self, share: float) -> float:
        """Map a share to the accuracy measured for it."""
        share = min(max(share, 1e-9), 1 - 1e-9)
        odds = self.slope * math.log(share / (1 - share)) + self.shift
        return 1 / (1 + math.exp(-max(-_MOST, min(_MOST, odds))))

    def reasons(self, group: Group) -> tuple[str, ...]:
        """Name up to three features that count most for a group."""
        seen = group.features | max(group.places, key=self.sum_of, default={})
        weighed = {name: self.weights.get(name, 0.0) * much for name, much in seen.items()}
        best = sorted((name for name in weighed if weighed[name] > 0 and name in _WORDS),
                      key=lambda name: -weighed[name])  # fmt: skip
        return tuple(dict.fromkeys(_WORDS[name] for name in best))[:3]


@cache
def ranking() -> Mapping[str, Weights]:
    """Load the shipped weights by family; empty when the file is missing."""
    return {family: Weights(**given) for family, given in learned("ranking.json").items()}


_WORDS = {
    "struct": "structured data says so",
    "struct_seen": "structured data and the visible page agree",
    "struct_state": "the page's own state says so",
    "struct_meta": "a meta tag says so",
    "labelled": "a label names it",
    "title_near": "near the title",
    "title_box": "in one box with the title",
    "fits_discount": "the discount fits it",
    "order": "first after the title",
    "strong": "set in bold or as a heading",
    "price_hint": "marked as a price",
    "now_hint": "marked as what is paid now",
    "alone": "stands by itself",
    "button_near": "near the buy button",
    "url_end": "in the page's address",
    "url_path": "in the page's address",
    "url_query": "in the page's address",
    "repeats": "repeated on the page",
    "button": "what the buy button says",
    "phrase": "a phrase says so",
    "in_title": "in the title",
    "title_first": "the title begins with it",
    "brand_hint": "marked as a brand",
    "crumb": "in the path of sections",
}
