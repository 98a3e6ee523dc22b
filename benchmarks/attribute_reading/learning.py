"""Learning to read attributes: from texts whose values are known, to a reader of other texts.

For every attribute a text is one question: which of its spans is the value, or is there none?
The weights of what can be seen of a span are those that make the known answers likely (a softmax
over the spans and "none", by stochastic gradients). What a text itself taught is set aside
while it is asked, so that a value known from this text alone counts as new.
"""

from __future__ import annotations

import math
import random
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.attribute_reading.reader import (
    Knowledge,
    Known,
    Look,
    Own,
    TextReader,
    forms,
    shares,
)
from benchmarks.attribute_reading.spans import Span, fold, shape_of, spans_of

EPOCHS = 8
_RATE = 0.3
_DECAY = 0.003  # pulls every weight towards nothing
_SMALL = 1e-4  # a share that moves no weight
_SURE = 0.98  # a question answered so surely rests for some epochs
_REST = 2
_TWICE = 2  # texts that must show a sight, before it can mean something


@dataclass(frozen=True, slots=True)
class TextExample:
    """A text, its title first, with the values of its attributes.

    Every attribute that was asked for is in ``values``; an empty one means that the text does
    not say. Several values of one attribute are spellings, any of which is right.
    """

    parts: Sequence[str]
    values: Mapping[str, Sequence[str]]
    kind: str = ""  # the category of the thing


def learn_reader(examples: Sequence[TextExample], epochs: int = EPOCHS) -> TextReader:
    """A reader of all attributes that the examples have."""
    asked = [_Asked(example, spans_of(example.parts)) for example in examples]
    names = dict.fromkeys(name for example in examples for name in example.values)
    _drop_rare(asked)
    reader = TextReader({name: _known(name, asked) for name in names})
    for one in asked:
        one.look_at(reader)
    return TextReader(
        {
            name: replace(knowledge, weights=_weights(knowledge, asked, epochs))
            for name, knowledge in reader.fields.items()
        }
    )


class _Asked:
    """An example, prepared once for all its attributes."""

    def __init__(self, example: TextExample, spans: list[Span]) -> None:
        self.values = example.values
        self.forms = {span.form for span in spans}
        self._spans = spans
        for span in spans:  # most sights are those of other spans: hold each once
            span.sights = [sys.intern(sight) for sight in span.sights]
        self._kind = example.kind
        self.own = Own(
            {name: forms(values) for name, values in example.values.items()},
            {name: {shape_of(value) for value in values} for name, values in self.values.items()},
        )

    def sights(self) -> set[str]:
        """All that can be seen of any span."""
        return {sight for span in self._spans for sight in span.sights}

    def keep(self, counts: Mapping[str, int]) -> None:
        """Keep the sights that several texts show."""
        for span in self._spans:
            span.sights = [sight for sight in span.sights if counts[sight] >= _TWICE]

    def look_at(self, reader: TextReader) -> None:
        """Hold the text against what all texts taught, this one set aside."""
        asked = tuple(self.values)
        self.look = Look(self._spans, reader.claims, asked, self._kind, self.own)


def _drop_rare(asked: Sequence[_Asked]) -> None:
    """Forget what one text alone shows: it teaches nothing, and is most of what is held."""
    counts = Counter[str]()
    for one in asked:
        counts.update(one.sights())
    for one in asked:
        one.keep(counts)


def _known(name: str, asked: Iterable[_Asked]) -> Knowledge:
    given, seen, shapes = Counter[str](), Counter[str](), Counter[str]()
    mine = [one for one in asked if name in one.values]
    for one in mine:
        given.update(one.own.values[name])
        shapes.update(one.own.shapes[name])
    for one in mine:
        seen.update(given.keys() & one.forms)
    known = {form: Known(count, seen[form]) for form, count in given.items()}
    return Knowledge(name, known, shapes, {})


@dataclass(slots=True)
class _Question:
    """The sights of "none" and of every option, and which of them are right."""

    options: list[list[int]]
    right: list[bool]
    rests: int = 0


def _weights(knowledge: Knowledge, asked: Iterable[_Asked], epochs: int) -> dict[str, float]:
    written = [_written(knowledge, one) for one in asked if knowledge.field in one.values]
    counts = Counter[str]()
    for sights, _ in written:
        counts.update({sight for option in sights for sight in option})
    ids = {sight: at for at, sight in enumerate(s for s, n in counts.items() if n >= _TWICE)}
    questions = [
        _Question([[ids[s] for s in option if s in ids] for option in sights], right)
        for sights, right in written
        if any(right)
    ]
    return dict(zip(ids, _fitted(questions, len(ids), epochs), strict=True))


def _written(knowledge: Knowledge, one: _Asked) -> tuple[list[list[str]], list[bool]]:
    values = {fold(value) for value in one.values[knowledge.field]}
    sights, right = [one.look.none_sights()], [not values]
    for span, seen in one.look.options(knowledge):
        sights.append(seen)
        right.append(span.folded in values)
    return sights, right


def _fitted(questions: list[_Question], size: int, epochs: int) -> list[float]:
    weights, squares = [0.0] * size, [1e-6] * size
    order = random.Random(0)
    for _ in range(epochs):
        order.shuffle(questions)
        for question in questions:
            if question.rests:
                question.rests -= 1
            elif _step(question, weights, squares) > _SURE:
                question.rests = _REST
    return weights


def _step(question: _Question, weights: list[float], squares: list[float]) -> float:
    """Move the weights towards the right options, each at its own pace (AdaGrad).

    Gives how likely the right options were before.
    """
    scores = [sum([weights[sight] for sight in option]) for option in question.options]
    likely = shares(scores)
    right = sum(share for share, fine in zip(likely, question.right, strict=True) if fine)
    slopes: dict[int, float] = {}
    for option, share, fine in zip(question.options, likely, question.right, strict=True):
        slope = share - share / right if fine and right else share
        if abs(slope) > _SMALL:
            for sight in option:
                slopes[sight] = slopes.get(sight, 0.0) + slope
    for sight, slope in slopes.items():
        pull = slope + _DECAY * weights[sight]
        squares[sight] += pull * pull
        weights[sight] -= _RATE * pull / math.sqrt(squares[sight])
    return right
