"""A user works with a settings file of another name, and copies the commands that are advised."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
import yaml

from specfactory.entry.cli.terminal.suggested_commands import as_typed, note_config
from tests.stories.conftest import VIPER_FLAGS, Workspace
from tests.stories.desk import Desk

NAME = "my own.yaml"
SPEC = "spec --config 'my own.yaml'"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    (tmp_path / NAME).write_text(yaml.safe_dump({"database_url": "sqlite:///own.db"}))
    return Desk(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("record list", f"no records yet; see: {SPEC} run --help"),
        ("daemon status", f"start: {SPEC} daemon start"),
        ("record show nothing", f"see: {SPEC} record list"),
        ("heal explain 7", f"see: {SPEC} heal history"),
        ("monitor", f"no workers; start one: {SPEC} daemon start, or {SPEC} worker"),
    ],
)
def test_advice_names_the_settings_file(desk: Desk, arguments: str, said: str) -> None:
    ended = desk.spec("--config", NAME, *arguments.split(), check=False)

    assert said in ended.out + ended.err


def test_advice_without_a_settings_file_is_short(desk: Desk) -> None:
    assert desk.spec("record", "list").out == "no records yet; see: spec run --help\n"


def test_settings_written_elsewhere_are_named_in_the_next_step(desk: Desk) -> None:
    assert "next: spec doctor" in desk.spec("init").out
    assert "next: spec --config deep/specfactory.yaml doctor" in desk.spec("init", "deep").out


def test_words_that_are_no_advice_stay() -> None:
    note_config(Path("f.yaml"))

    assert as_typed("spec run, the spec sheet; or: spec audit") == (
        "spec --config f.yaml run, the spec sheet; or: spec --config f.yaml audit"
    )
    note_config(None)


def test_what_to_do_next_after_a_run_works_as_it_is_printed(workspace: Workspace) -> None:
    workspace.settings.rename(workspace.folder / NAME)
    last = workspace.spec("--config", NAME, "run", *VIPER_FLAGS).out.splitlines()[-1]

    show, explain, audit = last.removeprefix("Next: ").split("   ")
    assert "Viper" in workspace.spec(*shlex.split(show)[1:]).out
    assert explain.endswith(" FIELD")
    assert workspace.spec(*shlex.split(audit)[1:]).code == 0
