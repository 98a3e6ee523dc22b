"""Structured logs, fed from the events, for people or machines; and their last and new lines."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import logging
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator, MutableMapping
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from specfactory.model import iso_milliseconds
from specfactory.private_files import make_file, make_folder, opener
from specfactory.redaction import redacted

if TYPE_CHECKING:
    from specfactory.model import Event
    from specfactory.ports import Clock, SharedState
    from specfactory.settings import Settings
    from specfactory.store import Batch

NAME = "specfactory"
BLOCK = 65_536
LOOK_SECONDS = 0.2
_QUIET = frozenset(
    {"page.read", "identity.judged", "source.searched", "source.skipped", "round.started",
     "round.finished", "page.fetched", "attempt.started", "review.opened"}
)  # fmt: skip
_WARNING = frozenset({"job.retried", "lease.expired", "budget.exhausted", "state.lost"})
_ERROR = frozenset({"job.failed", "audit.failed"})
_INSTANTS = frozenset({"due_at", "until"})  # fields of events that are milliseconds


def level_of(name: str) -> str:
    """The level at which an event is logged."""
    if name in _QUIET:
        return "debug"
    if name in _WARNING:
        return "warning"
    return "error" if name in _ERROR else "info"


@contextlib.contextmanager
def open_log(settings: Settings, level: str, file: Path | None = None) -> Iterator[Any]:
    """A structlog logger that writes to a rotating file, and to stderr unless that is the file."""
    import structlog

    handlers: list[logging.Handler] = []
    if file is not None:
        handlers.append(_rotating(file, settings))
    if file is None or not _is_stderr(file):
        handlers.append(logging.StreamHandler(sys.stderr))
    raw = logging.Logger(NAME, level.upper())
    for handler in handlers:
        raw.addHandler(handler)
    render: Any = structlog.processors.JSONRenderer(default=str)
    try:
        yield structlog.wrap_logger(
            raw,
            processors=[
                structlog.processors.add_log_level,
                render if settings.log.format == "json" else _plain,
                _discreet,
            ],
            wrapper_class=structlog.make_filtering_bound_logger(raw.level),
        )
    finally:
        for handler in handlers:
            handler.close()


class EventFile:
    """A rotating file of JSON lines, one for each event; the number tells what came twice.

    Processes that share a file take turns: the first one writes it until it ends.
    """

    def __init__(self, settings: Settings) -> None:
        self._file = Path(settings.daemon.event_log).absolute()
        self.name = f"{platform.node() or 'localhost'}:{self._file}"
        self._settings = settings
        self._lock: BinaryIO | None = None

    def is_ours(self) -> bool:
        """Lock the file, unless another process has."""
        if self._lock is not None:
            return True
        beside = self._file.with_name(f"{self._file.name}.lock")
        make_file(beside)
        lock = beside.open("ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            return False
        self._lock = lock
        return True

    def has_begun(self) -> bool:
        """True when events were written to it before."""
        return self._file.exists() and self._file.stat().st_size > 0

    def write(self, batch: Batch) -> None:
        """Write a line for each event: all of them or, where there is no room, none."""
        lines = (
            event_line(f"{batch.id}.{place}", happened) + "\n"
            for place, happened in enumerate(batch.events)
        )
        text = "".join(lines).encode("utf-8", "backslashreplace")
        size = self._file.stat().st_size if self._file.exists() else 0
        if size and size + len(text) > self._settings.daemon.log_max_bytes:
            rotation = _rotating(self._file, self._settings)
            rotation.doRollover()
            rotation.close()
        with open(self._file, "ab", buffering=0, opener=opener) as file:
            before = file.seek(0, os.SEEK_END)
            try:
                if file.write(text) != len(text):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._file))
            except OSError:
                file.truncate(before)
                raise

    def close(self) -> None:
        """Leave the file to others."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None


class NoEventFile:
    """Where the settings name no event log: events are received, and kept nowhere."""

    def __init__(self) -> None:
        self.name = f"{platform.node() or 'localhost'}:"

    def is_ours(self) -> bool:
        """Nothing is shared."""
        return True

    def has_begun(self) -> bool:
        """What others have received is of no interest."""
        return True

    def write(self, batch: Batch) -> None:
        """Drop it."""

    def close(self) -> None:
        """Nothing is open."""


