"""The text nodes of a parsed page with what surrounds them, in one walk without recursion."""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from specfactory.proof import word_set

MAX_NODES = 60_000
MAX_TEXTS = 6_000
_MAX_TEXT = 2_000
_MAX_DEPTH = 120
_MAX_SPOT = 61

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
_SPACES = re.compile(r"[\s\u00a0\u200b]+")
_SPEAKS = re.compile(r"[^\W_]")
_DIGITS = re.compile(r"\d+")


class Frame:
    """An element on the way to a text; what several texts share is made once."""

    __slots__ = (
        "block",
        "cell",
        "classed",
        "column",
        "counts",
        "depth",
        "given",
        "head",
        "identified",
        "node",
        "parent",
        "path",
        "places",
        "row",
        "shared",
        "step",
        "steps",
        "tag",
        "texts",
    )

    def __init__(self, node: LexborNode, tag: str, parent: Frame | None) -> None:
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
        self.given = given
        self.depth: int = parent.depth + 1 if parent else 0
        self.path: str = f"{parent.path}/{tag}" if parent else tag
        self.steps: str = f"{parent.steps}/{self.step}" if parent else tag
        self.places: str = f"{parent.places}/{tag}{parent.count(tag)}" if parent else tag
        self.identified: Frame | None = self if name or not parent else parent.identified
        self.classed: Frame | None = self if kind or not parent else parent.classed
        self.block: Frame = parent.block if parent and tag in _INLINE else self
        self.row: Frame | None = parent.row if parent else None
        self.cell: Frame | None = parent.cell if parent else None
        self.column: int = parent.column if parent else 0
        self._take_place(tag)

    @property
    def href(self) -> str:
        """The kind of page it links to, empty when it is no link."""
        return _address(self.given.get("href")) if self.tag == "a" else ""

    @property
    def mark(self) -> str:
        """An attribute that tells what it is for."""
        return _mark(self.given) if self.given else ""

    def count(self, tag: str) -> int:
        """One more child with this tag; which it is."""
        count = self.counts.get(tag, 0) + 1
        self.counts[tag] = count
        return count

    def _take_place(self, tag: str) -> None:
        if tag == "tr":
            self.row, self.cell, self.column = self, None, 0
        elif tag in _CELLS and self.row is not None:
            self.cell = self
            self.column = self.row.counts.get("td", 0) + self.row.counts.get("th", 0)


class Text:
    """One text node that can be read."""

    __slots__ = ("bold", "frame", "heading", "node", "order", "place", "row_head", "words")

    def __init__(self, node: LexborNode, words: str, frame: Frame, order: int) -> None:
        self.node = node
        self.words = words
        self.frame = frame
        self.order = order
        self.place = frame.texts
        self.heading = ""
        self.bold = ""
        self.row_head = ""

    @property
    def spot(self) -> str:
        """Its words and where they stand: a label is the same words in the same place."""
        return f"{self.words[:_MAX_SPOT]}\n{self.frame.path}"


class PageTexts:
    """All texts of a page in document order, and what the page calls itself."""

    __slots__ = ("h1", "texts", "title", "tree")

    def __init__(
        self, texts: list[Text], title: str, h1: str, tree: LexborHTMLParser | None = None
    ) -> None:
        self.tree = tree  # the nodes live as long as their tree
        self.texts = texts
        self.title = title
        self.h1 = h1


def read_texts(tree: LexborHTMLParser | None) -> PageTexts:
    """Walk over a page once and take its texts."""
    root = tree.root if tree is not None else None
    if root is None:
        return PageTexts([], "", "")
    walk = _Walk()
    walk.over(root)
    return PageTexts(walk.texts, walk.title, walk.h1, tree)


class _Walk:
    def __init__(self) -> None:
        self.texts: list[Text] = []
        self._heading = self._bold = self.title = self.h1 = ""

    def over(self, root: LexborNode) -> None:
        """Visit every node once, going down, across and up."""
        node: LexborNode | None = root
        frame: Frame | None = None
        visited = 0
        while node is not None and visited < MAX_NODES and len(self.texts) < MAX_TEXTS:
            visited += 1
            tag = node.tag or "-"
            below = None
            if tag == "-text":
                if frame is not None:
                    self._take(node, frame)
            elif tag[0] != "-" and tag not in DROPPED and (not frame or frame.depth < _MAX_DEPTH):
                below = node.first_child
                inner = Frame(node, tag, frame)
                if below is not None:
                    frame, node = inner, below
                    continue
            after = node.next
            while after is None and frame is not None:
                after = frame.node.next
                frame = frame.parent
            node = after if frame is not None else None

    def _take(self, node: LexborNode, frame: Frame) -> None:
        words = readable(node.text_content)
        if not words:
            return
        frame.texts += 1
        text = Text(node, words, frame, len(self.texts))
        text.heading, text.bold = self._heading, self._bold
        self.texts.append(text)
        row = frame.row
        if row is not None and frame.cell is not None:
            if not row.head:
                row.head = words
                frame.cell.head = words
            elif not frame.cell.head or frame.cell.head != row.head:
                text.row_head = row.head
        self._remember(frame, words)

    def _remember(self, frame: Frame, words: str) -> None:
        at: Frame | None = frame
        for _ in range(3):
            if at is None:
                return
            tag = at.tag
            if tag in _HEADINGS:
                self._heading = words
                if tag == "h1" and not self.h1:
                    self.h1 = words
                return
            if tag in _BOLD:
                self._bold = words
                return
            if tag == "title" and not self.title:
                self.title = words
                return
            at = at.parent


def readable(raw: str | None) -> str:
    """The words of a text node; empty when there is nothing but signs."""
    if not raw or raw.isspace():
        return ""
    words = _SPACES.sub(" ", raw[:_MAX_TEXT]).strip()
    return words if _SPEAKS.search(words) else ""


def _masked(name: str | None) -> str:
    """A class or id without the numbers that differ from page to page."""
    return _DIGITS.sub("#", name.strip()) if name else ""


def _address(href: str | None) -> str:
    """The kind of page a link leads to: its first steps, without numbers and parameters."""
    if not href:
        return ""
    path, _, query = href.partition("?")
    path = path.split("://", 1)[-1]
    steps = _DIGITS.sub("#", path).split("/")[:3]
    names = "&".join(part.split("=", 1)[0] for part in query.split("&")[:6]) if query else ""
    return f"{'/'.join(steps)}?{names}"


def _mark(given: dict[str, str | None]) -> str:
    for name in ("itemprop", "property", "rel", "headers", "for", "name", "align", "title"):
        value = given.get(name)
        if value:
            return f"{name}={_masked(value[:60])}"
    return ""
