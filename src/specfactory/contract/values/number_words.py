"""Numbers that are not in digits: ½, 5 1/2 in, six buttons, twenty-one, two and a half.

The only table of them is ``data/number_words.txt``. Scales, parts and "and" are English alone.
"""

import re
import unicodedata
from typing import NamedTuple

from specfactory.contract.values.multipliers import MONEY_MULTIPLIERS
from specfactory.word_lists import read_lists

_LISTS = {
    name: {int(number): words for number, _, words in (line.partition(" ") for line in lines)}
    for name, lines in read_lists("contract/values/data/number_words.txt").items()
}
_NUMBERS = _LISTS["numbers"]
_PARTS = {word: number for number, words in _LISTS["parts"].items() for word in words.split()}
# Of the words below 13, sentences know the English one alone: "once" and "due" mean more than that.
_IN_SENTENCES = {
    word: n for n, words in _NUMBERS.items() for word in words.split()[: 1 if n < 13 else None]
}
_ONES = {word: number for word, number in _IN_SENTENCES.items() if number < 20}
_TENS = {word: number for word, number in _IN_SENTENCES.items() if number >= 20}
_SCALES = {word: float(number) for number, word in _LISTS["scales"].items()} | {
    word: MONEY_MULTIPLIERS[word] for word in ("thousand", "million", "billion", "trillion")
}
_PART_NAMES = _PARTS | {"halves": 2} | {f"{part}s": n for part, n in _PARTS.items() if n > 2}
# "One" in any language is an article or a pronoun as well: a number only when it stands alone.
_ALONE = dict.fromkeys(_NUMBERS[1].split(), 1)
_SMALL = {word: n for n, words in _NUMBERS.items() if 2 <= n <= 12 for word in words.split()}
_FIRST = re.compile(
    rf"(?:(?:up to|about|with|a|the|bis zu|mit|avec|con)\s)?({'|'.join(_SMALL)})(?!\w)", re.I
)
_OPENING = re.compile(r"(?:up to|about|with|the)\s", re.I)  # "a hundred" opens with its "a"
_MORE = re.compile(
    rf"(?<!\w)(?:{'|'.join((*_SMALL, *_TENS, *_SCALES, *_PART_NAMES))}|"
    r"or|hundert|tausend|halb\w*|cent|mille|demie?|cien\w*|medi[oa]|mezz[oa])(?!\w)",
    re.I,
)
_VULGAR = re.compile(r"(\d+)?\s?([¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])")
_FRACTION = re.compile(
    r"(?<![\d.,/])(?:(\d{1,4})[\s\u00a0-])?(\d{1,2})/(2|3|4|8|16|32|64)"
    r"(?=[\s-]?(?:in|inch|inches|″|\"|”|ft|foot|feet|cups?|tsp|tbsp|teaspoons?|tablespoons?)"
    r"(?![^\W\d_]))",
    re.I,
)
_TOKEN = re.compile(r"[^\W\d_]+")
_GAP = re.compile(r"[\s\u00a0]+|-")
_START = re.compile(rf"\b(?:{'|'.join((*_ONES, *_TENS))}|an?\s(?:{'|'.join(_SCALES)}))\b", re.I)
_MAX_WORDS = 16


class WordNumber(NamedTuple):
    """A number in words, and where it stands."""

    value: float
    start: int
    end: int
    plain_one: bool  # a mere "one", which may be a pronoun


def in_digits(words: str) -> str:
    """Write fractions and the only number word of a text in digits.

    Fractions with a slash only before units that are written so; a number word only in
    front, and where it is the only one.
    """
    if not words.isascii() and _VULGAR.search(words):
        words = _VULGAR.sub(lambda m: f"{int(m[1] or 0) + unicodedata.numeric(m[2]):.4f}", words)
    if "/" in words:
        words = _FRACTION.sub(_fraction, words)
    if any(char.isdigit() for char in words):
        return words
    if (number := _ALONE.get(words.strip(" .").casefold())) is not None:
        return str(number)
    first = _FIRST.match(words)
    if first is not None and not _MORE.search(words, first.end()):
        return f"{words[: first.start(1)]}{_SMALL[first[1].casefold()]}{words[first.end() :]}"
    opening = _OPENING.match(words)
    start = opening.end() if opening else 0
    found = [one for one in word_numbers(words) if not one.plain_one]
    if len(found) != 1 or found[0].start != start or _MORE.search(words, found[0].end):
        return words
    return f"{words[:start]}{found[0].value:.10g}{words[found[0].end :]}"


def _fraction(match: re.Match[str]) -> str:
    whole, top, bottom = int(match[1] or 0), int(match[2]), int(match[3])
    return f"{whole + top / bottom:.4f}" if top < bottom else match[0]


def word_numbers(text: str) -> list[WordNumber]:
    """Find every number in words, in order; "a" counts as one only before hundred and the like."""
    found: list[WordNumber] = []
    at = 0
    while (match := _START.search(text, at)) is not None:
        number = _read(text, match.start())
        if number is None or (number.start > 0 and text[number.start - 1] in "-'’"):
            at = match.end()
            continue
        found.append(number)
        at = number.end
    return found


def _read(text: str, at: int) -> WordNumber | None:
    words: list[tuple[str, int, int]] = []  # parted by spaces and hyphens alone
    while len(words) < _MAX_WORDS and (match := _TOKEN.match(text, at)) is not None:
        words.append((match[0].lower(), match.start(), match.end()))
        if (gap := _GAP.match(text, match.end())) is None:
            break
        at = gap.end()
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
            if word in ("hundred", "dozen"):
                current = scaled
            else:
                current, total = 0, total + scaled
        elif word == "and" and step + 1 < len(words):
            # "a hundred and two" is one number; "two and three" are two
            following = words[step + 1][0]
            if current + total < 100 or not (following in _ONES or following in _TENS):
                break
            continue
        else:
            break
        used = step + 1
    if not used or (words[0][0] in ("a", "an") and used == 1):
        return None
    value = total + current
    rest = [word for word, _, _ in words[used : used + 3]]
    if rest and rest[0] in _PART_NAMES:  # "two thirds"
        value, used = value / _PART_NAMES[rest[0]], used + 1
    elif (
        rest[:1] == ["and"]
        and rest[1:2] in (["a"], ["one"])
        and rest[2:]
        and rest[2] in _PART_NAMES
    ):
        value, used = value + 1 / _PART_NAMES[rest[2]], used + 3  # "two and a half"
    plain_one = used == 1 and words[0][0] == "one"
    return WordNumber(value, words[0][1], words[used - 1][2], plain_one)
