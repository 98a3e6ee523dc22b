"""Spans of running text that could be values, and what can be seen of each.

A span is some words of a title or a description; its sights are short texts such as ``next=inch``
or ``shape=d a`` that mean the same in every text. Which of them matter is learned per attribute.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from specfactory.contract.text.normal_form import normal
from specfactory.contract.values.units import resolve

MAX_TEXT = 8_000  # characters of a text that are looked at
MAX_TOKENS = 14  # of one span
MAX_WORDS = 8

_TOKEN = re.compile(
    r"[A-Z]+(?=[A-Z][a-z]{2})|[A-Z]?[a-z]+|[A-Z]+|[^\W\d_]|\d+(?:[.,]\d+)*|[^\w\s]|_"
)
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_ENDS = frozenset("\"'’″”)%.°+®™")
_STARTS = frozenset("#$€£&.")
_QUANTITY = re.compile(r"[\d./ -]*\d[\s-]?([^\W\d]+|[\"″”'′%°])\.?")
_SIDES = frozenset("xXwWdDhHlL")  # "35w x 22d", "30x120"
_FEW = 3
_NEAR = 2  # words before and after a span


@dataclass(frozen=True, slots=True)
class Token:
    """A run of letters, a number or a mark; ``glued`` when no space stands before it."""

    text: str
    start: int
    end: int
    glued: bool
    word: int  # how many spaces stand before it in its part


@dataclass(slots=True)
class Span:
    """Some words of one part of a text."""

    part: int  # 0 is the title
    first: int  # tokens
    last: int
    start: int  # characters of the part
    end: int
    text: str
    folded: str
    form: str  # by which known values are looked up
    shape: str
    label: str = ""  # the word before a colon to its left
    after: str = ""  # the word behind it
    sights: list[str] = field(default_factory=list)


def fold(words: str) -> str:
    """Words as values are compared here: case and white space set aside."""
    return " ".join(words.casefold().split())


def shape_of(words: str) -> str:
    """``a`` for letters, ``d`` for numbers, ``C`` for a code; marks and spaces as they are."""
    return " ".join(_word_shape(word) for word in words.split())


@lru_cache(maxsize=16384)
def _word_shape(word: str) -> str:
    plain = _LETTERS.sub("a", _DIGITS.sub("0", word)).replace("0", "d")
    bare = plain.replace("-", "")
    is_code = "ad" in bare or "dad" in bare or (bare.isalpha() and len(bare) > _FEW)
    return "C" if is_code else plain


def tokens_of(text: str) -> list[Token]:
    """The tokens of a part; words that lost the space between them are two."""
    found: list[Token] = []
    end, word = 0, 0
    for match in _TOKEN.finditer(text, 0, MAX_TEXT):
        glued = match.start() == end and bool(found)
        word += not glued and bool(found)
        end = match.end()
        found.append(Token(match[0], match.start(), end, glued, word))
    return found


def _parts_ways(before: Token, here: Token) -> bool:
    """Whether a value may end between two tokens."""
    if not here.glued:
        return True
    a, b = before.text[-1], here.text[0]
    if not (a.isalnum() and b.isalnum()):
        return True
    if a.islower() and (b.isupper() or b.isdigit()):
        return len(before.text) >= _FEW  # "DriveFor", "Drive3G"
    if a.isdigit():
        return here.text in _SIDES or (len(here.text) > _FEW and here.text[1:].islower())
    if before.text in _SIDES and b.isdigit():
        return before.text in ("x", "X")
    return a.isupper() and b.isupper() and len(here.text) > 1  # "SFFPart"


def spans_of(parts: Sequence[str]) -> list[Span]:
    """Every span that could be a value, in the order of the text, with its sights."""
    found: list[Span] = []
    for number, text in enumerate(parts):
        tokens = tokens_of(text)
        cuts = [True, *(_parts_ways(a, b) for a, b in pairwise(tokens)), True]
        found += [_span(number, text, tokens, first, last) for first, last in _bounds(tokens, cuts)]
    repeated = Counter(span.folded for span in found)
    for span in found:
        span.sights.append(f"times={min(repeated[span.folded], _FEW)}")
    return found


def _bounds(tokens: list[Token], cuts: list[bool]) -> Iterator[tuple[int, int]]:
    for first, token in enumerate(tokens):
        if not cuts[first] or not (token.text[0].isalnum() or token.text in _STARTS):
            continue
        depth = 0
        for last in range(first, min(first + MAX_TOKENS, len(tokens))):
            here = tokens[last]
            if here.word - token.word >= MAX_WORDS:
                break
            depth += (here.text == "(") - (here.text == ")")
            if depth < 0:
                break
            if depth == 0 and cuts[last + 1] and (here.text[-1].isalnum() or here.text in _ENDS):
                yield first, last


def _span(part: int, text: str, tokens: list[Token], first: int, last: int) -> Span:
    start, end = tokens[first].start, tokens[last].end
    words = text[start:end]
    made = Span(part, first, last, start, end, words, fold(words), normal(words), shape_of(words))
    made.label, made.after = _label(tokens, first), _seen(tokens, last + 1)
    made.sights = list(_sights(made, tokens))
    return made


def _sights(span: Span, tokens: list[Token]) -> Iterator[str]:
    first, last = tokens[span.first], tokens[span.last]
    count = last.word - first.word + 1
    place = "title" if span.part == 0 else "body"
    before = [_seen(tokens, span.first - step) for step in range(1, _NEAR + 1)]
    after = [_seen(tokens, span.last + step) for step in range(1, _NEAR + 1)]
    folded = span.folded.split()
    shape = span.shape
    yield from (
        "any", f"shape={shape}", f"case={_case(span.text)}", f"words={count}", f"in={place}",
        f"at={place}{min(first.word, 6)}", f"shape={shape}|in={place}",
        f"prev={before[0]}", f"prev2={before[1]} {before[0]}",
        f"next={after[0]}", f"next2={after[0]} {after[1]}",
        f"prev={before[0]}|shape={shape}", f"next={after[0]}|shape={shape}",
        f"prev={before[0]}|next={after[0]}", f"first={folded[0]}", f"last={folded[-1]}",
        f"end={folded[-1][-3:]}", f"label={span.label}",
        f"head={folded[-1]}|in={place}", f"length={min(len(span.text) // 2, 9)}|shape={shape}",
        f"case={_case(span.text)}|in={place}|at={min(first.word, 3)}",
        f"rest={place}{min(tokens[-1].word - last.word, 3)}|shape={shape}",
    )  # fmt: skip
    if (measured := _QUANTITY.fullmatch(span.text)) is not None:
        unit = resolve(measured[1])
        yield f"unit={unit.dimension if unit else measured[1].casefold()}"
        yield f"next={after[0]}|measured"


def _seen(tokens: list[Token], at: int) -> str:
    """A neighbouring token as it is compared; numbers are all alike, but glued is another."""
    if not 0 <= at < len(tokens):
        return "^"
    text = tokens[at].text
    return "0" if text[0].isdigit() else text.casefold()


def _case(words: str) -> str:
    return "".join("X" if word[0].isupper() else "x" for word in words.split()[:4] if word)


def _label(tokens: list[Token], at: int) -> str:
    """The word before the nearest colon to the left, when only few words stand between."""
    for here in range(at - 1, max(-1, at - 6), -1):
        if tokens[here].text in (":", "#", "="):
            return tokens[here - 1].text.casefold() if here else ":"
        if tokens[here].text in (".", ";", ","):
            break
    return "-"
