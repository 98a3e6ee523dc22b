"""Whose a value on a page is: the page's own product's, another's, a user's, or hidden.

The one place that decides it by where a value stands; the words that tell are in ``region_words``.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from itertools import islice
from typing import NamedTuple

from specfactory.extract.page.layout import GRID, HEADINGS, Layout, Span
from specfactory.extract.page.offered_instead import offered_instead
from specfactory.extract.page.product_names import last_name
from specfactory.extract.page.region_words import RegionKind, headed_kind, hinted_kind
from specfactory.model import Tier
from specfactory.proof import Element

_MAX_CARD = 800
_MAX_TITLE = 150
_MAX_HEADED = 100
_MAX_LOOKED_AT = 200
_MOST = 0.6  # a box with more of the text is the page itself, whatever its class says
_FRAMES = frozenset(("html", "body", "main"))
_MAX_HEADING = 120
_BEFORE = 400  # characters of a post in which the product may be named
_WORD = re.compile(r"[^\W_]+")
_ASIDE_KEPT = ("infobox", "spec", "fact", "detail", "summary")


class OtherRegion(Exception):
    """A value stands where the page speaks of something else, and no name says of what."""


class Region(NamedTuple):
    """A part of a page; ``root`` is the element that makes it one."""

    kind: RegionKind
    root: Element | None = None
    subject: str | None = None


OWN = Region(RegionKind.OWN)


class Regions:
    """Finds the region of an element: its own, or that of the element it stands in.

    Few elements are ever asked about, so each is classified when it is.
    """

    def __init__(self, layout: Layout, is_label: Callable[[str], bool]) -> None:
        self._layout = layout
        self._is_label = is_label
        self._title = cache(self._find_title)
        self._alike = cache(self._find_alike)
        self._cards: dict[tuple[int, str, str], dict[int, Region]] = {}
        self._most = _MOST * max(len(layout.text), 1)
        self._of: dict[int, Region] = {}

    def of(self, element: Element | None) -> Region:
        """The region in which an element stands."""
        unknown: list[Element] = []
        while element is not None and element.index not in self._of:
            unknown.append(element)
            element = element.parent
        region = self._of[element.index] if element is not None else OWN
        for inner in reversed(unknown):
            region = self._of[inner.index] = self._region(inner, region)
        return region

    def owner(
        self, place: Element | None, named: str | None, start: int
    ) -> tuple[str | None, Tier]:
        """The subject of a value and how far it is trusted; raises OtherRegion.

        ``named`` is whose it is by its own surroundings, a column head or its sentence.
        """
        page = self._layout.views.page
        if place is None:
            return named, page.tier
        if self.is_instead(start):
            raise OtherRegion("it is of a product that is offered instead")
        region = self.of(place)
        if region.kind is RegionKind.HIDDEN:
            raise OtherRegion("it is hidden")
        if region.kind is RegionKind.POST:
            # What users write counts on their own sites only, and for what they name.
            if page.tier is not Tier.COMMUNITY:
                raise OtherRegion("a user wrote it")
            begins = region.root.start if region.root else start
            before = self._layout.text[begins:start][-_BEFORE:]
            return named or last_name(before, ()), Tier.COMMUNITY
        if region.kind is RegionKind.OWN:
            return named or self.headed_by(place), page.tier
        # A box about other things: the nearest link or heading in it says about which.
        named = named or region.subject
        at: Element | None = place
        while not named and at is not None:
            named = self._title(at)
            at = at.parent if at is not region.root else None
        if not named:
            raise OtherRegion("it stands in a box about other things")
        return named, page.tier

    def is_instead(self, start: int) -> bool:
        """True when an offset lies where the page offers another product instead of its own."""
        return any(first <= start < end for first, end in self.instead)

    @cached_property
    def instead(self) -> list[Span]:
        """The parts of the text that speak of a product offered instead."""
        return list(offered_instead(self._layout))

    def headed_by(self, place: Element) -> str | None:
        """The nearest heading above that names a product; the page's own title is no news."""
        for heading in reversed(self._layout.headings_above(place)):
            if heading.tag != "h1":
                words = self._layout.words(heading)
                if len(words) <= _MAX_HEADING:
                    each = _WORD.findall(words.casefold())
                    if len(each) > 1 and not self._brands.isdisjoint(each):
                        return words
        return None

    @cached_property
    def _brands(self) -> frozenset[str]:
        """The words with which the page's own names begin, and its items' brands."""
        views = self._layout.views
        brands = [
            brand
            for item in views.items
            if item.main
            for brand in (*item.all("brand.name"), *item.all("brand"))
        ]
        openings = [_WORD.findall(name.casefold())[:1] for name in (views.h1, views.title, *brands)]
        return frozenset(word for words in openings for word in words if len(word) > 1)

    def _region(self, element: Element, outer: Region) -> Region:
        if element.start < 0 or outer.kind is RegionKind.HIDDEN:
            return outer
        if self._layout.is_hidden(element):
            return Region(RegionKind.HIDDEN, element)
        marked = self._headed.get(element.index) or self._card(element)
        if marked is not None and not (
            marked.kind is RegionKind.CARD and outer.kind is RegionKind.POST
        ):
            return marked
        tag = element.tag
        is_page = tag in _FRAMES or element.end - element.start > self._most
        if is_page or outer.kind not in (RegionKind.OWN, RegionKind.CARD):
            return outer
        if tag in ("nav", "footer"):
            return Region(RegionKind.OTHER, element)
        hints = element.hints
        if tag == "aside" and not any(kept in hints.lower() for kept in _ASIDE_KEPT):
            return Region(RegionKind.OTHER, element)
        if tag == "blockquote" or element.get("itemprop") in ("review", "comment"):
            return Region(RegionKind.POST, element)
        kind = hinted_kind(hints) if hints else None
        return Region(kind, element) if kind else outer

    @cached_property
    def _headed(self) -> dict[int, Region]:
        """Regions of what follows a heading such as "You may also like"."""
        marked: dict[int, Region] = {}
        headed = 0
        for heading, level, _ in self._layout.headings:
            if level == 1 and heading.tag == "h1":
                continue
            kind = headed_kind(self._layout.words(heading))
            if kind and headed < _MAX_HEADED:
                headed += 1
                for element in _following(heading):
                    marked.setdefault(element.index, Region(kind, element))
        return marked

    def _card(self, element: Element) -> Region | None:
        """The region of a card: one of three or more alike siblings with titles that link away."""
        parent = element.parent
        if parent is None or len(parent.children) < 3 or parent.tag in GRID:
            return None
        if not 0 < element.end - element.start <= _MAX_CARD:
            return None
        tag, classes = element.tag, element.get("class")
        shape = (parent.index, tag, classes)
        if shape not in self._cards:
            group = self._alike(parent)[tag, classes]
            titles = [self._link_title(card) for card in group] if len(group) >= 3 else []
            named = [title for title in titles if title is not None]
            # Where titles are labels, these are rows of values, not products.
            labels = sum(map(self._is_label, named))
            are_cards = len(named) >= max(3, 0.8 * len(group)) and len(set(titles)) >= 3
            self._cards[shape] = {
                card.index: Region(RegionKind.CARD, card, title)
                for card, title in zip(group, titles, strict=bool(titles))
                if title and are_cards and labels <= 1
            }
        return self._cards[shape].get(element.index)

    def _find_alike(self, parent: Element) -> Mapping[tuple[str, str], Sequence[Element]]:
        """The children that may be cards, by tag and class: once, as there may be thousands."""
        alike = defaultdict[tuple[str, str], list[Element]](list)
        for child in parent.children:
            if 0 < child.end - child.start <= _MAX_CARD:
                alike[child.tag, child.get("class")].append(child)
        return alike

    def _link_title(self, card: Element) -> str | None:
        """The text of the link that is less than the whole card."""
        for element in (card, *islice(card.descendants(), _MAX_LOOKED_AT)):
            if element.tag == "a" and _leads_away(element) and element.start >= 0:
                inside = (e for e in element.descendants() if e.tag in HEADINGS and e.start >= 0)
                heading = next(inside, None)
                words = self._layout.words(heading or element).partition("\n")[0].strip()
                whole = element.span == card.span and heading is None
                if 3 <= len(words) <= _MAX_TITLE and not whole:
                    return words
        return None

    def _find_title(self, box: Element) -> str | None:
        """The first link or heading of a box that may name a product."""
        for element in (box, *islice(box.descendants(), _MAX_LOOKED_AT)):
            if element.start < 0:
                continue
            linked = element.tag == "a" and _leads_away(element)
            headed = element.tag in HEADINGS and element.tag not in ("caption", "legend")
            words = self._layout.words(element)
            if headed and headed_kind(words):
                continue
            if (linked or headed) and 3 <= len(words) <= _MAX_TITLE and not self._is_label(words):
                return words.partition("\n")[0]
        return None


def _leads_away(link: Element) -> bool:
    target = link.get("href").strip()
    return bool(target) and not target.startswith(("#", "javascript:", "mailto:", "tel:"))


def _following(heading: Element) -> list[Element]:
    """The section of a heading: its box when it opens it, else its siblings up to the next one."""
    top = heading
    while top.parent is not None and top.parent.span == top.span:
        top = top.parent
    parent = top.parent
    if parent is None:
        return []
    if parent.tag not in _FRAMES and parent.tag != "article" and parent.start == top.start:
        return [parent]
    at = next(i for i, child in enumerate(parent.children) if child is top)
    level = HEADINGS.get(heading.tag, 2)
    below = []
    for sibling in parent.children[at + 1 :]:
        rank = HEADINGS.get(sibling.tag, 9)
        if rank <= level or any(HEADINGS.get(c.tag, 9) <= level for c in sibling.children):
            break
        below.append(sibling)
    return below
