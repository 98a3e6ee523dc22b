"""Find pages that were decoded wrongly, and the encoding they are written in. Pure."""

import re

from specfactory.proof.text import decode

LOOKED_AT = 200_000  # bytes
# Two letters of UTF-8 read as one-byte letters: "Ã¼", "â€™", "Ð¿".
_MOJIBAKE = re.compile(
    "[\u00c2\u00c3\u00d0\u00d1][\u0080-\u00bf]|\u00e2\u20ac|\ufffd|[\u0080-\u009f]"
)


def garbled_share(body: bytes, charset: str = "") -> float:
    """Estimate the share of characters that were decoded wrongly."""
    if body.isascii():
        return 0.0
    head = body[:LOOKED_AT]
    if charset in ("", "utf-8") and _is_utf8(head):
        return 0.0
    text = decode(head, "", charset)
    return len(_MOJIBAKE.findall(text)) / len(text) if text else 0.0


def written_in(body: bytes, charset: str = "") -> str:
    """Find the encoding in which a garbled page makes sense; "" when none is sure."""
    head = body[:LOOKED_AT]
    return "utf-8" if charset != "utf-8" and not head.isascii() and _is_utf8(head) else ""


def _is_utf8(body: bytes) -> bool:
    """True if it is flawless, but for a last character that was cut."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as flaw:
        return flaw.start >= len(body) - 3
    return True
