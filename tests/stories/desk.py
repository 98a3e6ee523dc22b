"""A user's folder whose commands run in the test's own process: the same code, a second less."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fcntl import ioctl
from typing import Any
from unittest.mock import patch

from specfactory.entry.cli import run_command
from tests.stories.conftest import Ended, Workspace

ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x1b[=>]")
CUT_OFF = re.compile(r"\x1b[\[(]?[0-?]*$")  # a sequence of which only the beginning was read


@dataclass(frozen=True)
class Desk(Workspace):
    """A workspace without processes; nobody sits at its terminal."""

    def spec(self, *arguments: str, check: bool = True, **options: Any) -> Ended:
        out, err = io.StringIO(), io.StringIO()
        with self._seated(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run_command(arguments)
        ended = Ended(code, out.getvalue(), err.getvalue())
        assert not check or ended.code == 0, (arguments, ended)
        return ended

    @contextlib.contextmanager
    def _seated(self) -> Iterator[None]:
        """In the folder, with no settings from around and nobody at the keyboard."""
        own = {name: value for name, value in os.environ.items() if not name.startswith("SPEC_")}
        with (
            contextlib.chdir(self.folder),
            patch.dict(os.environ, own, clear=True),
            patch("sys.stdin", io.StringIO()),
        ):
            yield


@contextlib.contextmanager
def on_a_terminal(
    desk: Workspace, arguments: Sequence[str], columns: int = 80, lines: int = 24
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """A command on a terminal of this size: its other end, and the process."""
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    own = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")}
    with subprocess.Popen(
        desk.command(*arguments), cwd=desk.folder, env={**own, "TERM": "xterm-256color"},
        stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
    ) as process:  # fmt: skip
        os.close(theirs)
        try:
            yield ours, process
        finally:
            process.kill()
            os.close(ours)


def read_until(terminal: int, words: str, seconds: float = 60) -> str:
    """What the terminal shows until the words appear on it, without colours."""
    got, seen, deadline = b"", "", time.monotonic() + seconds
    while words not in ESCAPES.sub("", seen):
        ready, _, _ = select.select([terminal], [], [], max(deadline - time.monotonic(), 0))
        assert ready, f"{words!r} did not appear: {ESCAPES.sub('', seen)[-3000:]}"
        got += os.read(terminal, 65536)
        seen = got.decode(errors="ignore")  # half a character may still be on its way
    return CUT_OFF.sub("", ESCAPES.sub("", seen))
