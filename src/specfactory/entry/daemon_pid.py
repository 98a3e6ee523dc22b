"""The PID file: held under a lock for as long as the daemon lives, so that a stale one is known.

Its first line is the process, as everybody expects; a second one says ``up`` when it has begun.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from pathlib import Path
from types import TracebackType

from specfactory.errors import UsageError
from specfactory.model import Frozen
from specfactory.private_files import OWNER_FILE, make_folder

TRIES = 10  # somebody may be looking at the very moment
PAUSE_SECONDS = 0.05


class Running(Frozen):
    """A daemon that lives."""

    pid: int
    is_up: bool


def running(file: Path) -> Running | None:
    """The daemon that holds this PID file; None when there is none, or a stale file."""
    try:
        opened = os.open(file, os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        pid, _, state = os.pread(opened, 100, 0).decode("ascii", "replace").partition("\n")
        return Running(int(pid) if pid.isdecimal() else 0, state.strip() == "up")
    finally:
        os.close(opened)
    return None


class PidFile:
    """This process is the daemon; a second one on the same file is refused."""

    def __init__(self, file: Path) -> None:
        self._file, self._opened = file, -1

    def __enter__(self) -> PidFile:
        make_folder(self._file.parent)
        for _ in range(TRIES):
            if self._take():
                self._write(f"{os.getpid()}\n")
                return self
            time.sleep(PAUSE_SECONDS)
        other = running(self._file)
        who = f"process {other.pid}" if other else "another process"
        raise UsageError(
            f"a daemon is running already: {who} holds {self._file}; "
            "stop it (spec daemon stop), or name another file: --set daemon.pid_file=PATH"
        )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(OSError):
            self._file.unlink()
        os.close(self._opened)

    def say_up(self) -> None:
        """The daemon has begun to work."""
        self._write(f"{os.getpid()}\nup\n")

    def _take(self) -> bool:
        """Lock the file, and make sure that it is still the one at its place."""
        opened = os.open(self._file, os.O_RDWR | os.O_CREAT, OWNER_FILE)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(opened).st_ino == self._file.stat().st_ino:
                self._opened = opened
                return True
        except (BlockingIOError, FileNotFoundError):
            pass
        os.close(opened)
        return False

    def _write(self, text: str) -> None:
        os.ftruncate(self._opened, 0)
        os.pwrite(self._opened, text.encode(), 0)
