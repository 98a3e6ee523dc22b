"""The substance of a page: pages of equal substance need not be read twice.

The substance is what a reader or an extractor could take a value from: the words of the page, its
structured data, values in attributes, and keys of page state that say what they hold. Left out is
what changes while the page says the same: navigation, menus, related products, scripts, tokens,
visitor counters, clocks. In doubt something counts as a value: reading a page needlessly costs
time, overlooking a change costs trust.
"""

import itertools
import re
from collections.abc import Iterator
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
_LEAST_RELATED = 2  # minimum of other pages that a block of related products links to
_MOST_RELATED = 0.5  # maximum share of the words of the page
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
    """A hash of what the page says; empty for pages that are not markup.

    Pages of equal hash say the same. It begins with a version: only equal versions compare.
    """
    if not views.text:
        return ""
    surroundings = _Surroundings(views.outline)
    parts = [views.title]
    for line in surroundings.kept_text().split("\n"):
        if words := _SPACE.sub(" ", line).strip():
            parts.append(without_counters(words))
    parts += surroundings.kept_attributes()
    for item in views.items:
        parts.append(f"{item.syntax} {item.type} {item.main}")
        parts += [f"{one.path}={one.words}" for one in item.properties]
    pairs = (pair for pair in _PAIR.finditer(views.source, 0, _MAX_SOURCE) if _says_what(pair[1]))
    state = itertools.islice(pairs, _MAX_PAIRS)
    parts += sorted({f"{pair[1]}:{pair[2].strip()}" for pair in state})
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass") + b"\x00")
    return f"{VERSION}:{digest.hexdigest()}"


@lru_cache(maxsize=4096)
def _says_what(key: str) -> bool:
    """True for a key of page state that says what it holds."""
    return _KEY.fullmatch(key.lower()) is not None


class _Surroundings:
    """The surroundings of a page's substance, found by its markup."""

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
        """The words of the page without the surroundings."""
        text, at, kept = self._outline.text, 0, list[str]()
        for start, end in sorted(self._cuts):
            if start > at:
                kept.append(text[at:start])
            at = max(at, end)
        return "\n".join([*kept, text[at:]])

    def kept_attributes(self) -> Iterator[str]:
        """Attributes that are read like words, or whose name says that they hold a value."""
        for element in self._outline.elements:
            given = element.attributes
            if not given or element.index in self._left_out:
                continue
            for name in _SAID:
                if words := given.get(name):
                    yield f"{name}={without_counters(_SPACE.sub(' ', words).strip())}"
            for name, written in given.items():
                if name.startswith("data-") and written and _VALUE_NAME.search(name):
                    yield f"{name}={written}"
            if element.tag in ("input", "meter", "progress", "data") and given.get("value"):
                called = given.get("name") or given.get("id") or ""
                if given.get("type") != "hidden" or _VALUE_NAME.search(called):
                    yield f"{called}={given['value']}"

    def _kind(self, element: Element, *, within: bool) -> str:
        """The kind of surroundings that an element is; empty for none."""
        kind = _REGIONS.get(element.tag, "")
        if not element.attributes:
            return "" if within and kind != "nav" else kind
        kind = kind or _ROLES.get(element.get("role"), "")
        if kind == "nav":  # breadcrumbs say to which section the page belongs
            words = f"{element.hints} {element.get('aria-label')}"
            return "" if "breadcrumb" in words.lower() else kind
        if kind and not within:
            return kind
        return "related" if self._is_related(element) else ""

    def _is_related(self, element: Element) -> bool:
        """True for a block that calls itself related, links to several pages and holds no table."""
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
        elif kind != "menu":
            self._cuts += self._plain_lines(element, links=kind == "nav")
        else:  # list entries that are nothing but a link, without a number in it
            for entry in element.descendants():
                if entry.tag != "li" or not entry.has_words:
                    continue
                links = (each for each in entry.descendants() if each.tag == "a")
                is_link = any(link.span == entry.span for link in links)
                if is_link and not _DIGIT.search(self._outline.words(entry)):
                    self._cuts.append(entry.span)

    def _plain_lines(self, element: Element, *, links: bool) -> Iterator[_Span]:
        """The lines of a region with neither a number nor a label: they hold no value.

        In navigation links are left out whatever they say.
        """
        words, at = self._outline.words(element), element.start
        if links:
            parts, done = list[str](), 0  # the same words with the links blank, line by line
            for each in element.descendants():
                if each.tag != "a" or not each.has_words:
                    continue
                yield each.span
                start, end = each.start - at, each.end - at
                if start >= done:
                    parts += [words[done:start], _LETTER.sub(" ", words[start:end])]
                    done = end
            words = "".join([*parts, words[done:]])
        before = ""
        for line in words.split("\n"):
            labelled = ":" in line or before.rstrip().endswith(":")
            if not (labelled or _DIGIT.search(line)) or _COPYRIGHT.search(line):
                yield at, at + len(line)
            at += len(line) + 1
            before = line
