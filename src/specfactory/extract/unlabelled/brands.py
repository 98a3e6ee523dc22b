"""Brand names that markup or a link marks as such."""

import re
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from specfactory.contract.values import SIGN_CHARACTERS
from specfactory.extract.page import RegionKind
from specfactory.extract.unlabelled.places import Places
from specfactory.extract.unlabelled.shop_words import BRAND_HINTS
from specfactory.model import Encoding, Snippet, ViewName
from specfactory.proof import Element, PageViews, snippet

_MAX_NAME = 40
_MAX_FOUND = 12
_ADDRESS = re.compile(r"[^\W\d_]+")
_NAMED = ("class", "id", "itemprop")
# Searched first: few elements have any of these, and splitting class names takes longer.
_BRANDISH = re.compile("|".join(sorted({word[:5] for word in BRAND_HINTS})))
_NO_NAME = re.compile(
    rf"[:?：%{SIGN_CHARACTERS}]\s*$|^[\W\d]*[^\W\d_]?[\W\d]*$|\d{{1,2}}[/.]\d{{1,2}}"
)


class NamedBrand(NamedTuple):
    """A name marked as a brand."""

    words: str
    quote: Snippet
    element: Element


def find_brands(views: PageViews, places: Places) -> list[NamedBrand]:
    """Find short texts of the page's own part that are marked as a brand, else pictures."""
    found: list[NamedBrand] = []
    for element in places.layout.outline.shown:
        given = element.attributes
        if not given or not 2 <= element.end - element.start <= _MAX_NAME:
            continue
        # Every element of the page comes here: no helper is called for most of them.
        if not (
            ((written := given.get("class")) and _is_brandish(written))
            or ((written := given.get("id")) and _is_brandish(written))
            or ((written := given.get("itemprop")) and _is_brandish(written))
            or (element.tag == "a" and (written := given.get("href")) and _is_brandish(written))
        ):
            continue
        if not _is_marked(element, places) or places.kind(element) is not RegionKind.OWN:
            continue
        words = views.text[element.start : element.end]
        if "\n" in words or "\t" in words or _NO_NAME.search(words):
            continue
        found.append(NamedBrand(words, snippet(views, ViewName.TEXT, *element.span), element))
        if len(found) >= _MAX_FOUND:
            break
    return found or _pictured(views, places)


def _pictured(views: PageViews, places: Places) -> list[NamedBrand]:
    """Pictures in the markup or the link of a brand, by their alternative text."""
    found: list[NamedBrand] = []
    for picture in places.layout.outline.tagged("img"):
        words = " ".join((picture.get("alt") or picture.get("title")).split())
        if not 1 < len(words) <= _MAX_NAME or _NO_NAME.search(words):
            continue
        around = [each for each in (picture, *islice(picture.ancestors(), 2)) if each.attributes]
        if not any(_is_marked(each, places) for each in around):
            continue
        at = views.source.find(f'"{words}"') + 1
        if at > 0 and places.kind(picture) is RegionKind.OWN:
            quote = snippet(views, ViewName.SOURCE, at, at + len(words), Encoding.HTML)
            found.append(NamedBrand(words, quote, picture))
            if len(found) >= _MAX_FOUND:
                break
    return found


@lru_cache(maxsize=8192)
def _is_brandish(written: str) -> bool:
    """True when a class, an id or an address may name a brand; cached, as pages share them."""
    return _BRANDISH.search(written.lower()) is not None


def _is_marked(element: Element, places: Places) -> bool:
    if any(_is_brandish(element.get(name)) for name in _NAMED):
        return not BRAND_HINTS.isdisjoint(places.tokens(element))
    address = element.get("href").partition("?")[0].lower()[-120:]
    return not BRAND_HINTS.isdisjoint(_ADDRESS.findall(address))
