"""Whoever mistypes is told what is wrong and what is allowed, in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from specfactory.entry.reference import commands
from tests.stories.desk import Desk

HUGE = "9" * 20


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A folder with settings and nothing else."""
    (tmp_path / "specfactory.yaml").write_text("database_url: sqlite:///factory.db\n")
    return Desk(tmp_path)


@pytest.mark.parametrize("agent", ["", "  ", "Müller/1.0", "a\nb", "a\r\nX-Evil: 1", " lead"])
def test_a_name_that_no_header_can_hold_is_refused(desk: Desk, agent: str) -> None:
    ended = desk.spec("--set", f"fetch.user_agent={agent}", "pages", "list", check=False)

    assert ended.code == 2
    assert "fetch.user_agent" in ended.err
    assert "one line of ASCII" in ended.err
    assert len(ended.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("pages show nope", "no page 'nope'; see: spec pages list"),
        ("pages export --warc /proc/x.warc", "cannot write /proc/x.warc: "),
        ("pages import nope.warc", "no archive 'nope.warc'"),
        ("pages list --since soon", "--since is 'soon'"),
        ("demo web --port 0 --folder /proc/x", "cannot write into /proc/x: "),
        ("demo run --port 0 --folder specfactory.yaml", "take another place with --folder"),
        ("heal explain 7", "no healing event '7'; see: spec heal history"),
        ("heal undo 7", "no healing event '7'; see: spec heal history"),
        (f"heal history --limit {HUGE}", "--limit"),
        (f"heal explain {HUGE}", "'ID'"),
        (f"queue list --limit {HUGE}", "--limit"),
        (f"queue list --run {HUGE}", "--run"),
        ("queue list --status lost", "--status is 'lost'; allowed: queued"),
        ("queue show 99", "no job '99'; see: spec queue list"),
        (f"queue show {HUGE}", "see: spec queue list"),
        (f"deadletter list --limit {HUGE}", "--limit"),
        (f"templates list --limit {HUGE}", "--limit"),
        ("proxies rest 1.2.3.4:5", "no proxies; name some"),
        ("--set proxy.file=nope.txt proxies list", "proxy.file"),
        ("--set proxy.urls=127.0.0.1:1 --set proxy.live_folder=/proc/x proxies refresh",
         "proxy.live_folder"),
        ("profile nonsense", "'nonsense' is no web address"),
        ("profile --host h --since soon", "--since is 'soon'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_one_line(desk: Desk, arguments: str, words: str) -> None:
    ended = desk.spec(*arguments.split(), check=False)

    assert (ended.code, ended.out) == (2, "")
    assert words in ended.err
    assert len(ended.err.splitlines()) == 1


# One wrong value for every command that opens the factory.
WRONG_VALUES = [
    "--set queue.max_attempts=lots queue stats", "--set page_store.folder=1 record list",
    "audit", "audit --pages --all", "audit --category mouse",
    "explain", "export --format nonsense", "export --pages", "export --since soon",
    "learn a|b", "learn shop.example --category nonsense",
    "monitor --run 0", "monitor --refreshes x",
    "run --category nonsense --brand A --model B", "profile nonsense", "profile --host a|b",
    "record show", "record history", "record list --nonsense",
    "review list a b", "review show", "review history", "review accept", "review override 1",
    "review reject 1", "review undo",
    "golden set x --file nowhere.json", "golden set", "golden show", "golden list x",
    "golden reliability nonsense",
    "pages list --since soon", "pages list --host a|b", "pages show", "pages duplicates --host a|b",
    "pages export --warc nowhere/x.warc --since soon", "pages import nowhere.warc",
    "pages import --tier nonsense x.warc",
    "templates list --host a|b", "templates show nonsense", "templates approve nonsense",
    "templates reject nonsense --reason wrong", "templates reject t1 --reason=",
    "templates label page-1 weight", "templates rollback a|b", "templates diff nonsense t2",
    "queue add --category nonsense --brand A --model B", "queue pages nonsense",
    "queue add-batch --file nowhere.csv", "queue import nowhere.json", "queue export nonsense",
    "queue list --status nonsense", "queue show", "queue stats nonsense", "queue retry",
    "queue pause", "queue resume", "queue skip", "queue prioritize --priority 1",
    "queue clear --status nonsense", "queue clear --status failed --older-than soon",
    "deadletter list --run 0", "deadletter show", "deadletter analyze --run 0", "deadletter retry",
    "deadletter retry-run nonsense", "deadletter purge --older-than soon",
    "proxies list x", "proxies check", "proxies refresh", "proxies rest x", "proxies forget x",
    "heal stats x", "heal history --host a|b", "heal explain nonsense", "heal undo nonsense",
    "runs list --status nonsense", "runs show 0", "runs cancel nonsense", "runs resume",
    "coordinator --config nowhere.yaml", "daemon status x", "worker --kinds nonsense",
]  # fmt: skip


@pytest.mark.parametrize("arguments", WRONG_VALUES)
def test_a_refused_command_leaves_nothing_behind(tmp_path: Path, arguments: str) -> None:
    ended = Desk(tmp_path).spec(*arguments.split(), check=False)

    assert ended.code == 2, ended
    assert list(tmp_path.iterdir()) == []


def test_every_command_that_opens_the_factory_is_given_a_wrong_value() -> None:
    without_database = {"contract", "demo", "init", "doctor", "extract", "evaluate", "daemon"}
    names = (name.removeprefix("spec ") for name, command in commands() if not is_group(command))
    opening = {name for name in names if name.split()[0] not in without_database}

    assert {
        name for name in opening if not any(f" {name} " in f" {w} " for w in WRONG_VALUES)
    } == set()


def is_group(command: Any) -> bool:
    return hasattr(command, "commands")


@pytest.mark.parametrize(
    "command",
    ["pages list", "pages duplicates", "heal history", "heal stats", "proxies list", "queue list",
     "queue stats", "profile", "profile --host nobody.example", "review list", "deadletter list",
     "templates list"],
)  # fmt: skip
def test_an_empty_factory_has_something_to_say(desk: Desk, command: str) -> None:
    said = desk.spec(*command.split())
    given = desk.spec(*command.split(), "--json").out

    assert said.out.strip()
    assert isinstance(json.loads(given), list | dict)
