"""Learn the types of pages: python -m benchmarks.train_page_types DIR [OUT].

DIR is a set with ``page_type`` in its truth (page_types). Prints what is reached on sites left
out, fold by fold; with OUT it writes the weights that the package ships as
``extract/page/data/page_types.json``, and beside this script those without each fold of the
sites, by which the benchmark judges the pages that were learned from. Run it where numpy is:
make peers.

The weights are those of a softmax with a pull to nothing. A word list speaks for its own type
above all: what all lists of one place have in common is one weight, not pulled as hard.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.page_type_folds import FOLDS, PLACE, fold_of, site_key
from specfactory.extract.lists import find_records
from specfactory.extract.page.page_features import PLACES, TYPES, page_features
from specfactory.learn.truth.truth_sets import read_pages

_PULL, _SHARED_PULL = 15.0, 1.0
_STEPS, _RATE = 300, 0.05
_LEAST = 6  # pages that have a feature
_DIGITS = 4


class Sample(NamedTuple):
    """A page with its features and its true type."""

    site: str
    type: str
    features: dict[str, float]


def main() -> None:
    """Print what sites left out give; write the weights if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dir", type=Path, metavar="DIR")
    parser.add_argument("out", type=Path, nargs="?", metavar="OUT")
    given = parser.parse_args()
    samples = read_samples(given.dir)
    folds = [fit([one for one in samples if fold_of(one.site) != fold]) for fold in range(FOLDS)]
    right = sum(_is_right(one, folds[fold_of(one.site)]) for one in samples)
    print(f"{len(samples)} pages, sites left out: accuracy {right / len(samples):.4f}")
    if given.out is not None:
        given.out.write_text(json.dumps(fit(samples)) + "\n")
        sites = sorted({site_key(one.site) for one in samples})
        PLACE.write_text(json.dumps({"sites": sites, "folds": folds}) + "\n")


def read_samples(folder: Path) -> list[Sample]:
    """The pages of a set with their features."""
    found = []
    for page in read_pages(folder):
        views = page.views
        features = page_features(views, find_records(views))
        found.append(Sample(page.site, str(page.row["page_type"]), features))
    return found


def fit(samples: Sequence[Sample]) -> dict[str, Any]:
    """Bias and weights, by gradients; features are scaled while it learns."""
    import numpy as np  # type: ignore[import-not-found,unused-ignore]

    counts = Counter(name for one in samples for name in one.features)
    names = [name for name in sorted(counts) if counts[name] >= _LEAST]
    seen = np.array([[one.features.get(name, 0.0) for name in names] for one in samples])
    mean, spread = seen.mean(0), seen.std(0) + 1e-6
    scaled = np.c_[(seen - mean) / spread, np.ones(len(samples))]
    truth = np.eye(len(TYPES))[[TYPES.index(one.type) for one in samples]]
    shared = _shared(names)
    own, common = np.zeros((len(names) + 1, len(TYPES))), np.zeros(len(shared))
    pull = np.full((len(names) + 1, 1), _PULL)
    pull[-1] = 0.0
    speed = force = 0.0
    for step in range(1, _STEPS + 1):
        sums = scaled @ _joined(own, common, shared)
        likely = np.exp(sums - sums.max(1, keepdims=True))
        likely /= likely.sum(1, keepdims=True)
        slope = scaled.T @ (likely - truth)
        pulled = _SHARED_PULL * common
        shares = np.array([(slope * one).sum() for one in shared]) + pulled
        whole = np.r_[(slope + pull * own).ravel(), shares]
        speed, force = 0.9 * speed + 0.1 * whole, 0.99 * force + 0.01 * whole * whole
        moved = _RATE * speed / (1 - 0.9**step) / (np.sqrt(force / (1 - 0.99**step)) + 1e-8)
        own = own - moved[: own.size].reshape(own.shape)
        common = common - moved[own.size :]
    weights = _joined(own, common, shared)
    plain = weights[:-1] / spread[:, None]
    bias = weights[-1] - mean @ plain
    return {
        "bias": [round(float(one), _DIGITS) for one in bias],
        "weights": {
            name: [round(float(one), _DIGITS) for one in row]
            for name, row in zip(names, plain, strict=True)
        },
    }


def _shared(names: Sequence[str]) -> list[Any]:
    """For each place with words, which weights its lists have in common: those of their types."""
    import numpy as np

    found = []
    for place in PLACES:
        one = np.zeros((len(names) + 1, len(TYPES)))
        for at, kind in enumerate(TYPES):
            if f"{place} {kind}" in names:
                one[names.index(f"{place} {kind}"), at] = 1.0
        found.append(one)
    return found


def _joined(own: Any, common: Any, shared: Sequence[Any]) -> Any:
    return own + sum(weight * one for weight, one in zip(common, shared, strict=True))


def _is_right(sample: Sample, weights: dict[str, Any]) -> bool:
    from specfactory.extract.page.page_types import TypeWeights

    return TypeWeights(**weights).judge(sample.features).type == sample.type


if __name__ == "__main__":
    main()
