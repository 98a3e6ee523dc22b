"""Authors of a page: proposed by structured data, bylines and author links, ranked by weights."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from specfactory.contract.text import clean
from specfactory.extract.articles import byline_words, person_names
from specfactory.extract.articles.byline_words import after_by, ends_with_by, is_author_word
from specfactory.extract.articles.headline import folded, headline_place, site_names
from specfactory.extract.articles.markup_words import MEANINGS, meanings
from specfactory.extract.articles.person_names import is_name, looks_like_a_person, names_in
from specfactory.extract.learned import Features, propose_likeliest
from specfactory.extract.page import Proposal
from specfactory.model import Snippet, ViewName
from specfactory.proof import Element, Item, PageViews, reading, snippet

_MAX_BYLINE = 160
_MAX_MARKED = 80
_MAX_SHORT = 80
_MAX_GROUPS = 400  # a page with more names is a directory of people
_LONG = 120  # characters of a line that is running text
_NEAR = 600  # characters after the headline that may hold a byline
_APART = (1 << MEANINGS.index("comment")) | (1 << MEANINGS.index("other"))
_ASIDE = frozenset(("aside", "footer", "nav"))
# Kinds of places that name all authors, where one exists.
_STATED = frozenset(("item", "meta_all", "rel", "prop", "marked", "line", "next_line", "linked"))
_UNMARKED = frozenset(("bare", "signed"))
_IN_ITEMS = frozenset(("item", "meta"))
_MOSTLY = 0.5  # of the names of a list
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\d{1,2}[.:/]\d{2}")
LEAST = 0.25  # less likely authors are not proposed

Key = tuple[str, ...]  # the names of a group, folded


class NameGroup(Struct):
    """All places of a page with the same names."""

    values: tuple[Snippet, ...]
    names: tuple[str, ...]
    kinds: set[str] = field(default_factory=set)
    seen: Features = field(default_factory=dict)

    def note(self, seen: Mapping[str, float]) -> None:
        """Note the features of a place; of several amounts the highest counts."""
        for name, amount in seen.items():
            self.seen[name] = max(amount, self.seen.get(name, 0.0))


def find_authors(views: PageViews) -> list[Proposal]:
    """Propose authors, likeliest first; empty when nobody is named."""
    groups = author_groups(views)
    return propose_likeliest("author", [(one.seen, one.values) for one in groups], LEAST)


def author_groups(views: PageViews) -> list[NameGroup]:
    """Collect all proposals with their features."""
    gathered = _Gathered(views)
    gathered.add_items()
    gathered.add_marked()
    gathered.add_lines()
    groups = gathered.groups
    _compare(groups, site_names(views), folded(views.text))
    page = kind_of_page(views)
    for group in groups.values():
        group.seen.update(page)
        # News names its authors where only machines look; elsewhere such a name is an account.
        group.seen["unread_elsewhere"] = group.seen["unread"] * (1.0 - page["page_news"])
    return list(groups.values())


def kind_of_page(views: PageViews) -> Features:
    """Features of the page as a whole: declared as news, as an article, or as neither."""
    types = {item.type for item in views.items}
    article = any(name.lower().endswith(("article", "posting")) for name in types)
    return {
        "page_news": float(any(name.endswith("NewsArticle") for name in types)),
        "page_article": float(article),
        "page_plain": float(not article and "website" in types),
    }


class _Gathered:
    """Proposals of one page, grouped by the names in them."""

    def __init__(self, views: PageViews) -> None:
        self._views = views
        self.groups: dict[Key, NameGroup] = {}
        self._headline = headline_place(views)[1]

    def add(self, kind: str, values: Iterable[Snippet], **seen: float) -> None:
        values = tuple(values)
        names = tuple(clean(reading(value)) for value in values)
        key = tuple(sorted({folded(name) for name in names}))
        if not key or not all(key):
            return
        if len(self.groups) >= _MAX_GROUPS and key not in self.groups:
            return
        group = self.groups.setdefault(key, NameGroup(values, names))
        group.kinds.add(kind)
        group.note({kind: 1.0, **seen})

    def add_items(self) -> None:
        known = {name: item for item in self._views.items if (name := item.first("@id"))}
        for item in self._views.items:
            if item.syntax == "meta":
                several = _named(item, ("author.name", "author", "creator"))
                for named in several:
                    self._add_text("meta", named)
                # A paper names each of its authors in a tag of its own.
                names = {folded(reading(n)): n for n in several if is_name(clean(reading(n)))}
                if len(names) > 1:
                    self.add("meta_all", names.values())
                # The preview card of a page may say "Written by".
                for card in item.properties:
                    if card.path == "additionalProperty" and is_author_word(card.label_words):
                        self._add_text("card", card.snippet)
            elif item.is_subject or item.main:
                kind = "item" if item.main else "other_item"
                found = _named(item, ("author.name", "author")) or _named(
                    item, ("creator.name", "creator")
                )
                if not found:  # the article may only refer to people described elsewhere
                    references = (*item.all("author.@id"), *item.all("author"))
                    people = (known[at] for at in references if at in known)
                    found = [name for person in people for name in _named(person, ("name",))[:1]]
                authors = list({folded(reading(name)): name for name in found}.values())
                if len(authors) == 1:
                    self._add_text(kind, authors[0])
                elif authors:
                    self.add(kind, authors)

    def _add_text(self, kind: str, named: Snippet) -> None:
        """Add the names in one property, which may hold several."""
        words = named.quote
        parts: list[Snippet] = []
        if words == reading(named):  # offsets inside escaped words are not known
            by = byline_words.BEFORE_NAME.match(words)
            parts = [
                Snippet(named.page_id, named.view, named.view_version, named.start + left,
                        named.start + right, words[left:right], named.encoding)
                for left, right in names_in(words, (after_by(words) or 0) if by else 0)
            ]  # fmt: skip
        if parts:
            self.add(kind, parts)
        elif is_name(clean(reading(named))):
            self.add(kind, (named,))

    def add_marked(self) -> None:
        """Add elements whose rel, itemprop, class or link marks an author."""
        count = 0
        lists: dict[int, list[Element]] = {}
        for element in self._views.outline.elements:
            if element.attributes and 0 < element.end - element.start <= _MAX_BYLINE:
                kind = _marked(element)
                if kind and count < _MAX_MARKED:
                    count += 1
                    self._add_span(kind, element)
                    if kind == "rel" and element.parent is not None:
                        lists.setdefault(element.parent.index, []).append(element)
        for linked in lists.values():
            if len(linked) > 1:  # several authors side by side, each with a link
                text = self._views.text
                spans = {folded(text[e.start : e.end]): e.span for e in linked}
                places = [span for span in spans.values() if is_name(text[slice(*span)].strip())]
                values = [snippet(self._views, ViewName.TEXT, *span) for span in places]
                if len(values) > 1:
                    self.add("rel", values, **self._place(linked[0].start, linked[0]))

    def _add_span(self, kind: str, element: Element) -> None:
        start, text = element.start, self._views.text
        words = text[start : element.end]
        begin = after_by(words)
        spans = list(names_in(words, begin or 0)) or list(names_in(words))
        if not spans:
            return
        seen = self._place(start + spans[0][0], element)
        if begin is not None:
            seen["by"] = 1.0
        elif ends_with_by(text[max(0, start - 40) : start].rstrip()):
            seen["by"] = seen["by_before"] = 1.0
        seen["whole"] = float(spans[0][0] == 0 and spans[-1][1] == len(words.rstrip()))
        self._add_several(kind, [(start + a, start + b) for a, b in spans], seen)

    def _add_several(self, kind: str, spans: list[tuple[int, int]], seen: Features) -> None:
        """Add names of the text view together, and the first of them alone."""
        values = [snippet(self._views, ViewName.TEXT, *span) for span in spans]
        self.add(kind, values, **seen)
        if len(values) > 1:
            self.add(f"{kind}_first", values[:1], **seen)

    def add_lines(self) -> None:
        """Add names on short lines: after "By", under "By", near the headline, or as signature."""
        text, at, before = self._views.text, 0, ""
        headline_end = self._headline[1] if self._headline is not None else None
        for line in text.split("\n"):
            if 0 < len(line) <= _MAX_BYLINE:
                begin = after_by(line)
                if begin is not None and begin < len(line):
                    self._add_line("line", line, at, begin, before)
                elif begin is None and len(line) <= _MAX_SHORT and ends_with_by(before[-40:]):
                    self._add_line("next_line", line, at, 0, before)
                elif headline_end is not None and -200 <= at - headline_end <= _NEAR:
                    self._add_bare(line, at, before)
                elif len(before) >= _LONG:  # texts are signed below, by the name alone
                    name = line.strip(" ()[]–—-")
                    if (
                        looks_like_a_person(name)
                        and person_names.begins_with_a_given_name(name)
                        and is_name(name)
                    ):
                        start = at + line.index(name)
                        place = snippet(self._views, ViewName.TEXT, start, start + len(name))
                        self.add("signed", (place,), **self._place(start))
            before = line or before
            at += len(line) + 1

    def _add_bare(self, line: str, at: int, before: str) -> None:
        """Add a name without "by" near the headline: alone on its line, or beside a date."""
        for left, right in person_names.parts_of(line):
            if looks_like_a_person(line[left:right]) and is_name(line[left:right]):
                seen = self._place(at + left)
                rest = line[:left] + line[right:]
                seen["bare_date"] = float(_YEAR.search(rest) is not None)
                seen["bare_alone"] = float(not rest.strip())
                seen["bare_under_text"] = float(len(before) >= _LONG)
                place = snippet(self._views, ViewName.TEXT, at + left, at + right)
                self.add("bare", (place,), **seen)
                return

    def _add_line(self, kind: str, line: str, at: int, begin: int, before: str) -> None:
        spans = list(names_in(line, begin))
        if not spans or not line[spans[0][0] : spans[0][0] + 1].isupper():
            return
        seen = self._place(at + spans[0][0])
        seen["by"] = 1.0
        seen["by_start"] = float(line[:begin].count(" ") <= 2)
        words = line[:begin] if kind == "line" else before[-40:]
        seen["by_writer"] = float(is_author_word(words))
        seen["by_colon"] = float(":" in words)
        seen["under_text"] = float(len(before) >= _LONG)
        seen["has_year"] = float(_YEAR.search(line) is not None)
        seen["line_rest"] = min(1.0, (len(line) - spans[-1][1]) / 60)
        self._add_several(kind, [(at + a, at + b) for a, b in spans], seen)

    def _place(self, start: int, element: Element | None = None) -> Features:
        """Features of a place: distance to the headline, and the elements around it."""
        seen: Features = {}
        if self._headline is not None:
            past = start - self._headline[1]
            seen["near"] = float(-200 <= past <= _NEAR)
            seen["right_after"] = float(0 <= past <= 150)
            seen["before_headline"] = float(past < -200)
        else:
            seen["no_headline"] = 1.0
        held = element or self._views.outline.holder(start, start + 1)
        for at in (held, *held.ancestors()) if held is not None else ():
            if at.tag in _ASIDE:
                seen["aside"] = 1.0
            elif at.tag in ("article", "main"):
                seen[f"in_{at.tag}"] = 1.0
            if at.attributes and meanings(at.hints) & _APART:
                seen["apart"] = 1.0
        return seen


def _compare(groups: Mapping[Key, NameGroup], site: frozenset[str], text: str) -> None:
    """Add features that compare groups with each other, the site's names and the folded text."""
    count = Counter(name for key in groups for name in key)
    for group in groups.values():
        names = group.names
        group.seen["person"] = sum(map(looks_like_a_person, names)) / len(names)
        group.seen["known"] = sum(map(person_names.begins_with_a_given_name, names)) / len(names)
    # Evidence for one of several people is evidence for the byline that names all of them.
    for key, group in groups.items():
        people = group.seen["person"] == 1 and group.seen["known"] > _MOSTLY
        if len(key) > 1 and people and not _STATED.isdisjoint(group.kinds):
            for part in _within(key, groups):
                group.note(part.seen)
    for key, group in groups.items():
        seen, names = group.seen, group.names
        seen["company"] = float(any(map(person_names.names_a_company, names)))
        seen["single_word"] = float(any(" " not in name for name in names))
        seen["several"] = float(len(names) > 1)
        seen["shouted"] = float(all(name.isupper() for name in names))
        seen["agreeing"] = float(len(group.kinds) - 1)
        seen["bare_known"] = seen["known"] if group.kinds <= _UNMARKED else 0.0
        seen["is_site"] = float(any(name.replace(" ", "") in site for name in key))
        seen["rivals"] = min(3.0, len(groups) - 1.0)
        seen["others_name_it"] = sum(count[name] > 1 for name in key) / len(key)
        seen["read"] = float(all(name in text for name in key))
        seen["unread"] = 1.0 - seen["read"]
        wider = [g for other, g in groups.items() if len(other) > len(key) and {*key} <= {*other}]
        within = _within(key, groups)
        persons = float(any(g.seen["person"] == 1 for g in wider))
        seen["part_of_persons"] = persons
        seen["part_of_others"] = float(bool(wider)) - persons
        seen["part_of_byline"] = float(any(not _STATED.isdisjoint(g.kinds) for g in wider))
        seen["parts_in_items"] = float(any(not _IN_ITEMS.isdisjoint(g.kinds) for g in within))
    has_item = any("item" in group.kinds for group in groups.values())
    for group in groups.values():
        seen = group.seen
        others = has_item and "item" not in group.kinds and not seen["parts_in_items"]
        seen["item_says_other"] = float(others)
        if seen["is_site"] or seen["company"]:
            for kind in ("item", "meta", "rel"):
                if kind in seen:
                    seen[f"company_{kind}"] = 1.0


def _within(key: Key, groups: Mapping[Key, NameGroup]) -> list[NameGroup]:
    """Groups that name only some of these people."""
    if len(key) == 1:
        return []
    names = set(key)
    return [group for other, group in groups.items() if len(other) < len(key) and names >= {*other}]


def _marked(element: Element) -> str:
    if "author" in element.get("rel").casefold().split():
        return "rel"
    if element.get("itemprop").casefold() in ("author", "creator"):
        return "prop"
    hints = element.hints.casefold()
    if hints and any(word in hints for word in byline_words.AUTHOR_HINTS):
        return "marked"
    linked = element.tag == "a" and byline_words.AUTHOR_PAGE.search(element.get("href"))
    return "linked" if linked else ""


def _named(item: Item, paths: tuple[str, ...]) -> list[Snippet]:
    return [
        named.snippet
        for named in item.properties
        if named.path in paths and "://" not in named.words and named.words.strip()
    ]
