"""Reading nodes as what they should be; every problem is kept with its line."""

import difflib
import math
import re
from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

from specfactory.contract.files.yaml_nodes import Node
from specfactory.errors import ContractError

E = TypeVar("E", bound=StrEnum)

NAME = re.compile(r"[a-z][a-z0-9_]{0,63}", re.A)
_TRUE = frozenset({"true", "yes", "on"})
_FALSE = frozenset({"false", "no", "off"})


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """``; did you mean 'labels'?`` or nothing."""
    close = difflib.get_close_matches(given, list(known), 1, 0.6)
    return f"; did you mean {close[0]!r}?" if close else ""


class Reader:
    """Reads nodes, and collects what is wrong with them instead of stopping at the first."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[ContractError] = []

    def problem(self, line: int, where: str, problem: str) -> None:
        """Keep a problem."""
        self.problems.append(ContractError(self.file, line, where, problem))

    def wrong(self, node: Node, where: str, wanted: str) -> None:
        """Keep the problem that something else was wanted."""
        self.problem(node.line, where, f"wanted {wanted}, given {node.shown()}")

    def mapping(self, node: Node, where: str, known: tuple[str, ...] = ()) -> dict[str, Node]:
        """Keys with their values; ``known`` empty allows any key."""
        if node.kind != "mapping":
            self.wrong(node, where, "a mapping (`name: value` lines)")
            return {}
        found: dict[str, Node] = {}
        lines: dict[str, int] = {}
        for key, value in node.pairs:
            if key.kind != "scalar" or key.is_empty:
                self.wrong(key, where, "a name before the colon")
                continue
            name, place = key.text, f"{where}.{key.text}".lstrip(".")
            if name in found:
                self.problem(key.line, place, f"stands twice, first in line {lines[name]}")
            elif known and name not in known:
                advice = did_you_mean(name, known) or f"; allowed: {', '.join(known)}"
                self.problem(key.line, place, f"unknown key{advice}")
            else:
                found[name], lines[name] = value, key.line
        return found

    def text(self, node: Node, where: str) -> str:
        """A text that says something, white space collapsed at its ends."""
        if node.kind != "scalar" or node.is_empty or not node.text.strip():
            self.wrong(node, where, "a text")
            return ""
        return node.text.strip()

    def texts(self, node: Node, where: str) -> tuple[str, ...]:
        """A list of texts; one alone need not be in brackets. Each stands there once."""
        if node.kind == "scalar" and not node.is_empty:
            return tuple(filter(None, (self.text(node, where),)))
        if node.kind != "list":
            self.wrong(node, where, "a list of texts")
            return ()
        found: dict[str, int] = {}
        for item in node.items:
            word = self.text(item, where)
            if word in found:
                self.problem(item.line, where, f"{word!r} stands twice")
            if word:
                found[word] = item.line
        return tuple(found)

    def number(self, node: Node, where: str) -> float | None:
        """A finite number."""
        try:
            number = float(node.text) if node.kind == "scalar" else math.nan
        except ValueError:
            number = math.nan
        if not math.isfinite(number) or "_" in node.text:
            self.wrong(node, where, "a number")
            return None
        return int(number) if number == int(number) else number

    def boolean(self, node: Node, where: str, default: bool) -> bool:
        """true or false."""
        word = node.text.casefold() if node.kind == "scalar" else ""
        if word not in _TRUE and word not in _FALSE:
            self.wrong(node, where, "true or false")
            return default
        return word in _TRUE

    def choice(self, node: Node, where: str, kind: type[E]) -> E | None:
        """One of an enumeration's words."""
        word = node.text if node.kind == "scalar" else ""
        try:
            return kind(word)
        except ValueError:
            known = [member.value for member in kind]
            self.problem(
                node.line,
                where,
                f"wanted one of {', '.join(known)}, "
                f"given {node.shown()}{did_you_mean(word, known)}",
            )
            return None

    def name(self, node: Node, where: str) -> str:
        """A name as fields, groups and categories have it."""
        word = self.text(node, where)
        if word and not NAME.fullmatch(word):
            self.wrong(node, where, "a name of small letters, digits and _")
        return word
