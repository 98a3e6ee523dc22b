"""Breadcrumbs: the sections that a page says it belongs to."""

from collections.abc import Iterable

from specfactory.contract.text import clean
from specfactory.proof.structured.items import Item
from specfactory.proof.text import Outline

_MAX_CRUMBS = 12
_MAX_CRUMB = 120
_CRUMBS = ("a", "li", "span")
_TELLING = ("class", "id", "role", "aria-label")


def breadcrumbs_of(items: Iterable[Item], outline: Outline) -> tuple[str, ...]:
    """The breadcrumbs of a page: as structured data, else as marked in its navigation."""
    named = [
        clean(item.name or item.first("item.name") or item.first("name"))
        for item in items
        if item.type == "ListItem"
    ]
    crumbs = [name for name in named if name] or _marked(outline)
    return tuple(dict.fromkeys(crumbs))[:_MAX_CRUMBS]


def _marked(outline: Outline) -> list[str]:
    for element in outline.elements:
        given = element.attributes
        if not given or not element.has_words:
            continue
        if not any("breadcrumb" in (given.get(name) or "").lower() for name in _TELLING):
            continue
        return [
            words
            for link in element.descendants()
            if link.tag in _CRUMBS and not any(below.tag in _CRUMBS for below in link.children)
            if 0 < len(words := clean(outline.words(link))) <= _MAX_CRUMB
            if any(letter.isalnum() for letter in words)
        ]
    return []
