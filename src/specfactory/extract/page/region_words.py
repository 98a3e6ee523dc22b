"""Words by which pages mark what is not about their own product, in several languages.

The one vocabulary of hints for whose a value is: class names and ids, headings, column heads
and clauses.
"""

import re
from enum import StrEnum
from functools import lru_cache

from specfactory.contract import values
from specfactory.word_lists import read_patterns, read_words

_FILE = "extract/page/data/region_phrases.txt"
_PHRASES, _WORDS = read_patterns(_FILE), read_words(_FILE)
OTHER_BOX_HINTS = _WORDS["other box hints"]
NO_NAMES = _WORDS["no names"]
# Whole words in class names and ids; "cross-sell" and "crossSell" are read as "cross sell".
_OTHER_HINTS = re.compile(rf"\b(?:{_PHRASES['other hints']})\b")
# Boxes beside the matter of a recipe: as words of class names as they are written.
_ASIDE_HINTS = re.compile(rf"(?:^|[\s_-])(?:{_PHRASES['aside hints']})(?:$|[\s_-])", re.IGNORECASE)
_POST_HINTS = re.compile(rf"\b(?:{_PHRASES['post hints']})\b")
_OTHER_HEADING = re.compile(rf"\b(?:{_PHRASES['other heading']})")
_POST_HEADING = re.compile(rf"\b(?:{_PHRASES['post heading']})|^reviews?$")
INSTEAD = re.compile(rf"(?<!\w)(?:{_PHRASES['instead']})(?!\w)")
INSTEAD_ANCHORS = tuple(word.replace("_", " ") for word in _WORDS["instead anchors"])
_MAX_HINTS = 300
_MAX_KNOWN = 16_384  # the pages of a site share their headings
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOT_WORD = re.compile(r"[^a-z0-9äöüß]+")

_GENERIC_HEAD = re.compile(rf"(?:{_PHRASES['generic head']})")
_NAME_HEAD = re.compile(rf"(?:{_PHRASES['name head']})\s*:?")
_OTHER_THING = re.compile(rf"\b(?:{_PHRASES['other thing']})\b")


class RegionKind(StrEnum):
    """Kinds of regions of a page."""

    OWN = "own"
    OTHER = "other"  # navigation, related products
    POST = "post"  # what users wrote
    CARD = "card"  # one of several boxes with titles of their own
    HIDDEN = "hidden"


def _hint_words(hints: str) -> str:
    return _NOT_WORD.sub(" ", _CAMEL.sub(" ", hints[:_MAX_HINTS]).lower()).strip()


def hints_aside(hints: str) -> bool:
    """True when class names mark a box that stands beside the matter: comments, menus, sharing."""
    return _ASIDE_HINTS.search(hints) is not None


@lru_cache(maxsize=_MAX_KNOWN)
def hinted_kind(hints: str) -> RegionKind | None:
    """The kind of box that class names mark; cached, as the pages of a site share them."""
    words = _hint_words(hints)
    if _OTHER_HINTS.search(words):
        return RegionKind.OTHER
    return RegionKind.POST if _POST_HINTS.search(words) else None


@lru_cache(maxsize=_MAX_KNOWN)
def headed_kind(heading: str) -> RegionKind | None:
    """The kind of section that a heading announces."""
    if len(heading) < 90 and _OTHER_HEADING.search(heading.lower()):
        return RegionKind.OTHER
    return RegionKind.POST if heads_posts(heading) else None


@lru_cache(maxsize=_MAX_KNOWN)
def heads_posts(heading: str) -> bool:
    """True when a heading announces what users wrote."""
    return len(heading) < 90 and _POST_HEADING.search(heading.lower()) is not None


def is_generic_head(head: str) -> bool:
    """True when a column head names a kind of cell, not a product."""
    return _GENERIC_HEAD.fullmatch(head.strip().lower()) is not None


def is_name_head(head: str) -> bool:
    """True when a head says that names of products follow."""
    return _NAME_HEAD.fullmatch(head.strip().lower()) is not None


def speaks_of_another(words: str) -> bool:
    """True when a clause speaks of a predecessor or a rival."""
    return _OTHER_THING.search(words.lower()) is not None


def is_unit(head: str) -> bool:
    """True when a column head is nothing but a unit."""
    written = head.strip().strip("()[]").lower()
    is_money = values.currencies_of(written) and not values.is_weak(written)
    return values.is_unit(written) or bool(is_money)
