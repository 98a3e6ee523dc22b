"""Attribute values out of running text: a title and a description, without labels.

What other texts taught about an attribute (``learning.learn_reader``) is applied to the spans of a
text: values that are known, shapes that values have, words that stand around them. The spans of
one attribute, and the answer that there is none, share one probability; a value that stands in
several places has that of all of them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from benchmarks.attribute_reading.spans import MAX_TEXT, Span, spans_of
from specfactory.contract import CompiledContract
from specfactory.contract.text.normal_form import normal
from specfactory.extract.page import CandidateMaker, Proposal
from specfactory.model import Candidate, ViewName
from specfactory.proof import PageViews, snippet

LEAST = 0.4  # F1 is highest when one answers from half of it on; it is about 0.8
MAX_OTHERS = 4  # further values of a field that are kept beside the likeliest
MAX_PLACES = 200  # of known values in one text; a text has a handful
NONE = "none"  # the sight of the answer that the text does not say
_PURE = 9


class Known(NamedTuple):
    """How often a value was seen."""

    given: int  # texts of which it is the attribute's value
    seen: int  # texts in which it stands


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What other texts taught about one attribute."""

    field: str
    known: Mapping[str, Known]  # by normal form
    shapes: Mapping[str, int]  # in how many texts a value has this shape
    weights: Mapping[str, float]  # of sights


class Own(NamedTuple):
    """What a text itself contributed to the knowledge: set aside when it is learned from."""

    values: Mapping[str, Collection[str]]  # field -> normal forms
    shapes: Mapping[str, Collection[str]]  # field -> shapes


NOTHING = Own({}, {})


class ValueRead(NamedTuple):
    """A value in a text, with how likely it is the attribute's value."""

    span: Span
    likelihood: float


@dataclass(frozen=True)
class TextReader:
    """Reads attributes out of texts; made by ``learning.learn_reader``."""

    fields: Mapping[str, Knowledge]

    @cached_property
    def claims(self) -> Mapping[str, Mapping[str, int]]:
        """Which fields have a value, and how often."""
        claims: dict[str, dict[str, int]] = {}
        for name, knowledge in self.fields.items():
            for form, known in knowledge.known.items():
                claims.setdefault(form, {})[name] = known.given
        return claims

    def read(
        self, parts: Sequence[str], fields: Iterable[str], kind: str = ""
    ) -> dict[str, list[ValueRead]]:
        """The values of a text (its title first), the likeliest of each field first.

        ``kind`` is the category of the thing, as it was given in learning.
        """
        asked = [name for name in fields if name in self.fields]
        look = Look(spans_of(parts), self.claims, asked, kind)
        return {name: _ranked(self.fields[name], look) for name in asked}


