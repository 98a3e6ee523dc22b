"""Stories drive the real ``spec`` command against a real demo web in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchmarks.golden import free_ports

SEED = 7
VIPER = "mouse-razer-viper-v3-pro-wireless"
VIPER_FLAGS = ("--category", "mouse", "--brand", "Razer", "--model", "Viper V3 Pro",
               "--variant", "Wireless")  # fmt: skip


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Workspace:
    """A user's folder with a settings file, and the ``spec`` command in it."""

    folder: Path

    @property
    def settings(self) -> Path:
        return self.folder / "specfactory.yaml"

    @property
    def database(self) -> Path:
        return self.folder / "factory.db"

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "specfactory.entry.cli", *arguments]

    def spec(self, *arguments: str, check: bool = True, **options: Any) -> Ended:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("SPEC_")}
        done = subprocess.run(
            self.command(*arguments), cwd=self.folder, env=environment, text=True,
            capture_output=True, stdin=subprocess.DEVNULL, timeout=110, **options,
        )  # fmt: skip
        ended = Ended(done.returncode, done.stdout, done.stderr)
        assert "Traceback" not in ended.err, ended.err
        assert not check or ended.code == 0, (arguments, ended)
        return ended

    def change(self, **sections: Any) -> None:
        """Change settings of this workspace, section by section."""
        settings = yaml.safe_load(self.settings.read_text())
        for name, value in sections.items():
            if isinstance(value, dict):
                settings[name] = {**settings.get(name, {}), **value}
            else:
                settings[name] = value
        self.settings.write_text(yaml.safe_dump(settings))


@dataclass(frozen=True)
class DemoWeb:
    """The running demo web."""

    folder: Path
    first_port: int

    @property
    def truth(self) -> dict[str, Any]:
        return json.loads((self.folder / "truth.json").read_text())

    def settings(self) -> dict[str, Any]:
        return yaml.safe_load((self.folder / "specfactory.yaml").read_text())


@pytest.fixture(scope="session")
def demo_web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoWeb]:
    folder = tmp_path_factory.mktemp("demo")
    port = free_ports(24)
    command = [sys.executable, "-m", "specfactory.entry.cli", "demo", "web", "--port", str(port),
               "--seed", str(SEED), "--folder", str(folder)]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert any("in another terminal" in line for line in process.stdout), "demo web is not up"
        yield DemoWeb(folder, port)
        process.terminate()


@pytest.fixture
def workspace(demo_web: DemoWeb, tmp_path: Path) -> Workspace:
    """A fresh folder whose settings know the demo web."""
    settings = demo_web.settings()
    settings["database_url"] = "sqlite:///factory.db"
    (tmp_path / "specfactory.yaml").write_text(yaml.safe_dump(settings))
    return Workspace(tmp_path)


@pytest.fixture(scope="module")
def made(demo_web: DemoWeb, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace in which the Viper's record was already made; for stories that only read."""
    folder = tmp_path_factory.mktemp("made")
    settings = demo_web.settings()
    settings["database_url"] = "sqlite:///factory.db"
    (folder / "specfactory.yaml").write_text(yaml.safe_dump(settings))
    workspace = Workspace(folder)
    workspace.spec("run", *VIPER_FLAGS)
    return workspace
