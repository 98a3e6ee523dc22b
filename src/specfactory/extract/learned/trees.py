"""Boosted decision trees, read from a data file and evaluated in plain Python.

A tree is a list of nodes ``[feature, threshold, left, right]``; a leaf is ``[value]``.
"""

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from specfactory.word_lists import read_text


class Trees:
    """Forest whose trees' values are added up."""

    def __init__(self, start: float, trees: Sequence[Sequence[Sequence[float]]]) -> None:
        self._start = start
        self._roots = [_node(tree, 0) for tree in trees]

    def likelihoods(self, rows: Sequence[Sequence[float]]) -> list[float]:
        """Likelihood of each row to be of the learned kind."""
        return [1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, self.sum_of(row))))) for row in rows]

    def sum_of(self, row: Sequence[float]) -> float:
        """Sum of the trees' values for a row."""
        total = self._start
        for root in self._roots:
            feature, threshold, left, right = root
            while feature >= 0:
                feature, threshold, left, right = left if row[feature] <= threshold else right
            total += threshold
        return total


_Node = tuple[int, float, Any, Any]  # a leaf has no feature, and its value as its threshold


def _node(tree: Sequence[Sequence[float]], at: int) -> _Node:
    """Nest a node with its children, so that a walk needs no lookups."""
    if len(tree[at]) == 1:
        return -1, tree[at][0], None, None
    feature, threshold, left, right = tree[at]
    return int(feature), threshold, _node(tree, int(left)), _node(tree, int(right))


@cache
def learned(file: str) -> Mapping[str, Any]:
    """Read a data file of this package; empty when it is missing or broken."""
    try:
        found: Mapping[str, Any] = json.loads(read_text(f"extract/learned/data/{file}"))
    except (OSError, ValueError):
        return {}
    return found


@cache
def shipped_trees(file: str, name: str) -> Trees | None:
    """Load a forest from a data file of this package; None when it has none."""
    given = learned(file).get(name)
    return Trees(float(given["start"]), given["trees"]) if given else None
