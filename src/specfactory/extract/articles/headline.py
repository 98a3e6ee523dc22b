"""Headline of a page: the name of what it is about, without the site's name.

Structured data, headings and the page's title propose texts; equal texts form one group.
"""

import html
import re

from msgspec import Struct, field

from specfactory.contract.text import clean
from specfactory.extract.learned import Features, propose_likeliest
from specfactory.extract.page import Proposal
from specfactory.model import Encoding, Snippet, ViewName
from specfactory.proof import Element, PageViews, reading, snippet

_MAX_CHARACTERS = 300
_MAX_HEADINGS = 60
_MAX_PARTS = 6
_HEADINGS = frozenset(("h1", "h2", "h3", "h4"))
_ASIDE = frozenset(("nav", "footer", "aside"))
# Spelled out, because the re module has no literal prefix to search for under IGNORECASE.
_T = "[tT][iI][tT][lL][eE]"
_TITLE_TAG = re.compile(rf"<{_T}\b[^<>]{{0,200}}>([^<]{{1,2000}})</{_T}")
_SEPARATOR = re.compile(
    r"\s+(?:[|\-–—·•»«›‹:/~<>⋆*+]|::|--|\|\|)\s+|\s*[|»›_｜–—]\s*|(?<=[^\d\s]):\s+"
)
_CHINESE_DASH = re.compile(r"(?<=[\u3040-\u9fff\uac00-\ud7af])\s*[-_|]\s*")
_TITLE_HINT = re.compile(r"title|headline|heading|titre|titulo|titel|überschrift")
_EDGES = " \t\n:|-–—"
_WORD = re.compile(r"[^\W_]+")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});|[\s\S]")
_LONG = 18  # words
_MAIN_KINDS = ("h1", "og", "item")
_PAIRS = (("h1", "og"), ("h1", "item"), ("h1", "title"), ("og", "item"), ("h2", "og"),
          ("h2", "title"))  # fmt: skip
_SHOWN_FIRST = ("h1", "h1_part", "h2", "h3", "h4", "item", "og")


class _Group(Struct):
    """All places of a page that show the same words."""

    words: str
    places: dict[str, Snippet] = field(default_factory=dict)  # the first place of each kind
    seen: Features = field(default_factory=dict)

    def has_kind(self, kind: str) -> bool:
        return any(name == kind or name.startswith(f"{kind}_") for name in self.places)


class _Gathered:
    """Proposals of one page, grouped by their folded words."""

    def __init__(self, views: PageViews) -> None:
        self.views = views
        self.groups: dict[str, _Group] = {}
        self.site = site_names(views)

    def add(self, kind: str, place: Snippet, **seen: float) -> None:
        words = clean(reading(place))
        key = folded(words)
        if not key or len(words) > _MAX_CHARACTERS:
            return
        group = self.groups.setdefault(key, _Group(words))
        group.places.setdefault(kind, place)
        group.seen[kind] = 1.0
        for name, amount in seen.items():
            group.seen[name] = max(amount, group.seen.get(name, 0.0))

    def add_shown(self, kind: str, span: tuple[int, int], **seen: float) -> None:
        if 0 < span[1] - span[0] <= _MAX_CHARACTERS:
            self.add(kind, snippet(self.views, ViewName.TEXT, *span), **seen)

    def is_site(self, key: str) -> bool:
        return key.replace(" ", "") in self.site


def find_headline(views: PageViews) -> list[Proposal]:
    """Propose headlines, likeliest first; empty when the page has no words."""
    found = []
    for group in headline_groups(views):
        # Quote a place that a person can read, where there is one.
        kind = next((k for k in _SHOWN_FIRST if k in group.places), next(iter(group.places)))
        found.append((group.seen, (group.places[kind],)))
    return propose_likeliest("headline", found)


def headline_groups(views: PageViews) -> list[_Group]:
    """Collect all proposals with their features."""
    gathered = _Gathered(views)
    for item in views.items:
        meta = item.syntax == "meta"
        for named in item.properties:
            if named.path not in ("headline", "name", "alternativeHeadline"):
                continue
            if item.main and named.path != "alternativeHeadline":
                gathered.add("og" if meta else f"item_{named.path}", named.snippet, item=not meta)
                if meta:
                    _add_parts(gathered, "og", named.snippet)
            elif item.type == "WebPage":
                gathered.add("web_page", named.snippet)
            elif item.is_subject or named.path == "alternativeHeadline":
                gathered.add("other_item", named.snippet)
    title = _TITLE_TAG.search(views.source)
    if title is not None and (words := title[1].strip()):
        start = title.start(1) + title[1].index(words)
        place = snippet(views, ViewName.SOURCE, start, start + len(words), Encoding.HTML)
        gathered.add("title", place)
        _add_parts(gathered, "title", place)
    _add_headings(gathered)
    _compare(gathered)
    return list(gathered.groups.values())


def headline_place(views: PageViews) -> tuple[str, tuple[int, int] | None]:
    """Folded words of the likeliest headline, and its span in the text view if it is shown.

    The span is that of the first shown one of the three likeliest.
    """
    found = find_headline(views)[:3]
    words = folded(reading(found[0].values[0])) if found else ""
    shown = (one.values[0] for one in found if one.values[0].view is ViewName.TEXT)
    return words, next(((place.start, place.end) for place in shown), None)


def folded(words: str) -> str:
    """Fold words for comparison: letters and digits only, lower case."""
    return " ".join(_WORD.findall(words.casefold()))


