"""A user sets the factory up, mistypes things, and reads one clear line each time."""

from __future__ import annotations

import json
import os
import re
import resource
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from specfactory.entry.cli import run_command
from tests.stories.conftest import Workspace

CLI = [sys.executable, "-m", "specfactory.entry.cli"]


@pytest.fixture
def folder(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def test_init_writes_a_settings_file_that_changes_nothing_yet(folder: Workspace) -> None:
    folder.spec("init")

    assert "#host_delay_seconds: 2.0" in folder.settings.read_text(encoding="utf-8")
    assert {f["check"]: f["state"] for f in folder.spec("doctor", "--json").json}[
        "settings"
    ] == "ok"


def test_init_does_not_overwrite_without_force(folder: Workspace) -> None:
    folder.settings.write_text("products_at_once: 2\n")

    refused = folder.spec("init", check=False)

    assert refused.code == 2
    assert refused.err == (
        "spec: specfactory.yaml is there already; nothing was changed (--force overwrites it)\n"
    )
    assert folder.settings.read_text() == "products_at_once: 2\n"
    folder.spec("init", "--force")
    assert "#products_at_once: 3" in folder.settings.read_text(encoding="utf-8")


def test_doctor_finds_a_fresh_folder_well_and_leaves_nothing_behind(folder: Workspace) -> None:
    findings = {f["check"]: f for f in folder.spec("doctor", "--json").json}

    assert {
        "python",
        "packages",
        "settings",
        "database",
        "queue",
        "store",
        "shared state",
        "disk",
        "files",
        "contracts",
        "logins",
        "browser",
        "proxies",
        "model",
    } == set(findings)
    assert not [f for f in findings.values() if f["state"] == "fail"]
    assert list(folder.folder.iterdir()) == []


def test_doctor_looks_at_the_database_that_is_there(folder: Workspace) -> None:
    folder.spec("record", "list")

    findings = {f["check"]: f for f in folder.spec("doctor", "--json").json}
    assert "schema" in findings["database"]["found"]
    assert re.fullmatch(r"0\.\d MB: 0 pages; jobs: none", findings["store"]["found"])


def test_doctor_says_how_full_things_are(folder: Workspace) -> None:
    folder.spec("queue", "pages", "https://a.example/1", "https://a.example/2")
    folder.spec("queue", "clear", "--status", "queued", "--yes")
    folder.spec("queue", "pages", "https://a.example/1")

    store = {f["check"]: f for f in folder.spec("doctor", "--json").json}["store"]
    assert store["found"].endswith("0 pages; jobs: 1 queued; 2 removed jobs are counts")


def test_doctor_calls_a_full_disk_broken(folder: Workspace) -> None:
    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))  # what a quota does

    ended = folder.spec("doctor", "--json", check=False, preexec_fn=fill)

    (broken,) = [f for f in ended.json if f["state"] == "fail"]
    assert (ended.code, broken["check"]) == (1, "disk")
    assert "is full" in broken["found"]
    assert "make room" in broken["mend"]


def test_doctor_names_a_mistyped_variable(folder: Workspace) -> None:
    done = subprocess.run(
        folder.command("doctor", "--json"), cwd=folder.folder, capture_output=True, text=True,
        env={**os.environ, "SPEC_FETCH_HOST_DELAY": "1"}, timeout=60,
    )  # fmt: skip

    findings = {f["check"]: f for f in json.loads(done.stdout)}
    assert findings["environment"]["found"] == "SPEC_FETCH_HOST_DELAY is no setting"
    assert "SPEC_FETCH_HOST_DELAY_SECONDS" in findings["environment"]["mend"]


