"""What a page calls itself and where it says it stands."""

from __future__ import annotations

from collections.abc import Iterable

from specfactory.proof.structured.items import Item
from specfactory.proof.text import Element, Outline
from specfactory.proof.wording import collapsed

_MAX_CRUMBS = 12
_MAX_CRUMB = 120
_TELLING = ("class", "id", "role", "aria-label")


def breadcrumbs_of(items: Iterable[Item], outline: Outline) -> tuple[str, ...]:
    """The breadcrumbs of a page: as structured data, else as marked in its navigation."""
    named = [
        collapsed(item.name or item.first("item.name") or item.first("name"))
        for item in items
        if item.type == "ListItem"
    ]
    crumbs = [name for name in named if name] or _marked(outline)
    return tuple(dict.fromkeys(crumbs))[:_MAX_CRUMBS]


def _marked(outline: Outline) -> list[str]:
    for element in outline.elements:
        if element.attributes and element.has_words and _is_trail(element):
            return [
                words
                for link in element.descendants()
                if link.tag in ("a", "li", "span") and not _holds_links(link)
                if 0 < len(words := collapsed(outline.words(link))) <= _MAX_CRUMB
                if any(letter.isalnum() for letter in words)
            ]
    return []


def _is_trail(element: Element) -> bool:
    given = element.attributes
    for name in _TELLING:
        if (written := given.get(name)) and "breadcrumb" in written.lower():
            return True
    return False


def _holds_links(element: Element) -> bool:
    return any(below.tag in ("a", "li", "span") for below in element.children)
