"""OpenGraph and other meta tags → one item about the page itself."""

import re

from specfactory.model import Snippet
from specfactory.proof.structured.drafts import ItemDraft, Markup
from specfactory.proof.structured.items import Property
from specfactory.proof.structured.tags import SourceTag
from specfactory.word_lists import first_words, read_lists

_NAMES = read_lists("proof/structured/data/properties.txt")
_PATHS = first_words(_NAMES["meta"])
_SECOND_PATHS = first_words(_NAMES["second meta"])  # where none of the others gives the property
# Names made up by sites and their tools: "vr:published-time", "og:article:published_time".
_PUBLISHED = re.compile(
    r"(?<!un)publish(?:ed)?(?:time|date|datetime|at|on)$|pub(?:lication)?date$|"
    r"date(?:of)?publi(?:shed|cation)$|dateissued$"
)
_NO_LETTER = re.compile(r"[^a-z]+")
_UNITS = {
    "og:price:amount": "og:price:currency",
    "product:price:amount": "product:price:currency",
    "product:sale_price:amount": "product:sale_price:currency",
    "product:weight:value": "product:weight:units",
}


def meta_item(page: Markup) -> ItemDraft | None:
    """The item that the meta tags describe: the page itself; None without any."""
    named: dict[str, list[SourceTag]] = {}
    for tag in page.tags:
        span = tag.attributes.get("content") if tag.name == "meta" else None
        if span and span[1] > span[0] and "itemprop" not in tag.attributes:
            written = tag.value("property") or tag.value("name")
            called = written.lower().strip().replace("dc:", "dc.").replace("dcterms:", "dcterms.")
            named.setdefault(called, []).append(tag)

    def said(name: str) -> Snippet | None:
        return page.cut(named[name][0].attributes["content"]) if name in named else None

    draft = ItemDraft("", "", "meta")
    for name, group in named.items():
        if name in _PATHS:
            draft.properties.extend(_property(_PATHS[name], tag, page) for tag in group)
        if name in _UNITS and (unit := said(_UNITS[name])):
            draft.properties[-1] = draft.properties[-1]._replace(more=(unit,))
    given = {made.path for made in draft.properties}
    for name, group in named.items():
        if name in _PATHS:
            continue
        path = _SECOND_PATHS.get(name, "")
        if not path and _PUBLISHED.search(_NO_LETTER.sub("", name)):
            path = "datePublished"
        if path and path not in given:
            draft.properties.extend(_property(path, tag, page) for tag in group)
    for number in "12":  # twitter:label1 and twitter:data1: the page's own label and value
        label, value = said(f"twitter:label{number}"), said(f"twitter:data{number}")
        if label and value:
            draft.properties.append(Property.read("additionalProperty", value, label))
    draft.name = draft.first("headline").strip()
    draft.type = named["og:type"][0].value("content") if "og:type" in named else ""
    if draft.type.startswith("product"):  # its headline is the product's name
        draft.properties = [
            made._replace(path="name") if made.path == "headline" else made
            for made in draft.properties
        ]
    return draft if draft.properties else None


def _property(path: str, tag: SourceTag, page: Markup) -> Property:
    given = tag.attributes
    label = page.cut(given["property" if "property" in given else "name"])
    return Property.read(path, page.cut(given["content"]), label)
