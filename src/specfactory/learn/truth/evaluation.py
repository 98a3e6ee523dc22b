"""Evaluation on pages with truth: answers that are right, wrong or missed, with likelihoods."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from specfactory.contract import CompiledContract, value_to_json
from specfactory.contract.text import normal
from specfactory.errors import NotDerivable
from specfactory.extract import PageAnswers, answer_page
from specfactory.learn.truth.truth_sets import SetPage
from specfactory.model import FieldType, Frozen, Money, Value, field
from specfactory.proof import PageViews, prove, reading


class FieldScore(Struct):
    """Counts of right answers, of all answers, and of values to be found."""

    right: int = 0
    given: int = 0
    asked: int = 0

    @property
    def precision(self) -> float:
        """Share of the answers that is right."""
        return self.right / self.given if self.given else 0.0

    @property
    def recall(self) -> float:
        """Share of the values on the pages that was found."""
        return self.right / self.asked if self.asked else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        both = self.given + self.asked
        return 2 * self.right / both if both else 0.0


class JudgedAnswer(Frozen):
    """One answer (or a missed value) compared with the truth."""

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
    also: tuple[str, ...] = ()  # other values on the page


class Evaluation(Struct):
    """Result of an evaluation."""

    pages: int = 0
    scores: dict[str, FieldScore] = field(default_factory=dict)
    judged: list[JudgedAnswer] = field(default_factory=list)
    strange: set[str] = field(default_factory=set)  # names in the truth that are no fields
    named: set[str] = field(default_factory=set)  # all names in the truth

    @property
    def total(self) -> FieldScore:
        """All fields together."""
        every = self.scores.values()
        return FieldScore(
            sum(s.right for s in every), sum(s.given for s in every), sum(s.asked for s in every)
        )

    @property
    def answers(self) -> list[JudgedAnswer]:
        """Answers that were given."""
        return [each for each in self.judged if each.said is not None]

    @property
    def wrong(self) -> list[JudgedAnswer]:
        """Wrong answers first, then missed values."""
        return sorted((e for e in self.judged if not e.right), key=lambda each: each.said is None)

    @property
    def pairs(self) -> list[tuple[float, bool]]:
        """Likelihood of each answer, and whether it was right."""
        return [(each.likelihood, each.right) for each in self.answers]


def evaluate(
    pages: Iterable[SetPage],
    compiled: CompiledContract,
    names: Mapping[str, str] | None = None,
    on_page: Callable[[], None] = lambda: None,
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
                score = found.scores.setdefault(wanted, FieldScore())
                score.right += judged.right
                score.given += judged.said is not None
                score.asked += bool(judged.truth)
        on_page()
    return found


def accepted(truth: Any) -> list[Any]:
    """Accepted values, any of which is right; empty where the page has none."""
    if truth is None:
        return []
    values = list(truth) if isinstance(truth, list | tuple) else [truth]
    return [value for value in values if value not in (None, "")]


def is_right(
    compiled: CompiledContract, name: str, value: Value, truth: Sequence[Any], language: str = ""
) -> bool:
    """Compare a value with the truth, by the contract's rules or word for word."""
    if compiled.contract.fields[name].type is FieldType.LIST and isinstance(value, tuple):
        return sorted(map(_plain, value)) == sorted(map(_plain, truth))
    return any(_is(compiled, name, value, each, language) for each in truth)


def _is(compiled: CompiledContract, name: str, value: Value, truth: Any, language: str) -> bool:
    amount = value.amount if isinstance(value, Money) else value
    if _plain(truth) in (_plain(value), _plain(amount)):
        return True
    try:
        return compiled.same(name, value, compiled.derive(name, str(truth), "", language))
    except NotDerivable:
        pass
    try:  # a bare number is meant in the field's unit, or in the price's currency
        number = float(str(truth))
    except ValueError:
        return False
    if isinstance(value, Money):
        return compiled.same(name, value, Money(number, value.currency))
    return isinstance(value, int | float) and compiled.same(name, value, number)


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
    candidate = answer.candidate
    return JudgedAnswer(
        page.id,
        page.site,
        answer.field,
        family,
        words,
        is_right(compiled, name, candidate.value, truth, views.language),
        _shown(candidate.value),
        " ".join(map(reading, candidate.evidence.values)),
        candidate.evidence.method.value,
        answer.likelihood,
        prove(candidate, compiled, views) is None,
        tuple(_shown(other.value) for other in answer.others[:3]),
    )


def _shown(value: Value) -> str:
    """Format a value: 129.9 EUR."""
    if isinstance(value, Money):
        return f"{value.amount:.12g} {value.currency}"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value_to_json(value))
