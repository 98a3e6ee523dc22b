"""Quick ways to a value: a selector run by the parser, then a look at few texts."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from specfactory.extract.templates.text_nodes import DROPPED, readable
from specfactory.model import Probe

_MAX_NODES = 60
_MAX_STEPS = 60
NEAR = 6  # texts in which words still stand before a text


def find_text(probe: Probe, tree: LexborHTMLParser) -> tuple[LexborNode, str] | None:
    """The text that a probe leads to, with its words; None when there is none."""
    found = tree.css(probe.selector)
    for node in found[:_MAX_NODES]:
        text = _text_at(node, probe.place)
        if text is None:
            continue
        if not probe.before or _stands_before(probe, text[0]):
            return text
    return None


def _stands_before(probe: Probe, node: LexborNode) -> bool:
    if probe.back:
        return words_before(node, probe.back) == probe.before
    return probe.before in all_before(node)


def all_before(node: LexborNode) -> list[str]:
    """The words of the few texts before a text, the nearest first."""
    words: list[str] = []
    while len(words) < NEAR and (found := node_before(node)) is not None:
        node = found[0]
        words.append(found[1])
    return words


def _text_at(node: LexborNode, place: int) -> tuple[LexborNode, str] | None:
    """The text with this number directly below an element."""
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


def words_before(node: LexborNode, back: int = 1) -> str:
    """The words of a text so many texts before a text, wherever it stands."""
    words = ""
    for _ in range(back):
        found = node_before(node)
        if found is None:
            return ""
        node, words = found
    return words


def node_before(node: LexborNode) -> tuple[LexborNode, str] | None:
    """The text before a text, with its words."""
    at: LexborNode | None = node
    for _ in range(_MAX_STEPS):
        if at is None:
            return None
        before = at.prev
        if before is None:
            at = at.parent
            continue
        at = _deepest(before)
        if at.tag == "-text":
            words = readable(at.text_content)
            if words:
                return at, words
    return None


def _deepest(node: LexborNode) -> LexborNode:
    """The last node inside a node that is read."""
    while node.tag not in DROPPED:
        below = node.last_child
        if below is None:
            break
        node = below
    return node
