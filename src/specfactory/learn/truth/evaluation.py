"""The factory held against pages with truth: what was right, wrong, missed, and how surely."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from specfactory.contract import CompiledContract, value_to_json
from specfactory.contract.text import normal
from specfactory.errors import NotDerivable
from specfactory.extract import PageAnswers, answer_page
from specfactory.learn.truth.truth_sets import SetPage
from specfactory.model import Answer, FieldType, Money, Value
from specfactory.proof import PageViews, prove, reading


@dataclass(slots=True)
class Score:
    """Right answers, answers, and what was to be found."""

    right: int = 0
    given: int = 0
    asked: int = 0

    @property
    def precision(self) -> float:
        """Of the answers given, the share that is right."""
        return self.right / self.given if self.given else 0.0

    @property
    def recall(self) -> float:
        """Of the values on the pages, the share that was found."""
        return self.right / self.asked if self.asked else 0.0

    @property
    def f1(self) -> float:
        """Both in one figure."""
        both = self.given + self.asked
        return 2 * self.right / both if both else 0.0


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """One answer (or a missed value) held against the truth."""

    page: str
    site: str
    field: str
    family: str
    truth: tuple[str, ...]
    right: bool
    said: str | None = None  # None when nothing was answered
    quote: str = ""
    method: str = ""
    likelihood: float = 0.0
    proven: bool = True
    also: tuple[str, ...] = ()  # what else stood on the page


@dataclass(slots=True)
class Evaluation:
    """What was measured on a set."""

    pages: int = 0
    scores: dict[str, Score] = field(default_factory=dict)
    judged: list[JudgedAnswer] = field(default_factory=list)
    strange: set[str] = field(default_factory=set)  # truth that is no field of the contract
    named: set[str] = field(default_factory=set)  # all names of the truth

    @property
    def total(self) -> Score:
        """All fields together."""
        every = self.scores.values()
        return Score(
            sum(s.right for s in every), sum(s.given for s in every), sum(s.asked for s in every)
        )

    @property
    def answers(self) -> list[JudgedAnswer]:
        """The answers that were given."""
        return [each for each in self.judged if each.said is not None]

    @property
    def wrong(self) -> list[JudgedAnswer]:
        """Wrong answers first, then missed values."""
        return sorted((e for e in self.judged if not e.right), key=lambda each: each.said is None)

    @property
    def pairs(self) -> list[tuple[float, bool]]:
        """How surely each answer was given, and whether it was right."""
        return [(each.likelihood, each.right) for each in self.answers]


def evaluate(
    pages: Iterable[SetPage],
    compiled: CompiledContract,
    names: Mapping[str, str] | None = None,
    tell: Callable[[], None] = lambda: None,
) -> Evaluation:
    """Read every page and judge every answer; ``names`` maps names of the truth to fields."""
    found = Evaluation()
    for page in pages:
        found.pages += 1
        views = page.views
        answers = answer_page(views, compiled)
        found.named.update(page.fields)
        for name, truth in page.fields.items():
            wanted = (names or {}).get(name, name)
            if wanted not in compiled.contract.fields:
                found.strange.add(name)
            elif judged := _judge(page, views, wanted, accepted(truth), answers, compiled):
                found.judged.append(judged)
                _count(found.scores.setdefault(wanted, Score()), judged)
        tell()
    return found


def accepted(truth: Any) -> list[Any]:
    """The values of which each is right; none where the page has none."""
    if truth is None:
        return []
    values = list(truth) if isinstance(truth, list | tuple) else [truth]
    return [value for value in values if value not in (None, "")]


def is_right(
    compiled: CompiledContract, name: str, value: Value, truth: Sequence[Any], language: str = ""
) -> bool:
    """Whether a value is what the truth says, by the contract's own rules or word for word."""
    if compiled.contract.fields[name].type is FieldType.LIST and isinstance(value, tuple):
        return sorted(map(_plain, value)) == sorted(map(_plain, truth))
    return any(_is(compiled, name, value, each, language) for each in truth)


def _is(compiled: CompiledContract, name: str, value: Value, truth: Any, language: str) -> bool:
    if _plain(truth) in (_plain(value), _plain(_amount(value))):
        return True
    try:
        meant = compiled.derive(name, str(truth), "", language)
    except NotDerivable:
        return _is_number(compiled, name, value, truth)
    return compiled.same(name, value, meant)


def _is_number(compiled: CompiledContract, name: str, value: Value, truth: Any) -> bool:
    """A bare number of the truth is meant in the field's unit, or in the price's currency."""
    try:
        number = float(str(truth))
    except ValueError:
        return False
    if isinstance(value, Money):
        return compiled.same(name, value, Money(number, value.currency))
    return isinstance(value, int | float) and compiled.same(name, value, number)


def _amount(value: Value) -> Any:
    return value.amount if isinstance(value, Money) else value


def _plain(value: Any) -> str:
    return normal(str(value)) or str(value).strip().casefold()


def _judge(
    page: SetPage,
    views: PageViews,
    name: str,
    truth: list[Any],
    answers: PageAnswers,
    compiled: CompiledContract,
) -> JudgedAnswer | None:
    family = compiled.roles[name].family
    answer = answers.get(name)
    words = tuple(map(str, truth))
    if answer is None:
        dropped = tuple(f"{d.quote} ({d.reason})" for d in answers.dropped if d.field == name)
        missed = JudgedAnswer(page.id, page.site, name, family, words, False, also=dropped[:3])
        return missed if truth else None
    right = is_right(compiled, name, answer.candidate.value, truth, views.language)
    return _judged(page, family, words, right, answer, compiled, views)


def _judged(
    page: SetPage,
    family: str,
    truth: tuple[str, ...],
    right: bool,
    answer: Answer,
    compiled: CompiledContract,
    views: PageViews,
) -> JudgedAnswer:
    candidate = answer.candidate
    return JudgedAnswer(
        page.id,
        page.site,
        answer.field,
        family,
        truth,
        right,
        _told(candidate.value),
        " ".join(map(reading, candidate.evidence.values)),
        candidate.evidence.method.value,
        answer.likelihood,
        prove(candidate, compiled, views) is None,
        tuple(_told(other.value) for other in answer.others[:3]),
    )


def _told(value: Value) -> str:
    """A value in words: 129.9 EUR."""
    if isinstance(value, Money):
        return f"{value.amount:.12g} {value.currency}"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value_to_json(value))


def _count(score: Score, judged: JudgedAnswer) -> None:
    score.right += judged.right
    score.given += judged.said is not None
    score.asked += bool(judged.truth)
