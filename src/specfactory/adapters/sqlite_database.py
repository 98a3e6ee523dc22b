"""The Database port on SQLite: one thread writes, another reads, neither holds the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from specfactory.errors import NewerSchema, SettingError, StorageFull, StoreBusy, StoreError
from specfactory.ports import Row
from specfactory.sql import Migration, Query, load_migrations, load_queries

Result = TypeVar("Result")
Work: TypeAlias = Callable[[sqlite3.Connection], Result]
Posted: TypeAlias = "tuple[Query, dict[str, Any]]"

PREFIX = "sqlite:///"
MEMORY = ":memory:"
TYPES = {"blob": "BLOB", "bigserial": "INTEGER PRIMARY KEY AUTOINCREMENT"}
BUSY_SECONDS = 10.0
MOST_POSTED = 500  # statements that wait for the next one


class SqliteDatabase:
    """A SQLite file (or memory); each transaction has the one writer to itself."""

    def __init__(self, url: str, busy_seconds: float = BUSY_SECONDS) -> None:
        place = place_of(url)
        self._queries = load_queries()
        self._writer = _Connection(place, busy_seconds)
        self._reader = self._writer
        if place != MEMORY:
            self._reader = _Connection(place, busy_seconds, read_only=True)
        self._writing = asyncio.Lock()
        self._current: ContextVar[SqliteTransaction | None] = ContextVar("transaction")
        self._open: SqliteTransaction | None = None

    async def fetch(self, query: str, **params: Any) -> list[Row]:
        """Read what has been committed."""
        known = self._query(query)
        if not known.reads:
            raise StoreError(f"query {query} writes; it needs a transaction")
        if self._reader is not self._writer:
            await self._writer.opened()  # makes the file and its folder
            return await self._reader.fetch(known, params)
        if self._open is not None and self._current.get(None) is self._open:
            return await self._writer.fetch(known, params)  # waiting for oneself never ends
        async with self._writing:
            return await self._writer.fetch(known, params)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[SqliteTransaction]:
        """Write: commits on leaving; an exception or a cancellation rolls back."""
        if self._open is not None and self._current.get(None) is self._open:
            raise StoreError("a transaction inside a transaction; pass the outer one on")
        async with self._writing:
            ours = SqliteTransaction(self._writer, self._query)
            self._open = ours
            token = self._current.set(ours)
            try:
                await self._writer.run(_begin, "begin")
                yield ours
                await _to_the_end(self._writer.submit(ours.last(_commit), "commit"))
            except BaseException:
                with contextlib.suppress(StoreError):  # what went wrong first is what counts
                    await _to_the_end(self._writer.submit(_rollback, "rollback"))
                raise
            finally:
                ours.closed = True
                self._open = None
                with contextlib.suppress(ValueError):  # left from another task
                    self._current.reset(token)

    async def migrate(self) -> int:
        """Bring the schema up to date; several processes may do so at once."""
        steps = load_migrations(TYPES)
        known = steps[-1].version
        async with self._writing:
            if (found := await self._writer.run(_version, "schema_version")) > known:
                raise NewerSchema(found, known)
            for step in steps[found:]:
                await _to_the_end(self._writer.submit(_step(step), f"migration {step.name}"))
        return known

    async def close(self) -> None:
        """Let go of the file; harmless twice."""
        if self._reader is not self._writer:
            await self._reader.close()
        await self._writer.close()

    def _query(self, name: str) -> Query:
        try:
            return self._queries[name]
        except KeyError:
            raise StoreError(f"there is no query {name!r} in specfactory/sql") from None


class SqliteTransaction:
    """The statements of one transaction."""

    def __init__(self, connection: _Connection, query: Callable[[str], Query]) -> None:
        self._connection, self._query = connection, query
        self._posted: list[Posted] = []  # each goes to the thread with the next statement
        self.closed = False

    async def fetch(self, query: str, **params: Any) -> list[Row]:
        """Run a named query and return its rows."""
        known = self._usable(query)
        bound = known.bind(params)
        work = self.last(lambda raw: _rows(raw.execute(known.text, bound)))
        return await self._connection.run(work, query)

    async def execute(self, query: str, **params: Any) -> int:
        """Run a named statement and return the number of rows it changed."""
        known = self._usable(query)
        bound = known.bind(params)
        work = self.last(lambda raw: max(raw.execute(known.text, bound).rowcount, 0))
        return await self._connection.run(work, query)

    async def execute_many(self, query: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run a named statement once per row."""
        known = self._usable(query)
        bound = [known.bind(row) for row in rows]
        if bound:
            work = self.last(lambda raw: raw.executemany(known.text, bound))
            await self._connection.run(work, query)

    async def post(self, query: str, **params: Any) -> None:
        """Run a named statement whose answer nobody waits for: with the next one."""
        known = self._usable(query)
        self._posted.append((known, known.bind(params)))
        if len(self._posted) >= MOST_POSTED:
            await self._connection.run(self.last(lambda _: None), query)

    def last(self, work: Work[Result]) -> Work[Result]:
        """What is to be done after everything that was posted."""
        if not self._posted:
            return work
        posted, self._posted = self._posted, []

        def together(raw: sqlite3.Connection) -> Result:
            self._connection.do(raw, posted)
            return work(raw)

        return together

    def _usable(self, query: str) -> Query:
        if self.closed:
            raise StoreError(f"query {query} after its transaction has ended")
        return self._query(query)


