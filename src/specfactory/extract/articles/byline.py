"""Who wrote a page: structured data, bylines and links to authors propose, agreement decides."""

from __future__ import annotations

import re
from collections.abc import Iterable

from specfactory.contract.text import clean
from specfactory.extract.articles.byline_choice import NameGroup, compare_names
from specfactory.extract.articles.headline import folded, headline_span, site_names
from specfactory.extract.articles.markup_words import MEANINGS, meanings
from specfactory.extract.articles.page_kind import kind_of_page
from specfactory.extract.articles.person_names import (
    after_by,
    begins_with_a_given_name,
    ends_with_by,
    is_author_word,
    is_name,
    looks_like_a_person,
    names_in,
    parts_of,
)
from specfactory.extract.learned import Seen, likelihoods
from specfactory.extract.page import Proposal
from specfactory.model import Snippet, ViewName
from specfactory.proof import Element, Item, PageViews, reading, snippet

_MAX_BYLINE = 160
_MAX_MARKED = 80
_MAX_SHORT = 80
_MAX_GROUPS = 400  # a page that names more people is a list of them
_LONG = 120  # characters of a line that is running text
_NEAR = 600  # characters around the headline in which bylines stand
_AUTHOR_HINT = ("author", "autor", "byline", "auteur", "autore", "writer", "verfasser",
                "contributor", "redakteur", "journalist", "creator", "username")  # fmt: skip
_APART = (1 << MEANINGS.index("comment")) | (1 << MEANINGS.index("other"))
_ASIDE = frozenset(("aside", "footer", "nav"))
LEAST = 0.25  # below this the page does not say who wrote it
# What is believed before anything is learned, and where no weights are shipped.
PRIOR = {"": -3.0, "item": 2.0, "meta": 1.0, "rel": 1.5, "prop": 1.5, "marked": 0.7,
          "linked": 0.7, "by": 1.0, "by_start": 0.5, "by_writer": 0.7, "near": 0.7,
          "right_after": 0.5, "person": 0.5, "known": 1.0, "bare_known": 0.7, "bare": -1.0,
          "bare_date": 0.5, "signed": -0.3, "company": -0.7, "is_site": -1.5, "apart": -1.0,
          "aside": -0.7, "agreeing": 0.3, "unread": -1.5, "part_of_byline": -1.5,
          "parts_in_items": 1.0, "item_says_other": -1.0, "single_word": -0.5,
          "unread_elsewhere": -3.0}  # fmt: skip


def find_authors(views: PageViews) -> list[Proposal]:
    """Who may have written the page, the likeliest first; empty when nobody is named."""
    groups = author_groups(views)
    found = []
    chances = likelihoods("author", PRIOR, [one.seen for one in groups])
    for group, sure in zip(groups, chances, strict=True):
        if sure >= LEAST:
            found.append(Proposal(group.values, sure))
    return sorted(found, key=lambda one: -(one.likelihood or 0.0))


def author_groups(views: PageViews) -> list[NameGroup]:
    """Every proposal with what was seen of it."""
    gathered = _Gathered(views)
    gathered.add_items()
    gathered.add_marked()
    gathered.add_lines()
    return gathered.finished()


