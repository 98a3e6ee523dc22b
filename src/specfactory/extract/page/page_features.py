"""Features of a page that tell its type: structured data, address, markup, words and shape."""

import re
from collections import Counter, defaultdict
from functools import cache, lru_cache
from math import log1p
from urllib.parse import urlsplit

from specfactory.contract.values import ANY_PRICE
from specfactory.extract.lists import RecordList
from specfactory.proof import Element, PageViews
from specfactory.word_lists import read_patterns

TYPES = ("article", "product", "listing", "collection", "forum", "documentation", "service")
PLACES = ("url", "host", "title", "class", "text")  # that have words for each type
_MAX_TEXT = 15_000  # characters whose words are looked at
_MAX_NAMES = 1_000  # different classes and ids of a page
_MAX_NAME = 200
_PROSE = 120  # characters of a paragraph
_NEAR = 800  # characters between a heading and its price
_TAGS = ("code", "pre", "time", "article", "blockquote")
_HEADINGS = ("h2", "h3", "h4")
_OPEN_GRAPH = ("article", "product", "website")
_SCHEMA = {
    "Product": "product", "ProductGroup": "product", "Offer": "offer", "AggregateOffer": "offer",
    "Article": "article", "NewsArticle": "article", "BlogPosting": "article",
    "ReportageNewsArticle": "article", "TechArticle": "tech", "DiscussionForumPosting": "forum",
    "QAPage": "forum", "Question": "question", "Answer": "forum", "CollectionPage": "collection",
    "ItemList": "list", "SearchResultsPage": "list", "OfferCatalog": "list", "FAQPage": "faq",
    "LocalBusiness": "business", "Service": "business", "ProfessionalService": "business",
    "SoftwareApplication": "business", "Event": "event", "JobPosting": "event",
}  # fmt: skip
_FIRST_PERSON = re.compile(r"\b(?:i|my|i'm|i've|me)\b")
_LONG_NUMBER = re.compile(r"\d{4,}")
_EDGES = {
    "url": r"(?<![^/._?=-])(?:{})(?![^/._?=&-])",
    "class": r"(?<![^\s_-])(?:{})(?![^\s_-])",
    "title": r"(?<!\w)(?:{})(?!\w)",
    "text": r"(?<!\w)(?:{})(?!\w)",
}

Found = defaultdict[str, float]


def page_features(views: PageViews, listed: RecordList | None) -> dict[str, float]:
    """Numbers between 0 and about 8, by their names; what is 0 is left out."""
    found: Found = defaultdict(float)
    _declared(views, found)
    _address(views, found)
    _names(views, found)
    _words(views, found)
    _shape(views, found)
    _records(views, listed, found)
    return {name: float(number) for name, number in found.items() if number}


@cache
def _pattern(place: str, kind: str) -> re.Pattern[str]:
    lists = read_patterns("extract/page/data/page_types.txt")
    return re.compile(_EDGES[place].format(lists[f"{place} {kind}"]))


def _declared(views: PageViews, found: Found) -> None:
    """Types of structured data, the page's own apart, and of its OpenGraph."""
    for item in views.items:
        if kind := _SCHEMA.get(item.type):
            found[f"schema {kind}"] = 1
            if item.main:
                found[f"main {kind}"] = 1
        if item.syntax == "meta":
            for kind in _OPEN_GRAPH:
                found[f"og {kind}"] = kind in item.type.lower()


def _address(views: PageViews, found: Found) -> None:
    try:
        parts = urlsplit(views.page.final_url or views.page.url)
    except ValueError:
        return
    steps = [step for step in parts.path.split("/") if step]
    whole = f"{parts.netloc.removeprefix('www.')}{parts.path}?{parts.query}".lower()
    for kind in TYPES:
        found[f"url {kind}"] = _pattern("url", kind).search(whole) is not None
        found[f"host {kind}"] = _pattern("url", kind).search(whole.split(".")[0]) is not None
    last = steps[-1] if steps else ""
    found["url home"] = not steps
    found["url depth"] = log1p(len(steps))
    found["url slug"] = log1p(last.count("-") + last.count("_"))
    found["url number"] = _LONG_NUMBER.search(last) is not None


def _names(views: PageViews, found: Found) -> None:
    """Words of classes and ids: each different name is looked at once."""
    names = Counter(
        (given.get("class") or given.get("id") or "")[:_MAX_NAME]
        for element in views.outline.elements
        if (given := element.attributes)
    )
    for name, count in names.most_common(_MAX_NAMES):
        for kind in _kinds_named(name):
            found[f"class {kind}"] += count
    for kind in TYPES:
        found[f"class {kind}"] = log1p(found[f"class {kind}"])


@lru_cache(maxsize=16_384)
def _kinds_named(name: str) -> tuple[str, ...]:
    name = name.lower()
    return tuple(kind for kind in TYPES if _pattern("class", kind).search(name))


def _words(views: PageViews, found: Found) -> None:
    text = views.text[:_MAX_TEXT]
    lower = text.lower()
    title = f"{views.h1} | {views.title}".lower()
    for kind in TYPES:
        found[f"title {kind}"] = _pattern("title", kind).search(title) is not None
        found[f"text {kind}"] = log1p(sum(1 for _ in _pattern("text", kind).finditer(lower)))
    found["prices"] = log1p(sum(1 for _ in ANY_PRICE.finditer(text)))
    found["first person"] = log1p(sum(1 for _ in _FIRST_PERSON.finditer(lower)))


def _shape(views: PageViews, found: Found) -> None:
    outline = views.outline
    size = max(len(outline.text), 1)
    linked = sum(link.end - link.start for link in outline.tagged("a") if link.has_words)
    prose = [p.end - p.start for p in outline.tagged("p") if p.end - p.start >= _PROSE]
    headings = [head for head in outline.tagged(*_HEADINGS) if head.has_words]
    heads_linked = sum(map(_is_linked, headings))
    found["share linked"] = 3 * min(linked / size, 1)
    found["share prose"] = 3 * min(sum(prose) / size, 1)
    found["paragraphs"] = log1p(len(prose))
    found["headings"] = log1p(len(headings) - heads_linked)
    found["headings linked"] = log1p(heads_linked)
    for tag in _TAGS:
        found[f"tag {tag}"] = log1p(len(outline.tagged(tag)))


def _is_linked(heading: Element) -> bool:
    """True when a heading is a link, holds one, or stands in one."""
    if heading.parent is not None and heading.parent.tag == "a":
        return True
    below = (heading, *heading.children)
    return any(inner.tag == "a" for one in below for inner in one.children)


def _records(views: PageViews, listed: RecordList | None, found: Found) -> None:
    """The main list of the page, and whether its own heading comes before it, with a price."""
    h1 = next((one for one in views.outline.tagged("h1") if one.has_words), None)
    if h1 is not None:
        found["price at h1"] = ANY_PRICE.search(views.text, h1.end, h1.end + _NEAR) is not None
    if listed is None:
        return
    wholes = [record.whole for record in listed.records]
    priced = sum(record.price is not None for record in listed.records)
    words = sum(whole.end - whole.start for whole in wholes)
    found["records"] = log1p(len(wholes))
    found["records priced"] = log1p(priced)
    found["records share priced"] = 2 * priced / len(wholes)
    found["records share"] = 3 * min(words / max(len(views.text), 1), 1)
    found["records after h1"] = h1 is not None and wholes[0].start > h1.start
