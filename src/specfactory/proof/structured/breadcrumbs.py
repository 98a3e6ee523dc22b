"""Breadcrumbs: the trail of sections that a page says it belongs to, the widest first."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import NamedTuple
from urllib.parse import urljoin

from specfactory.contract.text import clean
from specfactory.model import Frozen, Snippet
from specfactory.proof.structured.drafts import Markup
from specfactory.proof.structured.items import Item
from specfactory.proof.text import Element, Outline

_MAX_CRUMBS = 12
_MAX_CRUMB = 300
_MAX_TRAIL = 2_000  # characters; more is a page, not a trail
_MAX_INSIDE = 400  # elements of a trail
_TELLING = ("class", "id", "role", "aria-label", "itemtype", "typeof", "itemprop")
_MARKED = re.compile(r"bread-?_?crumb|\bcrumbs?\b", re.IGNORECASE)
_ONE_CRUMB = re.compile(r"crumbs?[-_]*(?:item|link|el|home|text|name)|/Breadcrumb$", re.IGNORECASE)
_ARROWS = ">›»→⟩❯⮞▸►▶➔➜⇒≫＞〉"
_EDGES = f" \t\n\u200a\xa0{_ARROWS}/\\|:·•∙–—-<‹«←"  # around the name of a crumb
_BETWEEN = re.compile(
    rf"\n|\s(?:[{_ARROWS}]|::|->|//)\s|[{_ARROWS}](?=\s|$)|(?:^|(?<=\s))[{_ARROWS}]"
)
_LISTS = ("ul", "ol", "menu")
_ADDRESSES = ("item", "item.@id", "item.url", "url", "@id")


class Crumb(Frozen):
    """One step of a trail; without a name where it is a picture, without URL where no link."""

    name: str
    url: str = ""
    proof: Snippet | None = None  # of the name


class _Piece(NamedTuple):
    """Words of a trail, or a link among them."""

    start: int
    end: int
    href: str | None = None
    title: str = ""


def trail_of(items: Iterable[Item], page: Markup, base_url: str) -> tuple[Crumb, ...]:
    """The trail of a page: as declared in JSON-LD, else as marked, else as links with arrows."""
    declared = _declared(items, base_url)
    if declared:
        return declared
    roots = _marked(page.outline) if "rumb" in page.source else iter(())
    for root in chain(roots, _with_arrows(page.outline)):
        found = read_trail(page, root, base_url)
        if any(crumb.url for crumb in found):
            return found
    return ()


def read_trail(page: Markup, root: Element, base_url: str) -> tuple[Crumb, ...]:
    """The crumbs of an element that holds a trail: its links, and the words between them."""
    outline = page.outline
    if root.end - root.start > _MAX_TRAIL:
        return ()
    crumbs: list[Crumb] = []
    for piece in _pieces(outline, root):
        start, end = _trimmed(outline.text, piece.start, piece.end)
        name = clean(outline.text[start:end])[:_MAX_CRUMB]
        if not any(map(str.isalnum, name)):
            name = ""
        if piece.href is None and (not name or _is_caption(outline.text, end, crumbs)):
            continue
        if piece.href == "#" and not crumbs:  # "Back"
            continue
        proof = page.cut_text((start, end)) if name else None
        crumb = Crumb(name or piece.title, _absolute(base_url, piece.href), proof)
        if crumbs and crumb.name and (crumbs[-1].name, crumbs[-1].url) == (crumb.name, ""):
            crumbs.pop()  # the page's own name, said again with its link
        crumbs.append(crumb)
    return tuple(crumbs)[:_MAX_CRUMBS]


def _declared(items: Iterable[Item], base_url: str) -> tuple[Crumb, ...]:
    """The first BreadcrumbList of JSON-LD: its members follow it as items of their own."""
    crumbs: list[Crumb] = []
    inside = False
    for item in items:
        if item.syntax != "json-ld":
            continue
        if item.type != "ListItem":
            if crumbs:
                break
            inside = item.type == "BreadcrumbList"
        elif inside and (crumb := _declared_crumb(item, base_url)):
            crumbs.append(crumb)
    return tuple(crumbs)[:_MAX_CRUMBS]


def _declared_crumb(item: Item, base_url: str) -> Crumb | None:
    named = next((one for one in item.properties if one.path in ("name", "item.name")), None)
    if named is None or not (name := clean(named.words)[:_MAX_CRUMB]):
        return None
    address = next(filter(None, map(item.first, _ADDRESSES)), None)
    return Crumb(name, _absolute(base_url, address), named.snippet)


def _marked(outline: Outline) -> Iterator[Element]:
    """Outermost elements whose attributes say that they hold the trail."""
    ends = -1  # of the last one given: what lies inside it is a part of it
    for element in outline.elements:
        given = element.attributes
        if not given or not element.has_words or element.start < ends:
            continue
        marks = [mark for name in _TELLING if (mark := given.get(name)) and _MARKED.search(mark)]
        if marks:
            is_one = any(map(_ONE_CRUMB.search, marks)) and element.parent is not None
            root = element.parent if is_one and element.parent else element
            ends = root.end
            yield root


def _with_arrows(outline: Outline) -> Iterator[Element]:
    """Elements around the first two links with nothing but an arrow between them."""
    links = [link for link in outline.tagged("a") if link.has_words and link.get("href")]
    for one, other in pairwise(links):
        between = outline.text[one.end : other.start].strip() if other.start - one.end < 9 else ""
        if between and all(sign in _ARROWS for sign in between):
            if root := outline.holder(one.start, other.end):
                yield root
            return


def _pieces(outline: Outline, root: Element) -> Iterator[_Piece]:
    """Links of a trail in order, and the words before, between and after them."""
    at = max(root.start, 0)
    for element in _opened(root):
        is_link = element.tag == "a" and element.get("href")
        if element.has_words:
            yield from _split(outline.text, at, element.start)
            at = element.end
        if is_link:
            words = element.span if element.has_words else (at, at)
            yield _Piece(*words, element.get("href"), clean(element.get("title")))
    yield from _split(outline.text, at, max(root.end, at))


def _opened(root: Element) -> Iterator[Element]:
    """Elements that cut a trail into pieces: links, signs between them, and menus to skip."""
    waiting, left = [root], _MAX_INSIDE
    while waiting and left:
        element = waiting.pop()
        left -= 1
        if (element.tag == "a" and element.get("href")) or _is_menu(element):
            yield element
        else:
            waiting.extend(reversed(element.children))


def _is_menu(element: Element) -> bool:
    """True for a list of alternatives that opens beside a crumb, not for the rest of the trail."""
    if element.tag == "select" or "dropdown-menu" in element.get("class"):
        return True
    is_nested = element.tag in _LISTS and any(at.tag == "li" for at in element.ancestors())
    return is_nested and sum(child.tag == "li" for child in element.children) > 1


def _split(text: str, start: int, end: int) -> Iterator[_Piece]:
    """Words without a link, cut at line ends and arrows."""
    at = start
    for sign in _BETWEEN.finditer(text, start, end):
        yield _Piece(at, sign.start())
        at = sign.end()
    yield _Piece(at, end)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in _EDGES:
        start += 1
    while end > start and text[end - 1] in _EDGES:
        end -= 1
    return start, end


def _is_caption(text: str, end: int, before: list[Crumb]) -> bool:
    """True for the words that introduce a trail ("You are here:")."""
    return not before and text[end : end + 2].lstrip().startswith(":")


def _absolute(base_url: str, href: str | None) -> str:
    if href is None:
        return ""
    try:
        return urljoin(base_url, href.strip())
    except ValueError:
        return ""
