"""Connections to PostgreSQL: opened, shared, dropped when lost, opened again."""

from __future__ import annotations

import asyncio
import contextlib
import math
import re
from collections.abc import Awaitable, Callable, Iterator
from random import SystemRandom
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

import asyncpg

from specfactory.adapters.postgres.clock import ASK, PostgresClock
from specfactory.adapters.postgres.errors import ERRORS, NEWER_SCHEMA, URL_FORM, is_away, problem
from specfactory.errors import DatabaseAway, SettingError, StoreError
from specfactory.redaction import HIDDEN
from specfactory.sql import known_version

Result = TypeVar("Result")
Connection = Any  # asyncpg brings no types

SCHEMES = ("postgresql", "postgres")
BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
# In one trip with BEGIN: a later version may have changed the schema since we connected.
REFUSE_NEWER = f"""DO $$ DECLARE found BIGINT; BEGIN
    IF to_regclass('schema_version') IS NOT NULL THEN
        SELECT MAX(version) INTO found FROM schema_version;
        IF found > {known_version()} THEN
            RAISE EXCEPTION USING ERRCODE = '{NEWER_SCHEMA}', MESSAGE = CAST(found AS TEXT);
        END IF;
    END IF;
END $$"""  # noqa: S608 - two constants of ours
PATIENCE_SECONDS = 10.0
STATEMENT_SECONDS = 60.0
CONNECT_SECONDS = 10.0
CLOSE_SECONDS = 5.0
GRACE_SECONDS = 5.0  # added to the server's own limit for the network
_PORTS = re.compile(r"(^|\])[^:]*(:\d+)?$")  # several hosts are separated by commas
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.05, 1.0


