"""Likelihood of proposals for headline, author and date, learned from their features.

Linear weights rank all proposals of a page; a small forest, which sees how features combine,
rates the best of them again. Both come from a data file made by ``benchmarks/train_articles.py``;
without it the few weights are used at which the training begins.
"""

import math
from collections.abc import Mapping, Sequence

from specfactory.extract.learned.ranking_weights import Features
from specfactory.extract.learned.trees import Trees, learned, shipped_trees
from specfactory.extract.page import Proposal
from specfactory.model import Snippet

_FILE = "article_weights.json"
_MOST = 30.0
_RATED_AGAIN = 6  # best proposals of a page that the forest rates


def propose_likeliest(
    what: str, found: Sequence[tuple[Features, tuple[Snippet, ...]]], least: float = 0.0
) -> list[Proposal]:
    """Propose values by their features, likeliest first; less likely ones are left out."""
    features = [seen for seen, _ in found]
    chances = shares(learned(_FILE).get(what) or prior(what), features)
    trees = shipped_trees(_FILE, forest_name(what))
    if trees is not None:
        names = learned(_FILE)[forest_name(what)]["features"]
        chances = seen_again(chances, trees, names, features)
    order = sorted(range(len(found)), key=lambda at: -chances[at])
    return [Proposal(found[at][1], chances[at]) for at in order if chances[at] >= least]


def shares(weights: Mapping[str, float], candidates: Sequence[Mapping[str, float]]) -> list[float]:
    """Softmax over the candidates and "none of them", by weights alone."""
    scores = []
    for seen in candidates:
        score = weights.get("", 0.0)
        for name, amount in seen.items():
            score += weights.get(name, 0.0) * amount
        scores.append(math.exp(max(-_MOST, min(_MOST, score))))
    total = 1.0 + sum(scores)
    return [score / total for score in scores]


def seen_again(
    found: Sequence[float],
    trees: Trees,
    features: Sequence[str],
    candidates: Sequence[Mapping[str, float]],
) -> list[float]:
    """Average weights and forest for the best candidates; halve the likelihood of the others."""
    mixed = [share / 2 for share in found]
    for at in sorted(range(len(found)), key=lambda one: -found[one])[:_RATED_AGAIN]:
        seen = candidates[at]
        mixed[at] += trees.sum_of([seen.get(name, 0.0) for name in features]) / 2
    return mixed


def prior(what: str) -> Mapping[str, float]:
    """Weights at which the training begins, and those used where none are shipped."""
    weights: Mapping[str, float] = learned("article_priors.json")[what]
    return weights


def forest_name(what: str) -> str:
    """Key of a kind's forest in the data file."""
    return f"{what}_forest"
