"""Boosted decision trees, read from a data file and asked in plain Python.

A tree is a list of nodes ``[feature, threshold, left, right]``; a leaf is ``[value]``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files


class Trees:
    """A forest that adds up what its trees say of a row."""

    def __init__(self, start: float, trees: Sequence[Sequence[Sequence[float]]]) -> None:
        self._start = start
        self._trees = [[_node(node) for node in tree] for tree in trees]

    def likelihoods(self, rows: Sequence[Sequence[float]]) -> list[float]:
        """The chance that each row is of the kind that was learned."""
        return [1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, self.sum_of(row))))) for row in rows]

    def sum_of(self, row: Sequence[float]) -> float:
        """What the trees say of a row, added up."""
        total = self._start
        for tree in self._trees:
            feature, threshold, left, right = tree[0]
            while feature >= 0:
                feature, threshold, left, right = tree[left if row[feature] <= threshold else right]
            total += threshold
        return total


def _node(node: Sequence[float]) -> tuple[int, float, int, int]:
    if len(node) == 1:
        return -1, node[0], 0, 0
    return int(node[0]), node[1], int(node[2]), int(node[3])


@cache
def shipped_trees(file: str, name: str) -> Trees | None:
    """A forest in a data file of this package; None when it is not there or is broken."""
    try:
        words = files("specfactory.extract").joinpath(file).read_text(encoding="utf-8")
        given = json.loads(words)[name]
        return Trees(float(given["start"]), given["trees"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
