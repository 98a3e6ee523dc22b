"""A tolerant JSON reader that knows the span of each scalar in the source.

Web pages carry JSON with comments, trailing commas, control characters, several roots, HTML
entities, comment and CDATA wrappers. All are read, in linear time and without recursion; at what
cannot be read the reader stops, and keeps what it has.
"""

from __future__ import annotations

import re
from json import JSONDecodeError, JSONDecoder
from typing import NamedTuple, TypeAlias

from msgspec import Struct, field

MAX_DEPTH = 64
MAX_SCALARS = 50_000


class JsonScalar(NamedTuple):
    """A string (without its quotes), a number or a word, at ``start:end`` of the source."""

    start: int
    end: int
    is_string: bool


class JsonArray(Struct):
    """The members of an array."""

    members: list[JsonNode] = field(default_factory=list)


class JsonObject(Struct):
    """The keys and values of an object, in their order; a key may occur twice."""

    members: list[tuple[JsonScalar, JsonNode]] = field(default_factory=list)


JsonNode: TypeAlias = "JsonScalar | JsonArray | JsonObject"

_SKIPPED = r"(?:[\s\x00-\x1f\ufeff;]++|//[^\n]*|/\*[\s\S]*?\*/|<!\[CDATA\[|\]\]>|<!--|-->)*+"
_TOKEN = re.compile(
    _SKIPPED
    + r"""(?:(?P<mark>[{}\[\]:,])
    |"(?P<string>[^"\\]*+(?:\\[\s\S][^"\\]*+)*+)"(?P<ended>(?=\s*+[,:}\]]))?+
    |&quot;(?P<entity>[^&]*+(?:&(?!quot;)[^&]*+)*+)&quot;
    |'(?P<single>[^'\\]*+(?:\\[\s\S][^'\\]*+)*+)'
    |(?P<word>[-+.\w][-+.\w$@]*+))""".replace("\n    ", "")
)
# A key and its scalar in valid JSON: most of all JSON, matched in one go.
_MEMBER = re.compile(
    r"""\s*+"([^"\\]*+(?:\\[\s\S][^"\\]*+)*+)"\s*+:\s*+
    (?:"([^"\\]*+(?:\\[\s\S][^"\\]*+)*+)"|([-+.\w][-+.\w$@]*+))(?=\s*+[,}])(?:\s*+,)?+""".replace(
        "\n    ", ""
    )
)
_AFTER_STRING = re.compile(r"\s*+(?:[,:}\]]|$)")
_NEXT_MEMBER = re.compile(r'[^\S\n]*+\n\s*+"[^"\n]{1,60}"\s*+:')  # only the comma is missing
_MAX_REPAIR = 200
_MAX_QUOTES = 6
_SKIMMED_LEVELS = 2
_SCAN = JSONDecoder(strict=False).scan_once  # type: ignore[attr-defined]


def read_json(source: str, start: int = 0, end: int | None = None) -> list[JsonNode]:
    """Read the JSON at ``start:end`` of the source: its roots, as far as they can be read."""
    reader = _Reader(source, start, len(source) if end is None else end)
    reader.read()
    return reader.roots


def skim_first(source: str, start: int, end: int) -> tuple[JsonNode | None, int]:
    """Read one root at ``start`` and where it ends; None when it is incomplete.

    Only its own scalars and those of the objects in it: lists and deeper levels stay empty.
    """
    reader = _Reader(source, start, end, skims=True)
    reader.read(first_only=True)
    return (reader.roots[0] if reader.is_whole else None), reader.at


