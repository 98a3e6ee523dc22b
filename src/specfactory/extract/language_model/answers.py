"""Candidates from a language model's answer, proven or dropped with a reason.

Whatever the model says, it can only point at words of the page: a quote that is part of what it
was given, and a value that is part of the quote and derives from it by the contract.
"""

import json
import re
from collections.abc import Iterable

import msgspec

from specfactory.contract import CompiledContract
from specfactory.contract.values import is_unit
from specfactory.extract import page
from specfactory.extract.language_model.drop_reasons import INVENTED, QUOTE_NOT_FOUND
from specfactory.extract.language_model.node_choice import ShortList
from specfactory.extract.page import CandidateMaker, Layout, PageCandidates, Proposal, Span
from specfactory.model import Method, ViewName
from specfactory.proof import snippet

_MAX_ANSWERS = 200
_MAX_QUOTE = 1_000
_MAX_VALUE = 400
_SHOWN = 200
_MAX_STARTS = 50
_MOST_PLACES = 50
_SAME = str.maketrans(
    {"‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
     "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-"}
)  # fmt: skip
_MARKS = frozenset(".,:'’٫٬")  # between digits they are part of the number
_MINUS = frozenset("-−–")
_MAX_UNIT = 15
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


def parse_answer(text: str) -> list[Pointed]:
    """Parse the answers in a model's text, with prose and fences around them; or NotReadable."""
    try:
        parts = [msgspec.json.decode(text.strip())]
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        starts = [found.start() for found in _START.finditer(text)][-_MAX_STARTS:]
        parts = [_object_at(text, start) for start in reversed(starts)]
    for part in parts:
        try:
            return msgspec.convert(part, _Answers).answers[:_MAX_ANSWERS]
        except msgspec.ValidationError:
            continue
    raise NotReadable(text[:_SHOWN])


def _object_at(text: str, start: int) -> object:
    try:
        return json.JSONDecoder().raw_decode(text, start)[0]
    except (ValueError, RecursionError):
        return None


def take_answers(
    pointed: list[Pointed], listed: ShortList, compiled: CompiledContract, model: str
) -> PageCandidates:
    """Check every answer against the page; a field's first proven value counts."""
    taker = _Taker(listed, compiled, model)
    for one in pointed:
        if one.field in listed.fields:  # others were not asked for
            taker.take(one)
    return taker.maker.made


class _Taker:
    """Checks the answers about one short list."""

    def __init__(self, listed: ShortList, compiled: CompiledContract, model: str) -> None:
        self.maker = CandidateMaker(listed.views, compiled)
        self._listed, self._model = listed, model
        self._layout = Layout(listed.views)
        self._known = page.component_names(compiled)
        self._parts = [Squeezed(listed.text, *span) for span in listed.passages()]

    def take(self, one: Pointed) -> None:
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
        if listed.view is ViewName.TEXT and self._layout.struck_within(value):
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
        subject, doubt = page.clause_subject(text[start : value[0]], "", self._known)
        nodes = self._listed.nodes
        headings = (n.subject for n in nodes if n.span[0] <= value[0] < n.span[1])
        return subject or next(headings, None), doubt

    def _drop(self, one: Pointed, reason: str, detail: str) -> None:
        self.maker.drop(one.field, reason, f"{self._model}: {detail}", shown=one.quote)


class Squeezed:
    """Part of a text without white space, except between two digits."""

    def __init__(self, text: str, start: int = 0, end: int | None = None) -> None:
        kept: list[str] = []
        self._whole, self._places = text, list[int]()
        gap = False
        for at in range(start, len(text) if end is None else end):
            char = text[at]
            # zero-width characters, soft hyphens and byte order marks are not read
            if char.isspace() or "\u200b" <= char <= "\u200f" or char in "\u00ad\u2060\ufeff":
                gap = gap or char.isspace()
                continue
            if gap and kept and kept[-1].isdigit() and char.isdigit():
                kept.append(" ")
                self._places.append(at)
            kept.append(char)
            self._places.append(at)
            gap = False
        self.text = "".join(kept).translate(_SAME)

    def find_all(self, words: str) -> list[Span]:
        """Find the words as spans of the whole text, without cutting a number or a word."""
        wanted = Squeezed(words).text
        found: list[Span] = []
        at = self.text.find(wanted) if wanted else -1
        while at >= 0 and len(found) < _MOST_PLACES:
            span = self._places[at], self._places[at + len(wanted) - 1] + 1
            if _stands_free(self._whole, *span):
                found.append(span)
            at = self.text.find(wanted, at + 1)
        return found


def find_quote(parts: Iterable[Squeezed], quote: str, near: int) -> Span | None:
    """Find a quote in the parts; of several places the nearest to an offset."""
    found = [span for part in parts for span in part.find_all(quote)]
    return min(found, key=lambda span: abs(span[0] - near), default=None)


def find_value(text: str, quote: Span, value: str) -> Span | None:
    """Find a value inside its quote, together with the unit that follows it."""
    found = Squeezed(text, *quote).find_all(value)
    if not found or not text[found[0][1] - 1].isdigit():
        return found[0] if found else None
    start, end = found[0]
    rest = text[end : min(quote[1], end + _MAX_UNIT + 1)]
    words = rest.split(maxsplit=1)
    unit = words[0].rstrip(".,;:)") if words and len(rest) - len(rest.lstrip()) <= 1 else ""
    if not unit or not is_unit(unit):
        return start, end
    return start, text.index(unit, end) + len(unit)


def _stands_free(text: str, start: int, end: int) -> bool:
    """Check that nothing is cut: ``4 g`` is neither in ``54 g`` nor in ``4 gallons``."""
    first, last = text[start], text[end - 1]
    before, after = text[max(start - 1, 0) : start], text[end : end + 1]
    if _is_word(first) and _is_word(before):
        return False
    if _is_word(last) and _is_word(after):
        return False
    earlier, later = text[max(start - 2, 0) : max(start - 1, 0)], text[end + 1 : end + 2]
    if first.isdigit() and before in _MARKS and earlier.isdigit():
        return False
    if first.isdigit() and before in _MINUS and not earlier.isalnum():
        return False  # -54 is not 54
    return not (last.isdigit() and after in _MARKS and later.isdigit())


def _is_word(char: str) -> bool:
    return char.isdigit() or (char.isascii() and char.isalpha())
