"""Numbers written in English words: twenty-one, a hundred and two, two thirds, one and a half."""

from __future__ import annotations

import re
from typing import NamedTuple

_ONE_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES = {word: number for number, word in enumerate(_ONE_WORDS.split())}
_TENS = {word: 20 + 10 * at for at, word in enumerate(_TEN_WORDS.split())}
_SCALES = {
    "hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "dozen": 12,
}  # fmt: skip
_PARTS = {
    "half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "hundredth": 100, "thousandth": 1000,
}  # fmt: skip
_PART_NAMES = _PARTS | {"halves": 2} | {f"{part}s": n for part, n in _PARTS.items() if n > 2}
_TOKEN = re.compile(r"[^\W\d_]+")
_GAP = re.compile(r"[\s\u00a0]+|-")
_START = re.compile(rf"\b(?:{'|'.join((*_ONES, *_TENS))}|an?\s(?:{'|'.join(_SCALES)}))\b", re.I)


class WordNumber(NamedTuple):
    """A number in words, and where it stands."""

    value: float
    start: int
    end: int
    plain_one: bool  # a mere "one", which may be a pronoun


def word_numbers(text: str) -> list[WordNumber]:
    """Every number in words, in its order; "a" counts as one only before hundred and the like."""
    found: list[WordNumber] = []
    at = 0
    while (match := _START.search(text, at)) is not None:
        number = _read(text, match.start())
        if number is None or _is_inside_word(text, number):
            at = match.end()
            continue
        found.append(number)
        at = number.end
    return found


def _is_inside_word(text: str, number: WordNumber) -> bool:
    """``one-way`` may be a unit's adjective, ``someone`` is no number."""
    return number.start > 0 and text[number.start - 1] in "-'’"


def _words(text: str, at: int) -> list[tuple[str, int, int]]:
    """The words that follow one another from a place on, parted by spaces and hyphens alone."""
    words: list[tuple[str, int, int]] = []
    while len(words) < 16 and (match := _TOKEN.match(text, at)) is not None:
        words.append((match[0].casefold(), match.start(), match.end()))
        gap = _GAP.match(text, match.end())
        if gap is None:
            break
        at = gap.end()
    return words


def _read(text: str, at: int) -> WordNumber | None:
    words = _words(text, at)
    total, current, used = 0.0, 0.0, 0
    for step, (word, _, _) in enumerate(words):
        if word in ("a", "an") and step == 0:
            current = 1
        elif word in _ONES and (step == 0 or current % 100 == 0 or current % 10 == 0):
            current += _ONES[word]
        elif word in _TENS and current % 100 == 0:
            current += _TENS[word]
        elif word in _SCALES and current:
            scaled = max(current, 1) * _SCALES[word]
            current, total = (
                (scaled, total) if word in ("hundred", "dozen") else (0, total + scaled)
            )
        elif word == "and" and step + 1 < len(words) and _goes_on(words, step, current + total):
            continue
        else:
            break
        used = step + 1
    if not used or (words[0][0] in ("a", "an") and used == 1):
        return None
    value, used = _with_parts(words, total + current, used)
    plain_one = used == 1 and words[0][0] == "one"
    return WordNumber(value, words[0][1], words[used - 1][2], plain_one)


def _goes_on(words: list[tuple[str, int, int]], step: int, so_far: float) -> bool:
    """``a hundred and two``: smaller numbers go on behind "and"; "two and three" are two."""
    following = words[step + 1][0]
    return so_far >= 100 and (following in _ONES or following in _TENS)


def _with_parts(words: list[tuple[str, int, int]], value: float, used: int) -> tuple[float, int]:
    """``two thirds``, ``two and a half``."""
    rest = [word for word, _, _ in words[used : used + 3]]
    if rest and rest[0] in _PART_NAMES and rest[0] != "second":
        return value / _PART_NAMES[rest[0]], used + 1
    if len(rest) == 3 and rest[0] == "and" and rest[1] in ("a", "one") and rest[2] in _PART_NAMES:
        return value + 1 / _PART_NAMES[rest[2]], used + 3
    return value, used
