"""Common given names in many languages: they tell "Uta Helm" from "Alpine Paths"."""

import unicodedata
from functools import cache

from specfactory.word_lists import read_text


def is_given_name(word: str) -> bool:
    """Check a word against common given names, without accents; of "Eva-Maria", the first."""
    folded = unicodedata.normalize("NFKD", word.casefold().partition("-")[0])
    return "".join(one for one in folded if not unicodedata.combining(one)) in _names()


@cache
def _names() -> frozenset[str]:
    """Names in the data file; lines that begin with # are comments."""
    lines = read_text("extract/articles/data/given_names.txt").split("\n")
    return frozenset(name for line in lines if not line.startswith("#") for name in line.split())
