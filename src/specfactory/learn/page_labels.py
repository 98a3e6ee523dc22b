"""Labels of one page: from people, and from the page itself.

A person's label comes first. What the page labels or marks up itself comes next, unless the
product's record contradicts it: then there is no label. The places of the record's values are
noted; what they teach is decided over all pages of a layout (``layout_labels``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from specfactory.contract import FIELD_TYPES, CompiledContract
from specfactory.contract.values import read_price
from specfactory.errors import NotDerivable
from specfactory.extract import PageAnswers, answer_page
from specfactory.extract.templates import PageTexts, Shape, Text, folded, read_texts, shape_of
from specfactory.learn.samples import Sample, comparable
from specfactory.model import Answer, Frozen, Method, Money, PageLabel, Value, ViewName, field
from specfactory.proof import PageViews, reading

PERSON, PAGE, MARKUP, RECORD = "person", "label on the page", "structured data", "known records"
LAYOUT = "place in the layout"  # the same label, or the title, leads to it on all pages
_SURE = 0.7  # less likely answers of the page are no labels
_MAX_TEXT = 120
_MAX_COPIES = 4  # with more places of a value, it is not clear which one is meant
_MAX_TRIED = 400  # texts compared with one value
_LEAST_DIGITS = 2
_LEAST_LETTERS = 3
_MAX_SEVERAL = 12
_ITEMS = frozenset(("a", "li", "dd"))  # elements of which each holds a value of its own


class Lesson(Frozen):
    """Page to learn from, with what is known from outside.

    ``truth`` holds values as written on the page, () for those it lacks; ``known`` the values
    of the record of the page's product.
    """

    views: PageViews
    said: Sequence[PageLabel] = ()
    truth: Mapping[str, Sequence[str]] = field(default_factory=dict)
    known: Mapping[str, Value] = field(default_factory=dict)
    answers: PageAnswers | None = None  # what the page says, where that is known already


class Conflict(Frozen):
    """People who contradict each other about one field of one page."""

    page_id: str
    field: str
    said: tuple[tuple[str, tuple[str, ...]], ...]  # actor and values


class Labelled(Frozen):
    """Page with its labels and their origins.

    ``found`` are the fields that the page states, surely or not; ``matched`` has the words that
    match the record of the page's product, ``known`` that record's values. ``said`` are the
    answers of the page without a template, which a template must not be worse than. What was
    read of its views is dropped: it is a third of the memory that a page to learn from takes.
    """

    views: PageViews
    sample: Sample
    origins: Mapping[str, str]
    conflicts: tuple[Conflict, ...] = ()
    found: frozenset[str] = frozenset()
    matched: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    known: Mapping[str, Value] = field(default_factory=dict)
    said: Mapping[str, Answer] = field(default_factory=dict)
    shape: Shape = frozenset()


def label_page(
    lesson: Lesson, compiled: CompiledContract, distrusted: Collection[str] = ()
) -> Labelled:
    """Label what is known of a page; for ``distrusted`` fields only people's labels count."""
    page, fields = read_texts(lesson.views.tree), compiled.contract.fields
    labels, conflicts = _said(lesson)
    origins = dict.fromkeys(labels, PERSON)
    closed = {*labels, *(conflict.field for conflict in conflicts), *distrusted}
    found = set(fields) if lesson.truth else set(closed)
    finder = _ValueFinder(page, compiled, lesson.views.language)
    labels |= {name: finder.as_written(name, labels[name]) for name in labels.keys() & lesson.truth}
    answers = lesson.answers
    if answers is None:
        answers = answer_page(lesson.views, compiled)
    if not lesson.truth:
        found |= {*answers, *(dropped.field for dropped in answers.dropped)}
        for name, answer in answers.items():
            if name in closed or name in labels or answer.likelihood < _SURE:
                continue
            known = None if fields[name].source_dependent else lesson.known.get(name)
            if known is not None and not compiled.same(name, known, answer.candidate.value):
                continue
            words, origin = _words(answer, finder)
            if words:
                labels[name], origins[name] = words, origin
    record = {n: v for n, v in lesson.known.items() if n in fields and n not in distrusted}
    places = ((name, finder.places(name, value)) for name, value in record.items())
    matched = {name: words for name, words in places if words}
    every, shape = frozenset(found.union(labels)), shape_of(lesson.views.outline)
    lesson.views.forget()
    return Labelled(
        lesson.views, Sample(page, labels), origins, tuple(conflicts), every, matched, record,
        answers, shape,
    )  # fmt: skip