class Look:
    """The spans of one text, held against what is known."""

    def __init__(
        self,
        spans: Sequence[Span],
        claims: Mapping[str, Mapping[str, int]],
        asked: Sequence[str],
        kind: str = "",
        own: Own = NOTHING,
    ) -> None:
        self.kind = kind
        self._own = own
        self._held = own is not NOTHING
        self._spans = [(span, form, claims.get(form)) for span in spans for form in (span.form,)]
        self._asked = frozenset(asked)

    def options(self, knowledge: Knowledge) -> Iterator[tuple[Span, list[str]]]:
        """Spans that could be a value of the attribute, with all that can be seen of them."""
        name = knowledge.field
        own = self._own.values.get(name, ())
        own_shapes = self._own.shapes.get(name, ())
        words = name.split("_")
        counted = [
            (span, form, claims, claims.get(name, 0) - (form in own) if claims else 0)
            for span, form, claims in self._spans
        ]
        places = [(span.part, span.first, span.last) for span, _, _, given in counted if given > 0]
        places = places[:MAX_PLACES]
        for span, form, claims, given in counted:
            if given <= 0:
                shaped = knowledge.shapes.get(span.shape, 0) - (span.shape in own_shapes)
                if shaped <= 0:
                    continue
            sights = [*span.sights, f"kind={self.kind}|{span.shape}"]
            sights += self._known_sights(knowledge, span, form, given)
            sights += _around(span, places)
            if claims and (other := self._claimed(name, form, claims)):
                sights.append(f"other={_few(other)}{given > 0}")
            if span.label in words or span.after in words:
                sights.append("named")
            yield span, sights

    def none_sights(self) -> list[str]:
        """What speaks for the answer that there is no value."""
        return [NONE, f"{NONE}|kind={self.kind}"]

    def _known_sights(
        self, knowledge: Knowledge, span: Span, form: str, given: int
    ) -> tuple[str, ...]:
        if given <= 0:
            return "new", f"new|shape={span.shape}"
        seen = knowledge.known[form].seen - self._held
        pure = min(_PURE, 10 * given // max(seen, 1))
        few, third = _few(given), pure // 3
        place = "title" if span.part == 0 else "body"
        return f"known={few}", f"pure={pure}", f"known={few}|{third}", f"{place}={third}"

    def _claimed(self, name: str, form: str, claims: Mapping[str, int]) -> int:
        """How often the value is that of another attribute."""
        own = self._own.values
        counts = (
            given - (form in own.get(other, ()))
            for other, given in claims.items()
            if other != name and other in self._asked
        )
        return max(counts, default=0)


def _few(count: int) -> int:
    return count if count <= 1 else 2 if count < 5 else 3


def _around(span: Span, places: list[tuple[int, int, int]]) -> Iterator[str]:
    """Whether a known value reaches further than the span, or stands inside it."""
    part, first, last = span.part, span.first, span.last
    wider = inner = False
    for where, start, end in places:
        if where == part and (start, end) != (first, last):
            wider = wider or (start <= first and end >= last)
            inner = inner or (start >= first and end <= last)
    if wider:
        yield "within"
    if inner:
        yield "contains"


def shares(scores: Sequence[float]) -> list[float]:
    """Scores as probabilities that add up to one."""
    highest = max(scores)
    powers = [math.exp(score - highest) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


def _ranked(knowledge: Knowledge, look: Look) -> list[ValueRead]:
    weight = knowledge.weights.get
    options = list(look.options(knowledge))
    scores = [sum(weight(sight, 0.0) for sight in look.none_sights())]
    scores += [sum([weight(sight, 0.0) for sight in sights]) for _, sights in options]
    likely: dict[str, float] = {}
    first: dict[str, Span] = {}
    for (span, _), share in zip(options, shares(scores)[1:], strict=True):
        likely[span.folded] = likely.get(span.folded, 0.0) + share
        first.setdefault(span.folded, span)
    best = sorted(likely, key=lambda folded: -likely[folded])[: MAX_OTHERS + 1]
    return [ValueRead(first[folded], min(likely[folded], 1.0)) for folded in best]


def attribute_candidates(
    views: PageViews, compiled: CompiledContract, reader: TextReader, least: float = LEAST
) -> list[Candidate]:
    """The likeliest value of every field that a page's heading and text speak of, with proof."""
    heading, body = _parts(views)
    text = views.text
    parts = [text[slice(*heading)], text[slice(*body)]]
    read = reader.read(parts, compiled.contract.fields, compiled.contract.category)
    found = (
        _candidate(views, compiled, name, values, (heading[0], body[0]), least)
        for name, values in read.items()
    )
    return [candidate for candidate in found if candidate is not None]


def _parts(views: PageViews) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where the page's heading stands, and the text behind it; else the first line."""
    node = views.tree.css_first("h1") if views.tree is not None else None
    span = views.span(node) if node is not None else None
    if span is None:
        end = views.text.find("\n")
        span = (0, end if end >= 0 else len(views.text))
    return span, (span[1], min(len(views.text), span[1] + MAX_TEXT))


def _candidate(
    views: PageViews,
    compiled: CompiledContract,
    name: str,
    values: list[ValueRead],
    offsets: tuple[int, int],
    least: float,
) -> Candidate | None:
    """The likeliest value that derives, if it is likely enough."""
    maker = CandidateMaker(views, compiled)
    for span, likelihood in values:
        if likelihood < least:
            return None
        at = offsets[span.part]
        quote = snippet(views, ViewName.TEXT, at + span.start, at + span.end)
        candidate = maker.guess(name, Proposal((quote,), likelihood))
        if candidate is not None:
            return candidate
    return None


def forms(values: Iterable[str]) -> frozenset[str]:
    """Values as they are looked up."""
    return frozenset(normal(value) for value in values)
