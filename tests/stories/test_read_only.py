"""A factory that may only be looked at is looked at: on a read-only disk, or with SELECT alone."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stories.conftest import VIPER, Workspace

READING = (
    "queue stats", "queue list", f"record show {VIPER}", "record list", "review list", "monitor",
    "export --format jsonl", f"explain {VIPER} weight", f"audit {VIPER}", "pages list",
)  # fmt: skip
WRITING = "queue add --category mouse --brand A --model B"
# Each command is run before, so that all its modules are loaded: nobody may be kept from them.
LOOK = """
import os, sys
from pathlib import Path
from specfactory.entry.cli import run_command

commands = [each.split() for each in sys.argv[1].split(";")]
for each in [*commands, sys.argv[3].split()]:
    assert run_command(each) == 0, each
print("=====", flush=True)
database, folder = Path("factory.db"), Path(".")
if sys.argv[2] == "file":
    database.chmod(0o444)
folder.chmod(0o555)
if os.geteuid() == 0:  # nothing is read-only for root
    os.setuid(65534)
for each in commands:
    print(run_command(each), flush=True)
print("code", run_command(sys.argv[3].split()), flush=True)
"""


@pytest.fixture
def copied(made: Workspace) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:  # the test run's own folders are closed to others
        folder = Path(name)
        for file in ("factory.db", "specfactory.yaml"):
            shutil.copyfile(made.folder / file, folder / file)
            (folder / file).chmod(0o644)
        folder.chmod(0o777)
        (folder / "factory.db").chmod(0o666)
        yield folder
        folder.chmod(0o755)


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_database_on_a_read_only_disk_is_read(copied: Path, what: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOOK, ";".join(READING), what, WRITING],
        cwd=copied, text=True, capture_output=True, timeout=110, check=False,
    )  # fmt: skip

    before, _, after = done.stdout.partition("=====\n")
    assert done.stderr.count("cannot write to") == 1, done.stderr
    assert after.splitlines()[-1] == "code 1"
    assert "Razer Viper V3 Pro" in after
    assert len(after) >= len(before)
