"""Lines of recipes: how much each looks like an ingredient or a step."""

import re
from collections.abc import Callable
from typing import NamedTuple

from specfactory.contract.values import is_prose
from specfactory.word_lists import read_lists, word_set

_WORDS = read_lists("extract/labelled/data/recipe_words.txt")
STOPS = frozenset(_WORDS["stops"])  # headings where a recipe ends

# What a line of a recipe looks like, by general features alone.
_NUMBER = r"(?:\d+(?:[.,/⁄]\d+)?|[¼-¾⅐-⅞])(?:\s*[¼-¾⅐-⅞]|\s+\d/\d)?"
_AMOUNT = re.compile(
    rf"[\s•·*▢□☐✓◦‣–-]*(?:ca\.?|about|approx\.?|~|circa|etwa|environ|около)?\s*{_NUMBER}"
    rf"(?:\s*(?:[-–—x×/]|to|bis|à|a|или|or|oder|ou)\s*{_NUMBER})?",
    re.IGNORECASE,
)
_UNITS = word_set(*_WORDS["units"])
_JOINED_UNITS = word_set(*_WORDS["joined units"])  # what follows may be a letter
_UNIT = rf"(?:(?:{'|'.join(sorted(_UNITS))})(?![^\W\d_])|{'|'.join(sorted(_JOINED_UNITS))})"
MEASURED = re.compile(rf"(?<![\d.,]){_NUMBER}\s?-?\s?{_UNIT}", re.IGNORECASE)
_SPOONS = re.compile(r"(?:大さじ|小さじ|适量|少许|適量|少々|q\.?\s?b\.?(?!\w))", re.IGNORECASE)
_WORD = re.compile(r"[぀-ヿ㐀-鿿가-힯฀-๿]{1,2}|[^\W_]+")
_ENDED = re.compile(r"[.!。！…][\"'”»)]*$")
_MAX_INGREDIENT_WORDS = 30
_MAX_INGREDIENT = 240
_MAX_AMOUNT = 24
_TRAILING = re.compile(rf"\s{_NUMBER}\s?(?:[^\W\d_]{{1,5}}\.?)?$")
_SCALE = re.compile(r"(?:[\d.,/½¼]+\s*[x×]\s*)+", re.IGNORECASE)
# How many it is for, in the words of kitchens.
_FOR_MANY = re.compile(
    r"serv(?:ing|es)|porti|porz|porc|porsi|порци|person|personer|főre|raci[oó]n|comensal|annos|"
    r"人分|人份|인분|kişilik|μερίδ|makes\b|yield",
    re.IGNORECASE,
)
_LABEL_END = ("::", ":", "：")
_COUNT_ONLY = re.compile(r"[^\W\d]{0,12}[\s#.]*\d{1,2}\s*[.):/]?(?:\s*(?:/|of)\s*\d{1,2})?")

Likeness = Callable[[str], float]


def ingredient_likeness(line: str) -> float:
    """Rate how much a line looks like an ingredient: 1 with amount and unit, 0 for a sentence."""
    words = len(_WORD.findall(line))
    if not words or words > _MAX_INGREDIENT_WORDS or len(line) > _MAX_INGREDIENT:
        return 0.0
    # Lines about the list: how many it serves, how it is scaled, a bare number.
    if _SCALE.fullmatch(line) or not any(map(str.isalpha, line)):
        return 0.0
    if words <= 4 and _FOR_MANY.search(line):
        return 0.0
    if line.endswith(_LABEL_END) or (words > 8 and _ENDED.search(line) and is_prose(line)):
        return 0.0
    leads = _AMOUNT.match(line)
    if MEASURED.search(line) or _SPOONS.search(line):
        return 1.0 if leads or words <= 10 else 0.6
    if (leads or _TRAILING.search(line)) and words > 1:
        return 0.8
    return 0.35 if words <= 6 else 0.2 if words <= 12 else 0.05


def is_amount(line: str) -> bool:
    """True when a line is an amount and hardly more ("½ cup"), its ingredient on another line."""
    found = _AMOUNT.match(line) if len(line) <= _MAX_AMOUNT else None
    return found is not None and len(_WORD.findall(line[found.end() :])) <= 1


def step_likeness(line: str) -> float:
    """Rate how much a line looks like a step: a sentence of some length, 0 for a bare number."""
    words = len(_WORD.findall(line))
    if words <= 2 and _COUNT_ONLY.fullmatch(line.strip()):
        return 0.0
    ended = bool(_ENDED.search(line))
    if words >= 6 and ended:
        return 1.0
    if words >= 8:
        return 0.4 if _AMOUNT.match(line) and words < 12 else 0.7
    return 0.5 if ended and words >= 3 else 0.2 if words >= 4 else 0.05


class ListKind(NamedTuple):
    """A kind of list: how its items look, and how many of them make a list."""

    likeness: Likeness
    hints: re.Pattern[str]
    fewest: int
    enough: float  # the least sum of likeness of a list
    dense: float  # the least mean likeness of a list that structured data gives whole
    pairs: bool = False  # an item may stand in two lines, amount and name


KINDS = {  # by the role of a list field
    "ingredients": ListKind(
        ingredient_likeness, re.compile(r"ingredi|zutat|skladnik|sastojc|malzeme", re.I),
        fewest=2, enough=1.0, dense=0.45, pairs=True,
    ),
    "steps": ListKind(
        step_likeness,
        re.compile(r"instruct|direction|preparation|method|procedure|steps?\b|bereit|bereid", re.I),
        fewest=1, enough=1.0, dense=0.1,
    ),
}  # fmt: skip
