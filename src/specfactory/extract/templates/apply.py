"""Application of a template to a page: find the texts that hold the values of its fields."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cached_property

from selectolax.lexbor import LexborHTMLParser, LexborNode

from specfactory.extract.templates import rule_vote as vote
from specfactory.extract.templates.rule_features import KINDS
from specfactory.extract.templates.rule_vote import Choice, Key, PageIndex, Voter, folded
from specfactory.extract.templates.text_nodes import find_text, read_texts
from specfactory.model import Ballot, Cut, FieldTemplate, Frozen, Template

_INDEX = {kind: at for at, kind in enumerate(KINDS)}
# Separators at the ends of a text; some only with a space beside them.
_HEAD = re.compile(r"(?:[\s|:;,·•»«›‹→←►▸▶■=]|[<>–—~*/-](?=\s))*")
_MAX_TAIL = 200  # characters of separators at an end
_TAIL = re.compile(r"(?:[\s|:;,·•»«›‹→←►▸▶■=]|(?<=\s)[<>–—~*/-])*$")


class TemplateAnswer(Frozen):
    """One value found by a template: its text node, and its place in the node's words."""

    field: str
    node: LexborNode
    text: str
    start: int
    end: int
    share: float
    likelihood: float | None = None  # of the field's answers, on pages left out

    @property
    def words(self) -> str:
        """Value as written on the page."""
        return self.text[self.start : self.end]


class Applied:
    """A template made ready for use on many pages."""

    def __init__(self, template: Template) -> None:
        self.template = template
        self.leading = frozenset(one.field for one in template.fields if one.leads)
        self._statics = frozenset(template.statics)
        keys = [(_INDEX[feature.kind], feature.value) for feature in template.features]
        self._wanted = vote.wanted_of(keys)
        self._ones = {field.field: _voters(field.one, keys) for field in template.fields}
        self._parts = {
            field.field: [_voters(ballot, keys) for ballot in field.parts]
            for field in template.fields
        }

    def one(self, tree: LexborHTMLParser | None) -> dict[str, TemplateAnswer]:
        """Find the best single value of every field on the page."""
        return {name: answers[0] for name, answers in self.every(tree, ()).items()}

    def every(
        self, tree: LexborHTMLParser | None, lists: Collection[str] | None = None
    ) -> dict[str, tuple[TemplateAnswer, ...]]:
        """Find all values of every field, in document order; of those not in ``lists`` the best."""
        page = _Lazy(tree, self._statics, self._wanted)
        found = {}
        for field in self.template.fields:
            whole = lists is None or field.field in lists
            answers = self._every(field, page) if whole else self._one(field, page)
            if answers:
                found[field.field] = answers
        return found

    def _one(self, field: FieldTemplate, page: _Lazy) -> tuple[TemplateAnswer, ...]:
        quick = _quick(field, page)
        if quick is not None:
            return quick
        choice = vote.choose_one(page.index, self._ones[field.field], field.one.floor, field.forms)
        return (_answer(field, page.index, choice),) if choice else ()

    def _every(self, field: FieldTemplate, page: _Lazy) -> tuple[TemplateAnswer, ...]:
        parts = field.parts
        if not parts or (len(parts) == 1 and not parts[0].many and not parts[0].siblings):
            return self._one(field, page)
        chosen: dict[int, float] = {}
        for ballot, voters in zip(parts, self._parts[field.field], strict=True):
            if ballot.many:
                for choice in vote.choose_many(page.index, voters, ballot.floor):
                    chosen.setdefault(choice.at, choice.share)
            elif found := vote.choose_one(page.index, voters, ballot.floor, field.forms):
                alike = vote.siblings(page.index, found.at) if ballot.siblings else [found.at]
                for at in alike:
                    chosen.setdefault(at, found.share)
        return tuple(_answer(field, page.index, Choice(*item)) for item in sorted(chosen.items()))


class _Lazy:
    """Page whose texts are described only when the quick paths do not settle a field."""

    def __init__(
        self, tree: LexborHTMLParser | None, statics: frozenset[str], wanted: vote.Wanted
    ) -> None:
        self.tree, self._statics, self._wanted = tree, statics, wanted

    @cached_property
    def words(self) -> str:
        return " ".join(self.tree.root.text().split()) if self.tree and self.tree.root else ""

    @cached_property
    def index(self) -> PageIndex:
        return PageIndex(read_texts(self.tree), self._statics, self._wanted)


def _quick(field: FieldTemplate, page: _Lazy) -> tuple[TemplateAnswer, ...] | None:
    """Answer from the probes where they agree, () for absence; None when the rules must vote.

    Absence is accepted when samples lacked the field too, or when its label is missing as well.
    """
    if page.tree is None or not field.probes:
        return None
    found = [find_text(probe, page.tree) for probe in field.probes]
    first = found[0]
    if first is None:
        if any(found):
            return None
        labels = (probe.before for probe in field.probes if probe.before)
        absent = field.optional or any(label not in page.words for label in labels)
        return () if absent else None
    words = folded(first[1])
    if any(other is None or folded(other[1]) != words for other in found[1:]):
        return None
    span = cut_span(field.cut, first[1])
    return (TemplateAnswer(field.field, *first, *span, field.support, field.likelihood),)


def _voters(ballot: Ballot, keys: list[Key]) -> list[Voter]:
    return [
        Voter(tuple(keys[at] for at in rule.features), rule.weight, rule.first)
        for rule in ballot.rules
    ]


def _answer(field: FieldTemplate, page: PageIndex, choice: Choice) -> TemplateAnswer:
    text = page.texts[choice.at]
    span = cut_span(field.cut, text.words)
    return TemplateAnswer(field.field, text.node, text.words, *span, choice.share, field.likelihood)


def cut_span(cut: Cut | None, words: str) -> tuple[int, int]:
    """Span of a value in its text; a delimiter that is missing cuts nothing off.

    Separators at its ends are no part of it: "> Canon", "| 26205", "Nikon »".
    """
    start, end = 0, len(words)
    if cut is None:
        return _within_separators(words, start, end)
    if cut.left and (at := words.find(cut.left)) >= 0:
        start = at + len(cut.left)
    if cut.right and (at := words.find(cut.right, start)) > start:
        end = at
    if cut.length:
        end = min(end, start + cut.length)
    return _within_separators(words, start, end)


def _within_separators(words: str, start: int, end: int) -> tuple[int, int]:
    """Move both ends past separators; "<5 ms" and "-20" keep a sign that touches a number."""
    inside = words[start:end]
    tail = _TAIL.search(inside, max(0, len(inside) - _MAX_TAIL))
    first, last = start + _HEAD.match(inside).end(), start + tail.start()  # type: ignore[union-attr]
    return (first, last) if first < last else (start, end)
