"""The Database port on SQLite: one thread writes, another reads, the event loop never blocks."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from specfactory.adapters.finishing import to_the_end
from specfactory.adapters.sqlite.connection import MEMORY, Posted, SqliteConnection, Work, rows_of
from specfactory.errors import NewerSchema, SettingError, StorageFull, StoreError
from specfactory.ports import Database, Row, Transaction
from specfactory.sql import (
    VERSION,
    VERSIONS,
    Migration,
    Query,
    known_version,
    load_migrations,
    load_queries,
)

Result = TypeVar("Result")

PREFIX = "sqlite:///"
TYPES = {"blob": "BLOB", "bigserial": "INTEGER PRIMARY KEY AUTOINCREMENT", "dialect": "sqlite"}
BUSY_SECONDS = 10.0
MOST_POSTED = 500  # statements queued until the next one


class SqliteDatabase(Database):
    """A SQLite file (or memory); each transaction has the only writer to itself."""

    def __init__(self, url: str, busy_seconds: float = BUSY_SECONDS) -> None:
        place = place_of(url)
        self._queries = load_queries()
        self._writer = SqliteConnection(place, busy_seconds)
        self._reader = self._writer
        if place != MEMORY:
            self._reader = SqliteConnection(place, busy_seconds, read_only=True)
        self._may_write = True  # False: a read-only file is only read
        self._writing = asyncio.Lock()
        self._current: ContextVar[SqliteTransaction | None] = ContextVar("transaction")
        self._open: SqliteTransaction | None = None

    async def fetch(self, query: str, **params: Any) -> list[Row]:
        known = self._queries[query]
        if not known.reads:
            raise StoreError(f"query {query} writes; it needs a transaction")
        if self._reader is not self._writer:
            if self._may_write:
                await self._writer.opened()  # makes the file and its folder
            return await self._reader.fetch(known, params)
        if self._open is not None and self._current.get(None) is self._open:
            return await self._writer.fetch(known, params)  # our own lock would deadlock
        async with self._writing:
            return await self._writer.fetch(known, params)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[SqliteTransaction]:
        if self._open is not None and self._current.get(None) is self._open:
            raise StoreError("a transaction inside a transaction; pass the outer one on")
        async with self._writing:
            ours = SqliteTransaction(self._writer, self._queries)
            self._open = ours
            token = self._current.set(ours)
            try:
                await self._writer.run(_begin, "begin")
                yield ours
                await to_the_end(self._writer.submit(ours.last(_commit), "commit"))
            except BaseException:
                with contextlib.suppress(StoreError):  # the first error is the one to report
                    await to_the_end(self._writer.submit(_rollback, "rollback"))
                raise
            finally:
                ours.closed = True
                self._open = None
                with contextlib.suppress(ValueError):  # left from another task
                    self._current.reset(token)

    async def migrate(self) -> int:
        """Bring the schema up to date; a read-only file that has today's can be read."""
        known = known_version()
        async with self._writing:
            try:
                found = await self._writer.run(_version, "schema_version")
            except StorageFull as refused:
                found = await self._read_only_version(refused)
            if found > known:
                raise NewerSchema(found, known)
            for step in load_migrations(TYPES)[found:] if found < known else ():
                await to_the_end(self._writer.submit(_step(step), f"migration {step.name}"))
        return known

    async def _read_only_version(self, refused: StorageFull) -> int:
        """The version of a file that cannot be written; one that cannot be read is refused."""
        try:
            found = await self._reader.run(_version, "schema_version")
        except StoreError:
            raise refused from None
        self._may_write = False
        return found

    async def close(self) -> None:
        if self._reader is not self._writer:
            await self._reader.close()
        await self._writer.close()


class SqliteTransaction(Transaction):
    """The statements of one transaction."""

    def __init__(self, connection: SqliteConnection, queries: Mapping[str, Query]) -> None:
        self._connection, self._queries = connection, queries
        self._posted: list[Posted] = []  # sent to the thread with the next statement
        self.closed = False

    async def fetch(self, query: str, **params: Any) -> list[Row]:
        known = self._usable(query)
        bound = known.bind(params)
        work = self.last(lambda raw: rows_of(raw.execute(known.text, bound)))
        return await self._connection.run(work, query)

    async def execute(self, query: str, **params: Any) -> int:
        known = self._usable(query)
        bound = known.bind(params)
        work = self.last(lambda raw: max(raw.execute(known.text, bound).rowcount, 0))
        return await self._connection.run(work, query)

    async def execute_many(self, query: str, rows: Sequence[Mapping[str, Any]]) -> None:
        known = self._usable(query)
        bound = [known.bind(row) for row in rows]
        if bound:
            work = self.last(lambda raw: raw.executemany(known.text, bound))
            await self._connection.run(work, query)

    async def post(self, query: str, **params: Any) -> None:
        """Queue a named statement whose result is not needed; it runs with the next one."""
        known = self._usable(query)
        self._posted.append((known, known.bind(params)))
        if len(self._posted) >= MOST_POSTED:
            await self._connection.run(self.last(lambda _: None), query)

    def last(self, work: Work[Result]) -> Work[Result]:
        """Work that runs after everything queued."""
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
        return self._queries[query]


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


def _begin(raw: sqlite3.Connection) -> None:
    """Begin to write, unless a later version has changed the schema meanwhile."""
    _rollback(raw)
    raw.execute("BEGIN IMMEDIATE")
    if (found := _version(raw)) > known_version():
        raise NewerSchema(found, known_version())


def _commit(raw: sqlite3.Connection) -> None:
    raw.execute("COMMIT")  # the cursor must not leave its thread


def _rollback(raw: sqlite3.Connection) -> None:
    if raw.in_transaction:  # a full disk may have rolled back already
        raw.execute("ROLLBACK")


def _version(raw: sqlite3.Connection) -> int:
    tables = raw.execute("SELECT 1 FROM sqlite_master WHERE name = 'schema_version'")
    if tables.fetchone() is None:
        return 0
    return int(raw.execute(VERSION).fetchone()[0])


def _step(step: Migration) -> Callable[[sqlite3.Connection], None]:
    """One migration in its own transaction, unless another process was faster."""

    def apply(raw: sqlite3.Connection) -> None:
        raw.execute("BEGIN IMMEDIATE")
        try:
            if _version(raw) < step.version:
                raw.execute(VERSIONS)
                for statement in step.statements:
                    raw.execute(statement)
                raw.execute("INSERT INTO schema_version VALUES (?, ?)", (step.version, step.name))
            raw.execute("COMMIT")
        except BaseException:
            _rollback(raw)
            raise

    return apply
