"""A body, decoded and parsed once for all its readers."""

import re
from collections import deque
from functools import cached_property

from selectolax.lexbor import LexborHTMLParser

from specfactory.proof.text.characters import decode_checked, is_binary, is_pdf
from specfactory.proof.text.depth_guard import FEW_CHARACTERS, cut_excess, has_little_markup

_SOMETHING = re.compile(r"[^\x00 \t\r\n]")


class Parsed:
    """The source and the tree of a body. The tree is shared: never change it."""

    def __init__(self, body: bytes, content_type: str, charset: str) -> None:
        self._body, self._content_type, self._charset = body, content_type, charset

    @cached_property
    def decoded(self) -> tuple[str, bool]:
        """The source, and True if the body is exactly that in UTF-8."""
        if is_pdf(self._body) or is_binary(self._body):
            return "", False
        return decode_checked(self._body, self._content_type, self._charset)

    @cached_property
    def tree(self) -> LexborHTMLParser | None:
        """The parsed page, None when there is no markup."""
        source, as_received = self.decoded
        if _SOMETHING.search(source) is None:
            return None
        is_harmless = len(source) <= FEW_CHARACTERS and has_little_markup(self._body)
        kept = source if is_harmless else cut_excess(source)
        is_whole = as_received and len(kept) == len(source)
        try:
            return LexborHTMLParser(self._body if is_whole else kept.encode("utf-8", "replace"))
        except (RuntimeError, ValueError):
            return None


_LATEST = deque[tuple[bytes, str, str, Parsed]](maxlen=3)
"""Other pages arrive between judging a page and reading it."""
_SMALL = 300_000  # bytes: of larger pages only the latest is cached


def parse_page(body: bytes, content_type: str = "", charset: str = "") -> Parsed:
    """The body, decoded and parsed; the latest ones are cached."""
    for known, header, given, parsed in tuple(_LATEST):  # threads may add to it meanwhile
        # The very same bytes: to hash a body, as other caches do, takes a tenth of parsing it.
        if known is body and header == content_type and given == charset:
            return parsed
    parsed = Parsed(body, content_type, charset)
    if len(body) > _SMALL or (_LATEST and len(_LATEST[0][0]) > _SMALL):
        _LATEST.clear()
    _LATEST.appendleft((body, content_type, charset, parsed))
    return parsed
