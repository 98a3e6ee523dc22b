"""One reader process, from its start to its end, whoever talks to it."""

import os
import signal
import socket
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from specfactory.adapters.readers.frames import Known, Question, pack_question
from specfactory.errors import Unreadable
from specfactory.model import Cause
from specfactory.ports import Shared
from specfactory.settings import ReaderSettings

LOADING_SECONDS = 60.0  # for Python and what the first work needs, on a busy machine
MOST_KNOWN = 32  # shared values that a reader keeps
MOST_BYTES = 4_000_000  # of them
# What Python itself needs; no secret of the operator reaches a process that reads pages.
_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR", "VIRTUAL_ENV")


class StartedReader:
    """A process that answers questions, and what it has been told so far."""

    def __init__(self, settings: ReaderSettings) -> None:
        self._settings = settings
        self.known: OrderedDict[str, int] = OrderedDict()  # with the bytes of each
        self._loaded: set[str] = set()
        self.socket, theirs = socket.socketpair()
        module = "specfactory.adapters.readers.process"
        environment = {
            name: value
            for name, value in os.environ.items()
            if name in _ENVIRONMENT or name.startswith("PYTHON")
        }
        with theirs:
            self.process = subprocess.Popen(  # noqa: S603  # this very program
                [sys.executable, "-m", module, str(theirs.fileno()), str(settings.memory_mb)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env=environment,
            )

    def question(self, work: Callable[..., Any], given: tuple[Any, ...]) -> bytes:
        """A question, in which what the reader knows already is only named."""
        learns: dict[str, Any] = {}
        asked: list[Any] = []
        for one in given:
            if isinstance(one, Shared):
                if one.key not in self.known:
                    learns[one.key] = one.value
                self.known[one.key] = len(one.value) if isinstance(one.value, bytes) else 0
                self.known.move_to_end(one.key)
                asked.append(Known(one.key))
            else:
                asked.append(one)
        forgets = []
        while len(self.known) > MOST_KNOWN or sum(self.known.values()) > MOST_BYTES:
            forgets.append(self.known.popitem(last=False)[0])
        self._loaded.add(work.__module__)
        seconds = self._settings.cpu_seconds
        size = size_of(given)
        return pack_question(Question(work, tuple(asked), learns, forgets, seconds, size))

    def patience(self, work: Callable[..., Any]) -> float:
        """Seconds beyond the deadline: what the first work of a module loads is not the page's."""
        return 0.0 if work.__module__ in self._loaded else LOADING_SECONDS

    def end_at_once(self) -> int:
        """End the process; gives what it ended with."""
        self.process.kill()
        self.socket.close()
        return self.process.wait()


def size_of(given: tuple[Any, ...]) -> int:
    """Number of fetched bytes among what is given."""
    values = (one.value if isinstance(one, Shared) else one for one in given)
    return sum(len(one) for one in values if isinstance(one, bytes))


def exceeded_by(cause: Cause, settings: ReaderSettings) -> Unreadable:
    """The reason for a page that a reader gave up itself."""
    if cause is Cause.READER_DEPTH:
        return Unreadable(cause, "it nests too deeply to be read")
    return Unreadable(cause, f"reading it takes more than {settings.memory_mb} MB")


def ended_by(status: int | None, settings: ReaderSettings) -> Unreadable:
    """The reason for a reader that ended in the middle of a page."""
    if status == -signal.SIGXCPU:
        said = f"reading it takes more than {settings.cpu_seconds:g} s of processor time"
        return Unreadable(Cause.READER_TIME, said)
    how = f"signal {-status}" if status is not None and status < 0 else f"status {status}"
    if status == -signal.SIGABRT:  # how programs in C++ end that get no more memory
        how += f", as where it takes more than {settings.memory_mb} MB"
    return Unreadable(Cause.READER_DIED, f"it ended the process that read it ({how})")
