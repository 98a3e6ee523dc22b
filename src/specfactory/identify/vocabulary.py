"""Words that occur in titles and say which product is meant, or nothing at all.

All are written as ``names.tokenise`` leaves them: lower case, without accents, phrases run
together. A contract adds its own; what the catalogue's siblings differ in outranks all of it.
"""

import unicodedata
from collections.abc import Mapping

from specfactory.contract.values import (
    KNOWN_UNITS,
    MULTIPLIERS,
    ORDINARY_WORDS,
    PLAIN_CODES,
    SPELLINGS,
)
from specfactory.word_lists import first_words, read_lists


def _folded(word: str) -> str:
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


_LISTS = read_lists("identify/data/title_words.txt")


def _words(name: str) -> frozenset[str]:
    return frozenset(" ".join(_LISTS[name]).split())


# Next to a model's name they make another model of it, in whichever category.
SUFFIXES = _words("suffixes")

# Next to a model's name these may be a part of it or praise; only a person knows.
PRAISE = _words("praise")

CONNECTIONS: Mapping[str, str] = first_words(_LISTS["connections"])

COLOURS: Mapping[str, str] = first_words(_LISTS["colours"])

# Words in other scripts that mean what a Latin suffix means, and longer ones that contain them.
FOREIGN: Mapping[str, str] = first_words(_LISTS["foreign"])

SERIES = _words("series")

VERSUS = _words("versus")
FOR = _words("for")
# What a page may be "for" a product without being about something else.
DOCUMENTS = _words("documents")
# Phrases that make a page about another thing, and things that go with others.
OTHER_THINGS = read_lists("identify/data/other_things.txt")
ACCESSORIES = frozenset(" ".join(OTHER_THINGS["accessories"]).split())
PIECES = frozenset(" ".join(OTHER_THINGS["pieces"]).split())
WITH = _words("with")
BUNDLE = _words("bundle")
EDITION = _words("edition")

# What is sold is the product, but not as its maker sells it.
CONDITION = _words("condition")

# Units in which variants of one model differ, each with the unit they are compared in. Smaller
# ones (MB, mm) describe a model and do not tell its variants apart.
VARYING: Mapping[str, tuple[str, float]] = {
    _folded(word): (shown, KNOWN_UNITS[name].factor / KNOWN_UNITS[base].factor)
    for shown, base, names in (
        ("GB", "GB", ("GB", "TB")),
        ("inch", "in", ("in",)),
        ("ml", "ml", ("ml", "cl", "l")),
    )
    for name in names
    for word in SPELLINGS[name]
    if word.isalpha() and (word in KNOWN_UNITS or not word.isupper())
}
MEMORY = _words("memory")

# Words of pages, shops and sections: they name no product.
NEUTRAL = _words("neutral")

# Of short units only these: "6s", "7d" and "5 ti" are models.
_SHORT_UNITS = _words("short units")
_OF_TWO_LETTERS = frozenset(("mass", "length", "volume", "information", "frequency", "time"))
_COUNTED = _words("counted")
UNITS = (
    _SHORT_UNITS
    | _COUNTED
    | frozenset(word for word in MULTIPLIERS if len(word) > 2)
    | frozenset(PLAIN_CODES)
    | frozenset(
        _folded(word)
        for unit in KNOWN_UNITS.values()
        if unit.dimension != "pixel"  # a name of models too
        for word in SPELLINGS[unit.name]
        if word.isalpha()
        and (
            (len(word) == 2 and word == unit.name and unit.dimension in _OF_TWO_LETTERS)
            # codes of trade are words: NEW, INK
            or (len(word) > 2 and word not in ORDINARY_WORDS and not word.isupper())
        )
    )
)
