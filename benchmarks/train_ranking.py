"""Learn the weights by which a page's values are ranked: python -m benchmarks.train_ranking DIR.

DIR is a folder of sets; ``ranking_pages`` says which of its pages teach.

A page's values and "none of them" share one whole (softmax); signs of weights are given where
only one makes sense; all are drawn to what common sense says of them, which is nothing of most.
Writes the data file that the package ships.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.ranking_pages import ROLES, Example, examples
from specfactory.extract.learned.ranking_weights import Features, Weights
from specfactory.word_lists import word_set

_FOR = word_set(
    "struct struct_several struct_meta struct_state struct_seen struct_unseen struct_kin labelled "
    "pattern price_hint price_own now_hint title_near title_box button_near button_box alone "
    "strong fits_discount higher_near order own_sign after_title url_end url_path url_query "
    "agree struct_labelled repeats seen digits share brand_hint hint_box in_title title_first "
    "crumb buy none stock loose offer named state near is_good bad_none bad_stock bad_near "
    "keyed only_keyed"
)
_AGAINST = word_set(
    "old side_hint other_hint old_word ship_word save_word rate_word unit_word from_word "
    "apart_region post_region hidden "
    "link lower_near nothing struct_other short long spaced is_gtin wordy elsewhere "
    "button_off maker tax_word instalment saving zero if_word"
)
_LOWEST, _FLOORS = 5, 8  # in steps of two hundredths
_JUDGED = ("products", "none")  # sets by which the floor is found
_HIGHER = {"brand": 25}  # many pages name none
_PULL = 0.3  # how strongly weights are drawn to common sense


_COMMON_SENSE: Mapping[str, Mapping[str, float]] = {  # role -> weights before any page is seen
    "price": {
        "struct": 3, "struct_several": 1.5, "struct_meta": 1.5, "struct_kin": 2, "struct_seen": 1,
        "struct_state": 0.5, "keyed": 1, "only_keyed": 4, "labelled": 2, "pattern": 1,
        "price_hint": 0.5, "price_own": 0.5, "now_hint": 1, "old": -2, "old_word": -2,
        "side_hint": -1.5, "other_hint": -1, "ship_word": -2.5, "save_word": -2.5,
        "rate_word": -2.5, "unit_word": -2, "from_word": -1, "tax_word": -0.5, "if_word": -1,
        "apart_region": -2, "post_region": -2, "hidden": -1, "link": -1, "title_near": 4,
        "title_box": 2, "button_box": 1, "button_near": 1, "alone": 1, "strong": 0.5, "nothing": -2,
        "zero": -8, "own_sign": 0.5, "order": 1, "lower_near": -1.5, "higher_near": 0.3,
        "fits_discount": 2, "instalment": -2.5, "saving": -1.5,
    },
    "availability": {
        "struct": 3, "struct_meta": 1.5, "struct_kin": 1.5, "struct_state": 1, "labelled": 2,
        "buy": 3, "none": 2, "stock": 2, "loose": 0.5, "offer": 0.5, "named": 3, "state": 0.5,
        "is_good": 1, "near": 1, "elsewhere": -1,
    },
}  # fmt: skip


# ------------------------------------------------------------------------------- learning
def train(found: Sequence[Example]) -> dict[str, Weights]:
    """The weights of every role, with floor and calibration fitted on sites left out."""
    return {role: train_role([one for one in found if one.role == role]) for role in ROLES}


@dataclass(frozen=True, slots=True)
class Tested:
    """An answer of a model that has not seen the site; ``right`` is None where it gave none."""

    site: str
    page: str
    right: bool | None
    asked: bool
    likelihood: float


def left_out(found: Sequence[Example], role: str, folds: int = 6) -> list[Tested]:
    """The answers on pages with truth, each by a model that was trained without its site."""
    mine = [one for one in found if one.role == role]
    tested = []
    for sites in split(mine, folds):
        model = train_role([one for one in mine if one.site not in sites], folds - 1)
        for one in mine:
            if one.site in sites and one.set == "products":
                likelihood, right = best(model, one)
                given = likelihood > 0 and likelihood >= model.floor
                tested.append(
                    Tested(one.site, one.page, right if given else None, one.asked, likelihood)
                )
    return tested


def f1(tested: Sequence[Tested]) -> float:
    """An answer where there is no value counts as wrong."""
    right = sum(one.right is True for one in tested)
    given = sum(one.right is not None for one in tested)
    return 2 * right / max(given + sum(one.asked for one in tested), 1)


def train_role(found: Sequence[Example], folds: int = 6) -> Weights:
    """Fit once on all; the floor and the calibration by sites left out."""
    weights = fit(found)
    judged: dict[str, list[tuple[float, bool, bool]]] = {name: [] for name in _JUDGED}
    for sites in split(found, folds):
        model = fit([one for one in found if one.site not in sites])
        for one in found:
            if one.site in sites and one.set in _JUDGED:
                judged[one.set].append((*best(model, one), one.asked))
    if not judged["products"]:
        return weights
    slope, shift = calibrate([(likely, right) for likely, right, _ in judged["products"] if likely])
    made = replace(weights, slope=slope, shift=shift)
    every = [*judged["products"], *judged["none"]]
    return replace(made, floor=find_floor(made, every, _HIGHER.get(found[0].role, _FLOORS)))


def split(found: Sequence[Example], folds: int) -> list[frozenset[str]]:
    """The sites in so many parts, by their names' order."""
    sites = sorted({one.site for one in found})
    return [frozenset(sites[at::folds]) for at in range(folds)]


def best(weights: Weights, example: Example) -> tuple[float, bool]:
    """The likelihood of the likeliest value, and whether it is right."""
    if not example.groups:
        return 0.0, False
    likely = weights.likelihoods(example.groups)
    at = max(range(len(likely)), key=likely.__getitem__)
    return likely[at], at in example.right


