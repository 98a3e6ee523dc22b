"""Layers: elements of one page that stand under the same path of tags, as records do."""

import re
from collections import defaultdict
from functools import cached_property
from operator import attrgetter

from msgspec import Struct

from specfactory.proof import Element, Outline

MAX_RECORDS = 1_000
_LEAST = 2
_MAX_LAYERS = 16  # looked at closely
_ENOUGH = 300  # characters of a record that count: otherwise few large boxes beat many records
_WHOLE = ("https://", "http://")
_NO_PAGES = ("javascript:", "mailto:", "tel:", "data:")
_FRAME_TAGS = frozenset(("nav", "footer", "aside", "dialog", "select"))
_FRAME_HINTS = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu\w*|footer|header|sidebar|breadcrumbs?|crumbs|social"
    r"|share|pagination|pager|toolbar|cookie\w*|skip)(?=$|[\s_-])|nav(?:bar|igation)",
    re.IGNORECASE,
)
_FEW_LINKS = 8  # of one element that are kept
_LINKED = 0.4  # weight of a character inside a link
_CELL = 0.5  # weight of cells: mostly the row is the record
_IN_FRAME = 0.05  # weight of what stands in a frame of the page


class Layer(Struct, eq=False):
    """Elements of one path that each hold a link, and how much they weigh as records."""

    elements: list[Element]
    weight: float = 0.0


class Layers:
    """The layers of a page: one pass down for paths and frames, one up for links."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self.links: dict[int, list[Element]] = defaultdict(list)  # first links inside an element
        self._linked = [0] * len(outline.elements)  # characters inside links

    def likeliest(self) -> list[Layer]:
        """Those that may be lists of records, the heaviest first, outer ones before inner ones."""
        found = [self._layer(some) for some in self._by_path.values() if len(some) >= _LEAST]
        heavy = sorted((one for one in found if one.weight), key=attrgetter("weight"), reverse=True)
        return heavy[:_MAX_LAYERS]

    @cached_property
    def _by_path(self) -> dict[int, list[Element]]:
        """Elements with words and a link, by the path of tags that leads to them."""
        self._find_links()
        numbers: dict[tuple[int, str], int] = {}
        paths: list[int] = []
        layers: dict[int, list[Element]] = defaultdict(list)
        for element in self._outline.elements:
            above = paths[element.parent.index] if element.parent is not None else -1
            path = numbers.setdefault((above, element.tag), len(numbers))
            paths.append(path)
            is_linked = element.has_words and element.index in self.links
            if is_linked and len(layers[path]) < MAX_RECORDS:
                layers[path].append(element)
        return layers

    def _find_links(self) -> None:
        for element in reversed(self._outline.elements):
            links = self.links.get(element.index)
            if target(element):
                links = self.links[element.index] = [element]
                self._linked[element.index] = max(element.end - element.start, 0)
            if element.parent is not None:
                self._linked[element.parent.index] += self._linked[element.index]
            if links and element.parent is not None:
                above = self.links[element.parent.index]
                above[:0] = links[: _FEW_LINKS - 1]
                del above[_FEW_LINKS:]

    @cached_property
    def _frames(self) -> list[bool]:
        """True for each element that stands in a frame of the page: navigation, footer …"""
        framed: list[bool] = []
        for element in self._outline.elements:
            above = element.parent is not None and framed[element.parent.index]
            framed.append(above or self._is_frame(element))
        return framed

    def _is_frame(self, element: Element) -> bool:
        """True for a frame by its tag, or by its name where links are most of its words."""
        if element.tag in _FRAME_TAGS:
            return True
        if self._linked[element.index] * 2 < element.end - element.start:
            return False
        return element.tag == "header" or bool(_FRAME_HINTS.search(element.hints))

    def _layer(self, elements: list[Element]) -> Layer:
        size = sum(self._size(one) for one in elements)
        hrefs = [{target(link) for link in self.links[one.index]} for one in elements]
        count, distinct = len(elements), len(set().union(*hrefs))
        if distinct < _LEAST:
            return Layer(elements)
        per_record = sum(map(len, hrefs)) / count  # of boxes with many links, each is a list
        framed = sum(self._frames[one.index] for one in elements) * 2 > count
        weight = size * min(distinct / count, 1.0) * per_record**-0.5 * (1 - 1 / count)
        if framed:
            weight *= _IN_FRAME
        return Layer(elements, weight * (_CELL if elements[0].tag in ("td", "th") else 1.0))

    def _size(self, element: Element) -> float:
        """Characters that count: those of links less, for menus have no others."""
        linked = self._linked[element.index]
        return min(element.end - element.start - linked * (1 - _LINKED), _ENOUGH)


def target(element: Element) -> str:
    """The page or file that a link leads to, also by a script with the address beside it."""
    if element.tag != "a":
        return ""
    href = element.get("href").strip()
    if href and href[0] != "#" and not href.lower().startswith(_NO_PAGES):
        return href
    kept = (value for name, value in element.attributes.items() if name.startswith("data-"))
    return next((value for value in kept if value and value.startswith(_WHOLE)), "")