@pytest.mark.parametrize(
    ("changes", "check"),
    [
        (("database_url=sqlite:///specfactory.yaml/x.db",), "database"),
        (("database_url=sqlite:////dev/fd/x.db",), "database"),  # a folder in which nothing can be
        (("database_url=mongodb://x",), "database"),
        (("model.endpoint=http://127.0.0.1:1/v1",), "model"),
        (("model.endpoint=nonsense",), "model"),
        (("state_url=http://x",), "shared state"),
        (("proxy.list_url=nonsense",), "proxies"),
        (("proxy.list_url=http://[x",), "proxies"),
        (("proxy.urls=http://127.0.0.1:9", "proxy.check_url=nonsense"), "proxies"),
        (("proxy.rotator_url=nonsense",), "proxies"),
        (("fetch.logins=[{host: a.example, headers: {A: b c}}]",), "logins"),
    ],
)
def test_doctor_fails_and_says_how_to_mend_what_is_needed(
    folder: Workspace, changes: tuple[str, ...], check: str
) -> None:
    folder.spec("init")
    folder.spec("pages", "list")  # makes the database, which is well
    flags = [part for change in changes for part in ("--set", change)]

    ended = folder.spec(*flags, "doctor", "--json", check=False)

    failing = [f for f in ended.json if f["state"] == "fail"]
    assert ended.code == 1
    assert [f["check"] for f in failing] == [check]
    assert failing[0]["mend"]


def test_doctor_names_a_malformed_contract(folder: Workspace) -> None:
    (folder.folder / "contracts").mkdir()
    (folder.folder / "contracts" / "mouse.yaml").write_text("category: mouse\n")

    ended = folder.spec("doctor", check=False)

    assert ended.code == 1
    assert "contracts/mouse.yaml:" in ended.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--set", "fetch.timeout_seconds=0", "record", "list"],
         "spec: setting fetch.timeout_seconds is '0'; allowed: a number from 0.1 to 600"),
        (["--set", "fetch.speed=9", "record", "list"], "spec: there is no setting fetch.speed"),
        (["--set", "nonsense", "record", "list"], "spec: setting --set is 'nonsense'"),
        (["--config", "missing.yaml", "record", "list"], "spec: setting config is 'missing.yaml'"),
        (["recrod"], "spec: No such command 'recrod'. Did you mean 'record'?"),
        (["record", "show"], "spec: Missing argument 'PRODUCT'"),
        (["run", "--category", "mouse", "--model", "Viper"], "spec: mouse needs a brand"),
        (["run", "--category", "mouse", "--brand", " ", "--model", "Viper"], "spec: "),
        (["run", "--category", "mouze", "--brand", "Razer", "--model", "Viper"],
         "spec: unknown category 'mouze'"),
        (["record", "show", "viper"], "spec: no product 'viper'"),
        (["record", "list", "--category", "mouze"], "spec: unknown category 'mouze'"),
        (["explain", "viper", "weight"], "spec: no product 'viper'"),
        (["audit"], "spec: say what to audit"),
        (["audit", "viper", "--all"], "spec: say what to audit"),
        (["export", "--since", "yesterday"], "spec: --since is 'yesterday'"),
        (["export", "--format", "xml"], "spec: Invalid value for '--format'"),
        (["review", "show", "99"], "spec: no review '99'"),
        (["review", "undo", "99"], "spec: decision 99"),
        (["golden", "set", "viper", "--file", "missing.json"], "spec: cannot read missing.json"),
    ],
)  # fmt: skip
def test_misuse_gets_one_line_and_exit_code_2(
    folder: Workspace, arguments: list[str], words: str
) -> None:
    ended = folder.spec(*arguments, check=False)

    assert ended.code == 2
    assert ended.err.startswith(words)
    assert len(ended.err.splitlines()) == 1


def test_a_variable_wins_over_the_file_and_a_flag_over_both(folder: Workspace) -> None:
    folder.settings.write_text("fetch: {timeout_seconds: -1}\n")
    environment = {**os.environ, "SPEC_FETCH_TIMEOUT_SECONDS": "-2"}

    def said(*flags: str) -> str:
        command = [*CLI, *flags, "record", "list"]
        return subprocess.run(
            command, cwd=folder.folder, env=environment, capture_output=True, text=True
        ).stderr

    assert "is '-2'" in said()
    assert "is '-3'" in said("--set", "fetch.timeout_seconds=-3")


def test_empty_lists_say_what_to_do(folder: Workspace) -> None:
    assert "spec run" in folder.spec("record", "list").out
    assert folder.spec("record", "list", "--json").json == []
    assert folder.spec("review", "list").out == "nothing to review\n"
    assert folder.spec("review", "list", "--json").json == []
    assert folder.spec("golden", "list", "--json").json == []
    assert folder.spec("export").out == ""
    assert folder.spec("audit", "--all", "--json").json == {
        "records": 0, "proven": 0, "failures": []
    }  # fmt: skip


