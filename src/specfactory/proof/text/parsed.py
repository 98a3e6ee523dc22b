"""A body, decoded and parsed once for all who look at it one after the other."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

from specfactory.proof.text.characters import decode_checked, is_binary, is_pdf
from specfactory.proof.text.depth_guard import cut_excess

_SOMETHING = re.compile(r"[^\x00 \t\r\n]")


class Parsed:
    """The source and the tree of a body. The tree is shared: nobody may change it."""

    def __init__(self, body: bytes, content_type: str, charset: str) -> None:
        self.body, self.content_type, self.charset = body, content_type, charset
        self._decoded: tuple[str, bool] | None = None
        self._tree: LexborHTMLParser | None = None
        self._is_parsed = False

    @property
    def decoded(self) -> tuple[str, bool]:
        """The source, and whether the body holds it in UTF-8 as it is."""
        if self._decoded is None:
            self._decoded = self._decode()
        return self._decoded

    @property
    def tree(self) -> LexborHTMLParser | None:
        """The parsed page, None when there is no markup."""
        if not self._is_parsed:
            self._tree = self._parse()
            self._is_parsed = True
        return self._tree

    def _decode(self) -> tuple[str, bool]:
        if is_pdf(self.body) or is_binary(self.body):
            return "", False
        return decode_checked(self.body, self.content_type, self.charset)

    def _parse(self) -> LexborHTMLParser | None:
        source, as_received = self.decoded
        if _SOMETHING.search(source) is None:
            return None
        kept = cut_excess(source)
        is_whole = as_received and len(kept) == len(source)
        try:
            return LexborHTMLParser(self.body if is_whole else kept.encode("utf-8", "replace"))
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
