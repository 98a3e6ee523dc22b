"""Words of URLs and titles, and their resemblance to a product. Pure.

This only ranks the pages to fetch first; ``identify`` decides if a page is about the product.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from specfactory.model import Frozen, Product

_WORD = re.compile(r"[a-z0-9]+")
_LOCALE = re.compile(r"[a-z]{2}([-_][a-z]{2})?")
_SIDE = frozenset(
    {"support", "review", "reviews", "blog", "news", "forum", "compare", "vs", "manual", "manuals",
     "driver", "drivers", "download", "downloads", "accessories", "bundle", "tag", "category",
     "categories", "search", "login", "cart", "faq", "warranty", "gallery", "refurbished"}
)  # fmt: skip


class Wanted(Frozen):
    """A product's words, prepared once."""

    model: tuple[str, ...]
    brand: frozenset[str]
    variant: frozenset[str]
    compact: str  # the model without any separators


def words_of(text: str) -> list[str]:
    """Words in lower case, accents removed: "Viper V3 Pro" is viper, v3, pro."""
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = "".join(c for c in decomposed if not unicodedata.combining(c))
    return _WORD.findall(text.lower())


def slug_of(url: str) -> str:
    """The path and query of a URL, decoded."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return unquote(f"{parts.path} {parts.query}" if parts.query else parts.path)[:500]


def site_of(host: str) -> str:
    """A host without a leading "www.", which sites use and drop at will."""
    return host.lower().removeprefix("www.")


def wanted(product: Product) -> Wanted:
    """The words by which a product is looked for."""
    return _wanted(product.brand, product.model, product.variant)


@lru_cache(maxsize=512)
def _wanted(brand: str, model: str, variant: str) -> Wanted:
    brand_words = frozenset(words_of(brand))
    words = tuple(dict.fromkeys(words_of(model)))
    named = tuple(word for word in words if word not in brand_words) or words
    return Wanted(named, brand_words, frozenset(words_of(variant)), "".join(words_of(model)))


def resemblance(want: Wanted, words: Iterable[str]) -> float:
    """From 0 (another thing) to about 5 (its exact name); words with digits must all be there."""
    found = list(words)
    have = frozenset(found)
    share = _share(want, have, found)
    if share == 0.0:
        return 0.0
    known = want.brand | want.variant | frozenset(want.model)
    extra = sum(1 for word in have if word not in known and not _LOCALE.fullmatch(word))
    score = 3 * share
    for words_of_name in (want.brand, want.variant):
        if words_of_name:
            score += len(words_of_name & have) / len(words_of_name)
    return max(0.01, score - 0.05 * min(extra, 20) - (1.0 if have & (_SIDE - known) else 0.0))


def _share(want: Wanted, have: frozenset[str], found: list[str]) -> float:
    if not want.model:
        return 0.0
    missing = [word for word in want.model if word not in have]
    if not missing or want.compact in "".join(found):
        return 1.0
    longest = max((word for word in want.model if word.isalpha()), key=len, default="")
    if any(not word.isalpha() or word == longest for word in missing):
        return 0.0
    if 3 * len(missing) > len(want.model):
        return 0.0
    return 1.0 - len(missing) / len(want.model)
