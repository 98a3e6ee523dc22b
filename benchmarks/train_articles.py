"""Learn what headlines, authors and dates look like: python -m benchmarks.train_articles DIR OUT.

DIR holds the sets articles_meta, articles_news, recipes and page_types; OUT is the data file that
the package ships as ``extract/article_weights.json``. Needs scikit-learn (``make peers``). The
weights are those of a choice: each page has one right candidate, or none; the forest judges
candidates one by one. With ``--half a`` only one half of the sites teaches. What each half of
the sites reaches when only the other one teaches is written too: ``benchmarks.real`` shows it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from sklearn.ensemble import ExtraTreesClassifier

from benchmarks.real_sets import _articles as articles
from benchmarks.real_sets._pages import SetPage, half, read_set
from specfactory.extract import byline, published
from specfactory.extract.byline import author_groups
from specfactory.extract.headline import headline_groups
from specfactory.extract.published import date_groups
from specfactory.extract.trees import Trees
from specfactory.extract.weighing import forest_name, seen_again, shares

_NEWS = ("articles_meta", "articles_news")
_SETS = {"headline": (*_NEWS, "recipes", "page_types"), "author": _NEWS, "published": _NEWS}
_SMALLEST = 0.02  # weights below it say nothing
_PENALTY = 3.0
_TREES = 60
_MAX_LEAVES = 80
_LEAST = {"headline": 0.0, "author": byline.LEAST, "published": published.LEAST}


@dataclass(frozen=True, slots=True)
class Choice:
    """The candidates of a page: what was seen of each, and how well each meets the truth."""

    set: str
    half: str
    seen: list[Mapping[str, float]]
    scores: list[float]  # as the benchmark counts it
    right: list[int]  # those that teach
    none: bool  # the truth has nothing


def main() -> None:
    """Learn the three kinds and write their weights."""
    parser = argparse.ArgumentParser()
    parser.add_argument("dir", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--half", choices=("a", "b", ""), default="")
    given = parser.parse_args()
    options = argparse.Namespace(sites="", half=given.half, pages=0)
    pages = {name: read_set(given.dir / name, options) for name in _SETS["headline"]}
    written: dict[str, Any] = {"unseen": {}}
    for kind, choice_of in _KINDS.items():
        choices = [c for name in _SETS[kind] for p in pages[name] if (c := choice_of(name, p))]
        written[kind] = learn(choices)
        written[forest_name(kind)] = grow(choices)
        written["unseen"][kind] = unseen(kind, choices)
    given.out.write_text(json.dumps(written, separators=(",", ":"), ensure_ascii=False))


def _headline(name: str, page: SetPage) -> Choice | None:
    truth = articles.words(page.fields.get("title"))
    if not truth:
        return None
    groups = headline_groups(page.views)
    right = _right(articles.words(g.words) == truth for g in groups)
    scores = [articles.title_score(" ".join(truth), g.words) for g in groups]
    return Choice(name, half(page.site), [g.seen for g in groups], scores, right, False)


def _author(name: str, page: SetPage) -> Choice:
    truth = page.fields.get("author") or page.fields.get("authors")
    groups = author_groups(page.views)
    people = articles.people(truth)
    right = _right(bool(people) and articles.people(g.names) == people for g in groups)
    score = articles.authors_score if name == "articles_news" else articles.author_score
    scores = [score(truth, g.names) for g in groups]
    return Choice(name, half(page.site), [g.seen for g in groups], scores, right, not people)


def _published(name: str, page: SetPage) -> Choice:
    truth = articles.day(page.fields.get("date") or page.fields.get("publishing_date"))
    groups = date_groups(page.views)
    right = _right(g.day == truth for g in groups)
    scores = [float(g.day == truth) for g in groups]
    return Choice(name, half(page.site), [g.seen for g in groups], scores, right, not truth)


_KINDS: dict[str, Callable[[str, SetPage], Choice | None]] = {
    "headline": _headline, "author": _author, "published": _published,
}  # fmt: skip


def _right(judged: Any) -> list[int]:
    return [at for at, right in enumerate(judged) if right]


def learn(choices: list[Choice]) -> dict[str, float]:
    """The weights under which the right choices are likeliest; choosing none weighs nothing."""
    names, rows, right = _table(choices)
    pages = np.repeat(np.arange(len(choices)), [len(choice.seen) for choice in choices])
    rows = np.hstack([np.ones((len(rows), 1)), rows])
    weights = _most_likely(rows, right, pages, len(choices))
    found = {name: round(float(weights[at]), 3) for at, name in enumerate(names, 1)}
    kept = {name: weight for name, weight in found.items() if abs(weight) >= _SMALLEST}
    return {"": round(float(weights[0]), 3), **kept}


def grow(choices: list[Choice]) -> dict[str, Any]:
    """A forest that tells right candidates from others, as plain lists."""
    names, rows, right = _table(choices)
    model = ExtraTreesClassifier(
        _TREES, min_samples_leaf=2, max_leaf_nodes=_MAX_LEAVES, max_features=0.3, random_state=0
    ).fit(rows, right)
    trees = [_exported(one.tree_) for one in model.estimators_]
    return {"features": names, "start": 0.0, "trees": trees}


def _exported(tree: Any) -> list[list[float]]:
    nodes: list[list[float]] = []
    for at in range(tree.node_count):
        if tree.children_left[at] < 0:
            bad, good = tree.value[at][0]
            nodes.append([round(float(good / (bad + good)) / _TREES, 5)])
        else:
            threshold = round(float(tree.threshold[at]), 3)
            left, right = int(tree.children_left[at]), int(tree.children_right[at])
            nodes.append([int(tree.feature[at]), threshold, left, right])
    return nodes


def _table(choices: list[Choice]) -> tuple[list[str], Any, Any]:
    """The names of all features, a row for each candidate, and which of them are right."""
    names = sorted({name for choice in choices for one in choice.seen for name in one})
    places = {name: at for at, name in enumerate(names)}
    rows = np.zeros((sum(len(choice.seen) for choice in choices), len(names)))
    right = np.zeros(len(rows), bool)
    start = 0
    for choice in choices:
        for at, one in enumerate(choice.seen, start):
            for name, amount in one.items():
                rows[at, places[name]] = amount
        right[[start + at for at in choice.right]] = True
        start += len(choice.seen)
    return names, rows, right


def unseen(kind: str, choices: list[Choice]) -> dict[str, float]:
    """What each set reaches on sites that taught nothing: learned on one half, asked on the other.

    Empty when only one half is there.
    """
    halves = {part: [c for c in choices if c.half == part] for part in "ab"}
    if not all(halves.values()):
        return {}
    scores: dict[str, list[float]] = {}
    for part, other in ("ab", "ba"):
        weights, forest = learn(halves[part]), grow(halves[part])
        trees = Trees(forest["start"], forest["trees"])
        for choice in halves[other]:
            sure = seen_again(shares(weights, choice.seen), trees, forest["features"], choice.seen)
            scores.setdefault(choice.set, []).append(_score(choice, sure, _LEAST[kind]))
    return {name: round(float(np.mean(scores[name])), 4) for name in _NEWS}


def _score(choice: Choice, sure: list[float], least: float) -> float:
    best = max(range(len(sure)), key=sure.__getitem__, default=None)
    if best is None or sure[best] < least:
        return float(choice.none)
    return choice.scores[best]


def _most_likely(rows: Any, right: Any, page_of: Any, count: int) -> Any:
    none_right = np.bincount(page_of, right, count) == 0

    def loss(weights: Any) -> tuple[float, Any]:
        scores = np.exp(np.clip(rows @ weights, -30, 30))
        total = 1 + np.bincount(page_of, scores, count)
        good = np.bincount(page_of, scores * right, count) + none_right
        slope = scores / total[page_of] - np.where(right, scores / good[page_of], 0)
        penalty = np.concatenate([[0.0], _PENALTY * weights[1:]])
        value = -np.log(good / total).sum() + penalty @ weights / 2
        return float(value), rows.T @ slope + penalty

    start = np.zeros(rows.shape[1])
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 400}).x


if __name__ == "__main__":
    main()
