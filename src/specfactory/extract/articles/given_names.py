"""Common given names in many languages: they tell "Uta Helm" from "Alpine Paths"."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files


def is_given_name(word: str) -> bool:
    """Check a word against common given names, without accents; of "Eva-Maria", the first."""
    folded = unicodedata.normalize("NFKD", word.casefold().partition("-")[0])
    return "".join(one for one in folded if not unicodedata.combining(one)) in _names()


@cache
def _names() -> frozenset[str]:
    """Names in the file beside this module; lines that begin with # are comments."""
    file = files("specfactory.extract.articles") / "given_names.txt"
    lines = file.read_text(encoding="utf-8").splitlines()
    return frozenset(name for line in lines if not line.startswith("#") for name in line.split())
