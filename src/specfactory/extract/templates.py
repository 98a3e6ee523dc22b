"""Applying a template to a page: which texts hold the values of its fields."""

from __future__ import annotations

from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from specfactory.extract.template_cut import cut_span
from specfactory.extract.template_features import KINDS
from specfactory.extract.template_index import Key, PageIndex
from specfactory.extract.template_nodes import Text, read_texts
from specfactory.extract.template_vote import Choice, Voter, choose_many, choose_one, siblings
from specfactory.model.template import Ballot, FieldTemplate, Template

_INDEX = {kind: at for at, kind in enumerate(KINDS)}


@dataclass(frozen=True, slots=True)
class Answer:
    """One value found by a template: the text it stands in and where in it."""

    field: str
    text: Text
    start: int
    end: int
    share: float

    @property
    def words(self) -> str:
        """The value as it stands on the page."""
        return self.text.words[self.start : self.end]


class Applied:
    """A template made ready for use on many pages."""

    def __init__(self, template: Template) -> None:
        self.template = template
        self._statics = frozenset(template.statics)
        keys = [(_INDEX[feature.kind], feature.value) for feature in template.features]
        self._ones = {field.field: _voters(field.one, keys) for field in template.fields}
        self._parts = {
            field.field: [_voters(ballot, keys) for ballot in field.parts]
            for field in template.fields
        }

    def one(self, tree: LexborHTMLParser | None) -> dict[str, Answer]:
        """The best single value of every field that is on the page."""
        page = self._index(tree)
        found = {}
        for field in self.template.fields:
            choice = choose_one(page, self._ones[field.field], field.one.floor, field.forms)
            if choice is not None:
                found[field.field] = _answer(field, page, choice)
        return found

    def every(self, tree: LexborHTMLParser | None) -> dict[str, tuple[Answer, ...]]:
        """All values of every field that is on the page, in document order."""
        page = self._index(tree)
        return {
            field.field: answers
            for field in self.template.fields
            if (answers := self._all(field, page))
        }

    def _index(self, tree: LexborHTMLParser | None) -> PageIndex:
        return PageIndex(read_texts(tree), self._statics)

    def _all(self, field: FieldTemplate, page: PageIndex) -> tuple[Answer, ...]:
        chosen: dict[int, float] = {}
        for ballot, voters in zip(field.parts, self._parts[field.field], strict=True):
            for choice in _choices(ballot, voters, page, field.forms):
                chosen.setdefault(choice.at, choice.share)
        return tuple(_answer(field, page, Choice(*item)) for item in sorted(chosen.items()))


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
    return Answer(field.field, text, *cut_span(field.cut, text.words), choice.share)
