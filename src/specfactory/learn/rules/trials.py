"""Trials: how right a template is on labelled pages that it was not learned from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from specfactory.extract.templates import Applied, folded
from specfactory.learn.rules.template import learn_template
from specfactory.learn.samples import Sample, comparable
from specfactory.model import Template, lower_bound

MAX_FOLDS = 5
_ENOUGH = 6  # labelled pages of which some can be spared for the test once and for all
_TAUGHT = 5  # labelled pages that a field is learned from; more cost time and teach little

Same = Callable[[str, str, Collection[str]], bool]  # field, words found, words known


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
        return lower_bound(self.right, self.tried)


def same_words(field: str, found: str, known: Collection[str]) -> bool:
    """Whether the words are those of a known value, case and separators set aside."""
    return folded(found) in comparable(known)


def learn_and_try(
    host: str,
    samples: Sequence[Sample],
    same: Same = same_words,
    single: Collection[str] = (),
) -> tuple[Template, list[Trial]]:
    """Learn a template and test this very template on the labels that it was not shown.

    Fields of which few pages are labelled learn from all of them; they are tested by learning
    again without each page in turn.
    """
    shown = {name: _shown(name, samples) for name in _names(samples)}
    scarce = {name for name, places in shown.items() if not places}
    taught = [_only(sample, at, shown, scarce) for at, sample in enumerate(samples)]
    template = learn_template(host, taught, single)
    applied, counts = Applied(template), dict[str, list[int]]()
    for at, sample in enumerate(samples):
        hidden = {n: v for n, v in sample.labels.items() if shown[n] and at not in shown[n]}
        if hidden:
            _count(applied, replace(sample, labels=hidden), counts, same)
    few = [replace(s, labels={n: v for n, v in s.labels.items() if n in scarce}) for s in samples]
    return template, [*_trials(counts), *try_template(host, few, same, single=single)]


def _names(samples: Sequence[Sample]) -> list[str]:
    return list(dict.fromkeys(name for sample in samples for name in sample.labels))


def _shown(name: str, samples: Sequence[Sample]) -> frozenset[int]:
    """The samples that a field is learned from, spread over all; empty: too few to spare any."""
    labelled = [at for at, sample in enumerate(samples) if name in sample.labels]
    if len(labelled) < _ENOUGH:
        return frozenset()
    count = min(_TAUGHT, len(labelled) // 2)
    labelled.sort(key=lambda at: not samples[at].labels[name])  # those with a value first
    having = sum(bool(samples[at].labels[name]) for at in labelled)
    spare = min(1, len(labelled) - having)  # one that has none teaches that it may be missing
    step = max(having // max(count - spare, 1), 1)
    return frozenset([*labelled[:having:step][: count - spare], *labelled[having:][:spare]])


def _only(
    sample: Sample, at: int, shown: Mapping[str, frozenset[int]], scarce: Collection[str]
) -> Sample:
    labels = {n: v for n, v in sample.labels.items() if n in scarce or at in shown[n]}
    return replace(sample, labels=labels)


def _trials(counts: Mapping[str, Sequence[int]]) -> list[Trial]:
    return [Trial(name, *numbers) for name, numbers in counts.items()]


def try_template(
    host: str,
    samples: Sequence[Sample],
    same: Same = same_words,
    folds: int = MAX_FOLDS,
    single: Collection[str] = (),
) -> list[Trial]:
    """Learn without some of the labels and test on those, in turn, until all were tested."""
    counts: dict[str, list[int]] = {}
    for applied, left_out in _turns(host, samples, folds, single):
        for sample in left_out:
            _count(applied, sample, counts, same)
    return _trials(counts)


def _turns(
    host: str, samples: Sequence[Sample], folds: int, single: Collection[str]
) -> Iterator[tuple[Applied, list[Sample]]]:
    labelled = [at for at, sample in enumerate(samples) if sample.labels]
    folds = min(folds, len(labelled))
    for fold in range(folds if folds >= 2 else 0):
        left_out = set(labelled[fold::folds])
        rest = [replace(s, labels={}) if at in left_out else s for at, s in enumerate(samples)]
        yield Applied(learn_template(host, rest, single)), [samples[at] for at in sorted(left_out)]


def _count(applied: Applied, sample: Sample, counts: dict[str, list[int]], same: Same) -> None:
    answers = applied.one(sample.page.tree)
    for name, values in sample.labels.items():
        numbers = counts.setdefault(name, [0, 0, 0])
        answer = answers.get(name)
        right = same(name, answer.words, values) if answer else not comparable(values)
        numbers[0] += right
        numbers[1] += 1
        numbers[2] += answer is not None
