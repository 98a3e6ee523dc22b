"""Learn what headlines, authors and dates look like: python -m benchmarks.train_articles DIR [OUT].

DIR holds the sets articles_meta, articles_news, recipes and page_types; OUT is the data file that
the package ships as ``learned/data/article_weights.json``. Needs scikit-learn (``make peers``). The
weights are those of a choice: each page has one right candidate, or none. Where the finder of a
kind has weights of its own, learning begins at them and leaves them only for good evidence: what
is rare in the pages keeps its meaning. For some kinds a forest judges candidates one by one, too.

What each half of the sites reaches when only the other one teaches is printed, and written for
``benchmarks.real`` to show; without OUT it is all that is done. With ``--half a`` only one half
of the sites teaches. Authors and dates are sought beside the headline: when headlines changed,
run it twice.
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
from specfactory.extract.articles import byline
from specfactory.extract.articles import publication_date as published
from specfactory.extract.articles.byline import author_groups
from specfactory.extract.articles.headline import headline_groups
from specfactory.extract.articles.publication_date import date_groups
from specfactory.extract.learned.article_weights import forest_name, prior, seen_again, shares
from specfactory.extract.learned.trees import Trees

_NEWS = ("articles_meta", "articles_news")
_SETS = {"headline": (*_NEWS, "recipes", "page_types"), "author": _NEWS, "published": _NEWS}
_SMALLEST = 0.02  # weights below it say nothing
_TREES = 60
_MAX_LEAVES = 80


@dataclass(frozen=True, slots=True)
class Lesson:
    """How a kind is learned: by other sites, this did best."""

    start: Mapping[str, float]  # the weights that learning begins at
    penalty: float  # for leaving them
    forest: bool
    least: float  # below it there is no answer


_LESSONS = {
    "headline": Lesson({}, 3.0, True, 0.0),
    "author": Lesson(prior("author"), 20.0, True, byline.LEAST),
    "published": Lesson(prior("published"), 4.0, False, published.LEAST),
}


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
    """Learn the three kinds, print what they reach on other sites, write their weights."""
    parser = argparse.ArgumentParser()
    parser.add_argument("dir", type=Path)
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--half", choices=("a", "b", ""), default="")
    given = parser.parse_args()
    options = argparse.Namespace(sites="", half=given.half, pages=0)
    pages = {name: read_set(given.dir / name, options) for name in _SETS["headline"]}
    written: dict[str, Any] = {"unseen": {}}
    for kind, choice_of in _KINDS.items():
        choices = [c for name in _SETS[kind] for p in pages[name] if (c := choice_of(name, p))]
        written["unseen"][kind] = unseen(_LESSONS[kind], choices)
        print(kind, json.dumps(written["unseen"][kind]))
        if given.out:
            written[kind] = learn(choices, _LESSONS[kind])
            if _LESSONS[kind].forest:
                written[forest_name(kind)] = grow(choices)
    if given.out:
        given.out.write_text(json.dumps(written, separators=(",", ":"), ensure_ascii=False))


def _headline(name: str, page: SetPage) -> Choice | None:
    truth = articles.words(page.fields.get("title"))
    if not truth:
        return None
    groups = headline_groups(page.views)
    right = _right(articles.words(g.words) == truth for g in groups)
    scores = [articles.title_score(" ".join(truth), g.words) for g in groups]
    return Choice(name, half(page.site), [g.seen for g in groups], scores, right, False)


def _author(name: str, page: SetPage) -> Choice | None:
    truth = page.fields.get("author") or page.fields.get("authors")
    groups = author_groups(page.views)
    people = articles.people(truth)
    if not people and name not in _NEWS:  # nobody looked for one
        return None
    right = _right(bool(people) and articles.people(g.names) == people for g in groups)
    score = articles.authors_score if name == "articles_news" else articles.author_score
    scores = [score(truth, g.names) for g in groups]
    return Choice(name, half(page.site), [g.seen for g in groups], scores, right, not people)


def _published(name: str, page: SetPage) -> Choice | None:
    given = (page.fields.get(one) for one in ("date", "publishing_date", "publish_date"))
    truth = articles.day(next(filter(None, given), None))
    if not truth and name not in _NEWS:
        return None
    groups = date_groups(page.views)
    right = _right(g.day == truth for g in groups)
    scores = [float(g.day == truth) for g in groups]
    return Choice(name, half(page.site), [g.seen for g in groups], scores, right, not truth)


_KINDS: dict[str, Callable[[str, SetPage], Choice | None]] = {
    "headline": _headline, "author": _author, "published": _published,
}  # fmt: skip


def _right(judged: Any) -> list[int]:
    return [at for at, right in enumerate(judged) if right]


def learn(choices: list[Choice], lesson: Lesson) -> dict[str, float]:
    """The weights under which the right choices are likeliest; choosing none weighs nothing."""
    names, rows, right = _table(choices)
    pages = np.repeat(np.arange(len(choices)), [len(choice.seen) for choice in choices])
    rows = np.hstack([np.ones((len(rows), 1)), rows])
    start = np.array([lesson.start.get(name, 0.0) for name in ("", *names)])
    weights = _most_likely(rows, right, pages, len(choices), start, lesson.penalty)
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


def unseen(lesson: Lesson, choices: list[Choice]) -> dict[str, dict[str, float]]:
    """What each set reaches on sites that taught nothing: learned on one half, asked on the other.

    For each half that was asked, and both together. Empty when only one half is there.
    """
    halves = {part: [c for c in choices if c.half == part] for part in "ab"}
    if not all(halves.values()):
        return {}
    scores: dict[str, dict[str, list[float]]] = {name: {"a": [], "b": []} for name in _NEWS}
    for taught, asked in ("ba", "ab"):
        ask = _asker(lesson, halves[taught])
        for choice in halves[asked]:
            if choice.set in scores:
                scores[choice.set][asked].append(_score(choice, ask(choice.seen), lesson.least))
    return {
        name: {**{part: _mean(of[part]) for part in "ab"}, "both": _mean([*of["a"], *of["b"]])}
        for name, of in scores.items()
    }


def _mean(scores: list[float]) -> float:
    return round(float(np.mean(scores)), 4)


def _asker(lesson: Lesson, choices: list[Choice]) -> Callable[[list[Mapping[str, float]]], Any]:
    """What was learned of some choices, to be asked about others."""
    weights = learn(choices, lesson)
    if not lesson.forest:
        return lambda seen: shares(weights, seen)
    forest = grow(choices)
    trees, features = Trees(forest["start"], forest["trees"]), forest["features"]
    return lambda seen: seen_again(shares(weights, seen), trees, features, seen)


def _score(choice: Choice, sure: list[float], least: float) -> float:
    best = max(range(len(sure)), key=sure.__getitem__, default=None)
    if best is None or sure[best] < least:
        return float(choice.none)
    return choice.scores[best]


def _most_likely(
    rows: Any, right: Any, page_of: Any, count: int, begin: Any, penalty: float
) -> Any:
    none_right = np.bincount(page_of, right, count) == 0

    def loss(weights: Any) -> tuple[float, Any]:
        scores = np.exp(np.clip(rows @ weights, -30, 30))
        total = 1 + np.bincount(page_of, scores, count)
        good = np.bincount(page_of, scores * right, count) + none_right
        slope = scores / total[page_of] - np.where(right, scores / good[page_of], 0)
        away = np.concatenate([[0.0], weights[1:] - begin[1:]])
        value = -np.log(good / total).sum() + penalty * away @ away / 2
        return float(value), rows.T @ slope + penalty * away

    return minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": 400}).x


if __name__ == "__main__":
    main()
