"""Learn to tell content from what stands around it: python -m benchmarks.train_body DIR [OUT].

DIR holds the sets articles_body, articles_news and page_types; OUT is the data file that the
package ships as ``extract/body_trees.json``. Needs scikit-learn (``make peers``). Without OUT it
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

from benchmarks.body_pages import Sample, left_out, read_samples

_MAX_LINES = 120  # of one page, drawn evenly; long pages say no more than others
_TREES = 100
_SEEN_SHARE = 0.3  # of the features, drawn for every split: no one of them is leant on


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
        trees = exported(_boost(samples))
        given.out.write_text(json.dumps({"lines": trees}, separators=(",", ":")))


def fitted(samples: list[Sample]) -> Callable[[Sample], Any]:
    """What trees learned from some pages say of another."""
    model = _boost(samples)
    return lambda sample: model.predict_proba(sample.rows)[:, 1]


def _drawn(sample: Sample) -> tuple[Any, Any, Any]:
    weights = np.array(sample.words, float).clip(1) ** 0.7
    weights /= weights.sum() ** 0.8
    step = max(1, -(-len(sample.rows) // _MAX_LINES))
    return sample.rows[::step], sample.truth[::step], weights[::step] * step


def _boost(samples: list[Sample]) -> Any:
    blocks = [_drawn(sample) for sample in samples if sample.words]
    rows, truth, weights = (np.concatenate([block[at] for block in blocks]) for at in range(3))
    model = HistGradientBoostingClassifier(
        max_iter=_TREES, learning_rate=0.1, max_leaf_nodes=15, min_samples_leaf=30,
        l2_regularization=5.0, max_features=_SEEN_SHARE,
        random_state=0, early_stopping=False,
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


if __name__ == "__main__":
    main()
