"""Short list of a page's lines that may state open fields, for a language model to read.

It leaves out hidden text, user posts on a shop's page, and other products.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from specfactory.contract import CompiledContract
from specfactory.contract.values import currencies_of, unit_table
from specfactory.extract.labelled import Labels
from specfactory.extract.page import Layout, RegionKind, Regions, Span, spans_within
from specfactory.model import Field, FieldType, Frozen, Tier, ViewName
from specfactory.proof import PageViews

MAX_FIELDS = 40
BYTES_PER_TOKEN = 3  # an estimate on the high side, in any script
_MAX_TEXT = 1_000_000
_MAX_LINES = 20_000
_MAX_NODE = 500
_SHORT_LINE = 80  # characters of a line that may be the label of the next
_STEM = 5  # letters by which inflected words are matched: weigh|s, weigh|t
_LABELLED, _MEASURED, _BOTH = 2.0, 1.5, 2.0
_BEST_FIELDS = 3  # best fields that make up a line's score
_WORD = re.compile(r"[^\W_]+")
_BESIDE = re.compile(  # words right behind a number, or right before it
    r"\d[\s\u00a0\u202f]?([^\s\d,;:()/]{1,15})|(?:^|(?<=[\s(:]))([^\s\d,;:()]{1,6})\s?(?=\d)"
)
_SENTENCE_END = re.compile(r"[.!?;…]['\"”’)]*\s+|[。！？]\s*")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_SHAPES = {  # values without a unit that have a form of their own
    "date": re.compile(r"\b(?:19|20)\d\d\b"),
    "id": re.compile(r"(?<![\w.-])(?=[\w-]*\d)[A-Z0-9][A-Z0-9-]{4,}(?![\w.-])"),
}
# Prompt injection. What gets through can still only lead to a quote of the page, and never
# outweighs evidence.
_INJECTION = re.compile(
    r"\b(?:ignore|disregard|forget|override|ignorier\w*|vergiss|ignore[rz]|oublie[rz]?|ignora\w*|"
    r"olvid\w+|dimentica\w*)\b.{0,40}\b(?:instruct\w+|instru[çc]\w+|istruzion\w+|prompts?|"
    r"anweisung\w*|consignes?|instruccion\w+|rules?|regeln?|règles|reglas|regole|above)\b|"
    r"\b(?:system|developer)[ _-]?(?:prompt|message)|\blanguage models?\b|\bLLMs?\b|\bchatgpt\b|"
    r"\b(?:AI|KI|IA)[ -](?:assistants?|models?|modelle?|agents?|assistenten?|modèles?|modelos?)\b|"
    r"^\W{0,8}(?:system|assistant|user)\s*:|<\|?(?:im_start|system|inst)\b|\[/?INST\]",
    re.I | re.M,
)


class ListedLine(NamedTuple):
    """One line, or a part of a long one; ``subject`` is the product named by the heading above."""

    span: Span
    subject: str | None = None


class ShortList(Frozen):
    """Lines of a page that a language model gets to read, and the fields to look for."""

    views: PageViews
    view: ViewName
    text: str
    nodes: tuple[ListedLine, ...]
    fields: tuple[str, ...]

    def words(self, node: ListedLine) -> str:
        """Words of a node."""
        return self.text[node.span[0] : node.span[1]]

    def passages(self) -> list[Span]:
        """Spans of the offered lines, adjacent ones joined."""
        joined: list[Span] = []
        for (start, end), _ in self.nodes:
            if joined and not self.text[joined[-1][1] : start].strip():
                joined[-1] = (joined[-1][0], end)
            else:
                joined.append((start, end))
        return joined


def short_list(
    views: PageViews, compiled: CompiledContract, open_fields: Iterable[str], max_tokens: int
) -> ShortList:
    """Pick the lines that may state open fields, up to a number of tokens, in the page's order."""
    wanted = [name for name in open_fields if name in compiled.contract.fields]
    view = ViewName.PDF if views.pdf else ViewName.TEXT
    index = _Index(
        [(compiled.contract.fields[name], compiled.roles[name].family) for name in wanted]
    )
    found: list[tuple[float, int, ListedLine, frozenset[str]]] = []
    before: ListedLine | None = None
    text = views.pdf or views.text
    for node in _own_lines(views, view, compiled):
        score, spoken = index.score(text[node.span[0] : node.span[1]])
        if score:
            found.append((score, node.span[0], node, spoken))
            if before is not None and before.span[1] - before.span[0] <= _SHORT_LINE:
                found.append((score, before.span[0], before, frozenset()))
        before = node
    chosen: dict[int, ListedLine] = {}
    fields: set[str] = set()
    left = max_tokens
    for _, start, node, spoken in sorted(found, key=lambda one: (-one[0], one[1])):
        cost = 0 if start in chosen else token_count(text[node.span[0] : node.span[1]])
        if cost <= left:
            left -= cost
            chosen[start] = node
            fields |= spoken
    named = tuple(name for name in wanted if name in fields)[:MAX_FIELDS]
    return ShortList(views, view, text, tuple(chosen[at] for at in sorted(chosen)), named)


