"""Numbers that are not written in digits: ½, 5 1/2 in, six buttons."""

from __future__ import annotations

import re
import unicodedata

from specfactory.contract.number_words import word_numbers

_WORDS = {
    2: "two zwei deux dos due",
    3: "three drei trois tres tre",
    4: "four vier quatre cuatro quattro",
    5: "five fünf cinq cinco cinque",
    6: "six sechs seis sei",
    7: "seven sieben sept siete sette",
    8: "eight acht huit ocho otto",
    9: "nine neun neuf nueve nove",
    10: "ten zehn dix diez dieci",
    11: "eleven elf onze once undici",
    12: "twelve zwölf douze doce dodici",
}
_NUMBERS = {word: number for number, words in _WORDS.items() for word in words.split()}
_ALONE = {"one": 1, "eins": 1, "un": 1, "une": 1, "uno": 1, "una": 1, "ein": 1, "eine": 1}
_OPENINGS = r"(?:up to|about|with|a|the|bis zu|mit|avec|con)\s"
_FIRST = re.compile(rf"(?:{_OPENINGS})?({'|'.join(_NUMBERS)})(?!\w)", re.I)
_OPENING = re.compile(r"(?:up to|about|with|the)\s", re.I)  # "a hundred" opens with its "a"
_MORE = re.compile(
    rf"(?<!\w)(?:{'|'.join(_NUMBERS)}|twenty|thirty|forty|fifty|hundred|thousand|dozen|half|halves|"
    r"thirds?|quarters?|fifths?|sixths?|or|hundert|tausend|halb\w*|cent|mille|demie?|cien\w*|"
    r"medi[oa]|mezz[oa])(?!\w)",
    re.I,
)
_VULGAR = re.compile(r"(\d+)?\s?([¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])")
_FRACTION = re.compile(
    r"(?<![\d.,/])(?:(\d{1,4})[\s\u00a0-])?(\d{1,2})/(2|3|4|8|16|32|64)"
    r"(?=[\s-]?(?:in|inch|inches|″|\"|”|ft|foot|feet|cups?|tsp|tbsp|teaspoons?|tablespoons?)"
    r"(?![^\W\d_]))",
    re.I,
)


def in_digits(words: str) -> str:
    """The same words with fractions and one number word written in digits.

    Fractions with a slash only before units that are written so; a number word only in
    front, and where it is the only one.
    """
    if not words.isascii() and _VULGAR.search(words):
        words = _VULGAR.sub(_vulgar, words)
    if "/" in words:
        words = _FRACTION.sub(_fraction, words)
    if not any(char.isdigit() for char in words):
        return _one_word(words)
    return words


def _vulgar(match: re.Match[str]) -> str:
    return f"{int(match[1] or 0) + unicodedata.numeric(match[2]):.4f}"


def _fraction(match: re.Match[str]) -> str:
    whole, top, bottom = int(match[1] or 0), int(match[2]), int(match[3])
    return f"{whole + top / bottom:.4f}" if top < bottom else match[0]


def _one_word(words: str) -> str:
    if (number := _ALONE.get(words.strip(" .").casefold())) is not None:
        return str(number)
    first = _FIRST.match(words)
    if first is None or _MORE.search(words, first.end()):
        return _long_number(words)
    return f"{words[: first.start(1)]}{_NUMBERS[first[1].casefold()]}{words[first.end() :]}"


def _long_number(words: str) -> str:
    """``Twenty-five grams``: a number of several words, in front and the only one."""
    opening = _OPENING.match(words)
    start = opening.end() if opening else 0
    found = [one for one in word_numbers(words) if not one.plain_one]
    if len(found) != 1 or found[0].start != start or _MORE.search(words, found[0].end):
        return words
    return f"{words[:start]}{found[0].value:.10g}{words[found[0].end :]}"
