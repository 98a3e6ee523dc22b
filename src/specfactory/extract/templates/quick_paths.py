"""Quick paths to a value: a selector run by the parser, then a check of a few texts."""

from selectolax.lexbor import LexborHTMLParser, LexborNode

from specfactory.extract.templates.text_nodes import DROPPED, readable
from specfactory.model import Probe

_MAX_NODES = 60
_MAX_STEPS = 60
NEAR = 6  # texts before a text that are searched for its label


def find_text(probe: Probe, tree: LexborHTMLParser) -> tuple[LexborNode, str] | None:
    """Find the text node that a probe leads to, with its words."""
    for node in tree.css(probe.selector)[:_MAX_NODES]:
        text = _text_at(node, probe.place)
        if text is None:
            continue
        if not probe.before:
            return text
        before = all_before(text[0], probe.back or NEAR)
        if probe.before in (before[probe.back - 1 :] if probe.back else before):
            return text
    return None


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
