"""The text view, version 1: what a person reads, built in one walk over the parsed page.

Script, style, template and the like are dropped, hidden tabs are kept, white space is
collapsed, blocks stand on lines of their own, the cells of a row are separated by a tab.
Raised and lowered digits stay raised and lowered (``129<sup>90</sup>`` → ``129⁹⁰``), and where
elements meet digit against digit a hair space keeps them apart.
"""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from specfactory.proof.outline import NO_ATTRIBUTES, Element, Outline
from specfactory.proof.wording import word_set

MAX_NODES = 200_000
MAX_CHARS = 4_000_000
HAIR_SPACE: Final = "\u200a"

_DROPPED = word_set(
    "script style template noscript head iframe svg canvas object embed audio video math map "
    "datalist textarea noembed noframes frameset -comment"
)
BLOCKS = word_set(
    "address article aside blockquote body caption center dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main "
    "menu nav ol optgroup option p pre search section select summary ul"
)
_ROWS = word_set("table thead tbody tfoot tr caption")
_CELLS = frozenset(("td", "th"))
_STRUCK = frozenset(("del", "s", "strike"))
_RAISED = {"sup": str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")}
_RAISED["sub"] = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_FELT = BLOCKS | _ROWS | _CELLS | _STRUCK | frozenset(("br", "sup", "sub"))
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SPACES = re.compile(r"[ \t\n\r\f]+")
_LINES = re.compile(r"[ \t\f]*[\r\n]+[ \t\f]*")
# Soft hyphens, zero-width and direction marks, control characters: there, but never read.
_UNREAD = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\x00-\x08\x0b\x0e-\x1f]+")


def read_text(tree: LexborHTMLParser) -> Outline:
    """Build the text view of a parsed page and the outline over it."""
    root = tree.root
    return _Walk().over(root) if root is not None else Outline("", [], {})


class _Walk:
    """One pass over the page; ``_gap`` is the separator owed before the next words."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._gap = ""
        self._last = ""  # the last character written
        self._crossed = False  # a tag stood between the last words and the next
        self._raised: list[str] = []  # open sup and sub
        self._pre = 0
        self._rows: list[int] = []  # cells seen per open row
        self._open: list[tuple[Element, LexborNode]] = []
        self._elements: list[Element] = []
        self._by_node: dict[int, Element] = {}

    def over(self, root: LexborNode) -> Outline:
        """Visit every node once, going down, across and up without recursion."""
        node: LexborNode | None = root
        visited = 0
        while node is not None and visited < MAX_NODES and self._length < MAX_CHARS:
            visited += 1
            tag = node.tag
            if tag == "-text":
                self._write(node.text_content or "")
                node = self._after(node)
            elif tag is None or tag in _DROPPED or tag[0] == "-":
                node = self._after(node)
            else:
                node = self._enter(node, tag)
        while self._open:
            self._leave(self._open.pop()[0])
        return Outline("".join(self._parts), self._elements, self._by_node)

    def _enter(self, node: LexborNode, tag: str) -> LexborNode | None:
        """Take an element in; return the node to go on with: its first child, if it has one."""
        parent = self._open[-1][0] if self._open else None
        element = Element(len(self._elements), tag, parent, node.attributes or NO_ATTRIBUTES)
        self._elements.append(element)
        self._by_node[node.mem_id] = element
        if parent is not None:
            parent.children.append(element)
        if element.attributes and not element.hidden:
            element.hidden = _is_hidden(element)
        self._crossed = True
        if tag in _FELT:
            self._begin(element, tag)
        below = node.first_child
        if below is not None:
            self._open.append((element, node))
            return below
        self._leave(element)
        return self._after(node)

    def _after(self, node: LexborNode) -> LexborNode | None:
        """The next node in document order, leaving elements on the way up."""
        at = node
        while self._open:
            after = at.next
            if after is not None:
                return after
            element, at = self._open.pop()
            self._leave(element)
        return None

    def _begin(self, element: Element, tag: str) -> None:
        self._separate(tag, opening=True)
        if tag in _STRUCK:
            element.struck = True
        elif tag in _RAISED:
            self._raised.append(tag)
        elif tag == "pre":
            self._pre += 1

    def _leave(self, element: Element) -> None:
        self._crossed = True
        tag = element.tag
        if tag in _FELT:
            if tag in _RAISED:
                self._raised.pop()
            elif tag == "pre":
                self._pre -= 1
            self._separate(tag, opening=False)
        parent = element.parent
        if parent is not None and element.start >= 0:
            parent.end = element.end

    def _separate(self, tag: str, opening: bool) -> None:
        """Owe a separator: a tab before a further cell outlives the blocks inside the cell."""
        if tag in _CELLS:
            if opening:
                self._separate_cell()
        elif tag in _ROWS:
            self._separate_row(tag, opening)
        elif tag == "br" or (tag in BLOCKS and self._gap != "\t"):
            self._gap = "\n"

    def _separate_cell(self) -> None:
        cells = self._rows[-1] if self._rows else 0
        if self._gap != "\t":
            self._gap = "\t" if cells else "\n"
        if self._rows:
            self._rows[-1] += 1

    def _separate_row(self, tag: str, opening: bool) -> None:
        # A table inside a cell begins where the cell begins: the tab before it stays.
        if not (opening and self._gap == "\t"):
            self._gap = "\n"
        if tag == "tr" and opening:
            self._rows.append(0)
        elif tag == "tr" and self._rows:
            self._rows.pop()

    def _write(self, raw: str) -> None:
        words = raw if raw.isprintable() and "  " not in raw else self._readable(raw)
        if not words or words.isspace():
            if words and self._gap in ("", " "):
                self._gap = "\n" if self._pre and "\n" in words else " "
            return
        if self._raised:
            words = words.translate(_RAISED[self._raised[-1]])
        if words[0] in " \n" and self._gap in ("", " "):
            self._gap = words[0]
        start = self._put(words.strip(" \n\t"))
        self._gap = words[-1] if words[-1] in " \n" else ""
        for element, _ in reversed(self._open):
            if element.start >= 0:
                break
            element.start = start
        if self._open:
            self._open[-1][0].end = self._length

    def _readable(self, raw: str) -> str:
        words = _UNREAD.sub("", raw)
        return _LINES.sub("\n", words) if self._pre else _SPACES.sub(" ", words)

    def _put(self, words: str) -> int:
        """Write the owed separator and the words; return where the words start."""
        gap = self._gap if self._last else ""
        if not gap and self._crossed and self._last.isdigit() and words[0].isdigit():
            gap = "" if self._raised and self._last in "0123456789" else HAIR_SPACE
        if gap:
            self._parts.append(gap)
        self._parts.append(words)
        start = self._length + len(gap)
        self._length = start + len(words)
        self._last = words[-1]
        self._crossed = False
        return start


def _is_hidden(element: Element) -> bool:
    attributes = element.attributes
    if "hidden" in attributes and element.get("hidden") != "until-found":
        return True
    style = attributes.get("style")
    return bool(style and _HIDDEN_STYLE.search(style))
