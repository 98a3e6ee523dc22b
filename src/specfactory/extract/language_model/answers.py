"""Candidates from a language model's answer, proven or dropped with a reason.

Whatever the model says, it can only point at words of the page: a quote that is part of what it
was given, and a value that is part of the quote and derives from it by the contract.
"""

import json
import re
from collections.abc import Iterator

import msgspec

from specfactory.contract import CompiledContract
from specfactory.extract.language_model.node_choice import ShortList
from specfactory.extract.language_model.quotes import Squeezed, find_quote, find_value
from specfactory.extract.page import CandidateMaker, Proposal, Span, clause_subject, component_names
from specfactory.model import Candidate, Dropped, Frozen, Method, ViewName
from specfactory.proof import snippet

QUOTE_NOT_FOUND, INVENTED = "quote_not_found", "invented"
MODEL_REASONS = frozenset({QUOTE_NOT_FOUND, INVENTED})
"""Reasons to drop an answer that concern the model, not the page."""
_MAX_ANSWERS = 200
_MAX_QUOTE = 1_000
_MAX_VALUE = 400
_SHOWN = 200
_MAX_STARTS = 50
_START = re.compile(r'\{\s*"answers"\s*:')
_SENTENCE_END = re.compile(r"[.!?…]['\"”’)]*\s+|[。！？]|\n")


class Pointed(msgspec.Struct, frozen=True):
    """One answer: the place where the model says that a field is stated."""

    field: str
    quote: str
    value: str
    line: int = 0


class _Answers(msgspec.Struct, frozen=True):
    answers: list[Pointed]


class NotReadable(Exception):
    """The model's text holds no complete answer."""


class ModelFindings(Frozen):
    """Candidates and drops of an answer."""

    candidates: tuple[Candidate, ...]
    dropped: tuple[Dropped, ...]


def parse_answer(text: str) -> list[Pointed]:
    """Parse the answers in a model's text, with prose and fences around them; or NotReadable."""
    for part in _objects(text):
        try:
            return msgspec.convert(part, _Answers).answers[:_MAX_ANSWERS]
        except msgspec.ValidationError:
            continue
    raise NotReadable(text[:_SHOWN])


def _objects(text: str) -> Iterator[object]:
    """JSON objects that may be the answer: the whole text, else the last ones inside it."""
    try:
        yield msgspec.json.decode(text.strip())
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        starts = [found.start() for found in _START.finditer(text)][-_MAX_STARTS:]
        decoder = json.JSONDecoder()
        for start in reversed(starts):
            try:
                yield decoder.raw_decode(text, start)[0]
            except (ValueError, RecursionError):
                continue


def take_answers(
    pointed: list[Pointed], listed: ShortList, compiled: CompiledContract, model: str
) -> ModelFindings:
    """Check every answer against the page; a field's first proven value counts."""
    taker = _Taker(listed, compiled, model)
    for one in pointed:
        if one.field in listed.fields:  # others were not asked for
            taker.take(one)
    return ModelFindings(tuple(taker.maker.candidates), tuple(taker.maker.dropped))


class _Taker:
    """Checks the answers about one short list."""

    def __init__(self, listed: ShortList, compiled: CompiledContract, model: str) -> None:
        self.maker = CandidateMaker(listed.views, compiled)
        self._listed, self._model = listed, model
        self._known = component_names(compiled)
        self._parts = [Squeezed(listed.text, *span) for span in listed.passages()]

    def take(self, one: Pointed) -> None:
        """Make an answer a candidate, or drop it."""
        if any(made.field == one.field for made in self.maker.candidates):
            return
        nodes = self._listed.nodes
        near = nodes[one.line - 1].span[0] if 0 < one.line <= len(nodes) else 0
        quote = find_quote(self._parts, one.quote[:_MAX_QUOTE], near)
        if quote is None:
            self._drop(one, QUOTE_NOT_FOUND, "the page has no such words")
            return
        value = find_value(self._listed.text, quote, one.value[:_MAX_VALUE])
        if value is None:
            self._drop(one, INVENTED, f"{one.value[:80]!r} does not stand in the quote")
            return
        listed = self._listed
        if listed.view is ViewName.TEXT and listed.layout.struck_within(value):
            self._drop(one, "other_region", "it is struck out")
            return
        subject, doubt = self._whose(quote, value)
        if doubt:
            self._drop(one, "other_product", doubt)
            return
        proposal = Proposal(
            (snippet(listed.views, listed.view, *value),), method=Method.MODEL, subject=subject,
            passage=snippet(listed.views, listed.view, *quote), model=self._model,
        )  # fmt: skip
        self.maker.take(one.field, proposal, unproven=INVENTED, shown=one.quote)

    def _whose(self, quote: Span, value: Span) -> tuple[str | None, str]:
        """Product named by the sentence or by the heading above, and a doubt about it."""
        text = self._listed.text
        start = max(quote[0] - _SHOWN, 0)
        for end in _SENTENCE_END.finditer(text, start, value[0]):
            start = end.end()
        subject, doubt = clause_subject(text[start : value[0]], "", self._known)
        nodes = self._listed.nodes
        headings = (n.subject for n in nodes if n.span[0] <= value[0] < n.span[1])
        return subject or next(headings, None), doubt

    def _drop(self, one: Pointed, reason: str, detail: str) -> None:
        self.maker.drop(one.field, reason, f"{self._model}: {detail}", shown=one.quote)