class PostgresPool:
    """At most ``connections`` at once; none is opened before it is needed."""

    def __init__(
        self,
        url: str,
        clock: PostgresClock,
        connections: int,
        *,
        patience_seconds: float = PATIENCE_SECONDS,
        statement_seconds: float = STATEMENT_SECONDS,
    ) -> None:
        self.place = place_of(url)
        self._url, self._clock, self._connections = url, clock, connections
        self._patience_seconds, self._statement_seconds = patience_seconds, statement_seconds
        self._raw: Any = None
        self._was_there = self._closed = False

    async def repeat(self, work: Callable[[Connection], Awaitable[Result]], name: str) -> Result:
        """Retry idempotent work on a new connection until patience ends."""
        return await self._patiently(lambda: self.once(work, name))

    async def begin(self) -> Connection:
        """A connection inside a new transaction; nothing is lost by beginning again."""

        async def begin() -> Connection:
            raw = await self._acquire("begin")
            try:
                await self._follow_clock(raw)
                await self.guarded(raw, raw.execute(f"{BEGIN}; {REFUSE_NEWER}"), "begin")
            except BaseException:
                drop(raw)  # its state is unknown
                await self.release(raw)
                raise
            return raw

        return await self._patiently(begin)

    async def once(self, work: Callable[[Connection], Awaitable[Result]], name: str) -> Result:
        """Run work with a connection."""
        raw = await self._acquire(name)
        try:
            await self._follow_clock(raw)
            return await self.guarded(raw, work(raw), name)
        finally:
            await self.release(raw)

    async def guarded(self, raw: Connection, work: Awaitable[Result], name: str) -> Result:
        """Wait for the result; failures become our errors."""
        try:
            return await work
        except ERRORS as error:
            if is_away(error):
                drop(raw)
            raise problem(error, self.place, name) from error

    async def release(self, raw: Connection) -> None:
        """Return a connection; one that is lost is forgotten."""
        with contextlib.suppress(*ERRORS):
            await self._raw.release(raw, timeout=CLOSE_SECONDS)

    async def connect(self, role: str) -> Connection:
        """A connection outside of the pool."""
        try:
            return await asyncpg.connect(self._url, **self._options(f"specfactory {role}"))
        except ERRORS as error:
            raise problem(error, self.place, role) from error

    async def close(self) -> None:
        """Close all connections; harmless twice."""
        self._closed = True
        if self._raw is not None:
            try:
                await asyncio.wait_for(self._raw.close(), CLOSE_SECONDS)
            except ERRORS:
                self._raw.terminate()

    async def _patiently(self, work: Callable[[], Awaitable[Result]]) -> Result:
        waits = pauses(self._patience_seconds if self._was_there else 0.0)
        while True:
            try:
                return await work()
            except DatabaseAway:
                if (pause := next(waits, None)) is None:
                    raise
                await asyncio.sleep(pause)

    async def _acquire(self, name: str) -> Connection:
        if self._closed:
            raise StoreError(f"query {name}: the database {self.place} is closed")

        async def nothing_to_reset(_raw: Connection) -> None:
            """No statement of ours changes the session."""

        try:
            if self._raw is None:
                self._raw = asyncpg.create_pool(
                    self._url,
                    min_size=0,
                    max_size=self._connections,
                    init=_prepare,
                    reset=nothing_to_reset,
                    **self._options("specfactory"),
                )
                await self._raw
            raw = await self._raw.acquire()
        except ERRORS as error:
            raise problem(error, self.place, name) from error
        self._was_there = True
        return raw

    async def _follow_clock(self, raw: Connection) -> None:
        if self._clock.is_due():
            await self.guarded(raw, self._clock.ask(lambda: raw.fetchval(ASK)), "clock")

    def _options(self, role: str) -> dict[str, Any]:
        """Connection options; what the URL itself says about the session wins."""
        given = parse_qs(urlsplit(self._url).query)
        longest = f"{self._statement_seconds * 1000:.0f}"
        session = {
            "application_name": role,
            "statement_timeout": longest,
            "lock_timeout": f"{self._statement_seconds * 500:.0f}",
            "idle_in_transaction_session_timeout": longest,  # a stopped worker holds no locks
            "jit": "off",  # none of our statements is worth compiling
        }
        return {
            "timeout": CONNECT_SECONDS,
            "command_timeout": self._statement_seconds + GRACE_SECONDS,
            "statement_cache_size": 500,  # all named queries
            "server_settings": {name: session[name] for name in session.keys() - given.keys()},
        }


def place_of(url: str) -> str:
    """The server and database of a URL, without user and password."""
    parts = urlsplit(url)
    hosts = parts.netloc.rpartition("@")[2]
    if parts.scheme not in SCHEMES or not parts.path.strip("/") or not _PORTS.search(hosts):
        raise SettingError("database_url", HIDDEN, URL_FORM)
    return f"postgresql://{hosts}{parts.path}"


def is_lost(raw: Connection) -> bool:
    """True when a connection is known to be gone."""
    try:
        return bool(raw.is_closed())
    except asyncpg.InterfaceError:  # the pool has taken it back
        return True


def drop(raw: Connection) -> None:
    """Close a connection without telling the server."""
    with contextlib.suppress(asyncpg.InterfaceError):
        raw.terminate()


def pauses(patience_seconds: float = math.inf) -> Iterator[float]:
    """Growing pauses with jitter, until patience is used up."""
    pause, random = FIRST_PAUSE_SECONDS, SystemRandom()
    while patience_seconds > 0:
        chosen = pause * random.uniform(0.5, 1.0)
        yield chosen
        patience_seconds -= chosen
        pause = min(pause * 2, LONGEST_PAUSE_SECONDS)


async def _prepare(raw: Connection) -> None:
    """Make sums of whole numbers whole numbers, as in SQLite."""

    def number(written: str) -> int | float:
        return int(written) if written.lstrip("-").isdigit() else float(written)

    await raw.set_type_codec(
        "numeric", schema="pg_catalog", encoder=str, decoder=number, format="text"
    )
