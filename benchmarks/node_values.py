"""Short values of one element: what a brand's or a rating's element says.

Its visible text comes first; then what a reader without eyes is told instead of a picture.
"""

from __future__ import annotations

from collections.abc import Mapping

from selectolax.lexbor import LexborNode

from benchmarks.ratings import RatingRead, read_rating

MAX_BRAND = 50  # characters; what is longer is a title or a slogan
_SILENT = frozenset({"script", "style", "noscript", "template"})


def words_of(node: LexborNode) -> str:
    """The visible words of an element, white space collapsed."""
    parts: list[str] = []
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if here.is_text_node:
            parts.append(here.text_content or "")
        elif here.tag not in _SILENT:
            waiting.extend(reversed(list(here.iter(include_text=True))))
    return " ".join(" ".join(parts).split())


def read_brand(node: LexborNode) -> str | None:
    """The brand that an element names, by its text or by the picture in it."""
    words = words_of(node)
    if not words:
        pictures = [node] if node.tag == "img" else node.css("img")
        words = next(filter(None, (spoken_words(one.attributes) for one in pictures)), "")
    return words if words and len(words) <= MAX_BRAND else None


def read_rating_of(node: LexborNode) -> RatingRead:
    """The rating that an element gives, by its text or by its own attributes."""
    found = read_rating(words_of(node))
    for name in ("content", "aria-label", "title"):
        if found.value is not None:
            break
        found = read_rating(node.attributes.get(name) or "")
    return found


def spoken_words(given: Mapping[str, str | None]) -> str:
    """What is said instead of a picture, by its attributes."""
    return " ".join((given.get("alt") or given.get("title") or "").split())
