"""Directives of a page about its use: noindex and noarchive, in its header or its markup.

Pure: a page and its bytes in, the directive that forbids its use out.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from specfactory.proof.text import parse_page

_HEADER = "x-robots-tag"
_EVERYONE = "robots"
_VALUED = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)  # a colon behind these is no robot's name
_MEANS = {"none": "noindex"}  # nofollow too, which is not our concern
_NAMED = re.compile(r"\s*([A-Za-z0-9_.-]+)\s*:\s*(.*)", re.S)
_MOST_METAS = 1_000


def unwanted_use(
    headers: Mapping[str, str], body: bytes, respect: Collection[str], token: str
) -> str:
    """The reason not to use a page where these directives are respected; "" when it may be."""
    for place, who, directive in (*_in_header(headers), *_in_metas(body)):
        if who in (_EVERYONE, token) and _MEANS.get(directive, directive) in respect:
            return f"the page asks not to be used: {directive} in {place}"
    return ""


def _in_header(headers: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Directives with their addressee; a name holds until the next one."""
    who = _EVERYONE
    for part in headers.get(_HEADER, "").split(","):
        directive, named = part, _NAMED.fullmatch(part)
        if named is not None and named.group(1).lower() not in _VALUED:
            who, directive = named.group(1).lower(), named.group(2)
        yield "X-Robots-Tag", who, directive.strip().lower()


def _in_metas(body: bytes) -> Iterator[tuple[str, str, str]]:
    tree = parse_page(body).tree if b"<" in body[:1_000] else None
    if tree is None:
        return
    for meta in tree.css("meta[name][content]")[:_MOST_METAS]:
        who = (meta.attributes.get("name") or "").strip().lower()
        for directive in (meta.attributes.get("content") or "").split(","):
            yield f'<meta name="{who}">', who, directive.strip().lower()
