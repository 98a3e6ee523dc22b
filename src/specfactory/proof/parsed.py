"""A body, decoded and parsed once for all who look at it one after the other."""

from __future__ import annotations

from functools import cached_property

from selectolax.lexbor import LexborHTMLParser

from specfactory.proof.decode import decode_checked, is_binary, is_pdf
from specfactory.proof.depth import cut_at_depth


class Parsed:
    """The source and the tree of a body. The tree is shared: nobody may change it."""

    def __init__(self, body: bytes, content_type: str, charset: str) -> None:
        self.body, self.content_type, self.charset = body, content_type, charset

    @cached_property
    def decoded(self) -> tuple[str, bool]:
        """The source, and whether the body holds it in UTF-8 as it is."""
        if is_pdf(self.body) or is_binary(self.body):
            return "", False
        return decode_checked(self.body, self.content_type, self.charset)

    @cached_property
    def tree(self) -> LexborHTMLParser | None:
        """The parsed page, None when there is no markup."""
        source, as_received = self.decoded
        if not source.strip("\x00 \t\r\n"):
            return None
        kept = cut_at_depth(source)
        as_received = as_received and len(kept) == len(source)
        try:
            return LexborHTMLParser(self.body if as_received else kept.encode("utf-8", "replace"))
        except (RuntimeError, ValueError):
            return None


_LATEST: list[Parsed] = []


def parse_page(body: bytes, content_type: str = "", charset: str = "") -> Parsed:
    """The body, decoded and parsed; the one that was asked for last is at hand."""
    given = content_type, charset
    for latest in _LATEST:
        if latest.body is body and (latest.content_type, latest.charset) == given:
            return latest
    parsed = Parsed(body, content_type, charset)
    _LATEST[:] = [parsed]
    return parsed
