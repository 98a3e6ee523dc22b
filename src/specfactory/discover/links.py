"""Links out of a page: to others of its site, and to the documents of a product. Pure."""

import re
from collections.abc import Iterator
from urllib.parse import unquote, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from specfactory.discover.slugs import site_of
from specfactory.model import Frozen, Page
from specfactory.ports import Hit
from specfactory.proof.text import cut_excess, decode

_MAX_LINKS = 3_000
_MAX_JOINED = 600_000  # characters of the base address, which every link goes over again
_MAX_TEXT = 200
_MAX_DOCUMENTS = 5
_SPACE = re.compile(r"\s+")
_SHEETS = (
    "data sheet", "datasheet", "spec sheet", "specsheet", "specification", "technical data",
    "tech specs", "technical sheet", "product sheet", "product information sheet", "factsheet",
    "fact sheet", "datenblatt", "technische daten", "produktblatt", "fiche technique",
    "fiche produit", "caractéristiques", "ficha técnica", "ficha tecnica", "hoja de datos",
    "especificaciones", "especificações", "folha de dados", "scheda tecnica", "specifiche",
    "productblad", "specificaties", "datablad", "produktark", "karta produktu", "specyfikacj",
    "dane techniczne", "technický list", "adatlap", "teknik özellik", "характеристик",
    "спецификац", "仕様", "規格", "规格", "参数", "사양",
)  # fmt: skip
_OTHER_DOCUMENTS = (
    "manual", "quick start", "quickstart", "user guide", "warranty", "terms", "privacy",
    "conformity", "declaration", "certificate", "safety", "brochure", "catalog", "invoice",
    "return", "handbuch", "bedienungsanleitung", "garantie", "konformität", "manuel",
    "mode d'emploi", "manuale", "garanzia", "garantía", "instrucciones", "sustainability",
)  # fmt: skip


Markup = bytes | str | LexborHTMLParser


class Link(Frozen):
    """An anchor: its address and text."""

    url: str
    text: str


def links_of(html: Markup, base_url: str) -> Iterator[Link]:
    """The links of a page in its order, absolute, without fragments; never raises."""
    if isinstance(html, LexborHTMLParser):
        tree = html
    else:
        tree = LexborHTMLParser(cut_excess(html if isinstance(html, str) else decode(html)))
    base = tree.css_first("base[href]")
    if base is not None and (href := base.attributes.get("href")):
        base_url = _absolute(href, base_url) or base_url
    base_url = base_url.partition("?")[0]  # no part of any link
    most = min(_MAX_LINKS, _MAX_JOINED // max(len(base_url), 1))
    for node in tree.css("a[href]")[:most]:
        url = _absolute(node.attributes.get("href") or "", base_url)
        if url:
            yield Link(url, _text(node))


def same_site_links(html: Markup, base_url: str) -> list[Link]:
    """The links that stay on the page's own site, each URL once, with its first words."""
    site, found = site_of(_netloc(base_url)), dict[str, Link]()
    for link in links_of(html, base_url):
        if site_of(_netloc(link.url)) == site and (
            link.url not in found or not found[link.url].text
        ):
            found[link.url] = link
    return list(found.values())


def document_links(html: Markup, base: Page | str) -> list[Hit]:
    """PDF data sheets that a product page links, in any of a dozen languages, likeliest first."""
    base_url = base if isinstance(base, str) else base.final_url
    ranked: dict[str, tuple[int, Hit]] = {}
    for link in links_of(html, base_url):
        rank = _document_rank(link)
        if rank is not None and link.url not in ranked:
            ranked[link.url] = (rank, Hit(link.url, link.text, "link"))
    ordered = sorted(ranked.values(), key=lambda pair: pair[0])
    return [hit for _, hit in ordered[:_MAX_DOCUMENTS]]


def _document_rank(link: Link) -> int | None:
    """0 for a data sheet, 1 for some PDF; None for no document, or another kind."""
    path = unquote(urlsplit(link.url).path).lower()
    if not path.endswith(".pdf"):
        return None
    words = f"{link.text.lower()} {re.sub(r'[-_+/.]+', ' ', path)}"
    if any(sheet in words for sheet in _SHEETS):
        return 0
    return None if any(other in words for other in _OTHER_DOCUMENTS) else 1


def _absolute(href: str, base_url: str) -> str:
    href = href.strip()
    if not href or href.startswith("#"):
        return ""
    try:
        url = urljoin(base_url, href).partition("#")[0]
        parts = urlsplit(url)
    except ValueError:
        return ""
    return url if parts.scheme in ("http", "https") and parts.netloc else ""


def _text(node: LexborNode) -> str:
    """Text of a link: its words, else its title or the name of its picture."""
    text = _SPACE.sub(" ", node.text(separator=" ")).strip()
    if not text:
        picture = node.css_first("img[alt]")
        named = node.attributes.get("title") or node.attributes.get("aria-label")
        text = named or (picture.attributes.get("alt") if picture is not None else "") or ""
    return _SPACE.sub(" ", text).strip()[:_MAX_TEXT]


def _netloc(url: str) -> str:
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""
