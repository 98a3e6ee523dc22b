"""The layout holds: imports point down, modules stay short, one place chooses adapters."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import grimp
import pytest
from importlinter.cli import lint_imports

from benchmarks.house import cycles

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "specfactory"
MODULES = sorted(SOURCE.rglob("*.py"))
LONGEST_MODULE = 450
LARGEST_FOLDER = 16
CHOOSERS = ("assembly", "testing", "adapters")


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


def test_no_folder_holds_more_modules_than_a_person_can_overlook() -> None:
    folders = Counter(module.parent.relative_to(SOURCE).as_posix() for module in MODULES)

    assert {name: count for name, count in folders.items() if count > LARGEST_FOLDER} == {}


def test_no_modules_import_one_another() -> None:
    assert cycles(grimp.build_graph("specfactory", cache_dir=None)) == []


def test_only_assembly_and_the_fakes_choose_adapters() -> None:
    choosing = {
        _name(module)
        for module in MODULES
        if any(_within(name, ("specfactory.adapters",)) for name in _imports(module))
    }

    assert {name for name in choosing if not _within(name, CHOOSERS)} == set()


@pytest.mark.parametrize(
    ("package", "stranger"), [("adapters", "orchestrate"), ("orchestrate", "adapters")]
)
def test_adapters_and_orchestrate_meet_in_assembly_only(package: str, stranger: str) -> None:
    knowing = {
        _name(module)
        for module in MODULES
        if _within(_name(module), (package,))
        and any(_within(name, (f"specfactory.{stranger}",)) for name in _imports(module))
    }

    assert knowing == set()


REACHES_BY_IMPORT = (
    "aiohttp", "apprise", "asyncpg", "celery", "ftplib", "http.client", "httpx", "imaplib",
    "niquests", "playwright", "poplib", "psycopg", "pycurl", "redis", "requests", "smtplib",
    "socket", "socketserver", "telnetlib", "urllib.request", "urllib3", "websockets", "xmlrpc",
)  # fmt: skip
REACHES_BY_CALL = {
    "ClientSession", "connect_over_cdp", "create_connection", "create_datagram_endpoint",
    "create_unix_connection", "getaddrinfo", "open_connection", "open_unix_connection",
    "sock_connect", "urlopen", "urlretrieve",
}  # fmt: skip
GATE: dict[str, set[str]] = {
    # every byte to the web leaves here, after the gate has looked at the address
    "adapters.http.fetcher": {"aiohttp", "socket", "ClientSession"},
    "adapters.browser.filtering_proxy": {"aiohttp", "open_connection"},
    # names, and the words of aiohttp for what went wrong; neither connects anywhere
    "adapters.network.resolver": {"aiohttp", "socket", "getaddrinfo"},
    "adapters.network.proxy_failures": {"aiohttp"},
    # the browser, which reaches nothing but the filtering proxy
    "adapters.browser.pool": {"playwright"},
    "adapters.browser.page": {"playwright"},
    "adapters.browser.traffic": {"playwright"},
    "adapters.browser.fetcher": {"aiohttp"},
    # servers that the operator names, by their own drivers
    "adapters.postgres.*": {"asyncpg"},
    "adapters.redis.*": {"redis"},
    # our own readers, over a pair of sockets that leads nowhere else
    "adapters.readers.asked": {"open_connection"},
    "adapters.readers.started": {"socket"},
    "adapters.readers.process": {"socket"},
    # servers of our own
    "demo.*": {"aiohttp", "socket"},
}


def _reaching(module: Path) -> set[str]:
    """By what a module could reach the network."""
    imported = {
        way for name in _imports(module) for way in REACHES_BY_IMPORT if _within(name, (way,))
    }
    called = {
        node.attr if isinstance(node, ast.Attribute) else node.id
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute | ast.Name)
    }
    return imported | (called & REACHES_BY_CALL)


def _is_allowed(name: str, way: str) -> bool:
    return any(fnmatch(name, pattern) and way in ways for pattern, ways in GATE.items())


def test_nothing_reaches_the_network_but_through_the_gate() -> None:
    past_the_gate = {
        (_name(module), way)
        for module in MODULES
        for way in _reaching(module)
        if not _is_allowed(_name(module), way)
    }

    assert past_the_gate == set()


@pytest.mark.parametrize(
    "code",
    ["import requests", "from urllib.request import urlopen", "import httpx as h",
     "import aiohttp\nasync def f(): aiohttp.ClientSession()",
     "import asyncio\nasync def f(): await asyncio.open_connection('x', 1)",
     "async def f(loop): await loop.create_connection(None)",
     "def f():\n    from playwright.async_api import async_playwright"],
)  # fmt: skip
def test_way_past_the_gate_would_be_noticed(code: str, tmp_path: Path) -> None:
    (tmp_path / "sly.py").write_text(code)

    assert _reaching(tmp_path / "sly.py")


def test_every_exception_of_the_gate_is_still_needed() -> None:
    used = {(_name(module), way) for module in MODULES for way in _reaching(module)}
    needless = {
        (pattern, way)
        for pattern, ways in GATE.items()
        for way in ways
        if not any(fnmatch(name, pattern) and way == by for name, by in used)
    }

    assert needless == set()


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


HIDING = {"adapters.browser.filtering_proxy", "adapters.browser.traffic"}
"""They change and keep credentials out of what is shown, which a Struct cannot."""


def test_values_are_frozen_and_drafts_are_structs() -> None:
    dataclasses = {
        _name(module)
        for module in MODULES
        if re.search(r"@(dataclasses\.)?dataclass\b", module.read_text(encoding="utf-8"))
    }

    assert dataclasses == HIDING


def test_nothing_asks_the_machine_for_the_time_but_the_clocks() -> None:
    asking = {
        _name(module)
        for module in MODULES
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and ast.unparse(node) in {"time.time", "datetime.now", "datetime.utcnow", "time.time_ns"}
    }

    assert {name for name in asking if not _within(name, ("adapters", "demo"))} == set()
