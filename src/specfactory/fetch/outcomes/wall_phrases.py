"""Phrases of walls, blocks and error pages, in lower case; searched on thin pages only."""

from collections.abc import Mapping

from specfactory.model import Outcome
from specfactory.word_lists import read_lists

Phrases = tuple[tuple[Outcome, tuple[str, ...]], ...]


def phrases_of(lists: Mapping[str, tuple[str, ...]], kind: str) -> Phrases:
    """Phrases of the sections ``kind: outcome``, in the order of their file."""
    named = ((name.partition(": "), phrases) for name, phrases in lists.items())
    return tuple((Outcome(name[2]), phrases) for name, phrases in named if name[0] == kind)


_LISTS = read_lists("fetch/outcomes/data/wall_phrases.txt")
HEADLINES = phrases_of(_LISTS, "headlines")
UNMISTAKABLE = phrases_of(_LISTS, "unmistakable")
WEAK_HEADLINES = phrases_of(_LISTS, "weak headlines")
SENTENCES = phrases_of(_LISTS, "sentences")
LOGIN_WORDS = _LISTS["login"]
SCRIPT_WORDS = _LISTS["script"]
LOADING_WORDS = _LISTS["loading"]
