"""One database per adapter: what the suites of the Database port and of the stores run on."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from specfactory.adapters.postgres.database import PostgresDatabase
from specfactory.assembly import choose_database
from specfactory.ports import Database
from specfactory.settings import Settings
from tests.servers import PostgresServer


@pytest.fixture(scope="session")
def postgres_address(postgres: PostgresServer) -> str:
    """The URL of this worker's own database, with the schema of today."""
    name = f"w{os.getpid()}"
    asyncio.run(_made(postgres, name))
    return postgres.address(name)


@pytest.fixture
def postgres_url(postgres_address: str) -> str:
    """A migrated PostgreSQL database with nothing in it."""
    asyncio.run(_emptied(postgres_address))
    return postgres_address


@pytest.fixture(params=["sqlite_memory", "sqlite_disk", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Every database that the factory runs on."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_url"))
    return f"sqlite:///{':memory:' if request.param == 'sqlite_memory' else tmp_path / 'deep/f.db'}"


@pytest.fixture
async def db(database_url: str) -> AsyncIterator[Database]:
    """Every database that the factory runs on, migrated and empty."""
    database = choose_database(Settings(database_url=database_url))
    await database.migrate()
    yield database
    await database.close()


EMPTY = """
DO $$
DECLARE place RECORD;
BEGIN
    SET LOCAL session_replication_role = replica;  -- in any order
    FOR place IN SELECT tablename AS name FROM pg_tables
        WHERE schemaname = 'public' AND tablename <> 'schema_version'
    LOOP EXECUTE 'DELETE FROM ' || place.name; END LOOP;
    PERFORM setval(CAST(sequencename AS regclass), 1, false) FROM pg_sequences;
END $$
"""


async def _made(server: PostgresServer, name: str) -> None:
    raw = await asyncpg.connect(server.url)
    await raw.execute(f"CREATE DATABASE {name}")
    await raw.close()
    database = PostgresDatabase(server.address(name))
    await database.migrate()
    await database.close()


async def _emptied(address: str) -> None:
    raw = await asyncpg.connect(address)
    await raw.execute(EMPTY)
    await raw.close()
