"""Start tags in the source view that carry structured data, with the spans of their attributes."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from specfactory.proof.wording import word_set

MAX_TAGS = 300_000
Span = tuple[int, int]

_START = re.compile(r"<(?:!--|[a-zA-Z])")
_OPEN = re.compile(
    r"<!--|<([a-zA-Z][^\s/>]*+)"
    r"""((?:[^>"'=]|=\s*+"[^"]*+"|=\s*+'[^']*+'|=|["'])*+)>"""
)
_ATTRIBUTE = re.compile(r"""([^\s"'>/=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']++)))?+""")
_KEPT = frozenset(("meta", "link", "script"))
_RAW = word_set("script style textarea title noscript template xmp iframe noembed noframes")


@dataclass(frozen=True, slots=True)
class SourceTag:
    """One start tag: its attributes' values as they stand in the source."""

    name: str
    attributes: dict[str, Span]
    content: Span  # what stands between a script's tags; empty for other tags

    def value(self, name: str, source: str) -> str:
        """An attribute as read, empty when it is missing."""
        span = self.attributes.get(name)
        return html.unescape(source[span[0] : span[1]]) if span else ""


def source_tags(source: str) -> list[SourceTag]:
    """The meta, link and script tags and those with item attributes, in document order.

    What stands in comments and in raw text (a script that writes tags) is no tag.
    """
    found: list[SourceTag] = []
    at, seen = 0, 0
    while seen < MAX_TAGS:
        start = _START.search(source, at)
        tag = _OPEN.match(source, start.start()) if start else None
        if tag is None:  # no further tag, or one that is never closed: it swallows the rest
            break
        seen += 1
        at = _end_of(tag, source)
        name = (tag[1] or "").lower()
        if name in _KEPT or (tag[2] and _is_marked(tag[2])):
            inside = (tag.end(), at) if name in _RAW else (tag.end(), tag.end())
            found.append(SourceTag(name, _attributes(tag), inside))
        if name in _RAW:
            at = _past_close(source, name, tag.end(), at)
    return found


def _is_marked(attributes: str) -> bool:
    """Whether a tag may carry microdata or RDFa."""
    return "item" in attributes or "property=" in attributes or "typeof=" in attributes


def _end_of(tag: re.Match[str], source: str) -> int:
    """Where to go on: after a comment, before a raw element's end tag, after any other tag."""
    if tag[1] is None:
        end = source.find("-->", tag.end())
        return end + 3 if end >= 0 else len(source)
    name = tag[1].lower()
    if name not in _RAW:
        return tag.end()
    close = _CLOSERS[name].search(source, tag.end())
    return close.start() if close else len(source)


def _past_close(source: str, name: str, start: int, end: int) -> int:
    return end + len(name) + 2 if end > start or source.startswith("</", end) else end


_CLOSERS = {name: re.compile(f"</{name}", re.IGNORECASE) for name in _RAW}


def _attributes(tag: re.Match[str]) -> dict[str, Span]:
    spans: dict[str, Span] = {}
    for found in _ATTRIBUTE.finditer(tag.string, tag.start(2), tag.end(2)):
        group = found.lastindex or 1
        span = found.span(group) if group > 1 else (found.end(), found.end())
        spans.setdefault(found[1].lower(), span)
    return spans