def token_count(words: str) -> int:
    """Estimate the number of tokens."""
    return len(words.encode("utf-8", "replace")) // BYTES_PER_TOKEN + 1


def _own_lines(
    views: PageViews, view: ViewName, compiled: CompiledContract
) -> Iterator[ListedLine]:
    """Visible lines about the page's own thing."""
    if view is ViewName.PDF:
        seen = (span for span in _lines(views.pdf) if not _INJECTION.search(views.pdf, *span))
        yield from (ListedLine(span) for span in seen)
        return
    layout = Layout(views)
    regions = Regions(layout, Labels(compiled).may_name)
    # What users wrote counts on their own sites only.
    community = views.page.tier is Tier.COMMUNITY
    kinds = (RegionKind.OWN, RegionKind.POST) if community else (RegionKind.OWN,)
    unseen = _unseen(layout)
    for line in _lines(views.text):
        for span in layout.parts_without(spans_within(unseen, line), line):
            place = layout.leaf_at(span[0])
            if place is None or _INJECTION.search(views.text, *span):
                continue
            if regions.of(place).kind in kinds:
                yield ListedLine(span, regions.headed_by(place))


def _unseen(layout: Layout) -> list[Span]:
    """Spans that are hidden, turned around or struck out, in order; they may lie inside a line."""
    unseen = layout.views.unseen
    spans = [*layout.struck, *unseen.never, *unseen.turned]
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _lines(text: str) -> Iterator[Span]:
    """Lines of a text; long ones are split into sentences, none longer than a node may be."""
    at = 0
    for line in text[:_MAX_TEXT].replace("\f", "\n").split("\n")[:_MAX_LINES]:
        start = 0
        while len(line) - start > _MAX_NODE and line.strip():
            ends = [m.end() for m in _SENTENCE_END.finditer(line, start, start + _MAX_NODE)]
            space = line.rfind(" ", start + 1, start + _MAX_NODE)
            end = ends[-1] if ends else space + 1 if space > start else start + _MAX_NODE
            yield at + start, at + end
            start = end
        if line[start:].strip():
            yield at + start, at + len(line)
        at += len(line) + 1


class _Index:
    """Index from words, units and forms to the fields they may state."""

    def __init__(self, fields: Iterable[tuple[Field, str]]) -> None:
        self._words: dict[str, set[str]] = {}
        self._units: dict[str, set[str]] = {}
        self._unspaced: dict[str, set[str]] = {}
        self._prices: set[str] = set()
        self._shapes: dict[str, set[str]] = {}
        for field, family in fields:
            name = field.name
            labels = [label for labels in field.labels.values() for label in labels]
            values = [v for value, others in field.allowed.items() for v in (value, *others)]
            for words in (name.replace("_", " "), *labels, *values):
                if _UNSPACED.search(words):
                    self._unspaced.setdefault(words, set()).add(name)
                for word in _WORD.findall(words.casefold()):
                    if len(word) > 2:
                        self._words.setdefault(word[:_STEM], set()).add(name)
            if field.type is FieldType.PRICE:
                self._prices.add(name)
            elif field.unit is not None:
                for unit in unit_table(field.unit, field.units).exact:
                    self._units.setdefault(unit.casefold(), set()).add(name)
            if family in _SHAPES:
                self._shapes.setdefault(family, set()).add(name)

    def score(self, line: str) -> tuple[float, frozenset[str]]:
        """Score a line by the open fields it may state, and name them."""
        labelled: set[str] = set()
        for word in {word[:_STEM] for word in _WORD.findall(line.casefold())}:
            labelled |= self._words.get(word, set())
        if _UNSPACED.search(line):
            for words, names in self._unspaced.items():
                if words in line:
                    labelled |= names
        measured: set[str] = set()
        for after, before in _BESIDE.findall(line):
            measured |= self._units.get((after or before).rstrip(".").casefold(), set())
            if self._prices and _is_currency(after or before):
                measured |= self._prices
        for shape, names in self._shapes.items():
            if _SHAPES[shape].search(line):
                measured |= names
        scores = dict.fromkeys(labelled, _LABELLED)
        for name in measured:
            scores[name] = scores[name] + _BOTH if name in scores else _MEASURED
        best = sorted(scores.values(), reverse=True)[:_BEST_FIELDS]
        return sum(best), frozenset(scores)


@lru_cache(maxsize=4096)
def _is_currency(word: str) -> bool:
    return bool(currencies_of(word) or currencies_of(word.rstrip(".")))
