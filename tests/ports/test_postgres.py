"""What only PostgreSQL can do to us: crashes, lost connections, collisions, other sessions."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from specfactory.adapters.postgres import database as postgres_database
from specfactory.adapters.postgres import pool as postgres_pool
from specfactory.adapters.postgres.clock import PostgresClock
from specfactory.adapters.postgres.database import TYPES, PostgresDatabase
from specfactory.adapters.sqlite.database import SqliteDatabase
from specfactory.assembly import choose_clock, choose_database, name_database, open_factory
from specfactory.errors import (
    CommitUnknown,
    DatabaseAway,
    NewerSchema,
    SettingError,
    StoreBusy,
    StoreError,
    UsageError,
)
from specfactory.model import NewJob
from specfactory.observe import Watch
from specfactory.settings import Settings, load
from specfactory.sql import Migration, Query, load_migrations, load_queries
from tests.servers import PostgresServer, postgres_server

LONG = 20.0  # a test that needs so long has failed


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[PostgresDatabase]:
    async with opened(postgres_url) as made:
        yield made


@pytest.fixture
async def raw(postgres_url: str) -> AsyncIterator[Any]:
    """A session that goes past the adapter, to look and to disturb."""
    session = await asyncpg.connect(postgres_url)
    yield session
    await session.close()


@pytest.fixture
async def empty_url(postgres: PostgresServer) -> AsyncIterator[str]:
    """A database without a schema."""
    session, name = await asyncpg.connect(postgres.url), f"empty{time.monotonic_ns()}"
    await session.execute(f"CREATE DATABASE {name}")
    yield postgres.address(name)
    await session.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await session.close()


@pytest.fixture(scope="module")
def own_server() -> Iterator[PostgresServer]:
    """A server that tests may crash."""
    with postgres_server() as server:
        yield server


@asynccontextmanager
async def opened(url: str, **options: Any) -> AsyncIterator[PostgresDatabase]:
    database = PostgresDatabase(url, **options)
    try:
        await database.migrate()
        yield database
    finally:
        await database.close()


async def add(database: PostgresDatabase, events: str = "[]") -> None:
    async with database.transaction() as tx:
        await tx.execute("append_events", events=events)


async def count(database: PostgresDatabase) -> int:
    return len(await database.fetch("recent_events", limit=1000))


async def until(raw: Any, asked: str, is_so: Callable[[int], bool]) -> None:
    """Ask until it is so."""
    async with asyncio.timeout(LONG):
        while not is_so(await raw.fetchval(asked)):
            pass


async def kill_sessions(raw: Any) -> int:
    """End every other session of the database, as an administrator might."""
    return int(
        await raw.fetchval(
            "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    )


# --- crashes and lost connections ----------------------------------------------------


async def test_a_crash_between_transactions_is_not_noticed(own_server: PostgresServer) -> None:
    async with opened(own_server.url) as database:
        before = await count(database)
        await add(database)
        await asyncio.to_thread(own_server.restart, "immediate")
        await add(database)
        await asyncio.to_thread(own_server.restart, "fast")

        assert await count(database) == before + 2


async def test_a_crash_within_a_transaction_takes_it_back_and_says_so(
    own_server: PostgresServer,
) -> None:
    async def write(database: PostgresDatabase) -> None:
        async with database.transaction() as tx:
            await tx.execute("append_events", events="[]")
            await asyncio.to_thread(own_server.restart, "immediate")
            await tx.execute("append_events", events="[]")

    async with opened(own_server.url) as database:
        before = await count(database)

        with pytest.raises(DatabaseAway, match="nothing of this was written"):
            await write(database)
        assert await count(database) == before
        await add(database)


async def test_a_read_waits_for_a_server_that_comes_back(own_server: PostgresServer) -> None:
    async with opened(own_server.url) as database:
        before = await count(database)
        await asyncio.to_thread(own_server.stop, "immediate")
        reading = asyncio.create_task(count(database))
        writing = asyncio.create_task(add(database))
        await asyncio.wait([reading], timeout=0.1)
        assert not reading.done()
        await asyncio.to_thread(own_server.start)

        assert await asyncio.wait_for(reading, LONG) in (before, before + 1)
        await asyncio.wait_for(writing, LONG)
        assert await count(database) == before + 1


async def test_a_server_that_stays_away_is_named_without_the_password(
    own_server: PostgresServer,
) -> None:
    url = own_server.url.replace("spec@", "spec:secret@")
    async with opened(url, patience_seconds=0.2) as database:
        await asyncio.to_thread(own_server.stop, "immediate")
        try:
            with pytest.raises(DatabaseAway) as away:
                await count(database)
            with pytest.raises(DatabaseAway):
                await add(database)
        finally:
            await asyncio.to_thread(own_server.start)

        assert f"127.0.0.1:{own_server.port}/postgres is away" in str(away.value)
        assert "secret" not in str(away.value)
        await add(database)


async def test_a_server_that_never_was_there_is_told_at_once() -> None:
    database = PostgresDatabase("postgresql://u:secret@127.0.0.1:1/x", patience_seconds=LONG)
    began = time.monotonic()

    with pytest.raises(DatabaseAway, match=r"postgresql://127\.0\.0\.1:1/x is away"):
        await database.migrate()
    assert time.monotonic() - began < 5
    await database.close()


async def test_killed_sessions_are_replaced(database: PostgresDatabase, raw: Any) -> None:
    await asyncio.gather(*(add(database) for _ in range(5)))
    assert await kill_sessions(raw) > 1

    await asyncio.gather(*(add(database) for _ in range(5)), count(database))

    assert await count(database) == 10


async def test_a_session_killed_within_a_transaction_leaves_nothing(
    database: PostgresDatabase, raw: Any
) -> None:
    async def write() -> None:
        async with database.transaction() as tx:
            await tx.execute("append_events", events="[]")
            await kill_sessions(raw)
            await tx.fetch("recent_events", limit=1)

    with pytest.raises(DatabaseAway):
        await write()
    assert await count(database) == 0


async def test_swallowing_the_loss_does_not_make_it_a_commit(
    database: PostgresDatabase, raw: Any
) -> None:
    async def write() -> None:
        async with database.transaction() as tx:
            await tx.execute("append_events", events="[]")
            await kill_sessions(raw)
            with pytest.raises(DatabaseAway):
                await tx.fetch("recent_events", limit=1)

    with pytest.raises(DatabaseAway, match="before the commit"):
        await write()
    assert await count(database) == 0


async def test_swallowing_a_failed_statement_does_not_make_it_a_commit(
    database: PostgresDatabase,
) -> None:
    async def write() -> None:
        async with database.transaction() as tx:
            await tx.execute("append_events", events="[]")
            with pytest.raises(StoreError):
                await tx.execute("add_yield", host="h", category=None, failures=0, seconds=0.0)

    with pytest.raises(StoreError, match="taken back"):
        await write()
    assert await count(database) == 0


class Wire:
    """A connection to the server that breaks at the commit: before it, after it, or in silence."""

    def __init__(self, server: PostgresServer, breaks: str) -> None:
        self._port, self._breaks, self.armed = server.port, breaks, False
        self._over = asyncio.Event()

    @asynccontextmanager
    async def laid(self) -> AsyncIterator[int]:
        listening = await asyncio.start_server(self._link, "127.0.0.1", 0)
        yield listening.sockets[0].getsockname()[1]
        self._over.set()
        listening.close()

    async def _link(self, ours: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        theirs, there = await asyncio.open_connection("127.0.0.1", self._port)
        answers = asyncio.create_task(self._answer(theirs, back))
        while words := await ours.read(65536):
            if self.armed and b"COMMIT\x00" in words:
                answers.cancel()
                await asyncio.wait([answers])
                await self._break(words, theirs, there)
                break
            there.write(words)
        for end in (there, back):
            end.transport.abort()

    async def _break(
        self, words: bytes, theirs: asyncio.StreamReader, there: asyncio.StreamWriter
    ) -> None:
        if self._breaks != "before":
            there.write(words)
            assert await theirs.read(1)
        if self._breaks == "silent":
            await self._over.wait()

    async def _answer(self, theirs: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        while words := await theirs.read(65536):
            back.write(words)
        back.close()


@pytest.mark.parametrize(("breaks", "written"), [("before", 0), ("after", 1), ("silent", 1)])
async def test_a_commit_nobody_heard_of_is_unknown_and_never_repeated(
    breaks: str,
    written: int,
    postgres: PostgresServer,
    postgres_url: str,
    raw: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(postgres_pool, "GRACE_SECONDS", 0.1)
    wire = Wire(postgres, breaks)
    async with wire.laid() as port:
        url = postgres_url.replace(f":{postgres.port}/", f":{port}/")
        async with opened(url, statement_seconds=0.4) as database:
            await count(database)
            wire.armed = True

            with pytest.raises(CommitUnknown, match="look before doing it again"):
                await add(database)
            wire.armed = False
            assert await raw.fetchval("SELECT COUNT(*) FROM outbox") == written
            await add(database)
    assert await raw.fetchval("SELECT COUNT(*) FROM outbox") == written + 1


# --- others on the same database -----------------------------------------------------


async def test_reads_find_a_connection_while_everybody_writes(postgres_url: str) -> None:
    async with opened(postgres_url, connections=3) as database:

        async def write() -> int:
            async with database.transaction() as tx:
                await tx.execute("append_events", events="[]")
                return await count(database)

        seen = await asyncio.wait_for(asyncio.gather(*(write() for _ in range(30))), LONG)

        assert len(seen) == await count(database) == 30


async def test_statements_of_one_transaction_wait_for_each_other(
    database: PostgresDatabase,
) -> None:
    async with database.transaction() as tx:
        await asyncio.gather(*(tx.execute("append_events", events="[]") for _ in range(9)))

    assert await count(database) == 9


async def attempts(database: PostgresDatabase) -> None:
    product = {"id": "p", "category": "c", "brand": "b", "model": "m", "variant": "",
               "hard_ids": "{}", "brand_key": "b", "words": ""}  # fmt: skip
    async with database.transaction() as tx:
        await tx.execute("save_product", **product)
        for name in ("a1", "a2"):
            await tx.execute(
                "start_attempt", id=name, product_id="p", job_id=None, started_at=1,
                budget="{}", spent="{}", trace="{}",
            )  # fmt: skip


async def waiting_for_a_lock(raw: Any) -> None:
    asked = "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    await until(raw, f"{asked} AND datname = current_database()", lambda found: found > 0)


@asynccontextmanager
async def colliding(url: str) -> AsyncIterator[tuple[PostgresDatabase, PostgresDatabase]]:
    """One that never gives way, and one that finds the collision first."""
    async with (
        opened(f"{url}?deadlock_timeout=60s") as stubborn,
        opened(f"{url}?deadlock_timeout=700ms") as yielding,
    ):
        await attempts(stubborn)
        yield stubborn, yielding


async def test_a_collision_at_the_first_statement_is_tried_again(
    postgres_url: str, raw: Any
) -> None:
    async with colliding(postgres_url) as (stubborn, yielding):

        async def interrupt() -> int:
            async with yielding.transaction() as tx:
                return await tx.execute(
                    "interrupt_attempts", at=1, error="", product_id="p", id="none"
                )

        async with stubborn.transaction() as tx:
            await tx.execute("note_attempt", id="a2", spent="{}", trace="{}")
            other = asyncio.create_task(interrupt())  # takes a1, then waits for a2
            await waiting_for_a_lock(raw)
            await tx.execute("note_attempt", id="a1", spent="{}", trace="{}")

        assert await asyncio.wait_for(other, LONG) == 2


async def test_a_collision_in_the_middle_takes_everything_back(postgres_url: str, raw: Any) -> None:
    async with colliding(postgres_url) as (stubborn, yielding):

        async def cross() -> None:
            async with yielding.transaction() as tx:
                await tx.execute("append_events", events="[]")
                await tx.execute("note_attempt", id="a1", spent="{}", trace="{}")
                await tx.execute("note_attempt", id="a2", spent="{}", trace="{}")

        async with stubborn.transaction() as tx:
            await tx.execute("note_attempt", id="a2", spent="{}", trace="{}")
            other = asyncio.create_task(cross())
            await waiting_for_a_lock(raw)
            await tx.execute("note_attempt", id="a1", spent="{}", trace="{}")

        with pytest.raises(StoreBusy, match="note_attempt was not done, try again"):
            await other
        assert await count(stubborn) == 0


async def test_a_lock_that_is_never_given_back_is_not_waited_for_forever(postgres_url: str) -> None:
    async with (
        opened(postgres_url) as holder,
        opened(postgres_url, statement_seconds=0.2) as database,
    ):
        await attempts(holder)
        async with holder.transaction() as held:
            await held.execute("note_attempt", id="a1", spent="{}", trace="{}")

            async def write() -> None:
                async with database.transaction() as tx:
                    await tx.execute("append_events", events="[]")
                    await tx.execute("note_attempt", id="a1", spent="{}", trace="{}")

            with pytest.raises(StoreBusy):
                await write()
        assert await count(database) == 0


async def test_a_statement_that_takes_too_long_is_stopped(postgres_url: str) -> None:
    async with opened(postgres_url, statement_seconds=0.1) as database:
        with pytest.raises(StoreError, match="query nap took too long"):
            await database.pool.repeat(lambda raw: raw.execute("SELECT pg_sleep(60)"), "nap")
        assert await count(database) == 0


async def test_a_transaction_that_stands_still_holds_no_locks(postgres_url: str, raw: Any) -> None:
    idle = "SELECT COUNT(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'"

    async def stand_still(database: PostgresDatabase) -> None:
        async with database.transaction() as tx:
            await tx.execute("append_events", events="[]")
            await until(raw, f"{idle} AND datname = current_database()", lambda found: found == 0)
            await tx.execute("append_events", events="[]")

    async with opened(postgres_url, statement_seconds=0.1) as database:
        with pytest.raises(DatabaseAway):
            await stand_still(database)
        assert await count(database) == 0


async def test_sessions_carry_our_name_unless_the_address_gives_another(
    postgres_url: str, raw: Any
) -> None:
    asked = (
        "SELECT COUNT(*) FROM pg_stat_activity"
        " WHERE application_name = $1 AND datname = current_database()"
    )
    async with opened(postgres_url), opened(f"{postgres_url}?application_name=mine"):
        assert await raw.fetchval(asked, "specfactory") == 1
        assert await raw.fetchval(asked, "mine") == 1


async def test_the_unix_socket_is_an_address_too(postgres: PostgresServer) -> None:
    async with opened(postgres.socket_address("postgres")) as database:
        assert await database.fetch("golden_products") == []


# --- the schema ----------------------------------------------------------------------

MIGRATE = """
import asyncio, sys
from specfactory.adapters.postgres.database import PostgresDatabase

