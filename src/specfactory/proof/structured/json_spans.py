"""A tolerant JSON reader that knows where each scalar stands in the source.

Web pages carry JSON with comments, trailing commas, control characters, several roots, HTML
entities, comment and CDATA wrappers. All are read, in linear time and without recursion; what
cannot be read ends the reading, and what was read until then counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from json import JSONDecodeError, JSONDecoder
from typing import NamedTuple, TypeAlias

MAX_DEPTH = 64
MAX_SCALARS = 50_000


class JsonScalar(NamedTuple):
    """A string (without its quotes), a number or a word, at ``start:end`` of the source."""

    start: int
    end: int
    is_string: bool


@dataclass(slots=True)
class JsonArray:
    """The members of an array."""

    members: list[JsonNode] = field(default_factory=list)


@dataclass(slots=True)
class JsonObject:
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
# A key and its scalar, written by the rules: the most of all JSON, taken at one go.
_MEMBER = re.compile(
    r"""\s*+"([^"\\]*+(?:\\[\s\S][^"\\]*+)*+)"\s*+:\s*+
    (?:"([^"\\]*+(?:\\[\s\S][^"\\]*+)*+)"|([-+.\w][-+.\w$@]*+))(?=\s*+[,}])(?:\s*+,)?+""".replace(
        "\n    ", ""
    )
)
_AFTER_STRING = re.compile(r"\s*+(?:[,:}\]]|$)")
_NEXT_MEMBER = re.compile(r'\s*\n\s*"[^"\n]{1,60}"\s*:')
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
    """Read one root at ``start`` and where it ends; None when it is not whole.

    Only its own scalars and those of the objects in it: lists and what lies deeper stay empty.
    """
    reader = _Reader(source, start, end, skims=True)
    reader.read(first_only=True)
    return (reader.roots[0] if reader.is_whole else None), reader.at


def scalars(
    node: JsonNode, source: str, into_arrays: bool = True
) -> Iterator[tuple[tuple[str, ...], JsonScalar]]:
    """Every scalar below a node with its path of keys; members of arrays share a path."""
    waiting: list[tuple[tuple[str, ...], JsonNode]] = [((), node)]
    while waiting:
        path, at = waiting.pop()
        if isinstance(at, JsonScalar):
            yield path, at
        elif isinstance(at, JsonArray):
            if into_arrays:
                waiting.extend((path, member) for member in reversed(at.members))
        else:
            waiting.extend(
                ((*path, source[key.start : key.end]), member)
                for key, member in reversed(at.members)
            )


class _Reader:
    """Reads token by token; open containers wait on a stack."""

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
        """Whether a root was read to its end."""
        return bool(self.roots) and not self._open

    def read(self, first_only: bool = False) -> None:
        """Take token after token, as far as they go."""
        match, source, end = _TOKEN.match, self._source, self._end
        left = MAX_SCALARS
        while left:
            if left > 1 and self._keys and self._keys[-1] is None:
                left -= 2 * self._members(left // 2)
            token = match(source, self.at, end)
            if token is None:
                return
            self.at = token.end()
            group = token.lastgroup
            if group == "mark":
                if not self._mark(source[self.at - 1]):
                    return
            else:
                left -= 1
                self._take(self._scalar(token, group or "word"))
            if first_only and self.roots and not self._open:
                return

    def _members(self, most: int) -> int:
        """Take the keys with scalars that follow one another in an object; how many they are."""
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

    def _mark(self, mark: str) -> bool:
        """A bracket, a comma or a colon; False where it goes too deep."""
        if mark in "{[":
            return self._open_container(JsonObject() if mark == "{" else JsonArray())
        if mark == ",":
            if self._keys:
                self._keys[-1] = None
        elif mark != ":" and self._open:
            self._open.pop()
            self._keys.pop()
        return True

    def _scalar(self, token: re.Match[str], group: str) -> JsonScalar:
        if group == "ended":  # a string behind which JSON goes on
            start, end = token.span("string")
            return JsonScalar(start, end, True)
        start, end = token.span(group)
        if group == "string":
            end = self._repaired(end)
            self.at = end + 1
        return JsonScalar(start, end, group != "word")

    def _repaired(self, end: int) -> int:
        """Where a string really ends: a quote inside it was left unescaped (24" monitor)."""
        limit = min(self._end, end + _MAX_REPAIR)
        quote = end
        for _ in range(_MAX_QUOTES):
            if _AFTER_STRING.match(self._source, quote + 1, self._end):
                return quote
            if _NEXT_MEMBER.match(self._source, quote + 1, self._end):  # only its comma is missing
                return quote
            quote = self._source.find('"', quote + 1, limit)
            if quote < 0:
                break
        return end

    def _open_container(self, container: JsonArray | JsonObject) -> bool:
        if len(self._open) >= MAX_DEPTH:
            return False
        self._place(container)
        if self._skimmed and self._open and self._is_skipped(container):
            return True
        self._open.append(container)
        self._keys.append(None)
        return True

    def _is_skipped(self, container: JsonArray | JsonObject) -> bool:
        """Go past a container that nobody asks about, where it is written by the rules."""
        if isinstance(container, JsonObject) and len(self._open) < _SKIMMED_LEVELS:
            return False
        try:
            _, end = _SCAN(self._skimmed, self.at - 1 - self._start)
        except (ValueError, StopIteration, RecursionError) as error:
            if _is_cut_off(error, len(self._skimmed)):
                self.at = self._end  # by the rules as far as it goes: nothing here is whole
                return True
            self._skimmed = ""  # not by the rules: from here on all is read
            return False
        self.at = self._start + end
        return True

    def _take(self, scalar: JsonScalar) -> None:
        """A scalar in an object is a key when none is owed a value, else the key's value."""
        if self._open and isinstance(self._open[-1], JsonObject) and self._keys[-1] is None:
            self._keys[-1] = scalar
        else:
            self._place(scalar)

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


def _is_cut_off(error: Exception, length: int) -> bool:
    """Whether what was scanned was right up to its end, where more should have come."""
    if isinstance(error, StopIteration):
        return bool(error.value >= length)
    if not isinstance(error, JSONDecodeError):
        return False
    return error.pos >= length or error.msg.startswith("Unterminated string")