def event_file(settings: Settings) -> EventFile | NoEventFile:
    """The event log that the settings name."""
    return EventFile(settings) if settings.daemon.event_log else NoEventFile()


def event_line(number: str, happened: Event) -> str:
    """An event for machines, on one line."""
    line = {"number": number, "at": iso_milliseconds(happened.at), "event": happened.name}
    return json.dumps({**line, **happened.fields}, ensure_ascii=False, default=str)


async def follow(log: Any, state: SharedState) -> None:
    """Log the live events; a log that fell behind takes them up again."""
    while True:
        listening = state.subscribe()
        try:
            async for happened in listening:
                write_event(log, happened)
        finally:
            if hasattr(listening, "aclose"):
                await listening.aclose()


def write_event(log: Any, happened: Event) -> None:
    """One line for one event."""
    fields = {name: value for name, value in happened.fields.items() if value is not None}
    getattr(log, level_of(happened.name))(happened.name, at=iso_milliseconds(happened.at), **fields)


def teller(log: Any, name: str, clock: Clock, level: str = "info") -> Callable[[str], None]:
    """Writes free words into the log: with their time, and as harmless as those of an event."""
    return lambda words: getattr(log, level)(name, at=iso_milliseconds(clock.now()), words=words)


def _rotating(file: Path, settings: Settings) -> RotatingFileHandler:
    make_folder(file.parent)
    return _PrivateLog(
        file,
        maxBytes=settings.daemon.log_max_bytes,
        backupCount=settings.daemon.log_files,
        encoding="utf-8",
        errors="backslashreplace",
    )


class _PrivateLog(RotatingFileHandler):
    """A log for its owner alone, also after it was rotated."""

    def _open(self) -> Any:
        return open(
            self.baseFilename, self.mode, encoding=self.encoding, errors=self.errors, opener=opener
        )


def _is_stderr(file: Path) -> bool:
    """Tell whether stderr goes to the log already, as it does when started in the background."""
    with contextlib.suppress(OSError, ValueError):
        return os.path.samestat(os.fstat(sys.stderr.fileno()), file.stat())
    return False


def _discreet(_log: Any, _method: str, line: Any) -> str:
    return redacted(line)


def _plain(_log: Any, _method: str, line: MutableMapping[str, Any]) -> str:
    """2026-02-12T10:35:00Z info job.claimed worker='w1'; repr keeps hostile text harmless."""
    at, level, name = line.pop("at", ""), line.pop("level"), line.pop("event")
    words = [f"{at} {level:<7} {name}"]
    for key, value in line.items():
        if key in _INSTANTS and isinstance(value, int):
            words.append(f"{key}={iso_milliseconds(value)}")
        else:  # a StrEnum as its text
            words.append(f"{key}={(str(value) if isinstance(value, str) else value)!r}")
    return " ".join(words).strip()


def last_lines(file: Path, count: int) -> list[str]:
    """Read the last lines; only as much of the file as they need."""
    if count <= 0 or not file.exists():
        return []
    with file.open("rb") as log:
        place, found = log.seek(0, os.SEEK_END), b""
        while place > 0 and found.count(b"\n") <= count:
            step = min(BLOCK, place)
            place -= step
            log.seek(place)
            found = log.read(step) + found
    return found.decode("utf-8", "replace").splitlines()[-count:]


def new_lines(file: Path) -> Iterator[str]:
    """Lines that are written from this call on, for ever; a new file in its place is taken up."""
    log = file.open("rb") if file.exists() else None
    if log is not None:
        log.seek(0, os.SEEK_END)  # now, not when the first line is asked for
    return _followed(file, log)


def _followed(file: Path, log: BinaryIO | None) -> Iterator[str]:
    rest = b""
    while True:
        if log is not None:
            *lines, rest = (rest + log.read()).split(b"\n")
            yield from (line.decode("utf-8", "replace") for line in lines)
        try:
            found = file.stat()
            is_new = log is None or not os.path.samestat(os.fstat(log.fileno()), found)
        except FileNotFoundError:  # between two files
            is_new = False
        if not is_new:
            time.sleep(LOOK_SECONDS)
            continue
        if log is not None:
            log.close()
        log, rest = file.open("rb"), b""