class _Connection:
    """One sqlite3 connection and the only thread that touches it."""

    def __init__(self, place: str, busy_seconds: float, read_only: bool = False) -> None:
        self._place, self._busy_seconds, self._read_only = place, busy_seconds, read_only
        self._thread = ThreadPoolExecutor(1, f"sqlite-{'read' if read_only else 'write'}")
        self._raw: sqlite3.Connection | None = None
        self._closed = False

    async def run(self, work: Work[Result], name: str) -> Result:
        """Do something with the connection on its thread."""
        return await self.submit(work, name)

    def submit(self, work: Work[Result], name: str) -> asyncio.Future[Result]:
        """The same, without waiting for it."""
        if self._closed:
            raise StoreError(f"query {name}: the database {self._place} is closed")
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(self._thread, self._call, work, name)

    async def fetch(self, query: Query, params: Mapping[str, Any]) -> list[Row]:
        """Run one query and return its rows."""
        bound = query.bind(params)
        return await self.run(lambda raw: _rows(raw.execute(query.text, bound)), query.name)

    async def opened(self) -> None:
        """Make sure that the file is there."""
        if self._raw is None:
            await self.run(lambda _: None, "open")

    async def close(self) -> None:
        """Close on the connection's own thread, after everything that was asked before."""
        if self._closed:
            return
        self._closed = True
        loop = asyncio.get_running_loop()
        await _to_the_end(loop.run_in_executor(self._thread, self._close))
        self._thread.shutdown(wait=False)

    def do(self, raw: sqlite3.Connection, posted: Sequence[Posted]) -> None:
        """Run statements, on the connection's thread; the one that fails is named."""
        for query, bound in posted:
            try:
                raw.execute(query.text, bound)
            except (sqlite3.Error, sqlite3.Warning, OverflowError) as error:
                raise _problem(error, self._place, query.name) from error

    def _call(self, work: Work[Result], name: str) -> Result:
        try:
            if self._raw is None:
                self._raw = self._connect()
            return work(self._raw)
        except (sqlite3.Error, sqlite3.Warning, OSError, OverflowError) as error:
            raise _problem(error, self._place, name) from error

    def _connect(self) -> sqlite3.Connection:
        if self._place != MEMORY:
            Path(self._place).parent.mkdir(parents=True, exist_ok=True)
        raw = sqlite3.connect(self._place, timeout=self._busy_seconds, isolation_level=None)
        try:
            raw.execute("PRAGMA foreign_keys = ON")
            raw.execute("PRAGMA journal_mode = WAL")
            raw.execute("PRAGMA synchronous = FULL")
            if self._read_only:
                raw.execute("PRAGMA query_only = ON")
        except BaseException:
            raw.close()
            raise
        return raw

    def _close(self) -> None:
        if self._raw is not None:
            self._raw.close()
            self._raw = None


def place_of(url: str) -> str:
    """The file of a ``sqlite:///`` URL: relative, or absolute with a fourth slash."""
    place = url.removeprefix(PREFIX)
    if place == url or not place.strip("/"):
        raise SettingError(
            "database_url",
            url,
            "sqlite:///relative/file.db, sqlite:////absolute/file.db or sqlite:///:memory:",
        )
    return place


async def _to_the_end(future: asyncio.Future[Result]) -> Result:
    """Wait for what must not stop half-way; a cancellation is passed on afterwards."""
    cancelled: asyncio.CancelledError | None = None
    while not future.done():
        try:
            await asyncio.shield(future)
        except asyncio.CancelledError as error:
            cancelled = error
        except StoreError:
            break
    if cancelled is not None:
        future.exception()  # looked at, so that nobody complains about it
        raise cancelled
    return future.result()


def _begin(raw: sqlite3.Connection) -> None:
    _rollback(raw)
    raw.execute("BEGIN IMMEDIATE")


def _commit(raw: sqlite3.Connection) -> None:
    raw.execute("COMMIT")


def _rollback(raw: sqlite3.Connection) -> None:
    if raw.in_transaction:  # a full disk may have rolled back already
        raw.execute("ROLLBACK")


def _rows(cursor: sqlite3.Cursor) -> list[Row]:
    rows = cursor.fetchall()
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in rows]


def _version(raw: sqlite3.Connection) -> int:
    tables = raw.execute("SELECT 1 FROM sqlite_master WHERE name = 'schema_version'")
    if tables.fetchone() is None:
        return 0
    return int(raw.execute("SELECT COALESCE(MAX(version), 0) FROM schema_version").fetchone()[0])


def _step(step: Migration) -> Callable[[sqlite3.Connection], None]:
    """One migration in a transaction of its own, unless another process was quicker."""

    def apply(raw: sqlite3.Connection) -> None:
        raw.execute("BEGIN IMMEDIATE")
        try:
            if _version(raw) < step.version:
                _apply(raw, step)
            raw.execute("COMMIT")
        except BaseException:
            _rollback(raw)
            raise

    return apply


def _apply(raw: sqlite3.Connection, step: Migration) -> None:
    raw.execute(
        "CREATE TABLE IF NOT EXISTS schema_version (version BIGINT PRIMARY KEY, name TEXT NOT NULL)"
    )
    for statement in step.statements:
        raw.execute(statement)
    raw.execute("INSERT INTO schema_version VALUES (?, ?)", (step.version, step.name))


_READ_ONLY = "the file or its folder is read-only or out of reach"
_NOT_WRITABLE = {
    "SQLITE_FULL": "no space is left",
    "SQLITE_READONLY": _READ_ONLY,
    "SQLITE_CANTOPEN": _READ_ONLY,
    "SQLITE_PERM": _READ_ONLY,
    "SQLITE_IOERR": "the disk refused, it may be full",
}


def _problem(error: Exception, place: str, name: str) -> StoreError:
    """The one clear line for what SQLite or the file system said."""
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
