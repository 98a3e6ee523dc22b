"""Phrases: how running text states a value, such as ``weighs [just] {value}``.

A pattern is made of words, ``[optional words]``, ``(one|or another)`` and one ``{value}``. The
words of a text are looked up in a table of anchor words; only around an anchor is a pattern
tried, in a window of fixed size, so that the work grows with the text and with nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property

from specfactory.contract.values import (
    MULTIPLIERS,
    NO_WORDS,
    PHRASE_NUMBER,
    YES_WORDS,
    UnitTable,
    Vocabulary,
)
from specfactory.model import Frozen
from specfactory.word_lists import read_lists, word_set

WINDOW = 160
MAX_DEPTH = 6
MAX_PATTERN = 300

_TOKEN = re.compile(r"\{[^}]*\}|[\[\](){}|]|[^\s\[\](){}|]+")
_WORD = re.compile(r"[^\W_]+")
_SPACE = r"[\s:\-–]{1,3}"
_FILLER = (
    r"(?:(?:up\sto|about|around|only|just|approximately|approx\.?|roughly|nearly|almost|an?|the|"
    r"~|≈|ca\.?|circa|bis\szu|ungefähr|rund|etwa|nur|knapp|environ|seulement|jusqu'à|unos|unas|"
    r"hasta|solo|fino\sa|appena)\s?\s?){0,3}"
)
_COMMON = word_set(*read_lists("contract/matching/data/label_words.txt")["common"])

# What {value} stands for, by the type of the field (contract/field_types.py).
_MULTIPLIER = (
    r"(?:[\s\u00a0]?(?-i:[kKM])(?![^\W\d_])|[\s\u00a0]?(?:"
    + "|".join(sorted((w for w in MULTIPLIERS if len(w) > 1), key=len, reverse=True))
    + r")\b\.?)"
)
_PROPER_NAME = r"(?-i:[A-Z0-9][\w+./-]*(?:\s[A-Z0-9][\w+./-]*){0,5})"
_DAY = r"\d{1,2}(?:st|nd|rd|th|\.)?"
_YEAR = r"(?:19|20)\d\d"
_MONTH_DATE = rf"(?:{_DAY}\s)?[^\W\d_]{{3,10}}\.?\s(?:{_DAY},?\s)?{_YEAR}"
DATE_PATTERN = rf"(?:{_MONTH_DATE}|{_YEAR}(?:-\d\d(?:-\d\d)?)?|\d{{1,2}}[./]\d{{1,2}}[./]{_YEAR})"


class PatternError(ValueError):
    """A pattern that cannot be read."""


class TextMatch(Frozen):
    """A phrase found in running text, and where its value stands."""

    field: str
    start: int
    end: int
    value_start: int
    value_end: int


class _Part(Frozen):
    """One element of a pattern: words, an optional sequence, alternatives, or the value."""

    kind: str  # "word", "optional", "choice", "value"
    word: str = ""
    options: tuple[tuple[_Part, ...], ...] = ()


def parse_pattern(pattern: str) -> tuple[_Part, ...]:
    """Read a pattern; raises PatternError with what is wrong."""
    if len(pattern) > MAX_PATTERN:
        raise PatternError(f"a pattern has at most {MAX_PATTERN} characters")
    pieces = _TOKEN.findall(pattern)
    if pieces.count("{value}") != 1:
        raise PatternError("a pattern has exactly one {value}")
    parts, at = _sequence(pieces, 0, 0)
    if at < len(pieces):
        raise PatternError(f"{pieces[at]!r} closes nothing")
    if not any(part.kind == "value" for part in parts):
        raise PatternError("{value} may not be optional or one of several")
    if not _anchor(parts):
        raise PatternError("a pattern needs at least one word besides {value}")
    return parts


def _sequence(pieces: list[str], at: int, depth: int) -> tuple[tuple[_Part, ...], int]:
    if depth > MAX_DEPTH:
        raise PatternError(f"brackets are nested deeper than {MAX_DEPTH}")
    parts: list[_Part] = []
    while at < len(pieces) and pieces[at] not in ("]", ")", "|"):
        piece = pieces[at]
        if piece in ("[", "("):
            part, at = _group(pieces, at, depth)
            parts.append(part)
            continue
        if piece in ("{", "}") or (piece.startswith("{") and piece != "{value}"):
            raise PatternError(f"{piece!r} is not understood; only {{value}} stands in braces")
        parts.append(_Part("value") if piece == "{value}" else _Part("word", piece))
        at += 1
    return tuple(parts), at


def _group(pieces: list[str], at: int, depth: int) -> tuple[_Part, int]:
    opening, closing = pieces[at], "]" if pieces[at] == "[" else ")"
    options: list[tuple[_Part, ...]] = []
    while True:
        parts, at = _sequence(pieces, at + 1, depth + 1)
        if not parts:
            raise PatternError(f"there is nothing between {opening!r} and {closing!r} or '|'")
        options.append(parts)
        if at >= len(pieces):
            raise PatternError(f"{opening!r} is not closed")
        if pieces[at] == closing:
            return _Part("optional" if opening == "[" else "choice", "", tuple(options)), at + 1
        if pieces[at] != "|":
            raise PatternError(f"{pieces[at]!r} does not close {opening!r}")


def _anchor(parts: tuple[_Part, ...]) -> tuple[str, ...]:
    """The words of which one must be there: the rarest-looking required part."""
    best: tuple[str, ...] = ()
    for part in parts:
        words: tuple[str, ...] = ()
        if part.kind == "word":
            words = tuple(word.lower() for word in _WORD.findall(part.word)[:1])
        elif part.kind == "choice":
            anchors = [_anchor(option) for option in part.options]
            words = tuple(word for some in anchors for word in some) if all(anchors) else ()
        if words and _rarity(words) > _rarity(best):
            best = words
    return best


def _rarity(words: tuple[str, ...]) -> int:
    return min((1 if word in _COMMON else len(word) + 1 for word in words), default=0)


def _regex(parts: tuple[_Part, ...], value: str) -> str:
    """Optional parts carry the space that would be left over without them."""
    made, begun = [], False
    for part in parts:
        if part.kind == "value":
            body = (_FILLER if begun else "") + f"(?P<value>{value})"
        elif part.kind == "word":
            body = re.escape(part.word)
        else:
            body = "(?:" + "|".join(_regex(option, value) for option in part.options) + ")"
        if part.kind == "optional":
            made.append(f"(?:{_SPACE}{body})?" if begun else f"(?:{body}{_SPACE})?")
        else:
            made.append((_SPACE if begun else "") + body)
            begun = True
    return "".join(made)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.I)  # when it is first needed: most patterns never are


class PhraseIndex:
    """All patterns of a contract, found by their anchor words."""

    def __init__(self, patterns: Mapping[str, tuple[str, ...]], values: Mapping[str, str]) -> None:
        self._anchors: dict[str, list[tuple[str, str]]] = {}  # fields and regular expressions
        for field, phrases in patterns.items():
            for phrase in phrases:
                parts = parse_pattern(phrase)
                made = field, rf"(?<!\w){_regex(parts, values[field])}(?!\w)"
                for word in dict.fromkeys(_anchor(parts)):
                    self._anchors.setdefault(word, []).append(made)

    @cached_property
    def mark(self) -> re.Pattern[str]:
        """Pattern of a lower-case anchor word.

        Its first letter stands in front, so that the search skips all other letters.
        """
        if not self._anchors:
            return re.compile(r"(?!)")
        rests: dict[str, list[str]] = {}
        for word in self._anchors:
            rests.setdefault(word[0], []).append(re.escape(word[1:]))
        ways = [f"(?<={first})(?:{'|'.join(some)})" for first, some in rests.items()]
        return re.compile(rf"[{''.join(rests)}](?<![^\W_].)(?:{'|'.join(ways)})(?![^\W_])")

    def find(self, text: str) -> Iterator[TextMatch]:
        """Every phrase of the text, in the order of its anchor words."""
        if self._anchors.keys().isdisjoint(map(str.lower, _WORD.findall(text))):
            return
        seen: set[TextMatch] = set()
        for word in _WORD.finditer(text):
            for field, source in self._anchors.get(word[0].lower(), ()):
                start, stop = max(0, word.start() - WINDOW), min(len(text), word.end() + WINDOW)
                for match in _compiled(source).finditer(text, start, stop):
                    if match.start() > word.start():
                        break
                    found = TextMatch(field, *match.span(), *match.span("value"))
                    cut = match.end() == stop < len(text)
                    if match.end() >= word.end() and not cut and found not in seen:
                        seen.add(found)
                        yield found


def number_pattern(table: UnitTable | None, names: Vocabulary | None) -> str:
    """Regular expression for a number with its unit."""
    whole = rf"{PHRASE_NUMBER}(?![.,]?\d){_MULTIPLIER}?"
    return whole + _unit_pattern(table) + ("?" if table is not None and table.bare else "")


def dimensions_pattern(table: UnitTable | None, names: Vocabulary | None) -> str:
    """Regular expression for two to four lengths."""
    unit = _unit_pattern(table)
    one = PHRASE_NUMBER + (f"{unit}?" if unit else "")
    return rf"{one}(?:\s?(?:[x×]|by)\s?{one}){{1,3}}"


def _unit_pattern(table: UnitTable | None) -> str:
    if table is None:
        return ""
    spellings = sorted({s.casefold() for s in table.exact}, key=len, reverse=True)
    return rf"(?:[\s\u00a0-]{{0,2}}(?:{'|'.join(map(re.escape, spellings))})(?![^\W\d_]))"


def answer_pattern(table: UnitTable | None, names: Vocabulary | None) -> str:
    """Regular expression for yes or no."""
    spoken = (word for word in YES_WORDS | NO_WORDS if len(word) > 1)
    return _choice([*spoken, *(names.names if names else ())])


def words_pattern(table: UnitTable | None, names: Vocabulary | None) -> str:
    """Regular expression for one of the names, or any proper name."""
    return _choice(names.names) if names else _PROPER_NAME


def list_pattern(table: UnitTable | None, names: Vocabulary | None) -> str:
    """Regular expression for several names."""
    one = words_pattern(table, names)
    return rf"{one}(?:(?:,?\s(?:and|und|et|or)\s|,\s|\s?/\s?){one}){{0,8}}"


def _choice(names: Iterable[str]) -> str:
    """Any of the names, the longest first; spaces and hyphens are one and optional after digits."""
    longest_first = sorted({name for name in names if name}, key=len, reverse=True)
    spelled = (r"[\s\-‑]{0,2}".join(map(re.escape, name.split())) for name in longest_first)
    return "(?:" + "|".join(spelled) + ")"
