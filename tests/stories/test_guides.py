"""The shell blocks and Python examples of README and every guide run, exactly as printed.

A guide is followed from top to bottom in a folder of its own, with the demo web up and the
Viper's record made, as the start guide leaves a reader. Only ports differ: the demo web of the
tests listens on free ones. ``guide_files`` holds what a reader is told to have or write.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import IO, cast

import pytest

from benchmarks.golden import free_ports
from tests.stories.conftest import DemoWeb, Workspace

ROOT = Path(__file__).parents[2]
GUIDES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guides").glob("*.md"))]
PROPS = Path(__file__).parent / "guide_files"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# (run\.yaml|contracts/\w+\.yaml|acme_jobs\.py)\b")  # a block that is a file
COMMAND = re.compile(r"^\s*(?:\$ )?(?:\.venv/bin/)?(?:spec|curl|export|make|pip) ", re.MULTILINE)
FIRST_PORT = 8600
WAITING = {  # commands that run until they are interrupted, and what they say when they are up
    "spec demo web": "in another terminal",
    "spec daemon start --foreground": "worker.started",
}


def _at_home(text: str, first_port: int) -> str:
    """The same words with the ports of this demo web."""
    return re.sub(
        r"(?<=localhost:)86\d\d", lambda m: str(int(m[0]) - FIRST_PORT + first_port), text
    )


@dataclass
class Terminal:
    """A reader's terminal, in which ``spec`` and ``.venv/bin/spec`` are the command under test."""

    folder: Path
    first_port: int
    exports: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        spec = self.folder / ".venv" / "bin" / "spec"
        spec.parent.mkdir(parents=True)
        web = f'[ "$1 $2" != "demo web" ] || set -- "$@" --port {self.first_port}'
        spec.write_text(f'#!/bin/sh\n{web}\nexec {sys.executable} -m specfactory.entry.cli "$@"\n')
        spec.chmod(0o755)

    def start(self, *command: str) -> subprocess.Popen[str]:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("SPEC_")}
        environment["PATH"] = f"{self.folder / '.venv' / 'bin'}:{environment['PATH']}"
        return subprocess.Popen(
            command, cwd=self.folder, env=environment, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def python(self, code: str) -> None:
        self._finish(code, self.start(sys.executable, "-c", code))

    def type(self, line: str) -> None:
        if line.startswith("export "):
            self.exports.append(line)
        else:
            self._finish(line, self.start("bash", "-c", "\n".join([*self.exports, line])))

    def _finish(self, typed: str, process: subprocess.Popen[str]) -> None:
        with process:
            output, _ = process.communicate(timeout=240)
        assert process.returncode == 0, f"{typed}\n{output}"

    @contextmanager
    def waiting(self, line: str, up: str) -> Iterator[None]:
        """Keep a command running that waits for Ctrl-C, and press it in the end."""
        said: list[str] = []
        with self.start("bash", "-c", "\n".join([*self.exports, f"exec {line}"])) as process:
            output = cast(IO[str], process.stdout)
            for text in output:
                said.append(text)
                if up in text:
                    break
            reader = Thread(target=lambda: said.extend(output))  # a full pipe would stop it
            reader.start()
            try:
                yield
            finally:
                process.send_signal(signal.SIGINT)
                code = process.wait(timeout=60)
                reader.join()
        assert any(up in text for text in said), f"{line}\n{''.join(said)}"
        assert code == 0, f"{line}\n{''.join(said)}"


@pytest.mark.timeout(600)
@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_the_commands_of_a_guide_run(
    guide: Path, demo_web: DemoWeb, made: Workspace, tmp_path: Path
) -> None:
    text = guide.read_text(encoding="utf-8")
    port = free_ports(24) if "```sh\nspec demo web\n" in text else demo_web.first_port
    folder = tmp_path / "folder"
    shutil.copytree(made.folder, folder)
    for prop in PROPS.iterdir():
        _write(folder / prop.name.replace("__", "/"), prop.read_text(encoding="utf-8"), port)
    terminal = Terminal(folder, port)

    with ExitStack() as until_the_end:
        for language, block in FENCE.findall(_at_home(text, port)):
            named = NAMED.match(block)
            if language == "sh":
                for line in filter(None, block.splitlines()):
                    if up := WAITING.get(line.partition("#")[0].strip()):
                        until_the_end.enter_context(terminal.waiting(line, up))
                    elif not line.startswith("make "):  # the build itself, not the program
                        terminal.type(line)
            elif language == "yaml" and named:
                _write(folder / named[1], block, port)
            elif language == "python" and not named:
                terminal.python(block)


def _write(path: Path, text: str, first_port: int) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(_at_home(text, first_port), encoding="utf-8")


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_every_command_of_a_guide_stands_in_a_block_that_is_run(guide: Path) -> None:
    text = guide.read_text(encoding="utf-8")

    others = FENCE.sub(lambda block: "" if block[1] == "sh" else block[0], text)

    assert not COMMAND.findall(others)


def test_commands_are_found_in_most_guides() -> None:
    showing = [g.stem for g in GUIDES if "```sh\nspec " in g.read_text(encoding="utf-8")]

    assert len(showing) >= 12
