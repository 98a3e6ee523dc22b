"""Learn what headlines, authors and dates look like: python -m benchmarks.train_articles DIR OUT.

DIR holds the sets articles_meta, articles_news, recipes and page_types; OUT is the data file that
the package ships as ``extract/article_weights.json``. Needs scipy (``make peers``). The weights
are those of a choice: each page has one right candidate, or none. With ``--half a`` only one half
of the sites teaches, to be measured on the other.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from benchmarks.real_sets import _articles as articles
from benchmarks.real_sets._pages import SetPage, read_set
from specfactory.extract.byline import author_groups
from specfactory.extract.headline import headline_groups
from specfactory.extract.published import date_groups

_NEWS = ("articles_meta", "articles_news")
_SETS = {"headline": (*_NEWS, "recipes", "page_types"), "author": _NEWS, "published": _NEWS}
_SMALLEST = 0.02  # weights below it say nothing
_PENALTY = 1.0

Choice = tuple[list[Mapping[str, float]], list[int]]  # what was seen of each; the right ones


def main() -> None:
    """Learn the three kinds and write their weights."""
    parser = argparse.ArgumentParser()
    parser.add_argument("dir", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--half", choices=("a", "b", ""), default="")
    given = parser.parse_args()
    options = argparse.Namespace(sites="", half=given.half, pages=0)
    pages = {name: read_set(given.dir / name, options) for name in _SETS["headline"]}
    kinds: dict[str, Callable[[SetPage], Choice | None]] = {
        "headline": _headline, "author": _author, "published": _published,
    }  # fmt: skip
    learned = {
        kind: learn([c for name in _SETS[kind] for p in pages[name] if (c := choice(p))])
        for kind, choice in kinds.items()
    }
    given.out.write_text(json.dumps(learned, indent=0, sort_keys=True, ensure_ascii=False))


def _headline(page: SetPage) -> Choice | None:
    truth = articles.words(page.fields.get("title"))
    if not truth:
        return None
    groups = headline_groups(page.views)
    return [g.seen for g in groups], _right(articles.words(g.words) == truth for g in groups)


def _author(page: SetPage) -> Choice:
    truth = articles.people(page.fields.get("author") or page.fields.get("authors"))
    groups = author_groups(page.views)
    right = _right(bool(truth) and articles.people(g.names) == truth for g in groups)
    return [g.seen for g in groups], right


def _published(page: SetPage) -> Choice:
    truth = articles.day(page.fields.get("date") or page.fields.get("publishing_date"))
    groups = date_groups(page.views)
    return [g.seen for g in groups], _right(g.day == truth for g in groups)


def _right(judged: Any) -> list[int]:
    return [at for at, right in enumerate(judged) if right]


def learn(choices: list[Choice]) -> dict[str, float]:
    """The weights under which the right choices are likeliest; choosing none weighs nothing."""
    names = sorted({name for seen, _ in choices for one in seen for name in one})
    places = {name: at for at, name in enumerate(names, 1)}
    sizes = [len(seen) for seen, _ in choices]
    rows = np.zeros((sum(sizes), len(names) + 1))
    rows[:, 0] = 1.0
    right = np.zeros(len(rows), bool)
    start = 0
    for seen, chosen in choices:
        for at, one in enumerate(seen, start):
            for name, amount in one.items():
                rows[at, places[name]] = amount
        right[[start + at for at in chosen]] = True
        start += len(seen)
    weights = _most_likely(rows, right, np.repeat(np.arange(len(choices)), sizes), len(choices))
    found = {name: round(float(weights[at]), 3) for name, at in places.items()}
    kept = {name: weight for name, weight in found.items() if abs(weight) >= _SMALLEST}
    return {"": round(float(weights[0]), 3), **kept}


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
