"""Features of the second pass: first-pass likelihoods of a line, its neighbours and its boxes.

The first pass sees a line and its surroundings, the second how sure the first one was of the
whole page: content stands together, and a page of doubtful lines differs from a clear one.
"""

import math
from collections.abc import Sequence
from itertools import accumulate

from specfactory.extract.body.line_features import LineFeatures
from specfactory.model import Frozen
from specfactory.proof import Element

_HEADINGS = frozenset(("h1", "h2", "h3", "h4"))
_WINDOWS = (3, 12)  # lines on each side
_LEVELS = 3
_NOTHING = 1e-9


class LineGroups(Frozen):
    """Weight of every line, and the keys of the boxes and the heading it shares with others."""

    weights: list[float]
    keys: list[list[int]]


def line_groups(seen: LineFeatures) -> LineGroups:
    """Group the lines of a page by their boxes and headings."""
    boxes: list[Element] = [line.box for line in seen.lines]
    keys = []
    for _ in range(_LEVELS):
        keys.append([box.index for box in boxes])
        boxes = [box.parent or box for box in boxes]
    keys.append(list(accumulate(int(line.block.tag in _HEADINGS) for line in seen.lines)))
    return LineGroups([float(max(1, size)) for size in seen.sizes], keys)


def rows_again(
    rows: Sequence[Sequence[float]], groups: LineGroups, first: Sequence[float]
) -> list[list[float]]:
    """Extend the rows of features by what the first pass gave to each line."""
    weights, count = groups.weights, len(first)
    masses = [share * weight for share, weight in zip(first, weights, strict=True)]
    total = sum(masses) or _NOTHING
    page = [
        math.log1p(total), total / sum(weights), max(first),
        sum(share * mass for share, mass in zip(first, masses, strict=True)) / total,
    ]  # fmt: skip
    wide = [0.0, 0.0, *first, 0.0, 0.0]
    columns = [wide[start : start + count] for start in (1, 0, 3, 4)]  # two lines on each side
    mass, weight = [0.0, *accumulate(masses)], [0.0, *accumulate(weights)]
    for reach in _WINDOWS:
        bounds = [(max(0, at - reach), min(count, at + reach + 1)) for at in range(count)]
        columns.append([(mass[b] - mass[a]) / (weight[b] - weight[a]) for a, b in bounds])
    for keys in groups.keys:  # weighted means over the lines of a box or under a heading
        key_mass: dict[int, float] = {}
        key_weight: dict[int, float] = {}
        for key, some, size in zip(keys, masses, weights, strict=True):
            key_mass[key] = key_mass.get(key, 0.0) + some
            key_weight[key] = key_weight.get(key, 0.0) + size
        columns.append([key_mass[key] / key_weight[key] for key in keys])
    ranks = [0.0] * count
    for rank, at in enumerate(sorted(range(count), key=first.__getitem__)):
        ranks[at] = rank / count
    columns += [[m / total for m in mass[1:]], [math.log1p(m) for m in mass[1:]], ranks]
    return [
        [*row, share, *more, *page] for share, row, *more in zip(first, rows, *columns, strict=True)
    ]
