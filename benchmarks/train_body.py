"""Learn to tell content from what stands around it: python -m benchmarks.train_body DIR OUT.

DIR holds the sets articles_body, articles_news and page_types; OUT is the data file that the
package ships as ``extract/body_trees.json``. Needs scikit-learn (``make peers``). With
``--half a`` it learns from one half of the sites, to be measured on the other.
"""

from __future__ import annotations

import argparse
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from benchmarks.real_sets._pages import read_set
from specfactory.extract.body import word_counts
from specfactory.extract.body_features import Seen

SETS = {"articles_body": "articleBody", "articles_news": "body", "page_types": "main_content"}
_TOKEN = re.compile(r"\w+")
_MAX_LINES = 200  # of one page, drawn evenly; long pages say no more than others
_RUN = 4
_TREES = 100


@dataclass(slots=True)
class Sample:
    """One page: a row of features per line, and which lines are content."""

    rows: Any
    truth: Any
    words: list[int]


def main() -> None:
    """Learn and write the trees."""
    parser = argparse.ArgumentParser()
    parser.add_argument("dir", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--half", choices=("a", "b", ""), default="")
    given = parser.parse_args()
    samples = [s for name in SETS for s in read_samples(given.dir / name, name, given.half)]
    trees = exported(_boost([_drawn(sample) for sample in samples]))
    given.out.write_text(json.dumps({"lines": trees}, separators=(",", ":")))


def read_samples(folder: Path, name: str, half: str) -> list[Sample]:
    """The pages of a set as rows and labels."""
    options = argparse.Namespace(sites="", half=half, pages=0)
    found = []
    for page in read_set(folder, options):
        seen = Seen(page.views, article=name != "page_types")
        if seen.lines:
            truth = labels(seen.texts, page.fields[SETS[name]] or "")
            found.append(Sample(np.array(seen.rows), np.array(truth) >= 0.5, word_counts(seen)))
    return found


def _drawn(sample: Sample) -> tuple[Any, Any, Any]:
    weights = np.array(sample.words, float).clip(1) ** 0.7
    weights /= weights.sum() ** 0.8
    step = max(1, -(-len(sample.rows) // _MAX_LINES))
    return sample.rows[::step], sample.truth[::step], weights[::step] * step


def _boost(blocks: list[tuple[Any, Any, Any]]) -> Any:
    rows, truth, weights = (np.concatenate([block[at] for block in blocks]) for at in range(3))
    model = HistGradientBoostingClassifier(
        max_iter=_TREES, learning_rate=0.1, max_leaf_nodes=15, min_samples_leaf=30,
        l2_regularization=5.0, random_state=0, early_stopping=False,
    )  # fmt: skip
    return model.fit(rows, truth, sample_weight=weights * len(weights) / weights.sum())


def exported(model: Any) -> dict[str, Any]:
    """The trees of a fitted model as plain lists."""
    trees = []
    for (tree,) in model._predictors:
        trees.append(
            [
                [round(float(node["value"]), 4)] if node["is_leaf"] else
                [int(node["feature_idx"]), round(float(node["num_threshold"]), 5),
                 int(node["left"]), int(node["right"])]
                for node in tree.nodes
            ]
        )  # fmt: skip
    return {"start": round(float(model._baseline_prediction.ravel()[0]), 4), "trees": trees}


def labels(texts: list[str], truth: str) -> list[float]:
    """How much of each line stands in the truth; short lines must stand at their place in it."""
    told = _TOKEN.findall(truth.lower())
    places: dict[tuple[str, ...], list[int]] = {}
    for at in range(len(told) - _RUN + 1):
        places.setdefault(tuple(told[at : at + _RUN]), []).append(at)
    lines = [_TOKEN.findall(text.lower()) for text in texts]
    shares = [_share(line, places) for line in lines]
    spans = [
        _span(line, places) if share >= 0.5 else None
        for line, share in zip(lines, shares, strict=True)
    ]
    after = len(told)
    following = [0] * len(lines)
    for at in reversed(range(len(lines))):
        following[at] = after
        after = spans[at][0] if spans[at] else after  # type: ignore[index]
    before = 0
    for at, line in enumerate(lines):
        if (span := spans[at]) is not None:
            before = span[1]
        elif line and len(line) < 3 * _RUN and _between(line, told, before, following[at]):
            shares[at] = 1.0
    return shares


def _share(line: list[str], places: dict[tuple[str, ...], list[int]]) -> float:
    if len(line) <= _RUN:
        return 0.0
    runs = [tuple(line[at : at + _RUN]) for at in range(len(line) - _RUN + 1)]
    return sum(run in places for run in runs) / len(runs)


def _span(line: list[str], places: dict[tuple[str, ...], list[int]]) -> tuple[int, int]:
    runs = [tuple(line[at : at + _RUN]) for at in range(len(line) - _RUN + 1)]
    hits = [run for run in runs if run in places]
    return places[hits[0]][0], places[hits[-1]][-1] + _RUN


def _between(line: list[str], told: list[str], start: int, end: int) -> bool:
    low, high = sorted((max(0, start - 2), min(len(told), end + 2)))
    parts = [(low, high)] if high - low <= 400 else [(low, low + 60), (high - 60, high)]
    size = len(line)
    return any(
        told[at : at + size] == line
        for left, right in parts
        for at in range(left, right - size + 1)
    )


if __name__ == "__main__":
    main()
