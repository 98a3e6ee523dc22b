"""Trials: how right a template is on labelled pages that it was not learned from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from specfactory.extract.template_index import folded
from specfactory.extract.templates import Applied
from specfactory.learn.samples import Sample, comparable
from specfactory.learn.template import learn_template

_MAX_FOLDS = 5
_Z = 1.645  # one-sided, 95%


@dataclass(frozen=True, slots=True)
class Trial:
    """What was measured for one field; a value missed or invented counts as wrong."""

    field: str
    right: int
    tried: int
    filled: int

    @property
    def accuracy(self) -> float:
        """The share of right answers, a rightly missing value among them."""
        return self.right / self.tried if self.tried else 0.0

    @property
    def lower_bound(self) -> float:
        """The accuracy that is passed with 95% certainty (Wilson)."""
        if not self.tried:
            return 0.0
        n, p = self.tried, self.accuracy
        middle = p + _Z * _Z / (2 * n)
        spread = _Z * math.sqrt(p * (1 - p) / n + _Z * _Z / (4 * n * n))
        return (middle - spread) / (1 + _Z * _Z / n)


def try_template(host: str, samples: Sequence[Sample]) -> list[Trial]:
    """Learn without some of the labels and test on those, in turn, until all were tested."""
    labelled = [at for at, sample in enumerate(samples) if sample.labels]
    folds = min(_MAX_FOLDS, len(labelled))
    if folds < 2:
        return []
    counts: dict[str, list[int]] = {}
    for fold in range(folds):
        left_out = set(labelled[fold::folds])
        rest = [replace(s, labels={}) if at in left_out else s for at, s in enumerate(samples)]
        applied = Applied(learn_template(host, rest))
        for at in left_out:
            _count(applied, samples[at], counts)
    return [Trial(name, *numbers) for name, numbers in counts.items()]


def _count(applied: Applied, sample: Sample, counts: dict[str, list[int]]) -> None:
    answers = applied.one(sample.page.tree)
    for name, values in sample.labels.items():
        numbers = counts.setdefault(name, [0, 0, 0])
        answer, known = answers.get(name), comparable(values)
        right = folded(answer.words) in known if answer else not known
        numbers[0] += right
        numbers[1] += 1
        numbers[2] += answer is not None
