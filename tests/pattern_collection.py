"""Every regular expression of the package, with its place and how it is used.

Run as ``python -m tests.pattern_collection``: imports everything, reads a page, and prints them.
Those that a function makes when it is called stand in the source, where they are constant.
"""

from __future__ import annotations

import ast
import importlib
import json
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import specfactory

ROOT = Path(specfactory.__file__).parent
PAGE = "<title>Mug</title><h1>Mug</h1><p>By Ann Lee, 5 May 2024</p><p>Weight: 310 g, $5.99</p>"
_STARTS = frozenset(("match", "fullmatch"))  # tried at one place, not at all


class Collected(NamedTuple):
    """A pattern; ``anywhere`` is False where it is only ever tried at one place."""

    pattern: str
    flags: int
    place: str  # module and, where it has one, its name
    anywhere: bool


def collect() -> Iterator[Collected]:
    """Everything that is compiled on import or while a page is read, and constants in functions."""
    seen: dict[tuple[str | bytes, int], tuple[Path, int]] = {}
    plain = re._compile  # type: ignore[attr-defined]

    def noting(pattern: str | bytes | re.Pattern[str], flags: int) -> re.Pattern[str]:
        made: re.Pattern[str] = plain(pattern, flags)
        caller = sys._getframe(2)
        place = Path(caller.f_code.co_filename)
        if ROOT in place.parents:
            seen.setdefault((made.pattern, made.flags), (place, caller.f_lineno))
        return made

    re._compile = noting  # type: ignore[attr-defined]
    for module in pkgutil.walk_packages(specfactory.__path__, "specfactory."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for category in ("product", "article", "mouse", "recipe"):
        specfactory.extract(PAGE, category=category)
    re._compile = plain  # type: ignore[attr-defined]
    names = {place: _Names(place) for place, _ in seen.values()}
    for (pattern, flags), (place, line) in seen.items():
        text, kept = pattern, flags
        if isinstance(text, bytes):  # letters mean the same, and classes are those of ASCII
            text, kept = text.decode("latin-1"), flags | re.ASCII
        name, anywhere = names[place].use(line)
        yield Collected(text, kept, f"{place.relative_to(ROOT)} {name}".strip(), anywhere)
    for place in sorted(ROOT.rglob("*.py")):
        for found in _in_functions(place):
            yield Collected(found, 0, str(place.relative_to(ROOT)), True)


class _Names:
    """The patterns of a module that have names, and the methods that are called on each."""

    def __init__(self, place: Path) -> None:
        self._source = place.read_text("utf-8")
        self._spans = [
            (node.lineno, node.end_lineno or node.lineno, target.id)
            for node in ast.parse(self._source).body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        ]

    def use(self, line: int) -> tuple[str, bool]:
        """The name of the pattern on a line, and whether it is searched for."""
        name = next((name for first, last, name in self._spans if first <= line <= last), "")
        if not name.startswith("_"):  # others may use it
            return name, True
        uses = re.findall(rf"\b{name}\b(?!\s*=[^=])(?:\.(\w+))?", self._source)
        return name, not uses or not _STARTS.issuperset(uses)


def _in_functions(place: Path) -> Iterator[str]:
    """Constant patterns that are given to ``re`` inside a function."""
    tree = ast.parse(place.read_text("utf-8"))
    inside = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    for node in (inner for function in inside for inner in ast.walk(function)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        by = node.func.value
        if isinstance(by, ast.Name) and by.id == "re" and node.func.attr != "escape" and node.args:
            given = node.args[0]
            if isinstance(given, ast.Constant) and isinstance(given.value, str):
                yield given.value


if __name__ == "__main__":
    print(json.dumps(list(collect())))
