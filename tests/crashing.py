"""A database whose client dies at a chosen commit: just before it, or just after."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

from specfactory.ports import Database, Row, Transaction

Moment = Literal["before", "after"]


class Crashed(Exception):
    """The process died; whether its transaction was committed it never learned."""


class CrashingDatabase:
    """Passes everything on, but dies once at the next commit when told to."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.crash: Moment | None = None

    async def fetch(self, query: str, **params: Any) -> list[Row]:
        return await self._db.fetch(query, **params)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        moment, self.crash = self.crash, None
        async with self._db.transaction() as tx:
            yield tx
            if moment == "before":
                raise Crashed
        if moment == "after":
            raise Crashed

    async def migrate(self) -> int:
        return await self._db.migrate()

    async def close(self) -> None:
        await self._db.close()
