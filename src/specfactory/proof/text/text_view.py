"""The text view, version 1: what a person reads, built in one walk over the parsed page.

Script, style, template and the like are dropped, hidden tabs are kept, white space is
collapsed, blocks stand on lines of their own, the cells of a row are separated by a tab.
Raised and lowered digits stay raised and lowered (``129<sup>90</sup>`` → ``129⁹⁰``), and where
elements meet digit against digit a hair space keeps them apart. A page that is blank without
scripts, but for what it gives to readers without them, is read as they read it.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from specfactory.proof.text.outline import (
    EMPTY_OUTLINE,
    MARKS,
    NO_ATTRIBUTES,
    NO_CHILDREN,
    Element,
    Outline,
)
from specfactory.word_lists import word_set

MAX_NODES = 200_000
MAX_CHARS = 4_000_000
HAIR_SPACE: Final = "\u200a"
_BLANK = 200  # characters: a shell whose scripts would bring the page
_UNSCRIPTED = 500  # characters: more than the request to turn scripts on

DROPPED = word_set(
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
_LINES = re.compile(r"(?:(?<![ \t\f])[ \t\f]++)?+[\r\n]+[ \t\f]*")
# Soft hyphens, zero-width and direction marks, control characters: there, but never read.
OVERRIDES = re.compile("[\u202d\u202e]")
_UNREAD = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\x00-\x08\x0b\x0e-\x1f]+")

# What a tag means for the walk, by the parser's number of the tag. The table is filled as tags
# come, so that a tag's name is read once and not once per element.
_SKIP, _TEXT, _PLAIN, _BLOCK, _FELT = range(5)
_MAX_KNOWN = 1_000  # a larger number is the address of a tag that the page made up
_KINDS: dict[int, tuple[str, int]] = {}


def read_text(tree: LexborHTMLParser) -> Outline:
    """Build the text view of a parsed page and the outline over it."""
    root = tree.root
    if root is None:
        return EMPTY_OUTLINE
    read = _walk(root, _KINDS)
    if len(read.text) >= _BLANK:
        return read
    for number, (tag, _) in _KINDS.items():
        if tag == "noscript":
            unscripted = _walk(root, {**_KINDS, number: ("noscript", _BLOCK)})
            return unscripted if len(unscripted.text) >= _UNSCRIPTED else read
    return read


def _kind_of(node: LexborNode) -> tuple[str, int]:
    tag, number = node.tag or "-", node.tag_id
    if tag == "-text":
        kind = _TEXT
    elif tag in DROPPED or tag[0] == "-":
        kind = _SKIP
    else:
        kind = _FELT if tag in _SPECIAL else _BLOCK if tag in BLOCKS else _PLAIN
    if number < _MAX_KNOWN:
        _KINDS[number] = tag, kind
    return tag, kind


def _walk(root: LexborNode, kinds: Mapping[int, tuple[str, int]]) -> Outline:
    """Visit every node once, going down, across and up without recursion.

    A page has thousands of nodes and this is most of the cost of reading one, so it is one loop
    over local names, with nothing called per element that can be inlined.
    """
    words = _Words()
    elements: list[Element] = []
    marked: list[Element] = []
    outer: list[LexborNode] = []  # the open nodes
    closing: list[int] = []  # what their tags mean
    parent: Element | None = None  # the innermost open element
    node = root
    for _ in range(MAX_NODES):
        tag, kind = kinds.get(node.tag_id) or _kind_of(node)
        if kind == _TEXT:
            if node.is_empty_text_node and not words.pre:
                words.gap = words.gap or " "
            else:
                words.add(node.text_content or "", parent)
                if words.length >= MAX_CHARS:
                    break
        elif kind:
            given = node.attributes or NO_ATTRIBUTES
            at = len(elements)
            if parent is None:
                element = Element(at, tag, None, given, False, False, NO_CHILDREN)
            else:
                hidden, struck = parent.hidden, parent.struck
                element = Element(at, tag, parent, given, hidden, struck, NO_CHILDREN)
                if parent.children is NO_CHILDREN:
                    parent.children = [element]
                else:
                    parent.children.append(element)
            elements.append(element)
            if given and not MARKS.isdisjoint(given):
                marked.append(element)
                if not element.hidden:
                    style = given.get("style")
                    element.hidden = ("hidden" in given and given["hidden"] != "until-found") or (
                        bool(style) and _hides(style)
                    )
            words.crossed = True
            if kind == _BLOCK:
                if words.gap != "\t":
                    words.gap = "\n"
            elif kind == _FELT:
                words.begin(element)
            below = node.first_child
            if below is not None:
                outer.append(node)
                closing.append(kind)
                parent, node = element, below
                continue
            if kind == _FELT:
                words.end(tag)
        while parent is not None:
            after = node.next
            if after is not None:
                node = after
                break
            node = outer.pop()
            words.close(parent, closing.pop())
            parent = parent.parent
        else:
            break
    while parent is not None:
        words.close(parent, closing.pop())
        parent = parent.parent
    text = "".join(words.parts)
    return Outline(text, elements, lambda: _node_ids(root, kinds), marked, words.turned)


def _node_ids(root: LexborNode, kinds: Mapping[int, tuple[str, int]]) -> Iterator[int]:
    """Ids of the nodes that the walk takes in as elements, in its order."""
    node = root
    outer: list[LexborNode] = []
    while True:
        below = None
        if (kinds.get(node.tag_id) or _kind_of(node))[1] > _TEXT:
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


class _Words:
    """The words read so far, and the separator due before the next ones."""

    __slots__ = ("crossed", "gap", "last", "length", "parts", "pre", "raised", "rows", "turned")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.gap = ""
        self.last = ""  # character read
        self.crossed = False  # an element began or ended since
        self.pre = 0
        self.raised: list[str] = []  # open sup and sub
        self.rows: list[int] = []  # cells seen per open row
        self.turned: list[int] = []  # places of override characters

    def add(self, words: str, parent: Element | None) -> None:
        """Take the words of a text node."""
        gap = self.gap
        if "\n" in words and not self.pre:
            words = words.replace("\n", " ")
        if self.pre or not words.isprintable() or words.isspace():
            if OVERRIDES.search(words):
                self.turned.append(self.length)
            words = _UNREAD.sub("", words)
            words = _LINES.sub("\n", words) if self.pre else _SPACES.sub(" ", words)
            if not words or words.isspace():  # white space is a separator at most
                if words and gap in _WEAK:
                    self.gap = "\n" if self.pre and "\n" in words else " "
                return
        if self.raised:
            words = words.translate(_RAISED[self.raised[-1]])
        bare = words.strip(" \n\t")
        if "  " in bare and not self.pre:
            bare = _SPACES.sub(" ", bare)
        if words[0] in " \n" and gap in _WEAK:
            gap = words[0]
        if not gap and self.crossed and self.last.isdigit() and bare[0].isdigit():
            gap = "" if self.raised and self.last in "0123456789" else HAIR_SPACE
        length = self.length
        if gap and self.last:
            self.parts.append(gap)
            length += 1
        self.parts.append(bare)
        while parent is not None and parent.start < 0:
            parent.start = length
            parent = parent.parent
        self.length = length + len(bare)
        self.last, self.crossed = bare[-1], False
        self.gap = words[-1] if words[-1] in " \n" else ""

    def close(self, element: Element, kind: int) -> None:
        """End an element that has children."""
        self.crossed = True
        if element.start >= 0:
            element.end = self.length
        if kind == _BLOCK:
            if self.gap != "\t":
                self.gap = "\n"
        elif kind == _FELT:
            self.end(element.tag)

    def begin(self, element: Element) -> None:
        """Open an element that is more than a block."""
        tag = element.tag
        if tag in _STRUCK:
            element.struck = True
        elif tag in _RAISED:
            self.raised.append(tag)
        elif tag == "pre":
            self.pre += 1
        if tag not in _CELLS:
            self._separate(tag, opening=True)
            return
        cells = self.rows[-1] if self.rows else 0
        if self.rows:
            self.rows[-1] += 1
        # a tab before a further cell outlives the blocks inside the cell
        self.gap = "\t" if cells or self.gap == "\t" else "\n"

    def end(self, tag: str) -> None:
        """Close an element that is more than a block."""
        if tag in _RAISED:
            self.raised.pop()
        elif tag == "pre":
            self.pre -= 1
        if tag not in _CELLS:
            self._separate(tag, opening=False)

    def _separate(self, tag: str, opening: bool) -> None:
        if tag in _ROWS:
            if tag == "tr" and opening:
                self.rows.append(0)
            elif tag == "tr" and self.rows:
                self.rows.pop()
            # a table inside a cell begins where the cell begins: the tab before it stays
            self.gap = "\t" if opening and self.gap == "\t" else "\n"
        elif tag == "br" or (tag in BLOCKS and self.gap != "\t"):
            self.gap = "\n"


@lru_cache(maxsize=4096)
def _hides(style: str) -> bool:
    return _HIDDEN_STYLE.search(style) is not None
