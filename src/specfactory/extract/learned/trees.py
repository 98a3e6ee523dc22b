"""Boosted decision trees, read from a data file and asked in plain Python.

A tree is a list of nodes ``[feature, threshold, left, right]``; a leaf is ``[value]``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any


class Trees:
    """A forest that adds up what its trees say of a row."""

    def __init__(self, start: float, trees: Sequence[Sequence[Sequence[float]]]) -> None:
        self._start = start
        self._roots = [_node(tree, 0) for tree in trees]

    def likelihoods(self, rows: Sequence[Sequence[float]]) -> list[float]:
        """The chance that each row is of the kind that was learned."""
        return [1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, self.sum_of(row))))) for row in rows]

    def sum_of(self, row: Sequence[float]) -> float:
        """What the trees say of a row, added up."""
        total = self._start
        for root in self._roots:
            feature, threshold, left, right = root
            while feature >= 0:
                feature, threshold, left, right = left if row[feature] <= threshold else right
            total += threshold
        return total


_Node = tuple[int, float, Any, Any]  # a leaf has no feature, and its value as its threshold


def _node(tree: Sequence[Sequence[float]], at: int) -> _Node:
    """A node with all that is below it: what is reached next is at hand."""
    if len(tree[at]) == 1:
        return -1, tree[at][0], None, None
    feature, threshold, left, right = tree[at]
    return int(feature), threshold, _node(tree, int(left)), _node(tree, int(right))


@cache
def shipped_trees(file: str, name: str) -> Trees | None:
    """A forest in a data file of this package; None when it is not there or is broken."""
    try:
        words = (
            files("specfactory.extract.learned")
            .joinpath("data")
            .joinpath(file)
            .read_text(encoding="utf-8")
        )
        given = json.loads(words)[name]
        return Trees(float(given["start"]), given["trees"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
