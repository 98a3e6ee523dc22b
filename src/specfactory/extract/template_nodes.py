"""The text nodes of a parsed page with what surrounds them, in one walk without recursion."""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

MAX_NODES = 60_000
MAX_TEXTS = 6_000
_MAX_TEXT = 2_000
_MAX_DEPTH = 120
_MAX_SPOT = 61

_DROPPED: Final = frozenset(
    "script style template noscript iframe svg canvas object embed math textarea noembed "
    "noframes select".split()
)
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_BOLD: Final = frozenset(("b", "strong", "th", "dt", "label", "em"))
_CELLS: Final = frozenset(("td", "th"))
_INLINE: Final = frozenset(
    "a abbr acronym b bdi bdo big cite code em font i kbd label mark q s small span strong sub sup "
    "tt u var nobr time data".split()
)
_SPACES = re.compile(r"[\s\u00a0\u200b]+")
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
        "head",
        "href",
        "identified",
        "mark",
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
        given = node.attributes if tag != "html" else {}
        name = _masked(given.get("id") or "") if given else ""
        kind = _masked(given.get("class") or "") if given else ""
        self.step = tag + (f"#{name}" if name else "") + (f".{kind}" if kind else "")
        self.href = _address(given["href"]) if tag == "a" and given.get("href") else ""
        self.mark = _mark(given) if given else ""
        if parent is None:
            self._begin(tag)
            return
        count = parent.counts.get(tag, 0) + 1
        parent.counts[tag] = count
        place = f"{tag}{count}"
        self.depth = parent.depth + 1
        self.path = f"{parent.path}/{tag}"
        self.steps = f"{parent.steps}/{self.step}"
        self.places = f"{parent.places}/{place}"
        self.identified = self if name else parent.identified
        self.classed = self if kind else parent.classed
        self.block = parent.block if tag in _INLINE else self
        self._take_place(parent, tag)

    def _begin(self, tag: str) -> None:
        self.depth = 0
        self.path = self.steps = self.places = tag
        self.identified = self.classed = self.row = self.cell = None
        self.block = self
        self.column = 0
        self.head = ""

    def _take_place(self, parent: Frame, tag: str) -> None:
        self.row: Frame | None = parent.row
        self.cell: Frame | None = parent.cell
        self.column: int = parent.column
        self.head: str = ""
        if tag == "tr":
            self.row, self.cell, self.column = self, None, 0
        elif tag in _CELLS and parent.row is not None:
            self.cell = self
            self.column = parent.row.counts.get("td", 0) + parent.row.counts.get("th", 0)


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

    __slots__ = ("h1", "texts", "title")

    def __init__(self, texts: list[Text], title: str, h1: str) -> None:
        self.texts = texts
        self.title = title
        self.h1 = h1


def read_texts(tree: LexborHTMLParser | None) -> PageTexts:
    """Walk over a page once and take its texts."""
    root = tree.root if tree is not None else None
    if root is None:
        return PageTexts([], "", "")
    return _Walk().over(root)


class _Walk:
    def __init__(self) -> None:
        self._texts: list[Text] = []
        self._heading = self._bold = self._title = self._h1 = ""

    def over(self, root: LexborNode) -> PageTexts:
        node: LexborNode | None = root
        frame: Frame | None = None
        visited = 0
        while node is not None and visited < MAX_NODES and len(self._texts) < MAX_TEXTS:
            visited += 1
            tag = node.tag or "-"
            below = None
            if tag == "-text":
                if frame is not None:
                    self._take(node, frame)
            elif tag[0] != "-" and tag not in _DROPPED and (not frame or frame.depth < _MAX_DEPTH):
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
        return PageTexts(self._texts, self._title, self._h1)

    def _take(self, node: LexborNode, frame: Frame) -> None:
        raw = node.text_content or ""
        if not raw or raw.isspace():
            return
        words = _SPACES.sub(" ", raw[:_MAX_TEXT]).strip()
        if not any(map(str.isalnum, words)):
            return
        frame.texts += 1
        text = Text(node, words, frame, len(self._texts))
        text.heading, text.bold = self._heading, self._bold
        self._texts.append(text)
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
                if tag == "h1" and not self._h1:
                    self._h1 = words
                return
            if tag in _BOLD:
                self._bold = words
                return
            if tag == "title" and not self._title:
                self._title = words
                return
            at = at.parent


def _masked(name: str) -> str:
    """A class or id without the numbers that differ from page to page."""
    return _DIGITS.sub("#", name.strip()) if name else ""


def _address(href: str) -> str:
    """The kind of page a link leads to: its first steps, without numbers and parameters."""
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
