"""The house in figures: python -m benchmarks.house [--json] [--list FIGURE].

Reads the source only. ``lines`` are those of ``src`` without the demo web; a function is used
once when its module names it in one other place; a face is bypassed by an import of a module from
outside its package; a cycle is a group of modules that import one another, at whatever moment.
"""

from __future__ import annotations

import argparse
import ast
import io
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import grimp

from benchmarks.faces import bypasses
from benchmarks.prose_decisions import find_decisions
from benchmarks.report import Report, main

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "specfactory"


@dataclass(frozen=True, slots=True)
class Module:
    """One source file with its syntax tree."""

    name: str  # relative to the package, as a path
    text: str
    tree: ast.Module

    @property
    def lines(self) -> int:
        """Count lines as ``wc -l`` does."""
        return self.text.count("\n")


def read_modules(source: Path = SOURCE) -> list[Module]:
    """Read every module below a package."""
    modules = []
    for path in sorted(source.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        modules.append(Module(path.relative_to(source).as_posix(), text, ast.parse(text)))
    return modules


def functions_of(module: Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """List functions and methods, also those inside others."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node for node in ast.walk(module.tree) if isinstance(node, kinds)]


def used_once(module: Module) -> Iterator[str]:
    """Yield private functions that the module names in exactly one place."""
    named = Counter(
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Name | ast.Attribute)
    )
    for function in functions_of(module):
        private = function.name.startswith("_") and not function.name.startswith("__")
        if private and named[function.name] == 1:
            yield f"{module.name}:{function.lineno} {function.name}"


def twice_named(modules: list[Module]) -> list[str]:
    """List module names that occur more than once; a package and its parts count alike."""
    stems = Counter(Path(module.name).stem for module in modules)
    return sorted(
        module.name
        for module in modules
        if not (stem := Path(module.name).stem).startswith("__") and stems[stem] > 1
    )


def comment_lines(module: Module) -> int:
    """Count comments that stand for a reader: neither directives nor separators."""
    tokens = tokenize.generate_tokens(io.StringIO(module.text).readline)
    texts = (token.string for token in tokens if token.type == tokenize.COMMENT)
    directives = ("# fmt:", "# type:", "# noqa")
    return sum(1 for text in texts if not text.startswith(directives) and text.strip("# -="))


def cycles(graph: grimp.ImportGraph) -> list[list[str]]:
    """List groups of modules that import one another: Tarjan's strongly connected components."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found = []
    for root in sorted(graph.modules):
        work = [(root, iter(()))] if root not in index else []
        while work:
            node, following = work[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                stack.append(node)
                following = iter(sorted(graph.find_modules_directly_imported_by(node)))
                work[-1] = (node, following)
            for step in following:
                if step not in index:
                    work.append((step, iter(())))
                    break
                if step in stack:
                    low[node] = min(low[node], index[step])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    at = stack.index(node)
                    group, stack[at:] = stack[at:], []
                    if len(group) > 1:
                        found.append(sorted(group))
    return found


def run(given: argparse.Namespace) -> Report:
    """Measure the tree this file stands in."""
    modules = read_modules()
    line = [module for module in modules if not module.name.startswith("demo/")]
    folders = Counter(Path(module.name).parent.as_posix() for module in modules)
    functions = sum(len(functions_of(module)) for module in line)
    code = sum(module.lines for module in line)
    graph = grimp.build_graph("specfactory", cache_dir=None)
    lists = {
        "single_use_share": [place for module in line for place in used_once(module)],
        "face_bypasses": [f"{importer} -> {imported}" for importer, imported in bypasses(graph)],
        "twice_named_modules": twice_named(modules),
        "prose_decisions": [f"{d.path}:{d.line} {d.code}" for d in find_decisions()],
        "import_cycles": [" <-> ".join(group) for group in cycles(graph)],
        "largest_folder": [f"{count} {name}" for name, count in folders.most_common(8)],
    }
    report = Report("house")
    report.plain("modules", len(modules))
    report.at_most("lines", code, 58_000)
    report.at_most("largest_folder", max(folders.values()), 16)
    report.at_most("single_use_share", len(lists["single_use_share"]) / functions, 0.22)
    report.at_most("face_bypasses", len(lists["face_bypasses"]), 40)
    report.plain("twice_named_modules", len(lists["twice_named_modules"]))
    report.at_most("prose_decisions", len(lists["prose_decisions"]), 0)
    report.plain("comment_share", sum(comment_lines(module) for module in line) / code)
    report.at_most("import_cycles", len(lists["import_cycles"]), 0)
    report.notes += lists.get(given.list, [])
    return report


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--list", default="", help="a figure whose places are listed")


if __name__ == "__main__":
    main(run, _options)
