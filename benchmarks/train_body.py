"""Learn to tell content from what stands around it: python -m benchmarks.train_body DIR [OUT].

DIR holds the sets articles_body, articles_news and page_types; OUT is the data file that the
package ships as ``data/body_trees.json``. Needs scikit-learn (``make peers``). Without OUT it
prints what is reached on sites that are left out, by two folds and by five (``--folds``);
``--kept FILE`` keeps what was read of the pages for the next time.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from benchmarks.body_pages import Sample, fold_of, left_out, read_samples
from specfactory.extract.body.second_pass import rows_again

_MAX_LINES = 120  # of one page, drawn evenly; long pages say no more than others
_SEEN_SHARE = 0.3  # of the features, drawn for every split: no one of them is leant on
_INNER_FOLDS = 4
_FIRST = {"max_iter": 60, "max_leaf_nodes": 15, "min_samples_leaf": 30, "l2_regularization": 5.0}
_AGAIN = {"max_iter": 80, "max_leaf_nodes": 12, "min_samples_leaf": 40, "l2_regularization": 10.0}


def main() -> None:
    """Learn and write the trees, or print what they reach on other sites."""
    parser = argparse.ArgumentParser()
    parser.add_argument("dir", type=Path)
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--half", choices=("a", "b", ""), default="")
    parser.add_argument("--folds", type=int, nargs="*", default=(2, 5))
    parser.add_argument("--kept", type=Path)
    given = parser.parse_args()
    samples = read_samples(given.dir, given.half, given.kept)
    if given.out is None:
        for folds in given.folds:
            print(*left_out(samples, folds, fitted), sep="\n", flush=True)
    else:
        first, again = learned(samples)
        trees = {"lines": exported(first), "again": exported(again)}
        given.out.write_text(json.dumps(trees, separators=(",", ":")))


def fitted(samples: list[Sample]) -> Callable[[Sample], Any]:
    """What trees learned from some pages say of another."""
    first, again = learned(samples)
    return lambda sample: _asked(again, _rows_again(sample, _asked(first, sample.rows)))


def learned(samples: list[Sample]) -> tuple[Any, Any]:
    """The trees of the first look, and of the second, which learns from sites new to the first."""
    told = [sample for sample in samples if sample.words]
    rows: dict[int, Any] = {}
    for fold in range(_INNER_FOLDS):
        others = [sample for sample in told if fold_of(sample, _INNER_FOLDS, turn=2) != fold]
        model = _boost(others, [sample.rows for sample in others], _FIRST)
        for sample in told:
            if fold_of(sample, _INNER_FOLDS, turn=2) == fold:
                rows[id(sample)] = _rows_again(sample, _asked(model, sample.rows))
    first = _boost(told, [sample.rows for sample in told], _FIRST)
    return first, _boost(told, [rows[id(sample)] for sample in told], _AGAIN)


def _asked(model: Any, rows: Any) -> Any:
    return model.predict_proba(rows)[:, 1]


def _rows_again(sample: Sample, first: Any) -> Any:
    return np.array(rows_again(sample.rows.tolist(), sample.shape, first.tolist()), np.float32)


def _drawn(sample: Sample, rows: Any) -> tuple[Any, Any, Any]:
    weights = np.array(sample.words, float).clip(1) ** 0.7
    weights /= weights.sum() ** 0.8
    step = max(1, -(-len(rows) // _MAX_LINES))
    return rows[::step], sample.truth[::step], weights[::step] * step


def _boost(samples: list[Sample], rows: list[Any], options: dict[str, Any]) -> Any:
    blocks = [_drawn(sample, some) for sample, some in zip(samples, rows, strict=True)]
    seen, truth, weights = (np.concatenate([block[at] for block in blocks]) for at in range(3))
    model = HistGradientBoostingClassifier(
        learning_rate=0.1, max_features=_SEEN_SHARE, random_state=0, early_stopping=False, **options
    )
    return model.fit(seen, truth, sample_weight=weights * len(weights) / weights.sum())


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


if __name__ == "__main__":
    main()
