"""Which of several values is the page's own: a small learned model over features.

The candidates of a field are put in groups of one value. A group's score is a weighed sum of
what speaks for it and against it; the groups of a page, and "none of them", share one whole.
The weights are a data file made by ``benchmarks/train_ranking.py``; without it nothing is
ranked here, and the methods' own order holds.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from specfactory.model import Candidate

FILE = "ranking.json"
_MOST = 30.0
Features = dict[str, float]


@dataclass(slots=True)
class Group:
    """The candidates of one value; ``places`` where it stands unlabelled, ``features`` of all."""

    candidates: list[Candidate] = field(default_factory=list)
    places: list[Features] = field(default_factory=list)
    features: Features = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Weights:
    """What was learned for one family of fields."""

    weights: Mapping[str, float]
    bias: float
    floor: float  # below it no answer is better than this one
    slope: float = 1.0  # of the calibration, on the scale of log odds
    shift: float = 0.0

    def likelihoods(self, groups: Sequence[Group]) -> list[float]:
        """How likely each group is the page's value; what is left is that there is none."""
        scores = [self._score(group) for group in groups]
        most = max([0.0, *scores])
        shares = [math.exp(score - most) for score in scores]
        whole = sum(shares) + math.exp(-most)
        return [self.calibrated(share / whole) for share in shares]

    def _score(self, group: Group) -> float:
        total = self.bias + self.sum_of(group.features)
        if not group.places:
            return total
        sums = [self.sum_of(place) for place in group.places]
        most = max(sums)
        return total + most + math.log(sum(math.exp(one - most) for one in sums))

    def sum_of(self, features: Features) -> float:
        """What the features of one place weigh together."""
        weights = self.weights
        return sum(weights.get(name, 0.0) * seen for name, seen in features.items())

    def calibrated(self, share: float) -> float:
        """A share of the whole as the chance that was measured for it."""
        share = min(max(share, 1e-9), 1 - 1e-9)
        odds = self.slope * math.log(share / (1 - share)) + self.shift
        return 1 / (1 + math.exp(-max(-_MOST, min(_MOST, odds))))

    def reasons(self, group: Group) -> tuple[str, ...]:
        """What speaks most for a group, in words."""
        seen = dict(group.features)
        if group.places:
            place: Features = max(group.places, key=self.sum_of)
            seen |= place
        weighed = {name: self.weights.get(name, 0.0) * much for name, much in seen.items()}
        best = sorted((name for name in weighed if weighed[name] > 0 and name in _WORDS),
                      key=lambda name: -weighed[name])  # fmt: skip
        return tuple(dict.fromkeys(_WORDS[name] for name in best))[:3]


@cache
def ranking() -> Mapping[str, Weights]:
    """The shipped weights by family; empty when the file is missing."""
    try:
        written = (files("specfactory.extract.learned").joinpath("data") / FILE).read_text("utf-8")
    except (FileNotFoundError, OSError):
        return {}
    return {family: Weights(**given) for family, given in json.loads(written).items()}


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
