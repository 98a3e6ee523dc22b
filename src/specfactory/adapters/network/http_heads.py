"""The heads of HTTP messages, as a proxy reads and rewrites them."""

import asyncio
import base64
import binascii

from specfactory.model import Frozen

MAX_HEAD = 64 * 1024
_ONE_HOP = frozenset(
    {"connection", "proxy-connection", "keep-alive", "proxy-authorization", "upgrade", "te"}
)


class BadHead(ValueError):
    """Not the head of an HTTP message."""


class LongHead(BadHead):
    """A head that does not end."""


class Head(Frozen):
    """First line and headers, as they came."""

    first: str
    headers: tuple[tuple[str, str], ...]

    @property
    def parts(self) -> tuple[str, str, str]:
        """The three words of the first line."""
        words = [*self.first.split(" ", 2), "", ""]
        return words[0], words[1], words[2]

    def value(self, name: str) -> str:
        """The first header of that name, empty without one."""
        return next((value for known, value in self.headers if known.lower() == name), "")

    def passed_on(self, first: str, *added: tuple[str, str]) -> bytes:
        """The head for the next hop: without what was meant for us, closing after one answer."""
        gone = _ONE_HOP | {name.lower() for name, _ in added}
        kept = [(n, v) for n, v in self.headers if n.lower() not in gone]
        lines = [f"{n}: {v}" for n, v in (*kept, *added, ("Connection", "close"))]
        return "\r\n".join((first, *lines, "", "")).encode("latin-1")


async def read_head(reader: asyncio.StreamReader) -> Head | None:
    """The next head; None when the other side has closed."""
    try:
        raw = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as end:
        if end.partial:
            raise BadHead("the head ends in the middle") from None
        return None
    except asyncio.LimitOverrunError:
        raise LongHead(f"a header of more than {MAX_HEAD} bytes") from None
    first, *lines = raw[:-4].decode("latin-1").split("\r\n")
    pairs = [line.partition(":") for line in lines]
    if any(not colon or not name.strip() for name, colon, _ in pairs):
        raise BadHead("a header without a name")
    return Head(first, tuple((name.strip(), value.strip()) for name, _, value in pairs))


def basic(username: str, password: str) -> str:
    """The value of a Basic authorization."""
    return "Basic " + base64.b64encode(f"{username}:{password}".encode()).decode()


def read_basic(value: str) -> tuple[str, str]:
    """User name and password of a Basic authorization; empty when it is none."""
    kind, _, coded = value.partition(" ")
    if kind.lower() != "basic":
        return "", ""
    try:
        username, _, password = base64.b64decode(coded.strip()).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return "", ""
    return username, password
