"""Small learned weights: from what is seen of a candidate to how likely it is.

The weights are a data file beside this module, made by ``benchmarks/train_articles.py``.
Without it the few weights that the callers carry themselves are used.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

_FILE = "article_weights.json"
_MOST = 30.0

Seen = dict[str, float]  # a feature and how much of it was seen


def shares(weights: Mapping[str, float], candidates: Sequence[Mapping[str, float]]) -> list[float]:
    """The chance of each candidate of a page to be the one; what is left is that none is."""
    scores = [math.exp(_score(weights, seen)) for seen in candidates]
    total = 1.0 + sum(scores)
    return [score / total for score in scores]


def _score(weights: Mapping[str, float], seen: Mapping[str, float]) -> float:
    total = weights.get("", 0.0)
    for name, amount in seen.items():
        total += weights.get(name, 0.0) * amount
    return max(-_MOST, min(_MOST, total))


def weights_of(what: str, otherwise: Mapping[str, float]) -> Mapping[str, float]:
    """The learned weights of one kind of candidate, or the given ones when none are shipped."""
    return _learned().get(what) or otherwise


@cache
def _learned() -> Mapping[str, Mapping[str, float]]:
    try:
        words = files("specfactory.extract").joinpath(_FILE).read_text(encoding="utf-8")
        learned: Mapping[str, Mapping[str, float]] = json.loads(words)
    except (OSError, ValueError):
        return {}
    return learned