class _Gathered:
    """The proposals of one page, those of equal names together."""

    def __init__(self, views: PageViews) -> None:
        self._views = views
        self._groups: dict[tuple[str, ...], NameGroup] = {}
        self._headline = headline_span(views)

    def add(self, kind: str, values: Iterable[Snippet], **seen: float) -> None:
        values = tuple(values)
        names = tuple(clean(reading(value)) for value in values)
        key = tuple(sorted({folded(name) for name in names}))
        if (
            not all(key)
            or not key
            or (len(self._groups) >= _MAX_GROUPS and key not in self._groups)
        ):
            return
        group = self._groups.setdefault(key, NameGroup(values, names))
        group.kinds.add(kind)
        group.seen[kind] = 1.0
        for name, amount in seen.items():
            group.seen[name] = max(amount, group.seen.get(name, 0.0))

    def add_items(self) -> None:
        known = {name: item for item in self._views.items if (name := item.first("@id"))}
        for item in self._views.items:
            if item.syntax == "meta":
                several = _named(item, ("author.name", "author", "creator"))
                for named in several:
                    self._add_text("meta", named, self._split(named))
                self._add_together("meta_all", several)
                self._add_card(item)
            elif item.is_subject or item.main:
                kind = "item" if item.main else "other_item"
                names = _named(item, ("author.name", "author")) or _named(
                    item, ("creator.name", "creator")
                )
                names = names or _referred(item, known)
                names = list({folded(reading(name)): name for name in names}.values())
                if len(names) == 1:
                    self._add_text(kind, names[0], self._split(names[0]))
                elif names:
                    self.add(kind, names)

    def _add_card(self, item: Item) -> None:
        """The card by which others show a page may say "Written by"."""
        for named in item.properties:
            if named.path == "additionalProperty" and is_author_word(named.label_words):
                self._add_text("card", named.snippet, self._split(named.snippet))

    def _add_together(self, kind: str, several: list[Snippet]) -> None:
        """A paper names each of its authors in a tag of its own."""
        names = {folded(reading(name)): name for name in several if is_name(clean(reading(name)))}
        if len(names) > 1:
            self.add(kind, names.values())

    def _add_text(self, kind: str, whole: Snippet, parts: list[Snippet]) -> None:
        if parts:
            self.add(kind, parts)
        elif is_name(clean(reading(whole))):
            self.add(kind, (whole,))

    def _split(self, named: Snippet) -> list[Snippet]:
        """The names in a property that holds several; those with escapes stay whole."""
        words = named.quote
        if words != reading(named):
            return [named] if is_name(clean(reading(named))) else []
        start = after_by(words) if words[:4].casefold() in ("by ", "von ", "par ", "por ") else 0
        return [
            Snippet(named.page_id, named.view, named.view_version, named.start + left,
                    named.start + right, words[left:right], named.encoding)
            for left, right in names_in(words, start or 0)
        ]  # fmt: skip

    def add_marked(self) -> None:
        """Elements whose rel, itemprop or class names speak of authors."""
        taken: list[Element] = []
        lists: dict[int, list[Element]] = {}
        for element in self._views.outline.elements:
            if element.attributes and 0 < element.end - element.start <= _MAX_BYLINE:
                kind = _marked(element)
                if kind and len(taken) < _MAX_MARKED:
                    taken.append(element)
                    self._add_span(kind, element, element.start, element.end)
                    if kind == "rel" and element.parent is not None:
                        lists.setdefault(element.parent.index, []).append(element)
        for linked in lists.values():
            if len(linked) > 1:
                self._add_linked(linked)

    def _add_linked(self, linked: list[Element]) -> None:
        spans = {folded(self._words(e.start, e.end)): e.span for e in linked}
        places = [span for span in spans.values() if is_name(self._words(*span).strip())]
        values = [snippet(self._views, ViewName.TEXT, *span) for span in places]
        if len(values) > 1:
            self.add("rel", values, **self._place(linked[0], linked[0].start))

    def _words(self, start: int, end: int) -> str:
        return self._views.text[start:end]

    def _add_span(self, kind: str, element: Element, start: int, end: int) -> None:
        words = self._words(start, end)
        begin = after_by(words)
        spans = list(names_in(words, begin or 0)) or list(names_in(words))
        if not spans:
            return
        seen = self._place(element, start + spans[0][0])
        if begin is not None:
            seen["by"] = 1.0
        elif ends_with_by(self._words(max(0, start - 40), start).rstrip()):
            seen["by"] = seen["by_before"] = 1.0
        seen["whole"] = float(spans[0][0] == 0 and spans[-1][1] == len(words.rstrip()))
        values = [snippet(self._views, ViewName.TEXT, start + a, start + b) for a, b in spans]
        self.add(kind, values, **seen)
        if len(values) > 1:
            self.add(f"{kind}_first", values[:1], **seen)

    def add_lines(self) -> None:
        """Short lines that begin with "By", stand under one that does, or beside a date."""
        text, at, before = self._views.text, 0, ""
        elements = _Holders(self._views)
        for line in text.split("\n"):
            if 0 < len(line) <= _MAX_BYLINE:
                begin = after_by(line)
                if begin is not None and begin < len(line):
                    self._add_line("line", line, at, begin, elements, before)
                elif begin is None and len(line) <= _MAX_SHORT and ends_with_by(before[-40:]):
                    self._add_line("next_line", line, at, 0, elements, before)
                elif self._is_near(at):
                    self._add_bare(line, at, elements, before)
                elif len(before) >= _LONG:
                    self._add_signed(line, at, elements)
            before = line or before
            at += len(line) + 1

    def _is_near(self, at: int) -> bool:
        return self._headline is not None and -200 <= at - self._headline[1] <= _NEAR

    def _add_bare(self, line: str, at: int, elements: _Holders, before: str) -> None:
        """A name without "by" near the headline: alone on its line, or beside a date."""
        for left, right in parts_of(line):
            if looks_like_a_person(line[left:right]) and is_name(line[left:right]):
                seen = self._place(elements.at(at + left), at + left)
                rest = line[:left] + line[right:]
                seen["bare_date"] = float(has_year(rest))
                seen["bare_alone"] = float(not rest.strip())
                seen["bare_under_text"] = float(len(before) >= _LONG)
                self.add(
                    "bare", (snippet(self._views, ViewName.TEXT, at + left, at + right),), **seen
                )
                return

    def _add_signed(self, line: str, at: int, elements: _Holders) -> None:
        """A person's name alone under running text, as texts are signed."""
        name = line.strip(" ()[]–—-")
        if looks_like_a_person(name) and begins_with_a_given_name(name) and is_name(name):
            start = at + line.index(name)
            seen = self._place(elements.at(start), start)
            self.add(
                "signed", (snippet(self._views, ViewName.TEXT, start, start + len(name)),), **seen
            )

    def _add_line(
        self, kind: str, line: str, at: int, begin: int, elements: _Holders, before: str
    ) -> None:
        spans = list(names_in(line, begin))
        if not spans or not line[spans[0][0] : spans[0][0] + 1].isupper():
            return
        seen = self._place(elements.at(at + spans[0][0]), at + spans[0][0])
        seen["by"] = 1.0
        seen["by_start"] = float(line[:begin].count(" ") <= 2)
        words = line[:begin] if kind == "line" else before[-40:]
        seen["by_writer"] = float(is_author_word(words))
        seen["by_colon"] = float(":" in words)
        seen["under_text"] = float(len(before) >= _LONG)
        seen["has_year"] = float(has_year(line))
        seen["line_rest"] = min(1.0, (len(line) - spans[-1][1]) / 60)
        values = [snippet(self._views, ViewName.TEXT, at + a, at + b) for a, b in spans]
        self.add(kind, values, **seen)
        if len(values) > 1:
            self.add(f"{kind}_first", values[:1], **seen)

    def _place(self, element: Element | None, start: int) -> Seen:
        """Where it stands: near the headline, in an article, among comments."""
        seen: Seen = {}
        if self._headline is not None:
            past = start - self._headline[1]
            seen["near"] = float(-200 <= past <= _NEAR)
            seen["right_after"] = float(0 <= past <= 150)
            seen["before_headline"] = float(past < -200)
        else:
            seen["no_headline"] = 1.0
        at = element
        while at is not None:
            if at.tag in _ASIDE:
                seen["aside"] = 1.0
            elif at.tag in ("article", "main"):
                seen[f"in_{at.tag}"] = 1.0
            if at.attributes and meanings(at.hints) & _APART:
                seen["apart"] = 1.0
            at = at.parent
        return seen

    def finished(self) -> list[NameGroup]:
        """The groups with how they relate to each other and to the site's name."""
        compare_names(self._groups, site_names(self._views), folded(self._views.text))
        page = kind_of_page(self._views)
        for group in self._groups.values():
            group.seen.update(page)
            # News lists its authors where only machines look; elsewhere that name is an account.
            group.seen["unread_elsewhere"] = group.seen["unread"] * (1.0 - page["page_news"])
        return list(self._groups.values())


