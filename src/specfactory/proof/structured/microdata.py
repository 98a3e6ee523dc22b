"""Microdata → items: the itemprop stands in the source, the value in the source or the text.

RDFa marks things in the same way with other attributes and is read here, too (see ``rdfa``).
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from specfactory.model import Encoding, Snippet
from specfactory.proof.structured.item_draft import ItemDraft, PropertyDraft, SourceCut
from specfactory.proof.structured.items import best_type, property_name
from specfactory.proof.structured.tags import SourceTag
from specfactory.proof.text import Element, Outline, reading
from specfactory.proof.wording import word_set

MAX_PROPERTIES = 4_000
_LOOK_AHEAD = 40
_MAX_VALUE = 20_000
_APART = word_set(
    "isRelatedTo isSimilarTo isAccessoryOrSparePartFor isConsumableFor hasVariant "
    "itemListElement itemReviewed itemOffered mainEntity"
)
# Properties that are addresses; of other links the words are the value.
_LINKS = word_set(
    "url sameAs image logo item mainEntityOfPage thumbnailUrl contentUrl embedUrl target license "
    "availability itemCondition photo video subjectOf potentialAction discussionUrl hasMap map"
)
_PRICES = frozenset(("price", "lowPrice", "highPrice"))
_VALUE_ATTRIBUTES = {
    "meta": "content",
    "link": "href",
    "a": "href",
    "area": "href",
    "img": "src",
    "source": "src",
    "object": "data",
    "data": "value",
    "meter": "value",
    "time": "datetime",
}


class Marks(NamedTuple):
    """The attributes by which a syntax names properties, types and things."""

    syntax: str
    property: str
    type: str
    opens: tuple[str, ...]
    sign: str  # stands in every tag of this syntax

    def names(self, element: Element) -> list[str]:
        """The properties that an element holds."""
        return [property_name(name) for name in element.get(self.property).split()]

    def is_used(self, attributes: Iterable[str]) -> bool:
        """True when a tag with these attributes is of this syntax."""
        return not {self.property, *self.opens}.isdisjoint(attributes)

    def is_opened(self, element: Element) -> bool:
        """True when an element begins a thing."""
        return any(name in element.attributes for name in self.opens)


MICRODATA = Marks("microdata", "itemprop", "itemtype", ("itemscope", "itemtype"), "item")


def microdata_items(outline: Outline, tags: list[SourceTag], cut: SourceCut) -> Iterator[ItemDraft]:
    """All microdata items of a page, flattened, in document order."""
    return marked_items(outline, tags, cut, MICRODATA)


def marked_items(
    outline: Outline, tags: list[SourceTag], cut: SourceCut, marks: Marks
) -> Iterator[ItemDraft]:
    """All items that a page marks up in one syntax."""
    own = [tag for tag in tags if tag.mentions(marks.sign) and marks.is_used(tag.attributes)]
    if not own:
        return iter(())
    refers = any("itemref" in tag.attributes for tag in own)
    reader = _Reader(cut, own, marks, _referred(outline) if refers else {})
    for element in outline.marked(marks.property, *marks.opens):
        reader.take(element)
    return reader.drafts()


def _referred(outline: Outline) -> dict[str, Element]:
    """The ids of elements that stand outside the thing they belong to → that thing."""
    return {
        name: element
        for element in outline.marked("itemref")
        for name in element.get("itemref").split()
    }


class _Scope:
    """An open item: its draft, the path to it from the draft's root, and its own properties."""

    __slots__ = ("draft", "own", "path")

    def __init__(self, draft: ItemDraft, path: tuple[str, ...]) -> None:
        self.draft = draft
        self.path = path
        self.own: list[tuple[str, PropertyDraft]] = []

    def settle(self) -> None:
        """Hand the properties to the draft, values together with their units."""
        first = dict(reversed(self.own))
        unit = first.get("unitText") or first.get("unitCode")
        more = (unit.value,) if unit else ()
        currency = first.get("priceCurrency")
        found = self.draft.properties
        if self.path[-1:] == ("additionalProperty",):
            if "name" in first and "value" in first:
                value, name = first["value"].value, first["name"].value
                found.append(PropertyDraft("additionalProperty", value, name, more))
            return
        if "value" in first and unit:
            found.append(first["value"]._replace(path=".".join(self.path), more=more))
        for name_of, made in self.own:
            priced = name_of in _PRICES and currency
            found.append(made._replace(more=(currency.value,)) if priced and currency else made)


