"""A body, decoded and parsed once for all its readers."""

import contextlib
import re

from selectolax.lexbor import LexborHTMLParser

from specfactory.proof.text.characters import decode_checked, is_binary, is_pdf
from specfactory.proof.text.depth_guard import cut_excess

_SOMETHING = re.compile(r"[^\x00 \t\r\n]")


class Parsed:
    """The source and the tree of a body. The tree is shared: never change it."""

    def __init__(self, body: bytes, content_type: str, charset: str) -> None:
        self.body, self.content_type, self.charset = body, content_type, charset
        self._decoded: tuple[str, bool] | None = None
        self._tree: LexborHTMLParser | None = None
        self._is_parsed = False

    @property
    def decoded(self) -> tuple[str, bool]:
        """The source, and True if the body is exactly that in UTF-8."""
        if self._decoded is None:
            if is_pdf(self.body) or is_binary(self.body):
                self._decoded = "", False
            else:
                self._decoded = decode_checked(self.body, self.content_type, self.charset)
        return self._decoded

    @property
    def tree(self) -> LexborHTMLParser | None:
        """The parsed page, None when there is no markup."""
        if self._is_parsed:
            return self._tree
        self._is_parsed = True
        source, as_received = self.decoded
        if _SOMETHING.search(source) is not None:
            kept = cut_excess(source)
            is_whole = as_received and len(kept) == len(source)
            with contextlib.suppress(RuntimeError, ValueError):
                self._tree = LexborHTMLParser(
                    self.body if is_whole else kept.encode("utf-8", "replace")
                )
        return self._tree


_LATEST: list[Parsed] = []


def parse_page(body: bytes, content_type: str = "", charset: str = "") -> Parsed:
    """The body, decoded and parsed; the latest one is cached."""
    given = content_type, charset
    for latest in _LATEST:
        if latest.body is body and (latest.content_type, latest.charset) == given:
            return latest
    parsed = Parsed(body, content_type, charset)
    _LATEST[:] = [parsed]
    return parsed
