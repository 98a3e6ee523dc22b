"""What a page says, without what surrounds it: pages of the same substance need not be read twice.

The substance is what a reader or an extractor could take a value from: the words of the page, its
structured data, values in attributes, and keys of page state that say what they hold. Left out is
what changes while the page says the same: navigation, menus, related products, scripts, tokens,
counters of visitors, clocks. Where it is unsure whether something is a value, it counts: a page
that is read in vain costs time, a change that is overlooked costs trust.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b

from specfactory.proof.substance_masks import without_counters
from specfactory.proof.text import Element, Outline
from specfactory.proof.views import PageViews

VERSION = "s1"
_Span = tuple[int, int]

_REGIONS = {"nav": "nav", "footer": "footer", "header": "menu", "aside": "menu"}
_ROLES = {"navigation": "nav", "contentinfo": "footer", "banner": "menu", "complementary": "menu"}
_CONTENT = frozenset(("main", "article"))
_HOLDS_VALUES = frozenset(("h1", "table", "dl", "form", "main"))
_RELATED = re.compile(
    r"(?i)\brelated|recommend|\bsimilar|also[-_ ]?(?:bought|viewed|like)|you[-_ ]?may|up-?sell"
    r"|cross-?sell|recently[-_ ]?viewed|customers[-_ ]?also|more[-_ ]?like[-_ ]?this"
)
_LEAST_RELATED = 2  # other pages that a block of related products leads to
_MOST_RELATED = 0.5  # of the words of the page
_DIGIT = re.compile(r"\d")
_COPYRIGHT = re.compile(r"(?i)©|\(c\)|\bcopyright\b")
_LETTER = re.compile(r"[^\n]")
_SPACE = re.compile(r"\s+")
_SAID = ("alt", "title", "aria-label", "datetime")  # attributes that are read like words
_KEYS = (
    r"[a-z_]*price[a-z_]*|price_?amount|currency(?:_?code)?|availability(?:_?status)?"
    r"|[a-z_]*stock[a-z_]*|[a-z_]*sku|article_?number|mpn|manufacturer_?part_?number|gtin\d*|ean\d*"
    r"|upc|barcode|isbn\d*|brand(?:_?name)?|manufacturer|[a-z_]*rating[a-z_]*|review_?count|weight"
    r"|latitude|lat|longitude|lng|lon|long|addresslocality|city(?:name)?|locality|town"
    r"|addressregion|region(?:name)?|state(?:code)?|province|county|post(?:al)?_?code|zip(?:code)?"
    r"|street(?:address|name|line)?|displayaddress|addressline1|[a-z]*bed(?:room)?s?(?:count)?"
    r"|[a-z]*bath(?:room)?s?(?:total|count)?|year_?built|constructionyear|buildyear|addresscountry"
    r"|countrycode|additionaltype|(?:property|home)_?(?:sub)?type|(?:numberof)?rooms?(?:count)?"
    r"|[a-z_]*publish[a-z_]*|date_?(?:modified|created)"
)
_KEY = re.compile(_KEYS)
_PAIR = re.compile(r"""["'](\w{2,40})\\?["']\s{0,3}:\s{0,3}\\?["']?([^"'\\,}\]\[{<]{1,80})""")
_VALUE_NAME = re.compile(
    r"(?i)price|amount|currency|sku|gtin|ean|mpn|isbn|brand|rating|stock|avail|weight|value"
)
_MAX_SOURCE = 3_000_000
_MAX_PAIRS = 5_000


def substance_hash(views: PageViews) -> str:
    """A short name of what the page says; empty for pages that are not markup.

    Two pages of one name say the same. It begins with a version: only equal versions compare.
    """
    if not views.text:
        return ""
    digest = blake2b(digest_size=16)
    for part in _parts(views):
        digest.update(part.encode("utf-8", "surrogatepass") + b"\x00")
    return f"{VERSION}:{digest.hexdigest()}"


def _parts(views: PageViews) -> Iterator[str]:
    surroundings = _Surroundings(views.outline)
    yield views.title
    yield from _lines(surroundings.kept_text())
    yield from surroundings.kept_attributes()
    for item in views.items:
        yield f"{item.syntax} {item.type} {item.main}"
        yield from (f"{one.path}={one.words}" for one in item.properties)
    yield from sorted({f"{pair[1]}:{pair[2].strip()}" for pair in _pairs(views.source)})


def _lines(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        words = _SPACE.sub(" ", line).strip()
        if words:
            yield without_counters(words)


def _pairs(source: str) -> Iterator[re.Match[str]]:
    found = _PAIR.finditer(source, 0, _MAX_SOURCE)
    named = (pair for pair in found if _says_what(pair[1]))
    return itertools.islice(named, _MAX_PAIRS)


@lru_cache(maxsize=4096)
def _says_what(key: str) -> bool:
    """Whether a key of page state says by itself what it holds."""
    return _KEY.fullmatch(key.lower()) is not None


class _Surroundings:
    """What stands around the substance of a page, found by its markup."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._left_out: set[int] = set()  # elements whose attributes say nothing of the page
        self._cuts: list[_Span] = []
        content: set[int] = set()  # elements within the page's own content
        for element in outline.elements:
            above = element.parent.index if element.parent is not None else -1
            if above in content or element.tag in _CONTENT or element.get("role") == "main":
                content.add(element.index)
            if above in self._left_out:
                self._left_out.add(element.index)
            elif kind := self._kind(element, within=element.index in content):
                self._leave_out(element, kind)

    def kept_text(self) -> str:
        """The words of the page without what was left out."""
        text, at, kept = self._outline.text, 0, list[str]()
        for start, end in sorted(self._cuts):
            if start > at:
                kept.append(text[at:start])
            at = max(at, end)
        return "\n".join([*kept, text[at:]])

    def kept_attributes(self) -> Iterator[str]:
        """Attributes that are read like words, or whose name says that they hold a value."""
        for element in self._outline.elements:
            if element.attributes and element.index not in self._left_out:
                yield from _said(element)

    def _kind(self, element: Element, *, within: bool) -> str:
        """Which kind of surroundings an element is; empty for none."""
        kind = _REGIONS.get(element.tag, "")
        if not kind and element.attributes:
            kind = _ROLES.get(element.get("role"), "")
        if kind == "nav" and _is_trail(element):
            return ""
        if kind and not (within and kind != "nav"):
            return kind
        return "related" if element.attributes and self._is_related(element) else ""

    def _is_related(self, element: Element) -> bool:
        """A block that calls itself related, leads to several pages, and holds no table."""
        if not element.has_words or not _RELATED.search(element.hints):
            return False
        if element.end - element.start > _MOST_RELATED * len(self._outline.text):
            return False
        below = list(element.descendants())
        if any(each.tag in _HOLDS_VALUES for each in below):
            return False
        leads = {each.get("href").partition("#")[0] for each in below if each.tag == "a"}
        return len(leads - {""}) >= _LEAST_RELATED

    def _leave_out(self, element: Element, kind: str) -> None:
        if kind != "menu":
            self._left_out.add(element.index)
        if not element.has_words:
            return
        if kind == "related":
            self._cuts.append(element.span)
        elif kind == "menu":
            self._cuts += _menu_entries(element, self._outline)
        else:
            self._cuts += self._plain_lines(element, links=kind == "nav")

    def _plain_lines(self, element: Element, *, links: bool) -> Iterator[_Span]:
        """The lines of a region with neither a number nor a label: no value is said there.

        In navigation the links go whatever they say.
        """
        words, at = self._outline.words(element), element.start
        if links:
            own = [
                each.span for each in element.descendants() if each.tag == "a" and each.has_words
            ]
            yield from own
            words = _blanked(words, at, own)
        before = ""
        for line in words.split("\n"):
            labelled = ":" in line or before.rstrip().endswith(":")
            if not (labelled or _DIGIT.search(line)) or _COPYRIGHT.search(line):
                yield at, at + len(line)
            at += len(line) + 1
            before = line


def _menu_entries(element: Element, outline: Outline) -> Iterator[_Span]:
    """Entries of lists that are nothing but a link, without a number in it."""
    entries = (each for each in element.descendants() if each.tag == "li" and each.has_words)
    for entry in entries:
        links = (each for each in entry.descendants() if each.tag == "a")
        is_link = any(link.span == entry.span for link in links)
        if is_link and not _DIGIT.search(outline.words(entry)):
            yield entry.span


def _blanked(words: str, at: int, spans: Iterable[_Span]) -> str:
    """Words that begin at a place of the text, with these stretches blank, line by line."""
    parts, done = list[str](), 0
    for start, end in spans:
        if start - at >= done:
            parts += [words[done : start - at], _LETTER.sub(" ", words[start - at : end - at])]
            done = end - at
    return "".join([*parts, words[done:]])


def _said(element: Element) -> Iterator[str]:
    given = element.attributes
    for name in _SAID:
        if words := given.get(name):
            yield f"{name}={without_counters(_SPACE.sub(' ', words).strip())}"
    for name, words in given.items():
        if name.startswith("data-") and words and _VALUE_NAME.search(name):
            yield f"{name}={words}"
    if element.tag in ("input", "meter", "progress", "data") and given.get("value"):
        called = given.get("name") or given.get("id") or ""
        if given.get("type") != "hidden" or _VALUE_NAME.search(called):
            yield f"{called}={given['value']}"


def _is_trail(element: Element) -> bool:
    """Breadcrumbs say to which section the page belongs."""
    words = f"{element.hints} {element.get('aria-label')}" if element.attributes else ""
    return "breadcrumb" in words.lower()
