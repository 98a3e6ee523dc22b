"""The text view, version 1: what a person reads, built in one walk over the parsed page.

Script, style, template and the like are dropped, hidden tabs are kept, white space is
collapsed, blocks stand on lines of their own, the cells of a row are separated by a tab.
Raised and lowered digits stay raised and lowered (``129<sup>90</sup>`` → ``129⁹⁰``), and where
elements meet digit against digit a hair space keeps them apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from specfactory.proof.outline import EMPTY_OUTLINE, NO_ATTRIBUTES, Element, Outline
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
_SPECIAL = _ROWS | _CELLS | _STRUCK | frozenset(("br", "pre", "sup", "sub"))
_WEAK = ("", " ")  # separators that words of their own may replace
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SPACES = re.compile(r"[ \t\n\r\f]+")
_LINES = re.compile(r"[ \t\f]*[\r\n]+[ \t\f]*")
# Soft hyphens, zero-width and direction marks, control characters: there, but never read.
_UNREAD = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\x00-\x08\x0b\x0e-\x1f]+")

# What a tag means for the walk. The parser numbers the tags it knows; a table by number is
# filled as they come, so that a tag's name is read once and not once per element.
_SKIP, _TEXT, _PLAIN, _BLOCK, _FELT = range(5)
_MAX_KNOWN = 1_000  # a number above is the address of a tag the page made up
_KINDS: dict[int, tuple[str, int]] = {}


def read_text(tree: LexborHTMLParser) -> Outline:
    """Build the text view of a parsed page and the outline over it."""
    root = tree.root
    return _walk(root) if root is not None else EMPTY_OUTLINE


def _kind_of(node: LexborNode) -> tuple[str, int]:
    tag, number = node.tag or "-", node.tag_id
    if tag == "-text":
        kind = _TEXT
    elif tag in _DROPPED or tag[0] == "-":
        kind = _SKIP
    else:
        kind = _FELT if tag in _SPECIAL else _BLOCK if tag in BLOCKS else _PLAIN
    if number < _MAX_KNOWN:
        _KINDS[number] = tag, kind
    return tag, kind


def _walk(root: LexborNode) -> Outline:
    """Visit every node once, going down, across and up without recursion.

    A page has thousands of nodes and this is most of what reading one costs, so it is one
    loop over local names: a call per node would double its time.
    """
    kinds, owed = _KINDS, _Owed()
    raised = owed.raised
    elements: list[Element] = []
    parts: list[str] = []
    outer: list[tuple[LexborNode, int]] = []  # the open nodes and their kinds
    parent: Element | None = None  # the innermost open element
    node, length, gap, last, crossed = root, 0, "", "", False
    for _ in range(MAX_NODES):
        tag, kind = kinds.get(node.tag_id) or _kind_of(node)
        if kind == _TEXT:
            if node.is_empty_text_node and not owed.pre:
                gap = gap or " "
                words = ""
            else:
                words = node.text_content or ""
                if not words.isprintable() or "  " in words or words == " ":
                    words, gap = owed.readable(words, gap)
            if words:
                if raised:
                    words = words.translate(_RAISED[raised[-1]])
                if words[0] in " \n" and gap in _WEAK:
                    gap = words[0]
                bare = words.strip(" \n\t")
                if not gap and crossed and last.isdigit() and bare[0].isdigit():
                    gap = "" if raised and last in "0123456789" else HAIR_SPACE
                if gap and last:
                    parts.append(gap)
                    length += 1
                parts.append(bare)
                above = parent
                while above is not None and above.start < 0:
                    above.start = length
                    above = above.parent
                length += len(bare)
                last, crossed = bare[-1], False
                gap = words[-1] if words[-1] in " \n" else ""
                if length >= MAX_CHARS:
                    break
        elif kind:
            given = node.attributes
            element = Element()
            element.index = len(elements)
            element.tag = tag
            element.parent = parent
            element.attributes = given or NO_ATTRIBUTES
            element.children = []
            element.start = element.end = -1
            elements.append(element)
            if parent is None:
                element.hidden = element.struck = False
            else:
                parent.children.append(element)
                element.hidden = parent.hidden
                element.struck = parent.struck
            if given and ("style" in given or "hidden" in given) and not element.hidden:
                element.hidden = _is_hidden(given)
            crossed = True
            if kind == _BLOCK:
                if gap != "\t":
                    gap = "\n"
            elif kind == _FELT:
                gap = owed.begin(element, gap)
            below = node.first_child
            if below is not None:
                outer.append((node, kind))
                parent, node = element, below
                continue
            if kind == _FELT:
                gap = owed.end(tag, gap)
        while parent is not None:
            after = node.next
            if after is not None:
                node = after
                break
            node, kind = outer.pop()
            crossed = True
            if parent.start >= 0:
                parent.end = length
            if kind == _BLOCK:
                if gap != "\t":
                    gap = "\n"
            elif kind == _FELT:
                gap = owed.end(parent.tag, gap)
            parent = parent.parent
        else:
            break
    while parent is not None:
        if parent.start >= 0:
            parent.end = length
        parent = parent.parent
    return Outline("".join(parts), elements, lambda: _node_ids(root))


def _node_ids(root: LexborNode) -> Iterator[int]:
    """The ids of the nodes that the walk takes in as elements, in its order."""
    node = root
    outer: list[LexborNode] = []
    while True:
        below = None
        if (_KINDS.get(node.tag_id) or _kind_of(node))[1] > _TEXT:
            yield node.mem_id
            below = node.first_child
        if below is not None:
            outer.append(node)
            node = below
            continue
        while outer:
            after = node.next
            if after is not None:
                node = after
                break
            node = outer.pop()
        else:
            return


class _Owed:
    """The separator owed before the next words, where more than a block decides it."""

    __slots__ = ("pre", "raised", "rows")

    def __init__(self) -> None:
        self.pre = 0
        self.raised: list[str] = []  # open sup and sub
        self.rows: list[int] = []  # cells seen per open row

    def begin(self, element: Element, gap: str) -> str:
        """Open an element that is more than a block."""
        tag = element.tag
        if tag in _STRUCK:
            element.struck = True
        elif tag in _RAISED:
            self.raised.append(tag)
        elif tag == "pre":
            self.pre += 1
        elif tag in _CELLS:
            return self._cell(gap)
        return self._separated(tag, gap, opening=True)

    def end(self, tag: str, gap: str) -> str:
        """Close an element that is more than a block."""
        if tag in _RAISED:
            self.raised.pop()
        elif tag == "pre":
            self.pre -= 1
        return gap if tag in _CELLS else self._separated(tag, gap, opening=False)

    def readable(self, raw: str, gap: str) -> tuple[str, str]:
        """What is read of raw words; when that is only white space, the separator it makes."""
        words = self._collapsed(raw)
        if not words.isspace():
            return words, gap
        if gap not in _WEAK:
            return "", gap
        return "", "\n" if self.pre and "\n" in words else " "

    def _collapsed(self, raw: str) -> str:
        words = _UNREAD.sub("", raw)
        return _LINES.sub("\n", words) if self.pre else _SPACES.sub(" ", words)

    def _cell(self, gap: str) -> str:
        """A tab before a further cell outlives the blocks inside the cell."""
        cells = self.rows[-1] if self.rows else 0
        if self.rows:
            self.rows[-1] += 1
        return "\t" if cells or gap == "\t" else "\n"

    def _separated(self, tag: str, gap: str, opening: bool) -> str:
        if tag in _ROWS:
            return self._row(tag, gap, opening)
        return "\n" if tag == "br" or (tag in BLOCKS and gap != "\t") else gap

    def _row(self, tag: str, gap: str, opening: bool) -> str:
        if tag == "tr" and opening:
            self.rows.append(0)
        elif tag == "tr" and self.rows:
            self.rows.pop()
        # A table inside a cell begins where the cell begins: the tab before it stays.
        return "\t" if opening and gap == "\t" else "\n"


def _is_hidden(given: Mapping[str, str | None]) -> bool:
    if "hidden" in given and given["hidden"] != "until-found":
        return True
    style = given.get("style")
    return bool(style) and _hides(style)


@lru_cache(maxsize=4096)
def _hides(style: str) -> bool:
    return _HIDDEN_STYLE.search(style) is not None
