"""What is known to stand on one page: told by persons, and by the page itself.

A person's word comes first. What the page labels or marks up itself comes next, unless the
product's record says otherwise: then nobody is believed. Where the values of the record stand
is noted; what it teaches is settled over all pages of a layout (``distant``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from specfactory.contract import CompiledContract
from specfactory.contract.values import read_price
from specfactory.errors import NotDerivable
from specfactory.extract import PageAnswers, answer_page
from specfactory.extract.templates import PageTexts, Text, folded, read_texts
from specfactory.learn.samples.samples import Sample, comparable
from specfactory.model import Answer, FieldType, Method, Money, PageLabel, Value, ViewName
from specfactory.proof import PageViews, reading

PERSON, PAGE, MARKUP, RECORD = "person", "label on the page", "structured data", "known records"
_SURE = 0.7  # a page's own answer below this likelihood teaches nothing
_MAX_TEXT = 120
_MAX_COPIES = 4  # a value at more places says nothing about which of them is meant
_MAX_TRIED = 400  # texts held against one value
_TELLING = {FieldType.NUMBER, FieldType.TEXT, FieldType.PRICE, FieldType.DATE, FieldType.DIMENSIONS}
_LEAST_DIGITS = 2
_LEAST_LETTERS = 3


@dataclass(frozen=True, slots=True)
class Lesson:
    """A page to learn from, with what is known from outside.

    ``truth`` holds values as they stand on the page, () where the page does not say; ``known``
    the values of the record of the product that the page is about.
    """

    views: PageViews
    said: Sequence[PageLabel] = ()
    truth: Mapping[str, Sequence[str]] = field(default_factory=dict)
    known: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Persons who contradict each other about one field of one page."""

    page_id: str
    field: str
    said: tuple[tuple[str, tuple[str, ...]], ...]  # actor and values


@dataclass(frozen=True, slots=True)
class Labelled:
    """A page with its labels, and who they come from.

    ``found`` are the fields of which the page says something, sure or not; ``told`` has the
    words that give what the record of the page's product says.
    """

    views: PageViews
    sample: Sample
    origins: Mapping[str, str]
    conflicts: tuple[Conflict, ...] = ()
    found: frozenset[str] = frozenset()
    told: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def label_page(
    lesson: Lesson, compiled: CompiledContract, distrusted: Collection[str] = ()
) -> Labelled:
    """Label what is known of a page; for ``distrusted`` fields only a person's word counts."""
    page = read_texts(lesson.views.tree)
    labels, conflicts = _said(lesson)
    origins = dict.fromkeys(labels, PERSON)
    closed = {*labels, *(conflict.field for conflict in conflicts), *distrusted}
    found = set(compiled.contract.fields) if lesson.truth else set(closed)
    telling = _Telling(page, compiled, lesson.views.language)
    labels |= {
        name: telling.as_written(name, labels[name]) for name in labels.keys() & lesson.truth
    }
    if not lesson.truth:
        answers = answer_page(lesson.views, compiled)
        found |= {*answers, *(dropped.field for dropped in answers.dropped)}
        for name, values, origin in _found(lesson, answers, telling, compiled):
            if name not in closed and name not in labels:
                labels[name], origins[name] = values, origin
    found |= set(labels)
    told = dict(_told(lesson, telling, compiled, distrusted))
    return Labelled(
        lesson.views, Sample(page, labels), origins, tuple(conflicts), frozenset(found), told
    )


def _said(lesson: Lesson) -> tuple[dict[str, tuple[str, ...]], list[Conflict]]:
    """What persons say; where two contradict each other, nobody is believed."""
    labels: dict[str, tuple[str, ...]] = {k: tuple(v) for k, v in lesson.truth.items()}
    by_field: dict[str, list[PageLabel]] = {}
    for label in lesson.said:
        by_field.setdefault(label.field, []).append(label)
    conflicts = []
    for name, several in by_field.items():
        if len({comparable(label.values) for label in several}) > 1:
            said = tuple((label.actor, label.values) for label in several)
            conflicts.append(Conflict(lesson.views.page.id, name, said))
            labels.pop(name, None)
        else:
            labels[name] = several[0].values
    return labels, conflicts


def _found(
    lesson: Lesson, answers: PageAnswers, telling: _Telling, compiled: CompiledContract
) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """What the page says by itself."""
    for name, answer in answers.items():
        if answer.likelihood >= _SURE and _believed(answer, lesson, compiled):
            words, origin = _words(answer, telling)
            if words:
                yield name, words, origin


