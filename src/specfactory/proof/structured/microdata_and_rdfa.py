"""Microdata and RDFa → items: names stand in the source, values in the source or the text.

Both mark things in the same way with other attributes: ``itemscope`` or ``typeof`` begins a
thing, ``itemprop`` or ``property`` names what is said of it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct, field

from specfactory.model import Snippet
from specfactory.proof.structured.drafts import ItemDraft, Markup
from specfactory.proof.structured.items import APART, PRICES, Property, best_type, property_name
from specfactory.proof.structured.tags import SourceTag
from specfactory.proof.text import Element
from specfactory.word_lists import first_words, word_set

MAX_PROPERTIES = 4_000
_LOOK_AHEAD = 40
_MAX_VALUE = 20_000
# Vocabularies of RDFa about the page itself: read as meta tags.
_FRAMES = word_set("og fb twitter article product al dc dcterms foaf sioc skos rdfs xsd rdf")
# Properties that are addresses; of other links the words are the value.
_LINKS = word_set(
    "url sameAs image logo item mainEntityOfPage thumbnailUrl contentUrl embedUrl target license "
    "availability itemCondition photo video subjectOf potentialAction discussionUrl hasMap map"
)
# The attribute that holds the value, and the tags where it does.
_VALUE_ATTRIBUTES = first_words(
    ("content meta", "href link a area", "src img source", "data object", "value data meter",
     "datetime time")
)  # fmt: skip


class Marks(NamedTuple):
    """The attributes by which a syntax names properties, types and things."""

    syntax: str
    property: str
    type: str
    opens: tuple[str, ...]
    sign: str  # stands in every tag of this syntax

    prefixed: bool = False  # names may have a prefix (``schema:name``) or an address

    def names(self, element: Element) -> list[str]:
        """The properties that an element holds."""
        written = element.get(self.property).split()
        if self.prefixed:
            own = (name for name in written if name.partition(":")[0] not in _FRAMES)
            written = [name.rpartition("#" if "#" in name else ":")[2] for name in own]
        return [property_name(name) for name in written]


MICRODATA = Marks("microdata", "itemprop", "itemtype", ("itemscope", "itemtype"), "item")
RDFA = Marks("rdfa", "property", "typeof", ("typeof",), "p", prefixed=True)


def marked_items(page: Markup, marks: Marks) -> Iterator[ItemDraft]:
    """All items that a page marks up in one syntax, flattened, in document order.

    Properties outside any thing are left to the meta tags.
    """
    opening = (tag for name in marks.opens for tag in page.tags if tag.mentions(name))
    if not any(name in tag.attributes for tag in opening for name in marks.opens):
        return iter(())
    telling = {marks.property, *marks.opens}
    signed = (tag for tag in page.tags if tag.mentions(marks.sign))
    own = [tag for tag in signed if not telling.isdisjoint(tag.attributes)]
    referred: dict[str, Element] = {}  # ids of elements outside the thing they belong to
    if any("itemref" in tag.attributes for tag in own):
        for element in page.outline.marked("itemref"):
            referred |= dict.fromkeys(element.get("itemref").split(), element)
    reader = _Reader(page, own, marks, referred)
    for element in page.outline.marked(marks.property, *marks.opens):
        reader.take(element)
    return reader.drafts()


class _Scope(Struct):
    """An open item: its draft, the path to it from the draft's root, and its own properties."""

    draft: ItemDraft
    path: tuple[str, ...]
    own: list[tuple[str, Property]] = field(default_factory=list)

    def settle(self) -> None:
        """Hand the properties to the draft, values together with their units."""
        first = dict(reversed(self.own))
        unit = first.get("unitText") or first.get("unitCode")
        more = (unit.snippet,) if unit else ()
        currency = first.get("priceCurrency")
        found = self.draft.properties
        if self.path[-1:] == ("additionalProperty",):
            if "name" in first and "value" in first:
                value, name = first["value"].snippet, first["name"].snippet
                found.append(Property.read("additionalProperty", value, name, more))
            return
        if "value" in first and unit:
            found.append(first["value"]._replace(path=".".join(self.path), more=more))
        for named, made in self.own:
            priced = (currency.snippet,) if currency and named in PRICES else ()
            found.append(made._replace(more=priced) if priced else made)


class _Reader:
    """Follows the elements in order, and their tags in the source beside them."""

    def __init__(
        self, page: Markup, tags: list[SourceTag], marks: Marks, referred: dict[str, Element]
    ) -> None:
        self._page, self._tags, self._marks, self._referred = page, tags, marks, referred
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
        if any(name in element.attributes for name in self._marks.opens):
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
            label = self._page.cut(tag.attributes[self._marks.property])
            made = Property.read(".".join((*scope.path, name)), value, label)
            scope.own.append((name, made))
            if made.path == "name" and not scope.draft.name:
                scope.draft.name = made.words.strip()

    def _tag_of(self, element: Element) -> SourceTag | None:
        """The element's own tag: the next one in the source with the same words."""
        names = (self._marks.property, self._marks.type, "content", "href")
        for at in range(self._at, min(self._at + _LOOK_AHEAD, len(self._tags))):
            tag = self._tags[at]
            if tag.name == element.tag and all(
                tag.value(name) == element.get(name) for name in names
            ):
                self._at = at + 1
                return tag
        return None

    def _scope_of(self, element: Element) -> _Scope | None:
        for at in (element, *element.ancestors()):
            if at is not element and at.index in self._scopes:
                return self._scopes[at.index]
            if self._referred and (thing := self._referred.get(at.get("id"))):
                return self._scopes.get(thing.index)
        return None

    def _open(self, element: Element, outer: _Scope | None, names: list[str]) -> None:
        kind = best_type(element.get(self._marks.type).split())
        name = names[0] if names else ""
        if outer is None or not name or name in APART:
            entity = name == "mainEntity"
            apart = outer is not None and not entity
            draft = ItemDraft(kind, "", self._marks.syntax, apart, entity)
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
            return self._page.cut(span)
        return self._page.cut_text(element.span) if worded else None