def _add_parts(gathered: _Gathered, kind: str, place: Snippet) -> None:
    """Propose the part of a title before, and the part after, each of its separators."""
    words, starts = place.quote, list(range(len(place.quote) + 1))
    if place.encoding is Encoding.HTML:  # decoded, with the offset at which each character begins
        found = [(c, m.start()) for m in _ENTITY.finditer(words) for c in html.unescape(m[0])]
        words, starts = "".join(c for c, _ in found), [*(at for _, at in found), len(words)]
    cuts = [found.span() for found in _SEPARATOR.finditer(words)]
    cuts += [found.span() for found in _CHINESE_DASH.finditer(words)]
    for left, right in sorted(set(cuts))[:_MAX_PARTS]:
        for start, end, rest in ((0, left, words[right:]), (right, len(words), words[:left])):
            if words[start:end].strip():
                quote = place.quote[starts[start] : starts[end]]
                kept = quote.strip()
                begin = place.start + starts[start] + len(quote) - len(quote.lstrip())
                part = Snippet(
                    place.page_id, place.view, place.view_version, begin, begin + len(kept), kept,
                    place.encoding,
                )  # fmt: skip
                site = gathered.is_site(folded(rest))
                name = f"{kind}_start" if start == 0 else f"{kind}_end"
                gathered.add(name, part, **{f"{kind}_part": 1.0, "rest_is_site": float(site)})


def _add_headings(gathered: _Gathered) -> None:
    outline = gathered.views.outline
    named = [
        element
        for element in outline.marked("itemprop")
        if element.tag not in _HEADINGS and "headline" in element.get("itemprop")
    ]
    some = [*outline.tagged(*_HEADINGS), *named]
    if named:
        some.sort(key=lambda element: element.index)
    headings = [e for e in some if 0 < e.end - e.start <= _MAX_CHARACTERS][:_MAX_HEADINGS]
    ones = [e for e in headings if e.tag == "h1"]
    for at, heading in enumerate(headings):
        tag = heading.tag if heading.tag in _HEADINGS else "marked"
        seen = _heading_seen(heading, at, ones)
        gathered.add_shown(tag, heading.span, **seen)
        parts = [child for child in heading.children if child.has_words]
        if tag in ("h1", "h2") and parts and parts[0].span != heading.span:
            for part in parts[:4]:
                last = float(part is parts[-1])
                gathered.add_shown(f"{tag}_part", part.span, last_part=last, **seen)
            # The headline may also be what is left before the first or after the last part.
            for start, end in ((heading.start, parts[0].start), (parts[-1].end, heading.end)):
                words = gathered.views.text[start:end]
                if kept := words.strip(_EDGES):
                    begin = start + words.index(kept)
                    gathered.add_shown(f"{tag}_rest", (begin, begin + len(kept)))


def _heading_seen(heading: Element, at: int, ones: list[Element]) -> Features:
    seen: Features = {}
    if heading.tag == "h1":
        seen["only_h1"] = float(len(ones) == 1)
        seen["first_h1"] = float(heading is ones[0])
    elif not ones:
        seen["no_h1"] = 1.0
    seen["first"] = float(at == 0)
    seen["hinted"] = float(bool(_TITLE_HINT.search(heading.hints.lower())))
    seen["itemprop"] = float(heading.get("itemprop") in ("headline", "name"))
    seen["hidden"] = float(heading.hidden)
    for element in heading.ancestors():
        if element.tag in _ASIDE:
            seen["aside"] = 1.0
        elif element.tag in ("article", "main"):
            seen["in_article"] = 1.0
        elif element.tag == "header":
            seen["in_header"] = 1.0
        elif element.tag == "a":
            seen["linked"] = 1.0
    if any(below.tag == "a" for below in heading.children):
        seen["linked"] = 1.0
    return seen


def _compare(gathered: _Gathered) -> None:
    """Compare each proposal with the page's title, its address and the site's name."""
    title = frozenset(folded(gathered.views.title).split())
    place = gathered.views.page.url.partition("://")[2].casefold().partition("?")[0]
    address = frozenset(_WORD.findall(place))
    host, *sections = place.rstrip("/").split("/")
    slug = frozenset(_WORD.findall(sections.pop())) if sections else frozenset()
    above = {folded(section).replace(" ", "") for section in sections}
    hosts = frozenset(_WORD.findall(host))
    present = {
        kind: any(g.has_kind(kind) for g in gathered.groups.values()) for kind in _MAIN_KINDS
    }
    for key, group in gathered.groups.items():
        words, seen = frozenset(key.split()), group.seen
        common = len(words & title)
        seen["in_title"] = common / len(words)
        seen["of_title"] = common / len(title) if title else 0.0
        seen["in_address"] = len(words & address) / len(words)
        seen["is_site"] = float(gathered.is_site(key))
        seen["in_slug"] = len(words & slug) / len(words)
        seen["is_section"] = float(key.replace(" ", "") in above)
        seen["in_host"] = float(words <= hosts)
        seen["long"] = float(len(words) > _LONG)
        for kind, is_present in present.items():
            seen[f"{kind}_says_other"] = float(is_present and not group.has_kind(kind))
        for one, other in _PAIRS:
            if group.has_kind(one) and group.has_kind(other):
                seen[f"{one}_and_{other}"] = 1.0
        seen["short"] = float(len(words) <= 2)
        seen["agreeing"] = float(len(group.places) - 1)


def site_names(views: PageViews) -> frozenset[str]:
    """Names of the site without spaces: from meta tags, its publisher and its host."""
    names = {name for item in views.items for name in item.all("publisher.name")}
    names |= {item.name for item in views.items if item.type in ("WebSite", "Organization")}
    host = (views.page.host or "").casefold().removeprefix("www.")
    labels = host.split(".")
    squeezed = {folded(name).replace(" ", "") for name in names}
    hosts = {host.replace(".", ""), *labels[:-1], "".join(labels[:-1])}
    return frozenset((squeezed | {h.replace("-", "") for h in hosts}) - {""})