class _Reader:
    """Follows the elements in order, and their tags in the source beside them."""

    def __init__(
        self, cut: SourceCut, tags: list[SourceTag], marks: Marks, referred: dict[str, Element]
    ) -> None:
        self._cut = cut
        self._tags = tags
        self._marks = marks
        self._referred = referred
        self._at = 0
        self._scopes: dict[int, _Scope] = {}
        self._count = 0
        self._drafts: list[ItemDraft] = []
        self._early: list[tuple[Element, SourceTag]] = []  # their thing begins further down

    def drafts(self) -> Iterator[ItemDraft]:
        """The items, once every element has been taken."""
        for element, tag in self._early:
            self._fill(element, tag, self._scope_of(element))
        for scope in self._scopes.values():
            scope.settle()
        return iter(self._drafts)

    def take(self, element: Element) -> None:
        """Take one element that opens an item or holds a property."""
        if self._count > MAX_PROPERTIES:
            return
        self._count += 1
        tag = self._tag_of(element)
        if tag is None:
            return
        scope = self._scope_of(element)
        if self._marks.is_opened(element):
            self._open(element, scope, self._marks.names(element))
        elif scope is None and self._referred:
            self._early.append((element, tag))
        else:
            self._fill(element, tag, scope)

    def _fill(self, element: Element, tag: SourceTag, scope: _Scope | None) -> None:
        if scope is None:
            return
        for name in filter(None, self._marks.names(element)):
            value = self._value(element, tag, name)
            if value is None:
                continue
            label = self._cut.source(*tag.attributes[self._marks.property], Encoding.HTML)
            path = (*scope.path, name)
            scope.own.append((name, PropertyDraft(".".join(path), value, label)))
            if path == ("name",) and not scope.draft.name:
                scope.draft.name = reading(value).strip()

    def _tag_of(self, element: Element) -> SourceTag | None:
        """The element's own tag: the next one in the source with the same words."""
        source = self._cut.source_text
        names = (self._marks.property, self._marks.type, "content", "href")
        for at in range(self._at, min(self._at + _LOOK_AHEAD, len(self._tags))):
            tag = self._tags[at]
            if tag.name == element.tag and all(
                tag.value(name, source) == element.get(name) for name in names
            ):
                self._at = at + 1
                return tag
        return None

    def _scope_of(self, element: Element) -> _Scope | None:
        at: Element | None = element
        while at is not None:
            if at is not element and at.index in self._scopes:
                return self._scopes[at.index]
            if self._referred and (thing := self._referred.get(at.get("id"))):
                return self._scopes.get(thing.index)
            at = at.parent
        return None

    def _open(self, element: Element, outer: _Scope | None, names: list[str]) -> None:
        kind = best_type(element.get(self._marks.type).split())
        name = names[0] if names else ""
        if outer is None or not name or name in _APART:
            entity = name == "mainEntity"
            draft = ItemDraft(kind, "", self._marks.syntax, outer is not None and not entity)
            draft.entity = entity
            self._drafts.append(draft)
            self._scopes[element.index] = _Scope(draft, ())
        else:
            # a level that only wraps: an offer among offers, a price's own specification
            in_offers = name == "offers" and outer.path[-1:] == ("offers",)
            wraps = name == "priceSpecification" or in_offers
            path = outer.path if wraps else (*outer.path, name)
            self._scopes[element.index] = _Scope(outer.draft, path)

    def _value(self, element: Element, tag: SourceTag, name: str) -> Snippet | None:
        attribute = "content" if element.get("content") else _VALUE_ATTRIBUTES.get(element.tag, "")
        worded = element.has_words and element.end - element.start <= _MAX_VALUE
        span = tag.attributes.get(attribute)
        if attribute == "href" and worded and name not in _LINKS:
            span = None
        if span and span[1] > span[0]:
            return self._cut.source(*span, Encoding.HTML)
        return self._cut.read(element.start, element.end) if worded else None
