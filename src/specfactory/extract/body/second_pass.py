"""A second look at every line: what the first look says of it, of its neighbours and its boxes.

The first look sees a line and what stands around it, the second how sure the first was of the
page: content stands together, and a page of doubtful lines is another thing than one of clear ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from specfactory.extract.body.line_features import Seen
from specfactory.proof import Element

_HEADINGS = frozenset(("h1", "h2", "h3", "h4"))
_WINDOWS = (3, 12)  # lines on either side
_LEVELS = 3
_NOTHING = 1e-9


@dataclass(frozen=True, slots=True)
class Shape:
    """How the lines of a page stand together: the size of each, and its boxes and heading."""

    weights: list[float]
    keys: list[list[int]]


def shape_of(seen: Seen) -> Shape:
    """The shape of a page."""
    boxes: list[Element] = [line.box for line in seen.lines]
    keys = []
    for _ in range(_LEVELS):
        keys.append([box.index for box in boxes])
        boxes = [box.parent or box for box in boxes]
    keys.append(list(accumulate(int(line.block.tag in _HEADINGS) for line in seen.lines)))
    return Shape([float(max(1, len(seen.words(at)))) for at in range(len(seen.lines))], keys)


def rows_again(
    rows: Sequence[Sequence[float]], shape: Shape, first: Sequence[float]
) -> list[list[float]]:
    """A row of features for every line, from what the first look gives each."""
    weights = shape.weights
    masses = [share * weight for share, weight in zip(first, weights, strict=True)]
    total = sum(masses) or _NOTHING
    page = [
        math.log1p(total), total / sum(weights), max(first),
        sum(share * mass for share, mass in zip(first, masses, strict=True)) / total,
    ]  # fmt: skip
    columns = [*_beside(first), *_windows(masses, weights)]
    columns += [_means(keys, masses, weights) for keys in shape.keys]
    upto = list(accumulate(masses))
    columns += [[mass / total for mass in upto], [math.log1p(mass) for mass in upto], _ranks(first)]
    return [
        [*row, share, *told, *page] for share, row, *told in zip(first, rows, *columns, strict=True)
    ]


def _beside(first: Sequence[float]) -> list[list[float]]:
    """What is said of the two lines before and the two after."""
    wide = [0.0, 0.0, *first, 0.0, 0.0]
    return [wide[start : start + len(first)] for start in (1, 0, 3, 4)]


def _windows(masses: Sequence[float], weights: Sequence[float]) -> list[list[float]]:
    """What is said on average of the lines around each."""
    mass, weight, count = [0.0, *accumulate(masses)], [0.0, *accumulate(weights)], len(masses)
    columns = []
    for reach in _WINDOWS:
        bounds = [(max(0, at - reach), min(count, at + reach + 1)) for at in range(count)]
        columns.append([(mass[b] - mass[a]) / (weight[b] - weight[a]) for a, b in bounds])
    return columns


def _means(keys: Sequence[int], masses: Sequence[float], weights: Sequence[float]) -> list[float]:
    """What is said on average of the lines that share a box or a heading."""
    mass: dict[int, float] = {}
    weight: dict[int, float] = {}
    for key, some, size in zip(keys, masses, weights, strict=True):
        mass[key] = mass.get(key, 0.0) + some
        weight[key] = weight.get(key, 0.0) + size
    return [mass[key] / weight[key] for key in keys]


def _ranks(first: Sequence[float]) -> list[float]:
    """The place of every line among the page's, the least likely first."""
    ranks = [0.0] * len(first)
    for rank, at in enumerate(sorted(range(len(first)), key=first.__getitem__)):
        ranks[at] = rank / len(first)
    return ranks
