"""The headline of a page: what it calls the thing it is about, without the site's name.

Structured data, headings and the page's title each propose; those that agree stand together.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

from specfactory.contract.text import clean
from specfactory.extract.learned import Seen, likelihoods
from specfactory.extract.page import Proposal
from specfactory.model import Encoding, Snippet, ViewName
from specfactory.proof import Element, Outline, PageViews, reading, snippet

_MAX_WORDS = 300
_MAX_HEADINGS = 60
_MAX_PARTS = 6
_HEADINGS = frozenset(("h1", "h2", "h3", "h4"))
_ASIDE = frozenset(("nav", "footer", "aside"))
# Letter by letter: a pattern that ignores case is searched without its first characters.
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
# When no weights are shipped: what most pages agree on.
_PRIOR = {"": -3.0, "h1": 2.5, "only_h1": 1.0, "item": 2.0, "og": 1.5, "title": 0.5,
          "title_part": 1.0, "og_part": 1.0, "in_title": 1.0, "is_site": -4.0, "rest_is_site": 1.5,
          "hinted": 0.5, "aside": -2.0}  # fmt: skip
_LONG = 18  # words
_TELLERS = ("h1", "og", "item")
_PAIRS = (("h1", "og"), ("h1", "item"), ("h1", "title"), ("og", "item"), ("h2", "og"),
          ("h2", "title"))  # fmt: skip
SHOWN_FIRST = ("h1", "h1_part", "h2", "h3", "h4", "item", "og")


@dataclass(slots=True)
class _Group:
    """All places of a page that say the same words."""

    words: str
    places: dict[str, Snippet] = field(default_factory=dict)  # kind -> the first place
    seen: Seen = field(default_factory=dict)


class _Gathered:
    """The proposals of one page, those of equal words together."""

    def __init__(self, views: PageViews) -> None:
        self.views = views
        self.groups: dict[str, _Group] = {}
        self.site = site_names(views)

    def add(self, kind: str, place: Snippet, **seen: float) -> None:
        words = clean(reading(place))
        key = folded(words)
        if not key or len(words) > _MAX_WORDS:
            return
        group = self.groups.setdefault(key, _Group(words))
        group.places.setdefault(kind, place)
        group.seen[kind] = 1.0
        for name, amount in seen.items():
            group.seen[name] = max(amount, group.seen.get(name, 0.0))

    def is_site(self, key: str) -> bool:
        return key.replace(" ", "") in self.site


def find_headline(views: PageViews) -> list[Proposal]:
    """What the page may be called, the likeliest first; empty when it has no words."""
    groups = headline_groups(views)
    found = []
    chances = likelihoods("headline", _PRIOR, [one.seen for one in groups])
    for group, sure in zip(groups, chances, strict=True):
        found.append(Proposal((_shown(group),), sure))
    return sorted(found, key=lambda one: -(one.likelihood or 0.0))


def headline_groups(views: PageViews) -> list[_Group]:
    """Every proposal with what was seen of it."""
    gathered = _Gathered(views)
    _add_items(gathered)
    _add_titles(gathered)
    _add_headings(gathered)
    _compare(gathered)
    return list(gathered.groups.values())


def headline_span(views: PageViews) -> tuple[int, int] | None:
    """Where in the text view the likeliest headline is read; None when it is not shown."""
    return headline_place(views)[1]


def headline_place(views: PageViews) -> tuple[str, tuple[int, int] | None]:
    """The words of the likeliest headline, folded, and where one of the likeliest is read."""
    found = find_headline(views)[:3]
    words = folded(reading(found[0].values[0])) if found else ""
    shown = (one.values[0] for one in found if one.values[0].view is ViewName.TEXT)
    return words, next(((place.start, place.end) for place in shown), None)


def folded(words: str) -> str:
    """Words as headlines are compared: letters and digits only, case set aside."""
    return " ".join(_WORD.findall(words.casefold()))


def _shown(group: _Group) -> Snippet:
    """The place to quote: where a person reads it, if there is one."""
    kind = next((kind for kind in SHOWN_FIRST if kind in group.places), next(iter(group.places)))
    return group.places[kind]


def _add_items(gathered: _Gathered) -> None:
    for item in gathered.views.items:
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


def _add_titles(gathered: _Gathered) -> None:
    views = gathered.views
    found = _TITLE_TAG.search(views.source)
    if found is None or not found[1].strip():
        return
    words = found[1]
    start = found.start(1) + len(words) - len(words.lstrip())
    end = start + len(words.strip())
    place = snippet(views, ViewName.SOURCE, start, end, Encoding.HTML)
    gathered.add("title", place)
    _add_parts(gathered, "title", place)


def _add_parts(gathered: _Gathered, kind: str, place: Snippet) -> None:
    """What is left of a title when what stands before or after a separator is cut off."""
    words, starts = _decoded(place)
    cuts = [found.span() for found in _SEPARATOR.finditer(words)]
    cuts += [found.span() for found in _CHINESE_DASH.finditer(words)]
    for left, right in sorted(set(cuts))[:_MAX_PARTS]:
        for start, end, rest in ((0, left, words[right:]), (right, len(words), words[:left])):
            if words[start:end].strip():
                part = _sub(place, starts[start], starts[end])
                site = gathered.is_site(folded(rest))
                name = f"{kind}_start" if start == 0 else f"{kind}_end"
                gathered.add(name, part, **{f"{kind}_part": 1.0, "rest_is_site": float(site)})


def _decoded(place: Snippet) -> tuple[str, list[int]]:
    """The words of a quote, and where each of their characters begins in it."""
    if place.encoding is not Encoding.HTML:
        return place.quote, list(range(len(place.quote) + 1))
    words, starts = [], []
    for found in _ENTITY.finditer(place.quote):
        for character in html.unescape(found[0]):
            words.append(character)
            starts.append(found.start())
    return "".join(words), [*starts, len(place.quote)]


def _sub(place: Snippet, start: int, end: int) -> Snippet:
    quote = place.quote[start:end]
    begin = place.start + start + len(quote) - len(quote.lstrip())
    kept = quote.strip()
    version, encoding = place.view_version, place.encoding
    return Snippet(place.page_id, place.view, version, begin, begin + len(kept), kept, encoding)


def _add_headings(gathered: _Gathered) -> None:
    headings = _may_head(gathered.views.outline)[:_MAX_HEADINGS]
    ones = [e for e in headings if e.tag == "h1"]
    for at, heading in enumerate(headings):
        tag = heading.tag if heading.tag in _HEADINGS else "marked"
        seen = _heading_seen(heading, at, ones)
        _add_element(gathered, tag, heading, seen)
        parts = [child for child in heading.children if child.has_words]
        if tag in ("h1", "h2") and parts and parts[0].span != heading.span:
            for part in parts[:4]:
                last = float(part is parts[-1])
                _add_element(gathered, f"{tag}_part", part, {"last_part": last, **seen})
            _add_rests(gathered, heading, parts)


def _add_rests(gathered: _Gathered, heading: Element, parts: list[Element]) -> None:
    """What stands in a heading before its first and after its last part."""
    for start, end in ((heading.start, parts[0].start), (parts[-1].end, heading.end)):
        words = gathered.views.text[start:end]
        kept = words.strip(_EDGES)
        if kept:
            begin = start + words.index(kept)
            place = snippet(gathered.views, ViewName.TEXT, begin, begin + len(kept))
            gathered.add(f"{heading.tag}_rest", place)


def _may_head(outline: Outline) -> list[Element]:
    named = [
        element
        for element in outline.marked("itemprop")
        if element.tag not in _HEADINGS and "headline" in element.get("itemprop")
    ]
    some = [*outline.tagged(*_HEADINGS), *named]
    if named:
        some.sort(key=lambda element: element.index)
    return [element for element in some if 0 < element.end - element.start <= _MAX_WORDS]


def _heading_seen(heading: Element, at: int, ones: list[Element]) -> Seen:
    seen: Seen = {}
    if heading.tag == "h1":
        seen["only_h1"] = float(len(ones) == 1)
        seen["first_h1"] = float(heading is ones[0])
    elif not ones:
        seen["no_h1"] = 1.0
    seen["first"] = float(at == 0)
    seen["hinted"] = float(bool(_TITLE_HINT.search(heading.hints.lower())))
    seen["itemprop"] = float(heading.get("itemprop") in ("headline", "name"))
    seen["hidden"] = float(heading.hidden)
    return {**seen, **_around(heading)}


def _around(heading: Element) -> Seen:
    """What a heading stands in, and whether it links away."""
    seen: Seen = {}
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


def _add_element(gathered: _Gathered, kind: str, element: Element, seen: Seen) -> None:
    if 0 < element.end - element.start <= _MAX_WORDS:
        place = snippet(gathered.views, ViewName.TEXT, element.start, element.end)
        gathered.add(kind, place, **seen)


def _compare(gathered: _Gathered) -> None:
    """How each proposal relates to the page's title, its address and the site's name."""
    title = frozenset(folded(gathered.views.title).split())
    place = gathered.views.page.url.partition("://")[2].casefold().partition("?")[0]
    address = frozenset(_WORD.findall(place))
    host, *sections = place.rstrip("/").split("/")
    slug = frozenset(_WORD.findall(sections.pop())) if sections else frozenset()
    above = {folded(section).replace(" ", "") for section in sections}
    hosts = frozenset(_WORD.findall(host))
    told = {kind: _tells(gathered, kind) for kind in _TELLERS}
    for key, group in gathered.groups.items():
        words = frozenset(key.split())
        common = len(words & title)
        group.seen["in_title"] = common / len(words)
        group.seen["of_title"] = common / len(title) if title else 0.0
        group.seen["in_address"] = len(words & address) / len(words)
        group.seen["is_site"] = float(gathered.is_site(key))
        group.seen["in_slug"] = len(words & slug) / len(words)
        group.seen["is_section"] = float(key.replace(" ", "") in above)
        group.seen["in_host"] = float(words <= hosts)
        group.seen["long"] = float(len(words) > _LONG)
        for kind, any_tells in told.items():
            group.seen[f"{kind}_says_other"] = float(any_tells and not _told_by(group, kind))
        for one, other in _PAIRS:
            if _told_by(group, one) and _told_by(group, other):
                group.seen[f"{one}_and_{other}"] = 1.0
        group.seen["short"] = float(len(words) <= 2)
        group.seen["agreeing"] = float(len(group.places) - 1)


def _told_by(group: _Group, kind: str) -> bool:
    return any(name == kind or name.startswith(f"{kind}_") for name in group.places)


def _tells(gathered: _Gathered, kind: str) -> bool:
    return any(_told_by(group, kind) for group in gathered.groups.values())


def site_names(views: PageViews) -> frozenset[str]:
    """What the site calls itself, squeezed: by its meta tags, its publisher and its host."""
    names = {name for item in views.items for name in item.all("publisher.name")}
    names |= {item.name for item in views.items if item.type in ("WebSite", "Organization")}
    host = (views.page.host or "").casefold().removeprefix("www.")
    labels = host.split(".")
    squeezed = {folded(name).replace(" ", "") for name in names}
    hosts = {host.replace(".", ""), *labels[:-1], "".join(labels[:-1])}
    return frozenset((squeezed | {h.replace("-", "") for h in hosts}) - {""})
