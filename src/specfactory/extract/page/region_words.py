"""Words by which pages mark what is not about their own product, in several languages.

The one vocabulary of hints for whose a value is: class names and ids, headings, column heads
and clauses.
"""

import re
from functools import lru_cache

from specfactory.contract import values
from specfactory.word_lists import read_lists, word_set

_PHRASES = {
    name: "|".join(lines)
    for name, lines in read_lists("extract/page/data/region_phrases.txt").items()
}
# Whole words in class names and ids; "cross-sell" and "crossSell" are read as "cross sell".
_OTHER_HINTS = re.compile(rf"\b(?:{_PHRASES['other hints']})\b")
# Broader than the pattern above: a feature that the ranking of prices has learned to weigh.
OTHER_BOX_HINTS = word_set(
    "related similar recommend recommended recommendation recommendations carousel slider "
    "upsell crosssell cross bundle bundles accessory accessories alternatives recently viewed "
    "also minicart cart basket wishlist menu nav header footer suggestion suggestions widget "
    "swiper slick listing grid tile tiles card cards teaser"
)
# Boxes beside the matter of a recipe: as words of class names as they are written.
_ASIDE_HINTS = re.compile(rf"(?:^|[\s_-])(?:{_PHRASES['aside hints']})(?:$|[\s_-])", re.IGNORECASE)
_POST_HINTS = re.compile(rf"\b(?:{_PHRASES['post hints']})\b")
_OTHER_HEADING = re.compile(rf"\b(?:{_PHRASES['other heading']})")
_POST_HEADING = re.compile(rf"\b(?:{_PHRASES['post heading']})|^reviews?$")
_TAB_HINTS = re.compile(rf"\b(?:{_PHRASES['tab hints']})\b")
_MAX_HINTS = 300
_MAX_KNOWN = 16_384  # the pages of a site share their headings
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOT_WORD = re.compile(r"[^a-z0-9äöüß]+")

_GENERIC_HEAD = re.compile(rf"(?:{_PHRASES['generic head']})")
_NAME_HEAD = re.compile(rf"(?:{_PHRASES['name head']})\s*:?")
_OTHER_THING = re.compile(rf"\b(?:{_PHRASES['other thing']})\b")


def hint_words(hints: str) -> str:
    """Split class names and ids into plain words."""
    return _NOT_WORD.sub(" ", _CAMEL.sub(" ", hints[:_MAX_HINTS]).lower()).strip()


def hints_other(words: str) -> bool:
    """True when class names mark a box of other things."""
    return _OTHER_HINTS.search(words) is not None


def hints_aside(hints: str) -> bool:
    """True when class names mark a box that stands beside the matter: comments, menus, sharing."""
    return _ASIDE_HINTS.search(hints) is not None


def hints_posts(words: str) -> bool:
    """True when class names mark a box of what users wrote."""
    return _POST_HINTS.search(words) is not None


def hints_tab(words: str) -> bool:
    """True when class names mark content that opens on a click."""
    return _TAB_HINTS.search(words) is not None


@lru_cache(maxsize=_MAX_KNOWN)
def heads_other(heading: str) -> bool:
    """True when a heading announces other products."""
    return len(heading) < 90 and _OTHER_HEADING.search(heading.lower()) is not None


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