def _told(
    lesson: Lesson, telling: _Telling, compiled: CompiledContract, distrusted: Collection[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Where the values of the record stand on the page."""
    for name, value in lesson.known.items():
        if name in compiled.contract.fields and name not in distrusted:
            words = telling.places(name, value)
            if words:
                yield name, words


def _believed(answer: Answer, lesson: Lesson, compiled: CompiledContract) -> bool:
    """Whether the record does not contradict what the page says."""
    known = lesson.known.get(answer.field)
    if known is None or compiled.contract.fields[answer.field].source_dependent:
        return True
    return compiled.same(answer.field, known, answer.candidate.value)


def _words(answer: Answer, telling: _Telling) -> tuple[tuple[str, ...], str]:
    """The words of a value as a person reads them; hidden data are looked for in the text."""
    evidence = answer.candidate.evidence
    if all(part.view is ViewName.TEXT for part in evidence.values):
        return tuple(telling.text_of(reading(part)) for part in evidence.values), PAGE
    if evidence.method is Method.STRUCTURED:
        return telling.places(answer.field, answer.candidate.value), MARKUP
    return (), ""


class _Telling:
    """Finds the texts of a page that tell a value."""

    def __init__(self, page: PageTexts, compiled: CompiledContract, language: str) -> None:
        self._compiled, self._language = compiled, language
        self._texts = [text for text in page.texts if len(text.words) <= _MAX_TEXT]
        self._numbers = [text for text in self._texts if any(map(str.isdigit, text.words))]

    def text_of(self, words: str) -> str:
        """Words as one text of the page has them: a number may stand apart from its unit."""
        figures = "".join(filter(str.isdigit, words))
        if not figures or any(words in text.words for text in self._numbers):
            return words
        whole = words.replace(" ", "")
        parts = (text.words for text in self._numbers if text.words.replace(" ", "") in whole)
        return next((p for p in parts if "".join(filter(str.isdigit, p)) == figures), words)

    def as_written(self, name: str, values: Sequence[str]) -> tuple[str, ...]:
        """Values of a truth ("56.85 EUR", "in stock") in the words of the page that give them."""
        written: dict[str, None] = {}
        for value in map(str, values):
            wanted = folded(value)
            if any(wanted in folded(text.words) for text in self._texts):
                written[value] = None
            else:
                written |= dict.fromkeys(self._meant(name, value) or [value])
        return tuple(written)

    def _meant(self, name: str, written: str) -> list[str]:
        """The texts of the page that say the same in other words, when they are few."""
        try:
            value = self._compiled.derive(name, written, "", self._language)
        except NotDerivable:
            return []
        found = [text.words for text in self._texts[:_MAX_TRIED] if self._gives(name, text, value)]
        if isinstance(value, Money) and not found:  # its currency stands apart
            found = [
                t.words for t in self._numbers[:_MAX_TRIED] if _amount(t.words) == value.amount
            ]
        return found if len(found) <= _MAX_COPIES else []

    def places(self, name: str, value: Value) -> tuple[str, ...]:
        """The words that give this value; none when they stand at too many places."""
        if self._compiled.contract.fields[name].type not in _TELLING or not _is_telling(value):
            return ()
        found = [text.words for text in self._likely(value) if self._gives(name, text, value)]
        return tuple(dict.fromkeys(found)) if len(found) <= _MAX_COPIES else ()

    def _likely(self, value: Value) -> list[Text]:
        if isinstance(value, str):
            wanted = folded(value)
            return [text for text in self._texts if wanted in folded(text.words)]
        return self._numbers[:_MAX_TRIED]

    def _gives(self, name: str, text: Text, value: Value) -> bool:
        try:
            given = self._compiled.derive(name, text.words, "", self._language)
        except NotDerivable:
            return False
        return self._compiled.same(name, given, value)


def _amount(words: str) -> float | None:
    read = read_price(words)
    return float(read.amount) if read.amount is not None else None


def _is_telling(value: Value) -> bool:
    """Whether a value is so much of its own that it is hardly met by chance."""
    signs = str(value)
    digits, letters = sum(map(str.isdigit, signs)), sum(map(str.isalpha, signs))
    return digits >= _LEAST_DIGITS or letters >= _LEAST_LETTERS