@pytest.mark.parametrize("place", ["/proc/nowhere/factory.db", "specfactory.yaml/factory.db"])
def test_a_database_that_cannot_be_written_gets_one_line(folder: Workspace, place: str) -> None:
    folder.spec("init")

    ended = folder.spec("--set", f"database_url=sqlite:///{place}", "record", "list", check=False)

    assert ended.code == 1
    assert ended.err.startswith("spec: ")
    assert len(ended.err.splitlines()) == 1


def test_a_file_that_is_no_database_is_left_alone(folder: Workspace) -> None:
    (folder.folder / "notes.txt").write_text("my notes, " * 200)

    ended = folder.spec("--set", "database_url=sqlite:///notes.txt", "record", "list", check=False)

    assert ended.code == 1
    assert len(ended.err.splitlines()) == 1
    assert (folder.folder / "notes.txt").read_text() == "my notes, " * 200


def test_a_reader_that_leaves_early_is_no_error(folder: Workspace) -> None:
    done = subprocess.run(
        f"{' '.join(CLI)} contract show mouse --json | head -c 100; echo ${{PIPESTATUS[0]}}",
        shell=True, executable="/bin/bash", cwd=folder.folder, capture_output=True, text=True,
    )  # fmt: skip

    assert done.stderr == ""
    assert done.stdout.endswith("0\n")


def test_a_demo_whose_ports_are_taken_says_so_and_loses_nothing(folder: Workspace) -> None:
    kept = folder.folder / ".demo" / "factory.db"
    kept.parent.mkdir()
    kept.write_text("records of yesterday")

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = folder.spec("demo", "run", "--port", str(port), check=False)

    assert ended.code == 2
    assert str(port) in ended.err
    assert "--port" in ended.err
    assert kept.read_text() == "records of yesterday"


class PressesCtrlC:
    """Finds no module, and interrupts the search for one."""

    def __init__(self, name: str) -> None:
        self._name = name

    def find_spec(self, name: str, *_: object) -> None:
        if name == self._name:
            raise KeyboardInterrupt


def test_ctrl_c_while_the_commands_are_loaded_gets_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "specfactory.entry.cli.app"
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "meta_path", [PressesCtrlC(name), *sys.meta_path])

    assert run_command(["--version"]) == 130
    assert capsys.readouterr().err == "spec: interrupted; what was written is kept\n"


def test_the_version_is_told(folder: Workspace) -> None:
    from specfactory import __version__

    assert folder.spec("--version").out == f"spec {__version__}\n"


def test_help_imports_nothing_but_typer() -> None:
    listing = "import sys; print(*sorted(m.split('.')[0] for m in sys.modules))"
    code = (
        "from specfactory.entry.cli import run_command; import contextlib, io\n"
        "with contextlib.redirect_stdout(io.StringIO()): run_command(['--help'])\n" + listing
    )

    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split()
    )
    assert loaded & {"typer"}
    assert not loaded & {
        "rich", "yaml", "msgspec", "aiohttp", "pint", "lxml", "selectolax", "asyncio", "sqlite3",
        "zstandard", "jsonschema_rs", "structlog",
    }  # fmt: skip


def test_help_is_quick() -> None:
    def seconds(*command: str) -> float:
        """Of the processor: what else the machine does takes none of it."""
        begun = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(begun.pid, 0)
        begun.returncode = os.waitstatus_to_exitcode(status)
        return used.ru_utime + used.ru_stime

    shares = (
        seconds("-m", "specfactory.entry.cli", "--help") / seconds("-c", "import typer")
        for _ in range(5)
    )
    assert min(shares) <= 3


def test_doctor_tells_of_a_clock_that_went_back(folder: Workspace) -> None:
    folder.spec("queue", "add", "--category", "mouse", "--brand", "A", "--model", "B")
    with sqlite3.connect(folder.folder / "specfactory-data" / "factory.db") as db:
        db.execute("UPDATE jobs SET added_at = added_at + 900000")

    findings = {f["check"]: f for f in folder.spec("doctor", "--json").json}
    assert findings["queue"]["state"] == "warn"
    assert "s behind the newest job" in findings["queue"]["found"]
