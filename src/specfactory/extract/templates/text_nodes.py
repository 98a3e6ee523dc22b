"""Text nodes of a parsed page: all of them with their surroundings, read in one walk without
recursion, and those that quick paths lead to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from specfactory.model import Probe
from specfactory.word_lists import word_set

MAX_NODES = 60_000
MAX_TEXTS = 6_000
_MAX_TEXT = 2_000
_MAX_DEPTH = 120
_MAX_SPOT = 61
_MAX_PROBED = 60
_MAX_STEPS = 60
NEAR = 6  # texts before a text that are searched for its label

DROPPED: Final = word_set(
    "script style template noscript iframe svg canvas object embed math textarea noembed "
    "noframes select"
)
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_BOLD: Final = frozenset(("b", "strong", "th", "dt", "label", "em"))
_CELLS: Final = frozenset(("td", "th"))
_INLINE: Final = word_set(
    "a abbr acronym b bdi bdo big cite code em font i kbd label mark q s small span strong sub sup "
    "tt u var nobr time data"
)
_MARKS: Final = ("itemprop", "property", "rel", "headers", "for", "name", "align", "title")
_SPACES = re.compile(r"[\s\u00a0\u200b]+")
_SPEAKS = re.compile(r"[^\W_]")
_DIGITS = re.compile(r"\d+")


class TextFrame:
    """Element above a text; what several texts share is computed once."""

    __slots__ = (
        "block", "cell", "classed", "column", "counts", "depth", "head", "identified",
        "node", "parent", "path", "places", "row", "shared", "step", "steps", "tag", "texts",
    )  # fmt: skip

    def __init__(self, node: LexborNode, tag: str, parent: TextFrame | None) -> None:
        self.node = node
        self.tag = tag
        self.parent = parent
        self.counts: dict[str, int] = {}  # children so far, by tag
        self.texts = 0
        self.shared: tuple[str, ...] | None = None
        self.head = ""
        given = node.attributes or {}
        name, kind = _masked(given.get("id")), _masked(given.get("class"))
        self.step = tag + (f"#{name}" if name else "") + (f".{kind}" if kind else "")
        self.depth: int = parent.depth + 1 if parent else 0
        self.path: str = f"{parent.path}/{tag}" if parent else tag
        self.steps: str = f"{parent.steps}/{self.step}" if parent else tag
        if parent:
            parent.counts[tag] = parent.counts.get(tag, 0) + 1
        self.places: str = f"{parent.places}/{tag}{parent.counts[tag]}" if parent else tag
        self.identified: TextFrame | None = self if name or not parent else parent.identified
        self.classed: TextFrame | None = self if kind or not parent else parent.classed
        self.block: TextFrame = parent.block if parent and tag in _INLINE else self
        self.row: TextFrame | None = parent.row if parent else None
        self.cell: TextFrame | None = parent.cell if parent else None
        self.column: int = parent.column if parent else 0
        if tag == "tr":
            self.row, self.cell, self.column = self, None, 0
        elif tag in _CELLS and self.row is not None:
            self.cell = self
            self.column = self.row.counts.get("td", 0) + self.row.counts.get("th", 0)

    @property
    def href(self) -> str:
        """Kind of page that it links to: first steps of the address, digits and values masked."""
        href = self.node.attributes.get("href") if self.tag == "a" else ""
        if not href:
            return ""
        path, _, query = href.partition("?")
        path = path.split("://", 1)[-1]
        steps = _DIGITS.sub("#", path).split("/")[:3]
        names = "&".join(part.split("=", 1)[0] for part in query.split("&")[:6]) if query else ""
        return f"{'/'.join(steps)}?{names}"

    @property
    def mark(self) -> str:
        """First attribute that describes its purpose."""
        given = self.node.attributes
        for name in _MARKS:
            value = given.get(name)
            if value:
                return f"{name}={_masked(value[:60])}"
        return ""


class Text(Struct, eq=False):
    """One readable text node; ``place`` is its number among the texts of its element."""

    node: LexborNode
    words: str
    frame: TextFrame
    place: int
    heading: str
    bold: str
    row_head: str = ""

    @property
    def spot(self) -> str:
        """Words and path: a label has the same words in the same place on every page."""
        return f"{self.words[:_MAX_SPOT]}\n{self.frame.path}"


class PageTexts(Struct, eq=False):
    """All texts of a page in document order, with its title and h1."""

    tree: LexborHTMLParser | None  # the nodes live as long as their tree
    texts: list[Text]
    title: str = ""
    h1: str = ""


def read_texts(tree: LexborHTMLParser | None) -> PageTexts:
    """Walk over a page once and collect its texts."""
    walk = _Walk(tree)
    node = tree.root if tree is not None else None
    frame: TextFrame | None = None
    visited = 0
    while node is not None and visited < MAX_NODES and len(walk.page.texts) < MAX_TEXTS:
        visited += 1
        tag = node.tag or "-"
        if tag == "-text":
            if frame is not None and (words := readable(node.text_content)):
                walk.take(node, words, frame)
        elif tag[0] != "-" and tag not in DROPPED and (not frame or frame.depth < _MAX_DEPTH):
            inner = TextFrame(node, tag, frame)
            if (below := node.first_child) is not None:
                frame, node = inner, below
                continue
        after = node.next  # across, else up and across
        while after is None and frame is not None:
            after = frame.node.next
            frame = frame.parent
        node = after if frame is not None else None
    return walk.page


class _Walk:
    def __init__(self, tree: LexborHTMLParser | None) -> None:
        self.page = PageTexts(tree, [])
        self._heading = self._bold = ""

    def take(self, node: LexborNode, words: str, frame: TextFrame) -> None:
        page, row = self.page, frame.row
        frame.texts += 1
        text = Text(node, words, frame, frame.texts, self._heading, self._bold)
        page.texts.append(text)
        if row is not None and frame.cell is not None:
            if not row.head:
                row.head = words
                frame.cell.head = words
            elif not frame.cell.head or frame.cell.head != row.head:
                text.row_head = row.head
        # It may itself be a heading for the texts that follow.
        for at in (frame, frame.parent, frame.parent and frame.parent.parent):
            tag = at.tag if at is not None else ""
            if tag in _HEADINGS:
                self._heading = words
                if tag == "h1" and not page.h1:
                    page.h1 = words
                return
            if tag in _BOLD:
                self._bold = words
                return
            if tag == "title" and not page.title:
                page.title = words
                return


def find_text(probe: Probe, tree: LexborHTMLParser) -> tuple[LexborNode, str] | None:
    """Find the text node that a probe leads to, with its words."""
    for text in texts_at(tree, probe.selector, probe.place):
        if not probe.before:
            return text
        before = all_before(text[0], probe.back or NEAR)
        if probe.before in (before[probe.back - 1 :] if probe.back else before):
            return text
    return None


def texts_at(tree: LexborHTMLParser, selector: str, place: int) -> Iterator[tuple[LexborNode, str]]:
    """Texts at a place inside the elements that a selector finds, with their words."""
    for node in tree.css(selector)[:_MAX_PROBED]:
        text = _text_at(node, place)
        if text is not None:
            yield text


def all_before(node: LexborNode, most: int = NEAR) -> list[str]:
    """Words of the nearest texts before a text, nearest first."""
    words: list[str] = []
    while len(words) < most and (found := node_before(node)) is not None:
        node = found[0]
        words.append(found[1])
    return words


def _text_at(node: LexborNode, place: int) -> tuple[LexborNode, str] | None:
    """Child text of an element by its number, which begins at 1."""
    child = node.first_child
    while child is not None:
        if child.tag == "-text":
            words = readable(child.text_content)
            if words:
                place -= 1
                if not place:
                    return child, words
        child = child.next
    return None


def node_before(node: LexborNode) -> tuple[LexborNode, str] | None:
    """Text before a text, with its words."""
    at: LexborNode | None = node
    for _ in range(_MAX_STEPS):
        if at is None:
            return None
        before = at.prev
        if before is None:
            at = at.parent
            continue
        while before.tag not in DROPPED and (below := before.last_child) is not None:
            before = below
        at = before
        if at.tag == "-text":
            words = readable(at.text_content)
            if words:
                return at, words
    return None


def readable(raw: str | None) -> str:
    """Words of a text node; empty when it has punctuation alone."""
    if not raw or raw.isspace():
        return ""
    words = _SPACES.sub(" ", raw[:_MAX_TEXT]).strip()
    return words if _SPEAKS.search(words) else ""


def _masked(name: str | None) -> str:
    """Mask the digits in a class or id, which differ from page to page."""
    return _DIGITS.sub("#", name.strip()) if name else ""
