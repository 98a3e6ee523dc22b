"""One sqlite3 connection, the only thread that touches it, and the meaning of its errors."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from specfactory.adapters.finishing import to_the_end
from specfactory.errors import StorageFull, StoreBusy, StoreError
from specfactory.ports import Row
from specfactory.private_files import make_file
from specfactory.sql import Query

Result = TypeVar("Result")
Work: TypeAlias = Callable[[sqlite3.Connection], Result]
Posted: TypeAlias = "tuple[Query, dict[str, Any]]"
Asked: TypeAlias = "tuple[Query, dict[str, Any], asyncio.Future[list[Row]]]"

MEMORY = ":memory:"
SWITCH_AGAIN_SECONDS = 0.01


class SqliteConnection:
    """One sqlite3 connection and the only thread that touches it."""

    def __init__(self, place: str, busy_seconds: float, read_only: bool = False) -> None:
        self._place, self._busy_seconds, self._read_only = place, busy_seconds, read_only
        self._thread = ThreadPoolExecutor(1, f"sqlite-{'read' if read_only else 'write'}")
        self._raw: sqlite3.Connection | None = None
        self._closed = False
        self._asked: list[Asked] = []  # queries that go to the thread together
        self._loop: asyncio.AbstractEventLoop | None = None  # the loop that hands them over

    async def run(self, work: Work[Result], name: str) -> Result:
        """Run a function with the connection on its thread."""
        return await self.submit(work, name)

    def submit(self, work: Work[Result], name: str) -> asyncio.Future[Result]:
        """Like ``run``, without waiting for the result."""
        if self._closed:
            raise StoreError(f"query {name}: the database {self._place} is closed")
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(self._thread, self._call, work, name)

    async def fetch(self, query: Query, params: Mapping[str, Any]) -> list[Row]:
        """Run one query and return its rows; queries of one moment are batched.

        Waking a thread costs more than most queries.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[Row]] = loop.create_future()
        self._asked.append((query, query.bind(params), answer))
        if self._loop is not loop:
            self._loop = loop
            loop.call_soon(self._ask)
        return await answer

    async def opened(self) -> None:
        """Make sure that the file exists."""
        if self._raw is None:
            await self.run(lambda _: None, "open")

    async def close(self) -> None:
        """Close on the connection's own thread, after everything submitted before."""
        if self._closed:
            return
        if self._asked:
            self._ask()
        self._closed = True

        def close() -> None:
            if self._raw is not None:
                self._raw.close()
                self._raw = None

        await to_the_end(asyncio.get_running_loop().run_in_executor(self._thread, close))
        self._thread.shutdown(wait=False)

    def do(self, raw: sqlite3.Connection, posted: Sequence[Posted]) -> None:
        """Run statements on the connection's thread; the one that fails is named."""
        for query, bound in posted:
            try:
                raw.execute(query.text, bound)
            except (sqlite3.Error, sqlite3.Warning, OverflowError) as error:
                raise problem(error, self._place, query.name) from error

    def _ask(self) -> None:
        """Hand all queries to the thread; those of a loop that has ended are dropped."""
        asked = [one for one in self._asked if not one[2].done()]
        self._asked, self._loop = [], None
        if not asked:
            return

        def answer_all(raw: sqlite3.Connection) -> list[list[Row] | StoreError]:
            answers: list[list[Row] | StoreError] = []
            for query, bound, _ in asked:
                try:
                    answers.append(rows_of(raw.execute(query.text, bound)))
                except (sqlite3.Error, sqlite3.Warning, OSError, OverflowError) as error:
                    found = problem(error, self._place, query.name)
                    found.__cause__ = error
                    answers.append(found)
            return answers

        try:
            going = self.submit(answer_all, asked[0][0].name)
        except StoreError as closed:
            for _, _, answer in asked:
                answer.set_exception(closed)
            return
        going.add_done_callback(lambda done: _hand_out(asked, done))

    def _call(self, work: Work[Result], name: str) -> Result:
        try:
            if self._raw is None:
                self._raw = self._connect()
            return work(self._raw)
        except (sqlite3.Error, sqlite3.Warning, OSError, OverflowError) as error:
            raise problem(error, self._place, name) from error

    def _connect(self) -> sqlite3.Connection:
        try:
            return self._connect_for_writing()
        except sqlite3.OperationalError as error:
            if not self._read_only or _code(error) not in _UNWRITABLE:
                raise
            return self._connect_for_reading()

    def _connect_for_reading(self) -> sqlite3.Connection:
        """Open a file that cannot be written.

        Beside one that a process is writing lies a log, which is read too. Without one nobody
        writes, and the file may be read as it is, although no locks can be made in its folder.
        """
        file = Path(self._place).absolute()
        log = file.with_name(f"{file.name}-wal")
        frozen = "" if log.exists() and log.stat().st_size else "&immutable=1"
        raw = sqlite3.connect(
            f"{file.as_uri()}?mode=ro{frozen}",
            uri=True,
            timeout=self._busy_seconds,
            isolation_level=None,
        )
        try:
            raw.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        except BaseException:
            raw.close()
            raise
        return raw

    def _connect_for_writing(self) -> sqlite3.Connection:
        if self._place != MEMORY:
            with contextlib.suppress(OSError):  # SQLite says what stands in the way
                make_file(Path(self._place))  # its log and index get the same mode
        raw = sqlite3.connect(self._place, timeout=self._busy_seconds, isolation_level=None)
        try:
            raw.execute("PRAGMA foreign_keys = ON")
            # SQLite does not wait here: it says "locked" at once when another process writes
            until = time.monotonic() + self._busy_seconds
            while True:
                try:
                    raw.execute("PRAGMA journal_mode = WAL")
                    break
                except sqlite3.OperationalError as error:
                    if _code(error) != "SQLITE_BUSY" or time.monotonic() >= until:
                        raise
                time.sleep(SWITCH_AGAIN_SECONDS)
            raw.execute("PRAGMA synchronous = FULL")
            if self._read_only:
                raw.execute("PRAGMA query_only = ON")
        except BaseException:
            raw.close()
            raise
        return raw