def _said(lesson: Lesson) -> tuple[dict[str, tuple[str, ...]], list[Conflict]]:
    """Labels of people; where two contradict each other, neither counts."""
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


def _words(answer: Answer, finder: _ValueFinder) -> tuple[tuple[str, ...], str]:
    """Visible words of a value, and their origin; hidden data are looked up in the text."""
    evidence = answer.candidate.evidence
    if all(part.view is ViewName.TEXT for part in evidence.values):
        words = [text for part in evidence.values for text in finder.texts_of(reading(part))]
        return tuple(dict.fromkeys(words)), PAGE
    if evidence.method is Method.STRUCTURED:
        return finder.places(answer.field, answer.candidate.value), MARKUP
    return (), ""


class _ValueFinder:
    """Finds the texts of a page that state a value."""

    def __init__(self, page: PageTexts, compiled: CompiledContract, language: str) -> None:
        self._compiled, self._language = compiled, language
        self._texts = [text for text in page.texts if len(text.words) <= _MAX_TEXT]
        self._numbers = [text for text in self._texts if any(map(str.isdigit, text.words))]

    def texts_of(self, words: str) -> Sequence[str]:
        """Words as text nodes have them; links or items of a list side by side are several."""
        signs = _signs(words)
        for at, first in enumerate(self._texts):
            if len(first.words) < len(words) and signs.startswith(head := _signs(first.words)):
                several = [first]
                for other in self._texts[at + 1 : at + _MAX_SEVERAL]:
                    if other.frame.step != first.frame.step or head == signs:
                        break
                    several.append(other)
                    head += _signs(other.words)
                if head == signs and len(several) > 1 and first.frame.tag in _ITEMS:
                    return [text.words for text in several]
        return (self._text_of(words),)

    def _text_of(self, words: str) -> str:
        """Words as one text node has them: a number may be in another node than its unit."""
        figures = "".join(filter(str.isdigit, words))
        if not figures or any(words in text.words for text in self._numbers):
            return words
        whole = words.replace(" ", "")
        parts = (text.words for text in self._numbers if text.words.replace(" ", "") in whole)
        return next((p for p in parts if "".join(filter(str.isdigit, p)) == figures), words)

    def as_written(self, name: str, values: Sequence[str]) -> tuple[str, ...]:
        """Translate values of a truth ("56.85 EUR", "in stock") into the words of the page."""
        written: dict[str, None] = {}
        for value in map(str, values):
            wanted = folded(value)
            if any(wanted in folded(text.words) for text in self._texts):
                written[value] = None
            else:
                written |= dict.fromkeys(self._in_other_words(name, value) or [value])
        return tuple(written)

    def _in_other_words(self, name: str, written: str) -> list[str]:
        """Texts of the page that give the same value in other words, if they are few."""
        try:
            value = self._compiled.derive(name, written, "", self._language)
        except NotDerivable:
            return []
        found = [text.words for text in self._texts[:_MAX_TRIED] if self._gives(name, text, value)]
        if isinstance(value, Money) and not found:  # its currency may be in another node
            for text in self._numbers[:_MAX_TRIED]:
                amount = read_price(text.words).amount
                if amount is not None and float(amount) == value.amount:
                    found.append(text.words)
        return found if len(found) <= _MAX_COPIES else []

    def places(self, name: str, value: Value) -> tuple[str, ...]:
        """Words that give this value; none when they are in too many places."""
        signs = str(value)
        digits, letters = sum(map(str.isdigit, signs)), sum(map(str.isalpha, signs))
        by_chance = digits < _LEAST_DIGITS and letters < _LEAST_LETTERS
        if not FIELD_TYPES[self._compiled.contract.fields[name].type].is_telling or by_chance:
            return ()
        if isinstance(value, str):
            wanted = folded(value)
            likely = [text for text in self._texts if wanted in folded(text.words)]
        else:
            likely = self._numbers[:_MAX_TRIED]
        found = [text.words for text in likely if self._gives(name, text, value)]
        return tuple(dict.fromkeys(found)) if len(found) <= _MAX_COPIES else ()

    def _gives(self, name: str, text: Text, value: Value) -> bool:
        try:
            given = self._compiled.derive(name, text.words, "", self._language)
        except NotDerivable:
            return False
        return self._compiled.same(name, given, value)


def _signs(words: str) -> str:
    """Letters and digits alone, for comparison over separators between nodes."""
    return "".join(filter(str.isalnum, words.casefold()))
