"""OpenGraph and other meta tags → one item about the page itself."""

from __future__ import annotations

from specfactory.model import Encoding
from specfactory.proof.item_draft import Cut, ItemDraft, PropertyDraft
from specfactory.proof.tags import SourceTag

# What each name says, in the words of schema.org.
_PATHS = {
    "og:title": "headline",  # of a product's page: its name
    "og:description": "description",
    "description": "description",
    "og:image": "image",
    "og:url": "url",
    "og:site_name": "publisher.name",
    "og:price:amount": "offers.price",
    "og:price:currency": "offers.priceCurrency",
    "og:availability": "offers.availability",
    "product:price:amount": "offers.price",
    "product:price:currency": "offers.priceCurrency",
    "product:availability": "offers.availability",
    "product:condition": "offers.itemCondition",
    "product:brand": "brand.name",
    "og:brand": "brand.name",
    "product:retailer_item_id": "sku",
    "product:retailer_part_no": "sku",
    "product:mfr_part_no": "mpn",
    "product:ean": "gtin13",
    "product:upc": "gtin12",
    "product:gtin": "gtin",
    "product:color": "color",
    "product:category": "category",
    "product:weight:value": "weight",
    "product:weight": "weight",
    "article:published_time": "datePublished",
    "article:modified_time": "dateModified",
    "article:author": "author",
    "article:section": "articleSection",
    "author": "author.name",
    "keywords": "keywords",
}
_UNITS = {
    "og:price:amount": "og:price:currency",
    "product:price:amount": "product:price:currency",
    "product:weight:value": "product:weight:units",
}


def meta_item(tags: list[SourceTag], cut: Cut) -> ItemDraft | None:
    """What the page says of itself in its head; None when it says nothing."""
    named = _by_name(tags, cut.source_text)
    draft = ItemDraft("", "", "meta")
    for name, group in named.items():
        if name in _PATHS:
            draft.properties.extend(_property(_PATHS[name], tag, cut) for tag in group)
        if name in _UNITS and _UNITS[name] in named:
            unit = cut.source(*named[_UNITS[name]][0].attributes["content"], Encoding.HTML)
            draft.properties[-1] = draft.properties[-1]._replace(more=(unit,))
    draft.properties.extend(_labelled(named, cut))
    draft.name = draft.first("headline").strip()
    draft.type = named["og:type"][0].value("content", cut.source_text) if "og:type" in named else ""
    if draft.type.startswith("product"):
        draft.properties = [_as_name(made) for made in draft.properties]
    return draft if draft.properties else None


def _as_name(made: PropertyDraft) -> PropertyDraft:
    return made._replace(path="name") if made.path == "headline" else made


def _by_name(tags: list[SourceTag], source: str) -> dict[str, list[SourceTag]]:
    named: dict[str, list[SourceTag]] = {}
    for tag in tags:
        span = tag.attributes.get("content")
        if tag.name == "meta" and "itemprop" not in tag.attributes and span and span[1] > span[0]:
            name = (tag.value("property", source) or tag.value("name", source)).lower().strip()
            named.setdefault(name, []).append(tag)
    return named


def _property(path: str, tag: SourceTag, cut: Cut) -> PropertyDraft:
    name = tag.attributes["property" if "property" in tag.attributes else "name"]
    value = cut.source(*tag.attributes["content"], Encoding.HTML)
    return PropertyDraft(path, value, cut.source(*name, Encoding.HTML))


def _labelled(named: dict[str, list[SourceTag]], cut: Cut) -> list[PropertyDraft]:
    """Pairs such as twitter:label1 and twitter:data1: the page's own label and value."""
    pairs = []
    for number in "12":
        label, value = named.get(f"twitter:label{number}"), named.get(f"twitter:data{number}")
        if label and value:
            words = cut.source(*value[0].attributes["content"], Encoding.HTML)
            name = cut.source(*label[0].attributes["content"], Encoding.HTML)
            pairs.append(PropertyDraft("additionalProperty", words, name))
    return pairs
