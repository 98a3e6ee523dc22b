"""YAML as nodes that know their line; nothing in a file can be a bomb.

Events of the parser are put together without recursion, scalars stay the text they were
written as, and what an alias repeats is counted against a cap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from specfactory.errors import ContractError

MAX_CHARACTERS = 4_000_000
MAX_NODES = 200_000
MAX_DEPTH = 40


class Node(Struct):
    """A piece of a file: a scalar with its text, a list, or a mapping with its keys."""

    kind: str  # "scalar", "list", "mapping"
    line: int
    text: str = ""
    quoted: bool = False
    items: list[Node] = field(default_factory=list)
    keys: list[Node] = field(default_factory=list)
    size: int = 1  # nodes in it, aliases counted as often as they stand there

    @property
    def is_empty(self) -> bool:
        """Nothing was written, or a YAML null."""
        return self.kind == "scalar" and not self.quoted and self.text in ("", "~", "null", "Null")

    @property
    def pairs(self) -> Iterator[tuple[Node, Node]]:
        """Keys with their values."""
        return zip(self.keys, self.items, strict=True)

    def shown(self) -> str:
        """Its kind, for a message."""
        if self.kind == "scalar":
            return repr(self.text[:60]) if not self.is_empty else "nothing"
        return "a list" if self.kind == "list" else "a mapping"


def compose(text: str, file: str) -> Node:
    """The one document of a file; raises ContractError with the line of what is wrong."""
    if len(text) > MAX_CHARACTERS:
        raise ContractError(file, 1, "file", f"it is larger than {MAX_CHARACTERS} characters")
    import yaml  # read only where there is a file: keeps the command line quick

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder(file)
    try:
        for event in yaml.parse(text, Loader=loader):
            builder.take(event)
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        line = mark.line + 1 if mark is not None else 1
        reason = (
            getattr(problem, "problem", None) or getattr(problem, "reason", None) or "unreadable"
        )
        raise ContractError(file, line, "file", f"it is not YAML: {reason}") from None
    except (RecursionError, ValueError) as problem:
        raise ContractError(file, 1, "file", f"it is not YAML: {problem}") from None
    if builder.root is None or builder.root.is_empty:
        raise ContractError(file, 1, "file", "it is empty; a contract has category and fields")
    return builder.root


def node_of(value: Any) -> Node:
    """A node of what is already read, such as a part of the settings."""
    if isinstance(value, Mapping):
        keys = [node_of(key) for key in value]
        return Node("mapping", 1, keys=keys, items=[node_of(item) for item in value.values()])
    if isinstance(value, list | tuple):
        return Node("list", 1, items=[node_of(item) for item in value])
    return Node("scalar", 1, "" if value is None else str(value), isinstance(value, str))


class _Builder:
    """Puts nodes together from the parser's events, with a stack of its own."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.root: Node | None = None
        self.stack: list[tuple[Node, str | None]] = []
        self.pending: list[Node | None] = []  # the key that waits for its value, per open mapping
        self.anchors: dict[str, Node] = {}

    def take(self, event: Any) -> None:
        name = type(event).__name__
        line = event.start_mark.line + 1 if event.start_mark else 1
        if name == "ScalarEvent":
            self._check_tag(event, line)
            quoted = event.style in ("'", '"', "|", ">")
            self._add(Node("scalar", line, event.value, quoted), event.anchor)
        elif name in ("SequenceStartEvent", "MappingStartEvent"):
            self._check_tag(event, line)
            node = Node("list" if name[0] == "S" else "mapping", line)
            if len(self.stack) >= MAX_DEPTH:
                raise self._error(line, f"it is nested deeper than {MAX_DEPTH} levels")
            self.stack.append((node, event.anchor))
            self.pending.append(None)
        elif name in ("SequenceEndEvent", "MappingEndEvent"):
            node, anchor = self.stack.pop()
            self.pending.pop()
            self._add(node, anchor)
        elif name == "AliasEvent":
            if (known := self.anchors.get(event.anchor)) is None:
                problem = f"the alias *{event.anchor} repeats nothing that stands before it"
                raise self._error(line, problem)
            self._add(known, None)
        elif name == "DocumentStartEvent" and self.root is not None:
            raise self._error(line, "a contract is one document; a second one starts here")

    def _error(self, line: int, problem: str) -> ContractError:
        return ContractError(self.file, line, "file", problem)

    def _check_tag(self, event: Any, line: int) -> None:
        if event.tag not in (None, "!"):
            raise self._error(line, f"the tag {event.tag} is not allowed here; leave it out")

    def _add(self, node: Node, anchor: str | None) -> None:
        if anchor:
            self.anchors[anchor] = node
        if not self.stack:
            self.root = node
            return
        parent = self.stack[-1][0]
        parent.size += node.size
        if parent.size > MAX_NODES:
            raise self._error(node.line, f"it has more than {MAX_NODES} parts, aliases counted")
        if parent.kind == "list":
            parent.items.append(node)
        elif self.pending[-1] is None:
            self.pending[-1] = node
        else:
            parent.keys.append(self.pending[-1])
            parent.items.append(node)
            self.pending[-1] = None
