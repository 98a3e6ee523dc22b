"""What was learned of candidates: from what is seen of each to how likely it is the one.

Weights tell those that may be the one from all others; a small forest, which sees how features
go together, looks at the best of them again. Both are a data file beside this module, made by
``benchmarks/train_articles.py``. Without it the few weights of the callers are used.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from specfactory.extract.learned.trees import Trees, shipped_trees

_FILE = "article_weights.json"
_MOST = 30.0
_LOOKED_AT_AGAIN = 6  # candidates of a page that the forest sees

Seen = dict[str, float]  # a feature and how much of it was seen


def likelihoods(
    what: str, otherwise: Mapping[str, float], candidates: Sequence[Mapping[str, float]]
) -> list[float]:
    """The chance of each candidate of a page to be the one, by what was learned of its kind."""
    learned = _learned()
    found = shares(learned.get(what) or otherwise, candidates)
    trees = shipped_trees(_FILE, forest_name(what))
    if trees is None:
        return found
    return seen_again(found, trees, learned[forest_name(what)]["features"], candidates)


def shares(weights: Mapping[str, float], candidates: Sequence[Mapping[str, float]]) -> list[float]:
    """The chance of each candidate by weights alone; what is left is that none is the one."""
    scores = [math.exp(_score(weights, seen)) for seen in candidates]
    total = 1.0 + sum(scores)
    return [score / total for score in scores]


def seen_again(
    found: Sequence[float],
    trees: Trees,
    features: Sequence[str],
    candidates: Sequence[Mapping[str, float]],
) -> list[float]:
    """The mean of what the weights and the forest say; of the unlikely ones, half of the former."""
    mixed = [share / 2 for share in found]
    for at in sorted(range(len(found)), key=lambda one: -found[one])[:_LOOKED_AT_AGAIN]:
        seen = candidates[at]
        mixed[at] += trees.sum_of([seen.get(name, 0.0) for name in features]) / 2
    return mixed


def forest_name(what: str) -> str:
    """Under which name the forest of a kind is shipped."""
    return f"{what}_forest"


def _score(weights: Mapping[str, float], seen: Mapping[str, float]) -> float:
    total = weights.get("", 0.0)
    for name, amount in seen.items():
        total += weights.get(name, 0.0) * amount
    return max(-_MOST, min(_MOST, total))


@cache
def _learned() -> Mapping[str, Mapping[str, Any]]:
    try:
        words = (
            files("specfactory.extract.learned")
            .joinpath("data")
            .joinpath(_FILE)
            .read_text(encoding="utf-8")
        )
        learned: Mapping[str, Mapping[str, Any]] = json.loads(words)
    except (OSError, ValueError):
        return {}
    return learned
