"""Find decisions that are made by the words of a message.

Texts such as ``outcome_evidence`` or ``last_error`` are for people: what the program decides by is
an enum, a number or an instant beside them. This reads the source as a syntax tree and reports
every comparison, search or prefix test of such a text, also through a local variable.

    python -m benchmarks.prose_decisions [folder]
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parent.parent / "src" / "specfactory"

PROSE = frozenset(
    {"evidence", "outcome_evidence", "failure_detail", "last_error", "detail", "message", "error",
     "strerror"}
)  # fmt: skip
"""Attributes and variables that hold a text for people."""

_TESTS = frozenset(
    {"startswith", "endswith", "find", "rfind", "index", "rindex", "count", "partition",
     "rpartition"}
)  # fmt: skip
_SEARCHES = frozenset({"search", "match", "fullmatch", "findall", "finditer", "sub", "split"})
_SAME_TEXT = frozenset({"lower", "upper", "casefold", "strip", "lstrip", "rstrip", "replace"})

ALLOWED = (
    # the evidence of a candidate is a value with a snippet, not a text
    ("entry/cli/records/explain.py", "in weighed"),
    # errors of a library that have one class for several causes; they become facts right there
    ("adapters/browser/pool.py", "'sandbox'"),
    ("adapters/http/fetcher.py", "in problem.message"),
    ("adapters/postgres/errors.py", "in str(error)"),
    # the errors of other people's crawlers, handed in as texts
    ("orchestrate/healing/api.py", "words"),
)
"""Module and code where a name of ``PROSE`` is something else, or others' words are first met."""


class Decision(NamedTuple):
    """One decision by words: where it stands, and its code."""

    path: str
    line: int
    function: str
    code: str


def find_decisions(root: Path = SOURCE) -> list[Decision]:
    """All decisions by words below a folder, without those that are allowed."""
    found = []
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found += [one for one in decisions_in(tree, name) if not _is_allowed(one)]
    return found


def decisions_in(tree: ast.Module, name: str = "") -> Iterator[Decision]:
    """The decisions by words of one module, allowed or not."""
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    inner = {id(node) for function in functions for node in ast.walk(function)}
    top = [node for node in ast.walk(tree) if id(node) not in inner]
    for scope, nodes in [("", top), *((f.name, list(ast.walk(f))) for f in functions)]:
        prose = _prose_names(nodes)
        for node in nodes:
            if _decides(node, prose):
                line = getattr(node, "lineno", 0)
                yield Decision(name, line, scope, ast.unparse(node))


def _is_allowed(decision: Decision) -> bool:
    return any(decision.path == path and code in decision.code for path, code in ALLOWED)


def _prose_names(nodes: list[ast.AST]) -> set[str]:
    """Variables that hold prose: caught exceptions as text are found by ``str(problem)``."""
    names = set(PROSE)
    caught = {n.name for n in nodes if isinstance(n, ast.ExceptHandler) and n.name}
    names |= {f"str({name})" for name in caught}
    for _ in range(2):  # a variable of a variable
        for node in nodes:
            if isinstance(node, ast.Assign) and _is_prose(node.value, names):
                names |= {t.id for t in node.targets if isinstance(t, ast.Name)}
            elif isinstance(node, ast.NamedExpr) and _is_prose(node.value, names):
                names.add(node.target.id)
    return names


def _is_prose(node: ast.AST, names: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.Attribute):
        return node.attr in PROSE
    if isinstance(node, ast.Subscript):
        key = node.slice
        named = isinstance(key, ast.Constant) and key.value in PROSE
        return named or (isinstance(key, ast.Slice) and _is_prose(node.value, names))
    if isinstance(node, ast.BoolOp):
        return any(_is_prose(value, names) for value in node.values)
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id == "str" and node.args:
            return ast.unparse(node) in names or _is_prose(node.args[0], names)
        if isinstance(node.func, ast.Attribute) and node.func.attr in _SAME_TEXT:
            return _is_prose(node.func.value, names)
    return False


def _decides(node: ast.AST, names: set[str]) -> bool:
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        by_words = any(isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn) for op in node.ops)
        empty = any(isinstance(s, ast.Constant) and s.value in ("", None) for s in sides)
        return by_words and not empty and any(_is_prose(side, names) for side in sides)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in _TESTS:
            first_line = ast.unparse(node.args[0]) == repr("\n") if node.args else False
            return _is_prose(node.func.value, names) and not first_line
        if node.func.attr in _SEARCHES:
            return any(_is_prose(given, names) for given in node.args)
    if isinstance(node, ast.Match):
        return _is_prose(node.subject, names)
    return False


def main() -> None:
    """Print every decision by words."""
    found = find_decisions(Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE)
    for one in found:
        print(f"{one.path}:{one.line} {one.function}: {one.code}")
    print(f"{len(found)} decisions by the words of a message")


if __name__ == "__main__":
    main()