def find_floor(
    weights: Weights, judged: Sequence[tuple[float, bool, bool]], floors: int = _FLOORS
) -> float:
    """The floor with the best F1 on sites left out; the lowest of equals, and never high.

    Few of the pages with truth lack a value, so a high floor would be an accident.
    """
    asked = sum(is_asked for _, _, is_asked in judged)
    chosen, most = 0.0, -1.0
    for floor in (at / 50 for at in range(_LOWEST, floors)):
        given = [right for likely, right, _ in judged
                 if likely > 0 and weights.calibrated(likely) >= floor]  # fmt: skip
        f1 = 2 * sum(given) / max(len(given) + asked, 1)
        if f1 > most + 1e-9:
            chosen, most = floor, f1
    return chosen


def calibrate(judged: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """Slope and shift of log odds by maximum likelihood, drawn to leaving them as they are."""
    from scipy.optimize import minimize

    odds = [math.log(max(p, 1e-9) / max(1 - p, 1e-9)) for p, _ in judged]

    def loss(given: Any) -> float:
        slope, shift = given
        total = 0.5 * (slope - 1) ** 2 + 0.25 * shift**2
        for odd, (_, right) in zip(odds, judged, strict=True):
            z = slope * odd + shift
            total += math.log1p(math.exp(-abs(z))) + max(-z if right else z, 0.0)
        return total

    slope, shift = minimize(loss, (1.0, 0.0), method="Nelder-Mead").x
    return round(max(float(slope), 0.2), 3), round(float(shift), 3)


def fit(found: Sequence[Example]) -> Weights:
    """The weights under which the right values are likeliest."""
    sense = _COMMON_SENSE.get(found[0].role, {})
    import numpy as np
    from scipy.optimize import minimize

    names = sorted({name for one in found for group in one.groups
                    for seen in (group.features, *group.places) for name in seen})  # fmt: skip
    start = np.array([*(sense.get(name, 0.0) for name in names), 0.0])
    numbers = _Numbers([one for one in found if one.groups], names, start, np)
    bounds = [(0.0 if name in _FOR else None, 0.0 if name in _AGAINST else None)
              for name in names]  # fmt: skip
    done = minimize(numbers.loss, start, jac=True, method="L-BFGS-B",
                    bounds=[*bounds, (None, None)], options={"maxiter": 200})  # fmt: skip
    weights = {n: round(float(w), 4) for n, w in zip(names, done.x[:-1], strict=True)}
    return Weights({n: w for n, w in weights.items() if w}, round(float(done.x[-1]), 4), 0.0)


class _Numbers:
    """All examples as numbers: a row per place, per group, per page; the rows of one in turn.

    A group without places has one empty place, and every page has a group "none" at its end.
    """

    def __init__(self, found: Sequence[Example], names: Sequence[str], start: Any, np: Any) -> None:
        self._np, self._start = np, start
        places: list[list[float]] = []
        groups: list[list[float]] = []
        right: list[bool] = []
        self._place_at: Any = []
        self._page_at: Any = []
        empty = [0.0] * (len(names) + 1)
        for one in found:
            self._page_at.append(len(groups))
            for at, group in enumerate(one.groups):
                self._place_at.append(len(places))
                places += [_row(place, names) for place in group.places] or [empty]
                groups.append([*_row(group.features, names)[:-1], 1.0])
                right.append(at in one.right)
            self._place_at.append(len(places))
            places.append(empty)
            groups.append(empty)
            right.append(not one.right)
        self._places, self._groups = np.array(places), np.array(groups)
        self._right = np.array(right, float)
        self._weights = np.array([one.weight for one in found])
        self._pages = np.diff([*self._page_at, len(groups)])
        self._sizes = np.diff([*self._place_at, len(places)])

    def loss(self, given: Any) -> tuple[float, Any]:
        """Minus the log of the share of what is right, with its slope."""
        np = self._np
        sums = self._places @ given
        whole = np.logaddexp.reduceat(sums, self._place_at)
        scores = whole + self._groups @ given
        total = np.logaddexp.reduceat(scores, self._page_at)
        shares = np.exp(scores - np.repeat(total, self._pages))
        right = np.maximum(np.add.reduceat(shares * self._right, self._page_at), 1e-12)
        aimed = shares * self._right / np.repeat(right, self._pages)
        steps = (shares - aimed) * np.repeat(self._weights, self._pages)
        within = np.exp(sums - np.repeat(whole, self._sizes)) * np.repeat(steps, self._sizes)
        slope = self._places.T @ within + self._groups.T @ steps
        away = np.append((given - self._start)[:-1], 0.0)
        loss = float(-self._weights @ np.log(right) + _PULL * away @ away / 2)
        return loss, slope + _PULL * away


def _row(features: Features, names: Sequence[str]) -> list[float]:
    return [*(features.get(name, 0.0) for name in names), 0.0]


# ----------------------------------------------------------------------------------- main
def written(weights: Mapping[str, Weights]) -> str:
    """The data file's text."""
    made = {
        role: {"weights": dict(sorted(one.weights.items())), "bias": one.bias,
               "floor": one.floor, "slope": one.slope, "shift": one.shift}
        for role, one in weights.items()
    }  # fmt: skip
    return json.dumps(made, indent=1, sort_keys=True) + "\n"


def main(arguments: Sequence[str]) -> None:
    """Train on a folder of sets and write the data file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("dir", type=Path)
    parser.add_argument(
        "--out", type=Path, default=Path("src/specfactory/extract/learned/data/ranking.json")
    )
    given = parser.parse_args(arguments)
    given.out.write_text(written(train(examples(given.dir))), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
