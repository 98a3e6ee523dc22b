"""The layout holds: imports point down, modules stay short, one place chooses adapters."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "specfactory"
MODULES = sorted(SOURCE.rglob("*.py"))
LONGEST_MODULE = 450
CHOOSERS = ("assembly", "testing", "adapters")
NETWORK = ("aiohttp", "socket", "http.client", "urllib.request")
SERVES_OR_GUARDS = ("adapters", "demo", "testing")


def _name(module: Path) -> str:
    return ".".join(module.relative_to(SOURCE).with_suffix("").parts)


def _imports(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(package + ".") for package in packages)


def test_imports_point_down_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)

    assert lint_imports(no_cache=True) == 0


@pytest.mark.parametrize("module", MODULES, ids=_name)
def test_a_module_is_short_enough_to_read(module: Path) -> None:
    assert len(module.read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE


def test_only_assembly_and_the_fakes_choose_adapters() -> None:
    choosing = {
        _name(module)
        for module in MODULES
        if any(_within(name, ("specfactory.adapters",)) for name in _imports(module))
    }

    assert {name for name in choosing if not _within(name, CHOOSERS)} == set()


def test_only_adapters_reach_the_network() -> None:
    reaching = {
        _name(module)
        for module in MODULES
        if any(_within(name, NETWORK) for name in _imports(module))
    }

    assert {name for name in reaching if not _within(name, SERVES_OR_GUARDS)} == set()


def test_every_package_says_what_it_takes_and_gives() -> None:
    silent = [
        _name(module)
        for module in SOURCE.rglob("__init__.py")
        if not ast.get_docstring(ast.parse(module.read_text(encoding="utf-8")))
    ]

    assert silent == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    nothing = {"utils", "helpers", "manager", "service", "data", "info", "common", "misc"}

    assert [_name(module) for module in MODULES if module.stem in nothing] == []


def test_nothing_asks_the_machine_for_the_time_but_the_clocks() -> None:
    asking = {
        _name(module)
        for module in MODULES
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and ast.unparse(node) in {"time.time", "datetime.now", "datetime.utcnow", "time.time_ns"}
    }

    assert {name for name in asking if not _within(name, ("adapters", "demo"))} == set()
