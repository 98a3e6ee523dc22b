"""Words and letters that multiply the number before them: "$1.2 million", "3,980万円", "26K".

The only table of them is ``data/multipliers.txt``: numbers, prices, units, phrases and number words
read it.
"""

import re
from collections.abc import Mapping

from specfactory.word_lists import read_lists

MYRIADS: Mapping[str, float] = {
    "千": 1e3, "万": 1e4, "萬": 1e4, "만": 1e4, "億": 1e8, "亿": 1e8, "억": 1e8,
}  # fmt: skip
"""Characters that multiply, right behind the digits."""


def _read_table() -> tuple[dict[str, float], dict[str, float]]:
    for_numbers: dict[str, float] = {}
    for_money: dict[str, float] = {}
    for line in read_lists("contract/values/data/multipliers.txt")["factors"]:
        factor, _, words = line.partition(" ")
        everywhere, _, money = words.partition("money:")
        for_numbers |= dict.fromkeys(everywhere.split(), float(factor))
        for_money |= dict.fromkeys((*everywhere.split(), *money.split()), float(factor))
    return for_numbers, for_money


MULTIPLIERS: Mapping[str, float]
MONEY_MULTIPLIERS: Mapping[str, float]
MULTIPLIERS, MONEY_MULTIPLIERS = _read_table()

_GLUED = {"K": 1e3} | {w: f for w, f in MONEY_MULTIPLIERS.items() if len(w) == 1 and w.isupper()}
_SPELLED = {word: factor for word, factor in MONEY_MULTIPLIERS.items() if word not in _GLUED}
_ABBREVIATION = 4  # letters; a dot may follow
# A mil is also a unit and a mill a thing.
_GUARDED = {"mil": "mil(?= )", "mill": r"mill\."}


def _pattern(word: str) -> str:
    return _GUARDED.get(word) or word + (r"\.?" if 1 < len(word) <= _ABBREVIATION else "")


_WORDS = re.compile(
    # a single capital counts only when glued: "$20 M" may be a size
    rf"(?P<glued>[{''.join(_GLUED)}])(?![^\W\d_])|[ \u00a0\u202f\u2009]{{0,2}}"
    rf"(?:(?P<myriad>[{''.join(MYRIADS)}])|(?P<word>(?i:"
    + "|".join(map(_pattern, sorted(_SPELLED, key=len, reverse=True)))
    + r"))(?!\.?[^\W\d_]))"  # "12.50 K.D": dinars, not thousands
)

MULTIPLE_STARTS = frozenset(
    char for word in (*MONEY_MULTIPLIERS, *MYRIADS) for char in (word[0], word[0].upper())
)
"""First characters of all multipliers, to skip the search where none follows a number."""


def multiple_behind(words: str, at: int) -> tuple[float, int]:
    """Factor that the words here apply to the amount before them, and where they end."""
    found = _WORDS.match(words, at)
    if found is None:
        return 1.0, at
    if found["glued"]:
        return _GLUED[found["glued"]], found.end()
    if found["myriad"]:
        return MYRIADS[found["myriad"]], found.end()
    return _SPELLED[found["word"].rstrip(".").casefold()], found.end()
