"""Trials: accuracy of a template on labelled pages that it was not learned from."""

from collections.abc import Callable, Collection, Sequence

from specfactory.extract.templates import Applied, folded
from specfactory.learn.rules.template import learn_template
from specfactory.learn.samples import Sample, comparable
from specfactory.model import Frozen, Template, replace

MAX_FOLDS = 5
_ENOUGH = 6  # labelled pages from which a fixed test set can be spared
_TAUGHT = 5  # labelled pages that a field is learned from; more take time and teach little

Same = Callable[[str, str, Collection[str]], bool]  # field, words found, words known


class Trial(Frozen):
    """Measurement of one field; a missed or invented value is wrong."""

    field: str
    right: int
    tried: int
    filled: int

    @property
    def accuracy(self) -> float:
        """Share of right answers, including values rightly reported as missing."""
        return self.right / self.tried if self.tried else 0.0


def same_words(field: str, found: str, known: Collection[str]) -> bool:
    """Compare words with known values, ignoring case and separators."""
    return folded(found) in comparable(known)


def learn_and_try(
    host: str, samples: Sequence[Sample], same: Same = same_words, single: Collection[str] = ()
) -> tuple[Template, list[Trial]]:
    """Learn a template and test that same template on the labels it was not shown.

    Fields with few labelled pages learn from all of them; they are tested by cross-validation.
    """
    names = dict.fromkeys(name for sample in samples for name in sample.labels)
    shown = {name: shown_pages(name, samples) for name in names}
    scarce = {name for name, places in shown.items() if not places}
    taught, hidden = [], []
    for at, sample in enumerate(samples):
        labels = sample.labels
        known = {n: v for n, v in labels.items() if n in scarce or at in shown[n]}
        taught.append(replace(sample, labels=known))
        hidden.append({n: v for n, v in labels.items() if n not in known})
    template = learn_template(host, taught, single)
    applied, counts = Applied(template), dict[str, list[int]]()
    for sample, labels in zip(samples, hidden, strict=True):
        if labels:
            _count(applied, replace(sample, labels=labels), counts, same)
    trials = [Trial(name, *numbers) for name, numbers in counts.items()]
    few = [replace(s, labels={n: v for n, v in s.labels.items() if n in scarce}) for s in samples]
    return template, [*trials, *try_template(host, few, same, single=single)]


def shown_pages(name: str, samples: Sequence[Sample]) -> frozenset[int]:
    """Choose the samples that a field is learned from, spread evenly; empty for too few labels."""
    labelled = [at for at, sample in enumerate(samples) if name in sample.labels]
    if len(labelled) < _ENOUGH:
        return frozenset()
    count = min(_TAUGHT, len(labelled) // 2)
    labelled.sort(key=lambda at: not samples[at].labels[name])  # those with a value first
    having = sum(bool(samples[at].labels[name]) for at in labelled)
    spare = min(1, len(labelled) - having)  # one without a value teaches that it may be missing
    step = max(having // max(count - spare, 1), 1)
    return frozenset([*labelled[:having:step][: count - spare], *labelled[having:][:spare]])


def try_template(
    host: str,
    samples: Sequence[Sample],
    same: Same = same_words,
    folds: int = MAX_FOLDS,
    single: Collection[str] = (),
) -> list[Trial]:
    """Cross-validate: learn without some of the labels and test on those, fold by fold."""
    counts: dict[str, list[int]] = {}
    labelled = [at for at, sample in enumerate(samples) if sample.labels]
    folds = min(folds, len(labelled))
    for fold in range(folds if folds >= 2 else 0):
        left_out = set(labelled[fold::folds])
        rest = [replace(s, labels={}) if at in left_out else s for at, s in enumerate(samples)]
        applied = Applied(learn_template(host, rest, single))
        for at in sorted(left_out):
            _count(applied, samples[at], counts, same)
    return [Trial(name, *numbers) for name, numbers in counts.items()]


def _count(applied: Applied, sample: Sample, counts: dict[str, list[int]], same: Same) -> None:
    answers = applied.one(sample.page.tree)
    for name, values in sample.labels.items():
        numbers = counts.setdefault(name, [0, 0, 0])
        answer = answers.get(name)
        right = same(name, answer.words, values) if answer else not comparable(values)
        numbers[0] += right
        numbers[1] += 1
        numbers[2] += answer is not None