async def main():
    database = PostgresDatabase(sys.argv[1])
    sys.stdin.readline()
    print(await database.migrate())
    await database.close()
asyncio.run(main())
"""


async def test_processes_migrate_at_once(empty_url: str) -> None:
    async def started() -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-c", MIGRATE, empty_url,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip

    processes = await asyncio.gather(*(started() for _ in range(3)))

    said = await asyncio.gather(*(process.communicate(b"go\n") for process in processes))

    assert [int(out) for out, _ in said] == [load_migrations(TYPES)[-1].version] * 3


async def test_a_newer_schema_is_refused_and_left_alone(empty_url: str) -> None:
    async with opened(empty_url):
        pass
    raw = await asyncpg.connect(empty_url)
    await raw.execute("INSERT INTO schema_version VALUES (99, 'later')")
    await raw.close()

    with pytest.raises(NewerSchema, match="schema 99"):
        async with opened(empty_url):
            pass


async def test_a_running_process_writes_to_no_schema_newer_than_its_own(empty_url: str) -> None:
    async with opened(empty_url) as database:
        raw = await asyncpg.connect(empty_url)
        await raw.execute("INSERT INTO schema_version VALUES (99, 'later')")
        await raw.close()

        with pytest.raises(NewerSchema, match="schema 99, this version knows"):
            async with database.transaction() as tx:
                await tx.execute("save_contract", digest="d", category="mouse", body=b"")
        assert await database.fetch("get_contract", digest="d") == []


async def test_a_user_who_may_only_select_reads_everything(empty_url: str) -> None:
    async with opened(empty_url):
        pass
    raw = await asyncpg.connect(empty_url)
    role = f"looker{time.monotonic_ns()}"
    await raw.execute(
        f"CREATE ROLE {role} LOGIN PASSWORD 'x';"
        f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}"
    )
    scheme, _, place = empty_url.partition("://")
    url = f"{scheme}://{role}:x@{place.rpartition('@')[2]}"
    settings = load(environment={}, flags={"database_url": url})

    async with open_factory(settings) as bench:
        assert (await bench.jobs.stats()).total == 0
        assert [one async for one in bench.records.list()] == []
        assert await bench.reviews.list_open() == []
        look = await Watch(bench.database, settings, ("product",)).look(bench.clock.now())
        assert look.depth.left == 0
        with pytest.raises(StoreError, match="permission denied"):
            async with bench.database.transaction() as tx:
                await bench.jobs.add(tx, [NewJob("page", "p")], bench.clock.now())
    await raw.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")
    await raw.close()


async def test_a_failing_migration_leaves_nothing_behind(
    empty_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = (Migration(1, "broken", ("CREATE TABLE good (a BIGINT)", "CREATE TABLE bad (")),)
    monkeypatch.setattr(postgres_database, "load_migrations", lambda _: broken)

    with pytest.raises(StoreError, match="migration broken failed"):
        async with opened(empty_url):
            pass
    raw = await asyncpg.connect(empty_url)
    assert await raw.fetchval("SELECT COUNT(*) FROM pg_tables WHERE schemaname = 'public'") == 0
    await raw.close()


async def test_a_database_that_cannot_keep_all_text_is_refused(postgres: PostgresServer) -> None:
    raw = await asyncpg.connect(postgres.url)
    await raw.execute("CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0")
    try:
        with pytest.raises(StoreError, match="SQL_ASCII; make one with encoding UTF8"):
            async with opened(postgres.address("ascii")):
                pass
    finally:
        await raw.execute("DROP DATABASE ascii WITH (FORCE)")
        await raw.close()


async def test_a_missing_database_and_an_unknown_user_are_named(postgres: PostgresServer) -> None:
    with pytest.raises(StoreError, match="does not exist; create it with: createdb"):
        async with opened(postgres.address("no_such")):
            pass
    with pytest.raises(StoreError, match=r"refuses us: .*; correct database_url"):
        async with opened(postgres.url.replace("spec@", "stranger@")):
            pass


async def test_all_text_sorts_by_its_bytes_as_in_sqlite(raw: Any) -> None:
    other = await raw.fetch(
        "SELECT table_name, column_name FROM information_schema.columns"
        " WHERE table_schema = 'public' AND data_type = 'text'"
        " AND collation_name IS DISTINCT FROM 'C' AND table_name <> 'schema_version'"
    )

    assert [tuple(row) for row in other] == []


async def test_busy_tables_are_swept_early(raw: Any) -> None:
    found = await raw.fetch(
        "SELECT relname FROM pg_class WHERE 'autovacuum_vacuum_threshold=1000' = ANY (reloptions)"
    )

    assert {row[0] for row in found} == set(postgres_database.BUSY_TABLES)


# --- the named queries ---------------------------------------------------------------

QUERIES = load_queries("postgres")


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
async def test_every_named_query_is_understood_and_gives_what_sqlite_gives(
    query: Query, raw: Any
) -> None:
    text, order = query.numbered()
    shared = load_queries()[query.name]

    prepared = await raw.prepare(text)

    assert set(order) == set(shared.parameters)
    if shared.reads:
        assert [column.name for column in prepared.get_attributes()] == _columns(shared)


def _columns(query: Query) -> list[str]:
    raw = _sqlite()
    cursor = raw.execute(query.text, dict.fromkeys(query.parameters, 1))
    names = [column[0] for column in cursor.description]
    raw.close()
    return names


def _sqlite() -> Any:
    import sqlite3

    from specfactory.adapters.sqlite import database as sqlite_database

    raw = sqlite3.connect(":memory:")
    for step in load_migrations(sqlite_database.TYPES):
        for statement in step.statements:
            raw.execute(statement)
    return raw


async def test_sums_are_whole_numbers(database: PostgresDatabase) -> None:
    await attempts(database)
    async with database.transaction() as tx:
        for host in ("a", "b"):
            await tx.execute("save_verdict", product_id="p", host=host, field="f", is_right=1)

    rows = await database.fetch("accuracies_of_category", category="c")

    assert [type(row["right_count"]) for row in rows] == [int, int]


@pytest.mark.parametrize("plan", ["force_custom_plan", "force_generic_plan"])
async def test_the_claim_goes_by_its_index_and_meets_nothing_else(plan: str, raw: Any) -> None:
    await raw.execute(
        "INSERT INTO jobs (kind, key, category, status, priority, priority_reason, payload, tags,"
        " overrides, added_at, added_by, due_at, attempts, max_attempts)"
        " SELECT 'product', n, '', CASE WHEN n % 4 = 0 THEN 'queued' ELSE 'complete' END,"
        " 1 + n % 5, '', '', '', '', n, '', n, 0, 3 FROM generate_series(1, 20000) AS n"
    )
    await raw.execute("ANALYZE jobs")
    text, order = QUERIES["claim_jobs"].numbered()
    given = {"kinds": '{"product": 0}', "now": 99_999, "count": 10, "owner": "w", "until": 1}

    await raw.execute(f"SET plan_cache_mode = {plan}")
    plans = await raw.fetch(f"EXPLAIN {text}", *(given[name] for name in order))

    steps = "\n".join(row[0] for row in plans)
    assert "jobs_claim" in steps, steps
    assert "Seq Scan on jobs" not in steps, steps
    assert "Sort" not in steps.partition("jobs_claim")[0].rpartition("LockRows")[2], steps


# --- the clock -----------------------------------------------------------------------


async def test_the_clock_follows_the_servers_from_the_first_query_on(
    postgres_url: str, raw: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_hour_late = PostgresClock(wall=lambda: time.time() - 3600)
    monkeypatch.setattr(postgres_database, "PostgresClock", lambda: an_hour_late)
    before = an_hour_late.now()

    async with opened(postgres_url) as database:
        told = await raw.fetchval("SELECT EXTRACT(EPOCH FROM clock_timestamp()) * 1000")

        assert choose_clock(database).now() == pytest.approx(float(told), abs=200)
        assert before < float(told) - 3_000_000


async def test_sqlite_goes_by_this_machines_clock() -> None:
    database = SqliteDatabase("sqlite:///:memory:")

    assert choose_clock(database).now() == pytest.approx(time.time() * 1000, abs=1000)
    await database.close()


# --- choosing it ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://",
        "postgres://u:secret@host",
        "postgresql://u:secret@host:port/x",
        "mysql://u:secret@h/x",
    ],
)
def test_a_mistyped_address_says_what_is_allowed_and_no_password(url: str) -> None:
    with pytest.raises(SettingError, match="postgresql://user:password@host") as refused:
        choose_database(Settings(database_url=url))
    assert "secret" not in str(refused.value)


def test_a_database_is_named_without_its_password() -> None:
    server = Settings(database_url="postgresql://u:p@ss@db.example:5432/factory?sslmode=require")

    assert name_database(server) == "PostgreSQL db.example:5432/factory"
    assert name_database(Settings()) == "SQLite specfactory-data/factory.db"


def test_without_the_extra_the_words_say_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("specfactory.adapters.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "asyncpg", None)

    with pytest.raises(UsageError, match=r"pip install 'specfactory\[postgres\]'"):
        choose_database(Settings(database_url="postgresql://localhost/x"))