# Pages about the people who write for a site: "/author/ada-brook".
_AUTHOR_PAGE = re.compile(
    r"/(?:authors?|autor(?:en|in|es|i|a|as)?|auteurs?|autore|redakteure?|redaktion|profile?|people|"
    r"contributors?|writers?|staff|journalist(?:en|es)?|users?|members?)[/_-][^/?#]{3,}"
    r"|[?&]author=",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\d{1,2}[.:/]\d{2}")


def has_year(words: str) -> bool:
    """Whether a date or a time stands in a line."""
    return _YEAR.search(words) is not None


class _Holders:
    """The innermost element at an offset, asked in rising order."""

    def __init__(self, views: PageViews) -> None:
        self._elements = [e for e in views.outline.elements if e.start >= 0]
        self._next = 0
        self._last: Element | None = None

    def at(self, offset: int) -> Element | None:
        elements = self._elements
        while self._next < len(elements) and elements[self._next].start <= offset:
            self._last = elements[self._next]
            self._next += 1
        at = self._last
        while at is not None and at.end <= offset:
            at = at.parent
        return at


def _marked(element: Element) -> str:
    if "author" in element.get("rel").casefold().split():
        return "rel"
    if element.get("itemprop").casefold() in ("author", "creator"):
        return "prop"
    hints = element.hints.casefold()
    if hints and any(word in hints for word in _AUTHOR_HINT):
        return "marked"
    return "linked" if element.tag == "a" and _AUTHOR_PAGE.search(element.get("href")) else ""


def _named(item: Item, paths: tuple[str, ...]) -> list[Snippet]:
    return [
        named.snippet
        for named in item.properties
        if named.path in paths and "://" not in named.words and named.words.strip()
    ]


def _referred(item: Item, known: dict[str, Item]) -> list[Snippet]:
    """Names of people whom an article only points to."""
    return [
        name
        for at in (*item.all("author.@id"), *item.all("author"))
        if at in known
        for name in _named(known[at], ("name",))[:1]
    ]
