"""Microdata → items: the itemprop stands in the source, the value in the source or the text."""

from __future__ import annotations

from collections.abc import Iterator

from specfactory.model import Encoding, Snippet
from specfactory.proof.item_draft import Cut, ItemDraft, PropertyDraft
from specfactory.proof.items import property_name, type_name
from specfactory.proof.outline import Element, Outline
from specfactory.proof.reading import reading
from specfactory.proof.tags import SourceTag
from specfactory.proof.wording import word_set

MAX_PROPERTIES = 4_000
_LOOK_AHEAD = 40
_MAX_VALUE = 20_000
_APART = word_set(
    "isRelatedTo isSimilarTo isAccessoryOrSparePartFor isConsumableFor hasVariant "
    "itemListElement itemReviewed itemOffered"
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


def microdata_items(outline: Outline, tags: list[SourceTag], cut: Cut) -> Iterator[ItemDraft]:
    """All microdata items of a page, flattened, in document order."""
    reader = _Reader(cut, tags)
    for element in outline.elements:
        if element.attributes and ("itemprop" in element.attributes or _opens(element)):
            reader.take(element)
    return reader.drafts()


def _opens(element: Element) -> bool:
    return "itemscope" in element.attributes or "itemtype" in element.attributes


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
        currency = first.get("priceCurrency")
        if self.path[-1:] == ("additionalProperty",):
            self._settle_additional(first.get("name"), first.get("value"), unit)
            return
        if "value" in first and unit:
            path = ".".join(self.path)
            self.draft.properties.append(first["value"]._replace(path=path, more=(unit.value,)))
        for name, made in self.own:
            priced = name in _PRICES and currency
            self.draft.properties.append(
                made._replace(more=(currency.value,)) if priced and currency else made
            )

    def _settle_additional(
        self, name: PropertyDraft | None, value: PropertyDraft | None, unit: PropertyDraft | None
    ) -> None:
        if name and value:
            more = (unit.value,) if unit else ()
            made = PropertyDraft("additionalProperty", value.value, name.value, more)
            self.draft.properties.append(made)


class _Reader:
    """Follows the elements in order, and their tags in the source beside them."""

    def __init__(self, cut: Cut, tags: list[SourceTag]) -> None:
        self._cut = cut
        self._tags = [
            tag for tag in tags if "itemprop" in tag.attributes or "itemscope" in tag.attributes
        ]
        self._at = 0
        self._scopes: dict[int, _Scope] = {}
        self._count = 0
        self._drafts: list[ItemDraft] = []

    def drafts(self) -> Iterator[ItemDraft]:
        """The items, once every element has been taken."""
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
        names = element.get("itemprop").split()
        if _opens(element):
            self._open(element, scope, names)
        elif scope is not None:
            for name in names:
                self._add(element, tag, scope, property_name(name))

    def _tag_of(self, element: Element) -> SourceTag | None:
        """The element's own tag: the next one in the source with the same words."""
        for at in range(self._at, min(self._at + _LOOK_AHEAD, len(self._tags))):
            if self._matches(element, self._tags[at]):
                self._at = at + 1
                return self._tags[at]
        return None

    def _matches(self, element: Element, tag: SourceTag) -> bool:
        return tag.name == element.tag and all(
            tag.value(name, self._cut.source_text) == element.get(name)
            for name in ("itemprop", "itemtype", "content", "href")
        )

    def _scope_of(self, element: Element) -> _Scope | None:
        for outer in element.ancestors():
            if outer.index in self._scopes:
                return self._scopes[outer.index]
        return None

    def _open(self, element: Element, outer: _Scope | None, names: list[str]) -> None:
        kind = type_name((element.get("itemtype").split() or [""])[0])
        name = property_name(names[0]) if names else ""
        if outer is None or not name or name in _APART:
            draft = ItemDraft(kind, "", "microdata", apart=outer is not None)
            self._drafts.append(draft)
            self._scopes[element.index] = _Scope(draft, ())
        else:
            transparent = name == "offers" and outer.path[-1:] == ("offers",)
            path = outer.path if transparent else (*outer.path, name)
            self._scopes[element.index] = _Scope(outer.draft, path)

    def _add(self, element: Element, tag: SourceTag, scope: _Scope, name: str) -> None:
        value = self._value(element, tag)
        if value is None:
            return
        label = self._cut.source(*tag.attributes["itemprop"], Encoding.HTML)
        path = (*scope.path, name)
        scope.own.append((name, PropertyDraft(".".join(path), value, label)))
        if path == ("name",) and not scope.draft.name:
            scope.draft.name = reading(value).strip()

    def _value(self, element: Element, tag: SourceTag) -> Snippet | None:
        attribute = "content" if element.get("content") else _VALUE_ATTRIBUTES.get(element.tag, "")
        span = tag.attributes.get(attribute)
        if span and span[1] > span[0]:
            return self._cut.source(*span, Encoding.HTML)
        if element.has_words and element.end - element.start <= _MAX_VALUE:
            return self._cut.read(element.start, element.end)
        return None