_UNWRITABLE = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")


def _hand_out(asked: Sequence[Asked], done: asyncio.Future[list[list[Row] | StoreError]]) -> None:
    """Resolve every waiting future; those cancelled meanwhile are skipped."""
    failed = done.exception() if not done.cancelled() else StoreError("the loop has ended")
    answers = done.result() if failed is None else [failed] * len(asked)
    for (_, _, waiting), answer in zip(asked, answers, strict=True):
        with contextlib.suppress(RuntimeError):  # its loop is closed
            if waiting.done():
                continue
            if isinstance(answer, BaseException):
                waiting.set_exception(answer)
            else:
                waiting.set_result(answer)


def rows_of(cursor: sqlite3.Cursor) -> list[Row]:
    """All rows of a query, by the names of their columns."""
    rows = cursor.fetchall()
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in rows]


_READ_ONLY = "the file or its folder is read-only or out of reach"
_NOT_WRITABLE = {
    "SQLITE_FULL": "no space is left",
    "SQLITE_READONLY": _READ_ONLY,
    "SQLITE_CANTOPEN": _READ_ONLY,
    "SQLITE_PERM": _READ_ONLY,
    "SQLITE_IOERR": "the disk refused, it may be full",
}


def problem(error: Exception, place: str, name: str) -> StoreError:
    """Our error for what SQLite or the file system reported."""
    if isinstance(error, OSError):
        return StorageFull(place, error.strerror or str(error))
    code = _code(error)
    if code in _NOT_WRITABLE:
        return StorageFull(place, _NOT_WRITABLE[code])
    if code in ("SQLITE_NOTADB", "SQLITE_CORRUPT"):
        return StoreError(f"{place} is no intact database ({error}); nothing was changed")
    if code in ("SQLITE_BUSY", "SQLITE_LOCKED"):
        return StoreBusy(place, name)
    return StoreError(f"query {name} failed: {error}")


def _code(error: Exception) -> str:
    """The primary result code: SQLITE_IOERR for SQLITE_IOERR_WRITE."""
    full = str(getattr(error, "sqlite_errorname", ""))
    return "_".join(full.split("_")[:2])
