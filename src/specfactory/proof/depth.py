"""A guard before the parser: markup nested past what any page needs is cut off.

Parsing n nested blocks takes the square of n (100,000 take 15 s), and so does whatever walks
up from a node. Browsers stop at 512; so do we.
"""

from __future__ import annotations

import re

from specfactory.proof.wording import word_set

MAX_DEPTH = 512
_FEW_TAGS = 10_000
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]{0,40})")
_FLAT = word_set(
    "area base br col embed hr img input link meta param source track wbr "  # void
    "p li dt dd option optgroup tr td th tbody thead tfoot colgroup html head body"
)


def cut_at_depth(source: str) -> str:
    """Return the source up to where its tags nest deeper than MAX_DEPTH."""
    if source.count("<") <= _FEW_TAGS:
        return source
    depth = 0
    for tag in _TAG.finditer(source):
        if tag[2].lower() in _FLAT:
            continue
        depth = max(depth - 1, 0) if tag[1] else depth + 1
        if depth > MAX_DEPTH:
            return source[: tag.start()]
    return source
