"""Brand names that markup or a link marks as such, and the codes of a page's address that stand
on the page too: shops number their products by them.
"""

import re
from functools import lru_cache
from itertools import islice
from urllib.parse import unquote, urlsplit

from specfactory.contract.values import SIGN_CHARACTERS
from specfactory.extract.page import RegionKind
from specfactory.extract.unlabelled.places import Places
from specfactory.extract.unlabelled.shop_words import HINTS
from specfactory.model import Encoding, Snippet, ViewName
from specfactory.proof import Element, PageViews, snippet

_HINTS = HINTS["brand"]
_MAX_NAME = 40
_MAX_FOUND = 12
_ADDRESS = re.compile(r"[^\W\d_]+")
_NAMED = ("class", "id", "itemprop")
# Searched first: few elements have any of these, and splitting class names takes longer.
_BRANDISH = re.compile("|".join(sorted({word[:5] for word in _HINTS})))
_NO_NAME = re.compile(
    rf"[:?：%{SIGN_CHARACTERS}]\s*$|^[\W\d]*[^\W\d_]?[\W\d]*$|\d{{1,2}}[/.]\d{{1,2}}"
)
_CODE = re.compile(r"[A-Za-z0-9]{4,40}")
_MIXED = re.compile(r"(?<!\d)\d{5,}(?!\d)")
_ENDING = re.compile(r"\.[a-z]{2,5}$")
_MAX_CODES = 8
_MIN_DIGITS = 3
_QUERY = re.compile(r"(?:^|&)([\w.-]{1,30})=([A-Za-z0-9_.-]{4,40})(?=&|$)")
_QUERY_NAMES = re.compile(
    r"(?:^|[_.-]|(?<=[a-z]))(?:id|sku|pid|item|product|article|art|offer|code|ref|uid|prod|no|"
    r"num|nr|number|asin|model|variant)(?:id|no|nr|num|number|code)?$",
    re.I,
)


def find_brands(views: PageViews, places: Places) -> list[tuple[Snippet, Element]]:
    """Find short texts of the page's own part that are marked as a brand, else pictures."""
    found: list[tuple[Snippet, Element]] = []
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
        found.append((snippet(views, ViewName.TEXT, *element.span), element))
        if len(found) >= _MAX_FOUND:
            break
    return found or _pictured(views, places)


def _pictured(views: PageViews, places: Places) -> list[tuple[Snippet, Element]]:
    """Pictures in the markup or the link of a brand, by their alternative text."""
    found: list[tuple[Snippet, Element]] = []
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
            found.append((quote, picture))
            if len(found) >= _MAX_FOUND:
                break
    return found


@lru_cache(maxsize=8192)
def _is_brandish(written: str) -> bool:
    """True when a class, an id or an address may name a brand; cached, as pages share them."""
    return _BRANDISH.search(written.lower()) is not None


def _is_marked(element: Element, places: Places) -> bool:
    if any(_is_brandish(element.get(name)) for name in _NAMED):
        return not _HINTS.isdisjoint(places.tokens(element))
    address = element.get("href").partition("?")[0].lower()[-120:]
    return not _HINTS.isdisjoint(_ADDRESS.findall(address))


def find_codes(views: PageViews) -> list[tuple[str, Snippet]]:
    """The codes of the page's address that stand on the page, the last first, each with where
    it stands in the address: url_end, url_path or url_query.
    """
    found: dict[str, tuple[str, Snippet]] = {}
    texts = ((ViewName.TEXT, views.text), (ViewName.SOURCE, views.source))
    for words, place in _codes_of_address(views):
        for view, text in texts if words not in found and len(found) < _MAX_CODES else ():
            at = text.find(words)
            # Where it stands as a word of its own: in the visible text, else in the source.
            while at >= 0 and (
                text[at - 1 : at].isalnum() or text[at + len(words) : at + len(words) + 1].isalnum()
            ):
                at = text.find(words, at + len(words))
            if at >= 0:
                found[words] = place, snippet(views, view, at, at + len(words))
                break
    return list(found.values())


def _codes_of_address(views: PageViews) -> list[tuple[str, str]]:
    codes: list[tuple[str, str]] = []
    address = views.page.final_url or views.page.url
    for url in dict.fromkeys((address, views.canonical_url)):
        try:
            parts = urlsplit(url)
        except ValueError:
            continue
        segments = [part for part in unquote(parts.path).rstrip("/").split("/") if part]
        for from_end, segment in enumerate(reversed(segments)):
            place = "url_end" if from_end == 0 else "url_path"
            # The code that closes or opens a segment is likelier the product's.
            found = list(_CODE.finditer(_ENDING.sub("", segment)))
            for at, match in enumerate(reversed(found)):
                token = match[0]
                if _is_code(token):
                    codes.append((token, place if at == 0 or match.start() == 0 else "url_path"))
                    if not token.isdigit():
                        codes += [(run, "url_path") for run in _MIXED.findall(token)]
        for name, value in _QUERY.findall(parts.query[:600]):
            if _QUERY_NAMES.search(name) and _is_code(value):
                codes.append((value, "url_query"))
    return codes


def _is_code(token: str) -> bool:
    digits = sum(character.isdigit() for character in token)
    return digits >= _MIN_DIGITS and 2 * digits >= len(token)
