"""Learn the weights by which a page's values are ranked: python -m benchmarks.train_ranking DIR.

DIR is a folder of sets. Three kinds of pages teach:
- pages with truth (``products``; ``swde`` cameras, for prices);
- product pages of ``page_types`` whose structured data names a value: the places on the page
  that say the same are right, all others wrong, and what structured data says is hidden then;
- pages of ``page_types`` that list many things: they have no price of their own.

A page's values and "none of them" share one whole (softmax); signs of weights are given where
only one makes sense; all are drawn to zero. Writes the data file that the package ships.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.real_sets._pages import SetPage, read_set, truth_rows
from specfactory.contract import CompiledContract, compile_contract, find_contract
from specfactory.contract.normal import normal, word_set
from specfactory.extract.rank import Features, Group, Weights
from specfactory.extract.station import offered
from specfactory.model import Money, Value

ROLES = {"price": "price", "currency": "currency", "id": "sku", "availability": "availability",
         "brand": "brand"}  # fmt: skip
_SWDE_PAGES = 8  # per site: more of one site teach little
_HIDDEN = ("struct", "struct_several", "struct_meta", "struct_state", "struct_seen",
           "struct_other", "struct_unseen", "bad_struct", "agree", "struct_labelled",
           "maker")  # fmt: skip
_FOR = word_set(
    "struct struct_several struct_meta struct_state struct_seen struct_unseen labelled "
    "pattern price_hint price_own now_hint title_near title_box button_near button_box alone "
    "strong fits_discount higher_near order own_sign after_title url_end url_path url_query "
    "agree struct_labelled repeats seen digits share brand_hint hint_box in_title title_first "
    "crumb button phrase near is_good bad_button bad_phrase bad_near"
)
_AGAINST = word_set(
    "old side_hint other_hint old_word ship_word save_word rate_word unit_word from_word "
    "apart_region post_region hidden "
    "link lower_near nothing struct_other short long spaced is_gtin wordy elsewhere "
    "button_off maker tax_word"
)
_LOWEST, _FLOORS = 5, 8  # in steps of two hundredths
_HIGHER = {"brand": 25}  # many pages name none
_PULL = 0.1  # how strongly weights are drawn to zero


@dataclass(frozen=True, slots=True)
class Example:
    """What one page offers for one role, and which of it is right (none: it says nothing)."""

    set: str
    site: str
    page: str
    role: str
    groups: tuple[Group, ...]
    right: frozenset[int]
    asked: bool  # whether the page has the value at all
    weight: float = 1.0


# ------------------------------------------------------------------------------- the pages
def examples(folder: Path, given: Mapping[str, Sequence[SetPage]] | None = None) -> list[Example]:
    """The examples of all sets in a folder that can teach; ``given`` are read already."""
    compiled = compile_contract(find_contract("product"))
    found: list[Example] = []
    for pages in (given or {}).values():
        found += product_examples(pages, compiled)
    if not given and (folder / "products").is_dir():
        found += product_examples(read_set(folder / "products", _everything()), compiled)
    if (folder / "page_types").is_dir():
        found += distant_examples(read_set(folder / "page_types", _everything()), compiled)
    for site in sorted((folder / "swde").glob("*")) if (folder / "swde").is_dir() else ():
        if site.name.startswith("camera-"):  # what cars have there is a recommended price
            found += swde_examples(site, compiled)
    return weighed(found)


def _everything() -> argparse.Namespace:
    return argparse.Namespace(sites="", half="", pages=0)


def product_examples(pages: Iterable[SetPage], compiled: CompiledContract) -> Iterator[Example]:
    """Pages with truth, as they are and with their structured data hidden."""
    for page in pages:
        for role, groups in offers_of(page, compiled).items():
            truth = page.fields.get(ROLES[role])
            if truth is None and role in ("brand", "currency"):
                continue
            yield _example("products", page, role, groups, truth or [])
            yield hidden(_example("products", page, role, groups, truth or []))
            if role == "price":
                yield from unseen(_example("products", page, role, groups, truth or []))


def distant_examples(pages: Iterable[SetPage], compiled: CompiledContract) -> Iterator[Example]:
    """Pages without truth: what structured data says is looked for on the page."""
    for page in pages:
        kind = page.row["page_type"]
        if kind not in ("product", "collection", "listing"):
            continue
        for role, groups in offers_of(page, compiled).items():
            said = [group for group in groups if group.features.get("struct")]
            if kind == "product" and len(said) == 1:
                right = frozenset((groups.index(said[0]),))
                one = Example("distant", f"page-{page.id}", page.id, role, groups, right, True)
                yield hidden(one)
                if role == "price":
                    yield from unseen(one)
            elif kind != "product" and role == "price" and not said:
                yield Example("none", f"page-{page.id}", page.id, role, groups, frozenset(), False)


def swde_examples(folder: Path, compiled: CompiledContract) -> Iterator[Example]:
    """Old pages of cameras, for their prices."""
    rows = list(truth_rows(folder))[:_SWDE_PAGES]
    bodies = _bodies(folder, {f"{row['page']}.html" for row in rows})
    for row in rows:
        truth = [_number(words) for words in row["fields"].get("price", [])]
        body = bodies[f"{row['page']}.html"]
        page = SetPage(f"{folder.name}-{row['page']}", folder.name, row["url"], body, {}, row)
        groups = offers_of(page, compiled)["price"]
        yield _example("swde", page, "price", groups, [one for one in truth if one])


def _bodies(folder: Path, wanted: set[str]) -> dict[str, bytes]:
    with tarfile.open(folder / "pages.tar.xz") as tar:
        return {
            name: opened.read()
            for member in tar
            if (name := Path(member.name).name) in wanted and (opened := tar.extractfile(member))
        }


def _number(words: str) -> str:
    found = re.search(r"\d[\d,]*(?:\.\d+)?", words)
    return found[0].replace(",", "") if found else ""


def offers_of(page: SetPage, compiled: CompiledContract) -> dict[str, tuple[Group, ...]]:
    """What a page offers per role, before it is ranked."""
    fields = {field: role for role, field in ROLES.items()}
    return {
        fields[name]: tuple(groups.values())
        for name, groups in offered(page.views, compiled).items()
        if name in fields
    }


def _example(
    set_: str, page: SetPage, role: str, groups: Sequence[Group], truth: Sequence[str]
) -> Example:
    right = frozenset(
        at for at, group in enumerate(groups) if is_right(role, group.candidates[0].value, truth)
    )
    return Example(set_, page.site, page.id, role, tuple(groups), right, bool(truth))


def hidden(example: Example) -> Example:
    """The same page without what structured data says of the value."""
    shown = [
        Group(
            [one for one in group.candidates if one.evidence.method != "structured_data"],
            group.places,
            {name: 0.0 if name in _HIDDEN else seen for name, seen in group.features.items()},
        )
        for group in example.groups
    ]
    kept = [at for at, group in enumerate(shown) if group.candidates]
    right = frozenset(new for new, at in enumerate(kept) if at in example.right)
    return replace(example, set=f"{example.set} hidden", groups=tuple(shown[at] for at in kept),
                   right=right)  # fmt: skip


def unseen(example: Example) -> Iterator[Example]:
    """The same page as if its price were drawn by a script: only structured data has it."""
    if not any(example.groups[at].features.get("struct") for at in example.right):
        return
    shown = tuple(
        Group(group.candidates, [], {**group.features, "struct_seen": 0.0, "struct_unseen": 1.0})
        if at in example.right
        else group
        for at, group in enumerate(example.groups)
    )
    yield replace(example, set=f"{example.set} unseen", groups=shown)


# -------------------------------------------------------------------------------- judging
_SIGNS = {"€": "EUR", "£": "GBP", "zł": "PLN", "ر.س": "SAR", "kn": "HRK", "원~": "KRW", "원": "KRW",
          "₽": "RUB"}  # fmt: skip
_DOLLARS = word_set("USD CAD AUD NZD SGD HKD MXN CLP COP ARS TWD")
_IN = frozenset(("in stock", "limited", "preorder", "backorder"))


def is_right(role: str, value: Value, truth: Sequence[str]) -> bool:
    """Whether a value is among those the truth accepts."""
    if isinstance(value, Money):
        return any(abs(value.amount - float(one.replace(",", ""))) < 0.006 for one in truth)
    words = str(value)
    if role == "availability":
        return ("InStock" if words in _IN else "OutOfStock") in truth
    if role == "currency":
        return any(_same_currency(words, one) for one in truth)
    return normal(words) in {normal(one) for one in truth}


def _same_currency(code: str, written: str) -> bool:
    if written == "$":
        return code in _DOLLARS
    return code == _SIGNS.get(written.casefold(), written)


# ------------------------------------------------------------------------------- learning
def weighed(found: Sequence[Example]) -> list[Example]:
    """A site with many pages does not outweigh the others."""
    count = Counter((one.role, one.set, one.site) for one in found)
    base = {"products": 2.0, "products hidden": 1.0, "distant hidden": 1.0, "none": 0.1,
            "products unseen": 0.5, "distant unseen": 0.3,
            "swde": 1.0}  # fmt: skip
    return [
        replace(one, weight=base[one.set] / count[one.role, one.set, one.site] ** 0.7)
        for one in found
    ]


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
    judged: list[tuple[float, bool, bool]] = []
    for sites in split(found, folds):
        model = fit([one for one in found if one.site not in sites])
        tested = [one for one in found if one.site in sites and one.set == "products"]
        judged += [(*best(model, one), one.asked) for one in tested]
    if not judged:
        return weights
    slope, shift = calibrate([(likely, right) for likely, right, _ in judged if likely > 0])
    made = replace(weights, slope=slope, shift=shift)
    return replace(made, floor=find_floor(made, judged, _HIGHER.get(found[0].role, _FLOORS)))


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
    import numpy as np
    from scipy.optimize import minimize

    names = sorted({name for one in found for group in one.groups
                    for seen in (group.features, *group.places) for name in seen})  # fmt: skip
    numbers = _Numbers([one for one in found if one.groups], names, np)
    bounds = [(0.0 if name in _FOR else None, 0.0 if name in _AGAINST else None)
              for name in names]  # fmt: skip
    done = minimize(numbers.loss, np.zeros(len(names) + 1), jac=True, method="L-BFGS-B",
                    bounds=[*bounds, (None, None)], options={"maxiter": 200})  # fmt: skip
    weights = {n: round(float(w), 4) for n, w in zip(names, done.x[:-1], strict=True)}
    return Weights({n: w for n, w in weights.items() if w}, round(float(done.x[-1]), 4), 0.0)


class _Numbers:
    """All examples as numbers: a row per place, per group, per page; the rows of one in turn.

    A group without places has one empty place, and every page has a group "none" at its end.
    """

    def __init__(self, found: Sequence[Example], names: Sequence[str], np: Any) -> None:
        self._np = np
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
        pull = _PULL * np.append(given[:-1], 0.0)
        return float(-self._weights @ np.log(right) + given @ pull / 2), slope + pull


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
    parser.add_argument("--out", type=Path,
                        default=Path("src/specfactory/extract/ranking.json"))  # fmt: skip
    given = parser.parse_args(arguments)
    given.out.write_text(written(train(examples(given.dir))), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
