"""OpenGraph and other meta tags → one item about the page itself."""

from __future__ import annotations

import re

from specfactory.model import Encoding
from specfactory.proof.structured.item_draft import ItemDraft, PropertyDraft, SourceCut
from specfactory.proof.structured.tags import SourceTag

# Meta names -> properties of schema.org.
_PATHS = {
    "og:title": "headline",  # of a product's page: its name
    "og:description": "description",
    "description": "description",
    "og:image": "image",
    "og:url": "url",
    "og:site_name": "publisher.name",
    "product:sale_price:amount": "offers.price",
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
    "article:tag": "keywords",
    "author": "author.name",
    "keywords": "keywords",
    "og:locale": "inLanguage",
    "og:isbn": "isbn",
    "book:isbn": "isbn",
    "og:ean": "gtin13",
    "og:upc": "gtin12",
    "product:isbn": "isbn",
    "product:material": "material",
    "product:size": "size",
}
# Used only where none of the names above gives the property.
_SECOND_PATHS = {
    "twitter:title": "headline",
    "dc.title": "headline",
    "dcterms.title": "headline",
    "citation_title": "headline",
    "twitter:description": "description",
    "dc.description": "description",
    "dcterms.description": "description",
    "twitter:image": "image",
    "twitter:image:src": "image",
    "thumbnail": "image",
    "dc.creator": "author.name",
    "dcterms.creator": "author.name",
    "citation_author": "author.name",
    "book:author": "author.name",
    "byl": "author.name",
    "authors": "author.name",
    "article.author": "author.name",
    "article:author_name": "author.name",
    "og:author": "author.name",
    "og:article:author": "author.name",
    "parsely-author": "author.name",
    "sailthru.author": "author.name",
    "cxenseparse:author": "author.name",
    "vr:author": "author.name",
    "dc.publisher": "publisher.name",
    "dcterms.publisher": "publisher.name",
    "application-name": "publisher.name",
    "dc.date": "datePublished",
    "dc.date.issued": "datePublished",
    "dcterms.created": "datePublished",
    "dcterms.issued": "datePublished",
    "dcterms.date": "datePublished",
    "citation_publication_date": "datePublished",
    "date": "datePublished",
    "pubdate": "datePublished",
    "publishdate": "datePublished",
    "publish-date": "datePublished",
    "publish_date": "datePublished",
    "publication_date": "datePublished",
    "publicationdate": "datePublished",
    "published": "datePublished",
    "published_at": "datePublished",
    "published_time": "datePublished",
    "publishedtime": "datePublished",
    "datepublished": "datePublished",
    "og:pubdate": "datePublished",
    "og:published_time": "datePublished",
    "og:release_date": "datePublished",
    "article.published": "datePublished",
    "article:published": "datePublished",
    "article:pubdate": "datePublished",
    "article:create_at": "datePublished",
    "article_date_original": "datePublished",
    "originalpublicationdate": "datePublished",
    "displaydate": "datePublished",
    "dc.created": "datePublished",
    "dc.issued": "datePublished",
    "dc.date.created": "datePublished",
    "dc.date.published": "datePublished",
    "dcterms.available": "datePublished",
    "dcterms.datesubmitted": "datePublished",
    "citation_date": "datePublished",
    "citation_online_date": "datePublished",
    "prism.publicationdate": "datePublished",
    "parsely-pub-date": "datePublished",
    "sailthru.date": "datePublished",
    "cxenseparse:recs:publishtime": "datePublished",
    "cxenseparse:publishtime": "datePublished",
    "bt:pubdate": "datePublished",
    "vr:published_time": "datePublished",
    "dc.modified": "dateModified",
    "dc.date.modified": "dateModified",
    "article.updated": "dateModified",
    "article:updated": "dateModified",
    "revised": "dateModified",
    "lastmod": "dateModified",
    "dcterms.modified": "dateModified",
    "og:updated_time": "dateModified",
    "last-modified": "dateModified",
    "dc.language": "inLanguage",
    "dcterms.language": "inLanguage",
    "dc.subject": "keywords",
    "dcterms.subject": "keywords",
    "news_keywords": "keywords",
}
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


def meta_item(tags: list[SourceTag], cut: SourceCut) -> ItemDraft | None:
    """The item that the meta tags describe: the page itself; None without any."""
    source, named = cut.source_text, dict[str, list[SourceTag]]()
    for tag in tags:
        span = tag.attributes.get("content") if tag.name == "meta" else None
        if span and span[1] > span[0] and "itemprop" not in tag.attributes:
            written = tag.value("property", source) or tag.value("name", source)
            called = written.lower().strip().replace("dc:", "dc.").replace("dcterms:", "dcterms.")
            named.setdefault(called, []).append(tag)
    draft = ItemDraft("", "", "meta")
    for name, group in named.items():
        if name in _PATHS:
            draft.properties.extend(_property(_PATHS[name], tag, cut) for tag in group)
        if name in _UNITS and _UNITS[name] in named:
            unit = cut.source(*named[_UNITS[name]][0].attributes["content"], Encoding.HTML)
            draft.properties[-1] = draft.properties[-1]._replace(more=(unit,))
    given = {made.path for made in draft.properties}
    for name, group in named.items():
        if name in _PATHS:
            continue
        path = _SECOND_PATHS.get(name, "")
        if not path and _PUBLISHED.search(_NO_LETTER.sub("", name)):
            path = "datePublished"
        if path and path not in given:
            draft.properties.extend(_property(path, tag, cut) for tag in group)
    for number in "12":  # twitter:label1 and twitter:data1: the page's own label and value
        label, value = named.get(f"twitter:label{number}"), named.get(f"twitter:data{number}")
        if label and value:
            words = cut.source(*value[0].attributes["content"], Encoding.HTML)
            label_words = cut.source(*label[0].attributes["content"], Encoding.HTML)
            draft.properties.append(PropertyDraft("additionalProperty", words, label_words))
    draft.name = draft.first("headline").strip()
    draft.type = named["og:type"][0].value("content", source) if "og:type" in named else ""
    if draft.type.startswith("product"):  # its headline is the product's name
        draft.properties = [
            made._replace(path="name") if made.path == "headline" else made
            for made in draft.properties
        ]
    return draft if draft.properties else None


def _property(path: str, tag: SourceTag, cut: SourceCut) -> PropertyDraft:
    name = tag.attributes["property" if "property" in tag.attributes else "name"]
    value = cut.source(*tag.attributes["content"], Encoding.HTML)
    return PropertyDraft(path, value, cut.source(*name, Encoding.HTML))
