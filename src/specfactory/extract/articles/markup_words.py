"""Words in class names, headings and texts that tell content from its frame, in many languages."""

import re
from functools import lru_cache

from specfactory.word_lists import read_lists, word_set

_MAX_HINTS = 300
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SPLIT = re.compile(r"[^a-z]+")

_WORDS = read_lists("extract/articles/data/markup_words.txt")
# Each meaning of words in class names, ids and roles gets one bit; a word of reviews may have two.
MEANINGS = (*(name[9:] for name in _WORDS if name.startswith("meaning: ")), "review")
_BITS = {
    word: 1 << at
    for at, name in enumerate(MEANINGS[:-1])
    for word in " ".join(_WORDS[f"meaning: {name}"]).split()
}
for _word in " ".join(_WORDS["reviews"]).split():
    _BITS[_word] = _BITS.get(_word, 0) | 1 << len(MEANINGS) - 1


@lru_cache(maxsize=16384)
def meanings(hints: str) -> int:
    """Look up class names, ids and roles: one bit per meaning."""
    found = 0
    for word in _SPLIT.split(_CAMEL.sub(" ", hints[:_MAX_HINTS]).lower()):
        found |= _BITS.get(word, 0)
    return found


_REVIEW_HEADING = re.compile(
    r"review|rating|bewertung|rezension|avis|opinion|recension|testimonial|feedback|"
    r"what (?:\w+ ){1,3}sa(?:y|id)"
)
_MAX_HEADING = 90


@lru_cache(maxsize=16384)
def heads_reviews(heading: str) -> bool:
    """Check whether a heading announces reviews."""
    return len(heading) < _MAX_HEADING and _REVIEW_HEADING.search(heading.lower()) is not None


# Words that are frequent on some kinds of pages.
PAGE_SIGNS = {
    name[6:]: word_set(*lines) for name, lines in _WORDS.items() if name.startswith("page: ")
}


# The commonest words of running text; lists and menus have few of them.
COMMON = word_set(*_WORDS["common"])