class _Reader:
    """Reads token by token; open containers are kept on a stack."""

    def __init__(self, source: str, start: int, end: int, skims: bool = False) -> None:
        self.at = start
        self.roots: list[JsonNode] = []
        self._source = source
        self._start = start
        self._end = end
        self._skimmed = source[start:end] if skims else ""
        self._open: list[JsonArray | JsonObject] = []
        self._keys: list[JsonScalar | None] = []  # the key owed a value, per open container

    @property
    def is_whole(self) -> bool:
        """True when a root was read to its end."""
        return bool(self.roots) and not self._open

    def read(self, first_only: bool = False) -> None:
        """Read token after token, as far as they go."""
        match, source, end = _TOKEN.match, self._source, self._end
        opened, keys = self._open, self._keys
        left = MAX_SCALARS
        while left:
            if left > 1 and keys and keys[-1] is None:
                left -= 2 * self._members(left // 2)
            token = match(source, self.at, end)
            if token is None:
                return
            self.at = token.end()
            group = token.lastgroup
            if group == "mark":
                mark = source[self.at - 1]
                if mark in "{[":
                    if len(opened) >= MAX_DEPTH:
                        return
                    container: JsonArray | JsonObject
                    container = JsonObject() if mark == "{" else JsonArray()
                    self._place(container)
                    if not (self._skimmed and opened and self._is_skipped(container)):
                        opened.append(container)
                        keys.append(None)
                elif mark == ",":
                    if keys:
                        keys[-1] = None
                elif mark != ":" and opened:
                    opened.pop()
                    keys.pop()
            else:
                left -= 1
                start, stop = token.span("string" if group == "ended" else group or "word")
                if group == "string":  # JSON does not go on behind it: it may end elsewhere
                    stop = self._repaired(stop)
                    self.at = stop + 1
                scalar = JsonScalar(start, stop, group != "word")
                # in an object it is a key, unless one is waiting for its value
                if opened and keys[-1] is None and isinstance(opened[-1], JsonObject):
                    keys[-1] = scalar
                else:
                    self._place(scalar)
            if first_only and self.roots and not opened:
                return

    def _members(self, most: int) -> int:
        """Take consecutive keys with scalars in an object; returns their number."""
        container = self._open[-1]
        if not isinstance(container, JsonObject):
            return 0
        members = container.members
        taken, source, end = 0, self._source, self._end
        while taken < most and (member := _MEMBER.match(source, self.at, end)):
            value = member.lastindex or 2
            key = JsonScalar(*member.span(1), True)
            members.append((key, JsonScalar(*member.span(value), value == 2)))
            self.at = member.end()
            taken += 1
        return taken

    def _repaired(self, end: int) -> int:
        """The real end of a string that contains an unescaped quote (24" monitor)."""
        limit = min(self._end, end + _MAX_REPAIR)
        quote = end
        for _ in range(_MAX_QUOTES):
            after = self._source, quote + 1, self._end
            if _AFTER_STRING.match(*after) or _NEXT_MEMBER.match(*after):
                return quote
            quote = self._source.find('"', quote + 1, limit)
            if quote < 0:
                break
        return end

    def _is_skipped(self, container: JsonArray | JsonObject) -> bool:
        """Skip a container that is not asked for, if it is valid JSON."""
        if isinstance(container, JsonObject) and len(self._open) < _SKIMMED_LEVELS:
            return False
        length = len(self._skimmed)
        try:
            _, end = _SCAN(self._skimmed, self.at - 1 - self._start)
        except (ValueError, StopIteration, RecursionError) as error:
            if isinstance(error, StopIteration):
                is_cut_off = error.value >= length
            else:
                is_cut_off = isinstance(error, JSONDecodeError) and (
                    error.pos >= length or error.msg.startswith("Unterminated string")
                )
            if is_cut_off:  # valid up to its end, where more should come: nothing here is whole
                self.at = self._end
                return True
            self._skimmed = ""  # not valid: from here on everything is read
            return False
        self.at = self._start + end
        return True

    def _place(self, node: JsonNode) -> None:
        if not self._open:
            self.roots.append(node)
            return
        container = self._open[-1]
        if isinstance(container, JsonArray):
            container.members.append(node)
        elif (key := self._keys[-1]) is not None:
            container.members.append((key, node))
            self._keys[-1] = None
