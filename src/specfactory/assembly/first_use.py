"""A database whose schema is brought up to date at its first use, not when it is opened."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from specfactory.ports import Database, Row, Transaction


class MigratedAtFirstUse(Database):
    """Migrates before the first statement.

    A command that refuses its arguments asks the database nothing, and so creates none.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._migrating = asyncio.Lock()
        self._version: int | None = None  # None: not yet used

    async def fetch(self, query: str, **params: Any) -> list[Row]:
        await self.migrate()
        return await self._database.fetch(query, **params)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        await self.migrate()
        async with self._database.transaction() as tx:
            yield tx

    async def migrate(self) -> int:
        """Migrate once; tasks that come meanwhile wait for it."""
        if self._version is None:
            async with self._migrating:
                if self._version is None:
                    self._version = await self._database.migrate()
        return self._version

    async def close(self) -> None:
        await self._database.close()
