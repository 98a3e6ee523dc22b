"""Whether a page was decoded as it was written, and what it was written in. Pure."""

from __future__ import annotations

import re

from specfactory.proof.text import decode

LOOKED_AT = 200_000  # bytes
# Two letters of UTF-8 read as one-byte letters: "Ã¼", "â€™", "Ð¿".
_MOJIBAKE = re.compile(
    "[\u00c2\u00c3\u00d0\u00d1][\u0080-\u00bf]|\u00e2\u20ac|\ufffd|[\u0080-\u009f]"
)


def garbled_share(body: bytes, charset: str = "") -> float:
    """The share of characters that were decoded wrongly, as far as that shows."""
    if body.isascii():
        return 0.0
    head = body[:LOOKED_AT]
    if charset in ("", "utf-8") and _is_utf8(head):
        return 0.0
    return _damage(decode(head, "", charset))


def written_in(body: bytes, charset: str = "") -> str:
    """The encoding in which a garbled page makes sense; "" when we cannot be sure of any."""
    head = body[:LOOKED_AT]
    return "utf-8" if charset != "utf-8" and not head.isascii() and _is_utf8(head) else ""


def _damage(text: str) -> float:
    return len(_MOJIBAKE.findall(text)) / len(text) if text else 0.0


def _is_utf8(body: bytes) -> bool:
    """Whether it is flawless, but for a last character that was cut."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as flaw:
        return flaw.start >= len(body) - 3
    return True
