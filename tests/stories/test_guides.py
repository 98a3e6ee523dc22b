"""The shell blocks and Python examples of every guide run, exactly as printed.

A guide is followed from top to bottom in a folder of its own, with the demo web up and the
Viper's record made, as the start guide leaves a reader. Only ports differ: the demo web of the
tests listens on free ones. Commands that need a number or a foreign host stand indented in the
guides and are not run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.stories.conftest import DemoWeb, Workspace

GUIDES = sorted((Path(__file__).parents[2] / "docs" / "guides").glob("*.md"))
PROPS = Path(__file__).parent / "guide_files"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# (run\.yaml|acme_jobs\.py)\b")  # a block that is a file of its own
FIRST_PORT = 8600


def _at_home(text: str, web: DemoWeb) -> str:
    """The same words with the ports of this demo web."""
    return re.sub(
        r"(?<=localhost:)86\d\d", lambda m: str(int(m[0]) - FIRST_PORT + web.first_port), text
    )


def _run(command: list[str], workspace: Workspace, bin_folder: Path) -> str:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SPEC_")}
    environment["PATH"] = f"{bin_folder}:{environment['PATH']}"
    done = subprocess.run(
        command, cwd=workspace.folder, env=environment, text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, f"{command[-1]}\n{done.stdout}"
    return done.stdout


@pytest.mark.timeout(600)
@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_the_commands_of_a_guide_run(
    guide: Path, demo_web: DemoWeb, made: Workspace, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    shutil.copytree(made.folder, folder)
    for prop in PROPS.iterdir():
        text = _at_home(prop.read_text(encoding="utf-8"), demo_web)
        target = folder / prop.name.replace("__", "/")
        target.parent.mkdir(exist_ok=True)
        target.write_text(text, encoding="utf-8")
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    command = bin_folder / "spec"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m specfactory.entry.cli "$@"\n')
    command.chmod(0o755)
    workspace = Workspace(folder)

    for language, block in FENCE.findall(_at_home(guide.read_text(encoding="utf-8"), demo_web)):
        if language == "sh":
            for line in filter(None, block.splitlines()):
                _run(["bash", "-c", line], workspace, bin_folder)
        elif language == "yaml" and (named := NAMED.match(block)):
            (folder / named[1]).write_text(block, encoding="utf-8")
        elif language == "python" and not NAMED.match(block):
            _run([sys.executable, "-c", block], workspace, bin_folder)


def test_commands_are_found_in_most_guides() -> None:
    showing = [g.stem for g in GUIDES if "```sh\nspec " in g.read_text(encoding="utf-8")]

    assert len(showing) >= 12
