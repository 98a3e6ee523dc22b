"""A tolerant JSON reader that knows where each scalar stands in the source.

Web pages carry JSON with comments, trailing commas, control characters, several roots, HTML
entities, comment and CDATA wrappers. All are read, in linear time and without recursion; what
cannot be read ends the reading, and what was read until then counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

MAX_DEPTH = 64
MAX_SCALARS = 50_000


@dataclass(frozen=True, slots=True)
class JsonScalar:
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
_AFTER_STRING = re.compile(r"\s*+(?:[,:}\]]|$)")
_MAX_REPAIR = 200
_MAX_QUOTES = 6


def read_json(source: str, start: int = 0, end: int | None = None) -> list[JsonNode]:
    """Read the JSON at ``start:end`` of the source: its roots, as far as they can be read."""
    return _Reader(source, start, len(source) if end is None else end).roots()


def read_first(source: str, start: int, end: int) -> tuple[JsonNode | None, int]:
    """Read one root at ``start`` and where it ends; None when it is not whole."""
    reader = _Reader(source, start, end)
    return reader.first()


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

    def __init__(self, source: str, start: int, end: int) -> None:
        self._source = source
        self._at = start
        self._end = end
        self._roots: list[JsonNode] = []
        self._open: list[JsonArray | JsonObject] = []
        self._keys: list[JsonScalar | None] = []  # the key owed a value, per open container
        self._count = 0

    def roots(self) -> list[JsonNode]:
        while self._count < MAX_SCALARS and self._step():
            pass
        return self._roots

    def first(self) -> tuple[JsonNode | None, int]:
        while self._count < MAX_SCALARS and self._step():
            if self._roots and not self._open:
                return self._roots[0], self._at
        return None, self._at

    def _step(self) -> bool:
        token = _TOKEN.match(self._source, self._at, self._end)
        if token is None:
            return False
        self._at = token.end()
        mark = token["mark"]
        if mark is None:
            return self._take(self._scalar(token))
        if mark in "{[":
            return self._open_container(JsonObject() if mark == "{" else JsonArray())
        if mark in "}]" and self._open:
            self._open.pop()
            self._keys.pop()
        elif mark == "," and self._keys:
            self._keys[-1] = None
        return True

    def _scalar(self, token: re.Match[str]) -> JsonScalar:
        group = token.lastgroup or "word"
        if group == "ended":  # a string behind which JSON goes on
            return JsonScalar(*token.span("string"), is_string=True)
        start, end = token.span(group)
        if group == "string":
            end = self._repaired(end)
            self._at = end + 1
        return JsonScalar(start, end, is_string=group != "word")

    def _repaired(self, end: int) -> int:
        """Where a string really ends: a quote inside it was left unescaped (24" monitor)."""
        limit = min(self._end, end + _MAX_REPAIR)
        quote = end
        for _ in range(_MAX_QUOTES):
            if _AFTER_STRING.match(self._source, quote + 1, self._end):
                return quote
            quote = self._source.find('"', quote + 1, limit)
            if quote < 0 or "\n" in self._source[end:quote]:
                break
        return end

    def _open_container(self, container: JsonArray | JsonObject) -> bool:
        if len(self._open) >= MAX_DEPTH:
            return False
        self._place(container)
        self._open.append(container)
        self._keys.append(None)
        return True

    def _take(self, scalar: JsonScalar) -> bool:
        """A scalar in an object is a key when none is owed a value, else the key's value."""
        self._count += 1
        if self._open and isinstance(self._open[-1], JsonObject) and self._keys[-1] is None:
            self._keys[-1] = scalar
        else:
            self._place(scalar)
        return True

    def _place(self, node: JsonNode) -> None:
        if not self._open:
            self._roots.append(node)
            return
        container = self._open[-1]
        if isinstance(container, JsonArray):
            container.members.append(node)
        elif (key := self._keys[-1]) is not None:
            container.members.append((key, node))
            self._keys[-1] = None
