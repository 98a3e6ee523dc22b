"""Applying a template to a page: which texts hold the values of its fields."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from selectolax.lexbor import LexborHTMLParser, LexborNode

from specfactory.extract.templates.page_index import Key, PageIndex, Wanted, folded, wanted_of
from specfactory.extract.templates.quick_paths import find_text
from specfactory.extract.templates.rule_features import KINDS
from specfactory.extract.templates.rule_vote import Choice, Voter, choose_many, choose_one, siblings
from specfactory.extract.templates.template_cut import cut_span
from specfactory.extract.templates.text_nodes import read_texts
from specfactory.model import Ballot, FieldTemplate, Template

_INDEX = {kind: at for at, kind in enumerate(KINDS)}


@dataclass(frozen=True, slots=True)
class Answer:
    """One value found by a template: the text node it stands in, and where in its words."""

    field: str
    node: LexborNode
    text: str
    start: int
    end: int
    share: float

    @property
    def words(self) -> str:
        """The value as it stands on the page."""
        return self.text[self.start : self.end]


class Applied:
    """A template made ready for use on many pages."""

    def __init__(self, template: Template) -> None:
        self.template = template
        self._statics = frozenset(template.statics)
        keys = [(_INDEX[feature.kind], feature.value) for feature in template.features]
        self._wanted = wanted_of(keys)
        self._ones = {field.field: _voters(field.one, keys) for field in template.fields}
        self._parts = {
            field.field: [_voters(ballot, keys) for ballot in field.parts]
            for field in template.fields
        }

    def one(self, tree: LexborHTMLParser | None) -> dict[str, Answer]:
        """The best single value of every field that is on the page."""
        page = _Lazy(tree, self._statics, self._wanted)
        found = {field.field: self._one(field, page) for field in self.template.fields}
        return {name: answer for name, answer in found.items() if answer is not None}

    def every(self, tree: LexborHTMLParser | None) -> dict[str, tuple[Answer, ...]]:
        """All values of every field that is on the page, in document order."""
        page = _Lazy(tree, self._statics, self._wanted)
        found = {field.field: self._every(field, page) for field in self.template.fields}
        return {name: answers for name, answers in found.items() if answers}

    def all(self, tree: LexborHTMLParser | None, lists: Collection[str]) -> tuple[Answer, ...]:
        """All values of the fields that are lists, the best single value of the others."""
        page = _Lazy(tree, self._statics, self._wanted)
        return tuple(
            answer
            for field in self.template.fields
            for answer in (
                self._every(field, page) if field.field in lists else (self._one(field, page),)
            )
            if answer is not None
        )

    def _one(self, field: FieldTemplate, page: _Lazy) -> Answer | None:
        quick = _quick(field, page)
        if quick is not None:
            return quick[0] if quick else None
        choice = choose_one(page.index, self._ones[field.field], field.one.floor, field.forms)
        return _answer(field, page.index, choice) if choice else None

    def _every(self, field: FieldTemplate, page: _Lazy) -> tuple[Answer, ...]:
        if _is_single(field):
            one = self._one(field, page)
            return (one,) if one else ()
        chosen: dict[int, float] = {}
        for ballot, voters in zip(field.parts, self._parts[field.field], strict=True):
            for choice in _choices(ballot, voters, page.index, field.forms):
                chosen.setdefault(choice.at, choice.share)
        return tuple(_answer(field, page.index, Choice(*item)) for item in sorted(chosen.items()))


class _Lazy:
    """A page whose texts are described only when the quick ways do not settle it."""

    def __init__(
        self, tree: LexborHTMLParser | None, statics: frozenset[str], wanted: Wanted
    ) -> None:
        self.tree = tree
        self._statics = statics
        self._wanted = wanted

    @cached_property
    def words(self) -> str:
        """Everything that is written on the page, on one line."""
        return " ".join(self.tree.root.text().split()) if self.tree and self.tree.root else ""

    @cached_property
    def index(self) -> PageIndex:
        return PageIndex(read_texts(self.tree), self._statics, self._wanted)


def _quick(field: FieldTemplate, page: _Lazy) -> list[Answer] | None:
    """What the probes agree on, [] that there is none; None when the rules must vote.

    That there is none is believed when samples had none, or when the label is missing too.
    """
    if page.tree is None or not field.probes:
        return None
    found = [find_text(probe, page.tree) for probe in field.probes]
    first = found[0]
    if first is None:
        return [] if not any(found) and _may_miss(field, page) else None
    words = folded(first[1])
    if any(other is None or folded(other[1]) != words for other in found[1:]):
        return None
    return [Answer(field.field, *first, *cut_span(field.cut, first[1]), field.support)]


def _may_miss(field: FieldTemplate, page: _Lazy) -> bool:
    labels = [probe.before for probe in field.probes if probe.before]
    return field.optional or any(label not in page.words for label in labels)


def _is_single(field: FieldTemplate) -> bool:
    if not field.parts:
        return True
    return len(field.parts) == 1 and not field.parts[0].many and not field.parts[0].siblings


def _voters(ballot: Ballot, keys: list[Key]) -> list[Voter]:
    return [
        Voter(tuple(keys[at] for at in rule.features), rule.weight, rule.first)
        for rule in ballot.rules
    ]


def _choices(
    ballot: Ballot, voters: list[Voter], page: PageIndex, forms: tuple[str, ...]
) -> list[Choice]:
    if ballot.many:
        return choose_many(page, voters, ballot.floor)
    choice = choose_one(page, voters, ballot.floor, forms)
    if choice is None or not ballot.siblings:
        return [choice] if choice else []
    return [Choice(at, choice.share) for at in siblings(page, choice.at)]


def _answer(field: FieldTemplate, page: PageIndex, choice: Choice) -> Answer:
    text = page.texts[choice.at]
    span = cut_span(field.cut, text.words)
    return Answer(field.field, text.node, text.words, *span, choice.share)
