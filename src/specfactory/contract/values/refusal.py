"""Saying no: words that give no value, and why."""

from typing import NoReturn

from specfactory.errors import NotDerivable
from specfactory.word_lists import read_lists

_NOTHING = frozenset(("", *read_lists("contract/values/data/value_words.txt")["nothing"]))


def refuse(field: str, words: str, code: str, detail: str) -> NoReturn:
    """Raise NotDerivable."""
    raise NotDerivable(field, words[:200], code, detail)


def says_nothing(words: str) -> bool:
    """Tell whether the words are a placeholder: a dash, ``N/A``, ``unknown``."""
    return len(words) < 24 and words.strip(" \u00a0\t\n.*:()").casefold() in _NOTHING
