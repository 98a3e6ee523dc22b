"""One behavioural suite for the Database port, run against every adapter."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from specfactory.adapters.sqlite.database import TYPES, SqliteDatabase
from specfactory.errors import NewerSchema, SettingError, StorageFull, StoreError
from specfactory.ports import Database, Transaction
from specfactory.sql import load_migrations, load_queries
from specfactory.sql.loader import parse_queries


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "factory.db"


@pytest.fixture
def database(db: Database) -> Database:
    return db


async def add(database: Database, events: str = "[]") -> None:
    async with database.transaction() as tx:
        await tx.execute("append_events", events=events)


async def count(database: Database) -> int:
    return len(await database.fetch("recent_events", limit=1000))


# --- every adapter -------------------------------------------------------------------


async def test_what_is_committed_can_be_read(database: Database) -> None:
    await add(database, '["a"]')

    rows = await database.fetch("recent_events", limit=10)

    assert [dict(row) for row in rows] == [{"id": 1, "events": '["a"]'}]


async def test_an_exception_rolls_everything_back(database: Database) -> None:
    async def write() -> None:
        async with database.transaction() as tx:
            await tx.execute("append_events", events="[]")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await write()
    assert await count(database) == 0


async def test_a_failed_statement_names_its_query_and_rolls_back(database: Database) -> None:
    async def write() -> None:
        async with database.transaction() as tx:
            await tx.execute("append_events", events="[]")
            await tx.execute("add_yield", host="h", category=None, failures=0, seconds=0.0)

    with pytest.raises(StoreError, match="query add_yield failed"):
        await write()
    assert await count(database) == 0


async def test_a_reference_to_nothing_is_refused(database: Database) -> None:
    golden = {"product_id": "no such", "field": "f", "value": "1", "actor": "", "set_at": 1}

    async def write() -> None:
        async with database.transaction() as tx:
            await tx.execute("set_golden", **golden)

    with pytest.raises(StoreError, match="set_golden"):
        await write()


async def test_a_transaction_reads_its_own_writes(database: Database) -> None:
    async with database.transaction() as tx:
        await tx.execute("append_events", events="[]")

        assert len(await tx.fetch("recent_events", limit=9)) == 1


async def test_nobody_else_reads_what_is_not_committed(database: Database) -> None:
    written, look = asyncio.Event(), asyncio.Event()

    async def write() -> None:
        async with database.transaction() as tx:
            await tx.execute("append_events", events="[]")
            written.set()
            await look.wait()
            raise RuntimeError("never mind")

    async def read() -> int:
        await written.wait()
        reading = asyncio.ensure_future(count(database))
        await asyncio.wait([reading], timeout=0.05)  # a shared connection waits for the end
        look.set()
        return await reading

    _, seen = await asyncio.gather(write(), read(), return_exceptions=True)

    assert seen == 0


async def test_reading_through_the_database_inside_a_transaction_does_not_hang(
    database: Database,
) -> None:
    async with database.transaction() as tx:
        await tx.execute("append_events", events="[]")

        assert await asyncio.wait_for(count(database), 30) in (0, 1)


async def test_a_transaction_inside_a_transaction_is_refused(database: Database) -> None:
    async with database.transaction():
        with pytest.raises(StoreError, match="inside a transaction"):
            await add(database)


async def test_transactions_come_one_after_the_other(database: Database) -> None:
    await asyncio.gather(*(add(database) for _ in range(20)))

    assert await count(database) == 20


async def test_execute_tells_how_many_rows_changed(database: Database) -> None:
    async with database.transaction() as tx:
        await tx.execute("append_events", events="[]")

        assert await tx.execute("events_delivered", id=1) == 1
        assert await tx.execute("events_delivered", id=2) == 0


async def test_execute_many_runs_once_per_row_and_takes_none(database: Database) -> None:
    async with database.transaction() as tx:
        await tx.execute_many("append_events", [{"events": "1"}, {"events": "2"}])
        await tx.execute_many("append_events", [])

    assert await count(database) == 2


async def test_what_follows_sees_what_was_posted(database: Database) -> None:
    async with database.transaction() as tx:
        await tx.post("append_events", events="[1]")

        assert await tx.execute("events_delivered", id=1) == 1
        await tx.post("append_events", events="[2]")
        assert len(await tx.fetch("recent_events", limit=5)) == 2
        await tx.post("append_events", events="[3]")

    assert await count(database) == 3


async def test_many_statements_may_be_posted(database: Database) -> None:
    async with database.transaction() as tx:
        for _ in range(900):
            await tx.post("append_events", events="[]")

    assert await count(database) == 900


async def test_what_is_wrong_with_a_posted_statement_takes_the_whole_back(
    database: Database,
) -> None:
    async def write() -> None:
        async with database.transaction() as tx:
            await tx.execute("append_events", events="[]")
            await tx.post("append_events", events=None)

    with pytest.raises(StoreError, match="append_events"):
        await write()

    assert await count(database) == 0
    await add(database)
    assert await count(database) == 1


async def test_a_transaction_that_is_given_up_takes_back_what_was_posted(
    database: Database,
) -> None:
    async def write() -> None:
        async with database.transaction() as tx:
            await tx.post("append_events", events="[]")
            raise RuntimeError("never mind")

    with pytest.raises(RuntimeError):
        await write()

    assert await count(database) == 0


async def test_what_is_asked_at_once_is_answered_each_for_itself(database: Database) -> None:
    async with database.transaction() as tx:
        for number in range(9):
            await tx.post("append_events", events=f"[{number}]")

    asked = [database.fetch("recent_events", limit=limit) for limit in range(9)]
    given_up = asyncio.ensure_future(database.fetch("recent_events", limit=9))
    await asyncio.sleep(0)
    given_up.cancel()
    answers = await asyncio.gather(*asked)

    assert [len(rows) for rows in answers] == list(range(9))


async def test_a_question_that_cannot_be_answered_harms_no_other(tmp_path: Path) -> None:
    database = SqliteDatabase(f"sqlite:///{tmp_path}/factory.db")
    await database.migrate()

    good, bad = await asyncio.gather(
        database.fetch("recent_events", limit=1),
        database.fetch("recent_events", limit=1 << 70),
        return_exceptions=True,
    )
    await database.close()

    assert good == []
    assert isinstance(bad, StoreError)


async def test_cancelling_in_the_middle_rolls_back_and_leaves_it_usable(database: Database) -> None:
    inside = asyncio.Event()

    async def write() -> None:
        async with database.transaction() as tx:
            await tx.execute("append_events", events="[]")
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(write())
    await inside.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    await add(database)
    assert await count(database) == 1


async def test_cancelling_at_any_moment_is_all_or_nothing(database: Database) -> None:
    whole = '["both"]'

    async def write() -> None:
        async with database.transaction() as tx:
            await tx.execute("append_events", events=whole)
            await tx.execute("append_events", events=whole)

    for turns in range(12):
        task = asyncio.create_task(write())
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

        assert await count(database) % 2 == 0
    await add(database)


async def test_a_write_outside_a_transaction_is_refused(database: Database) -> None:
    with pytest.raises(StoreError, match="needs a transaction"):
        await database.fetch("append_events", events="[]")


async def test_an_unknown_query_and_wrong_parameters_are_named(database: Database) -> None:
    with pytest.raises(StoreError, match="no_such_query"):
        await database.fetch("no_such_query")
    with pytest.raises(StoreError, match="recent_events takes limit; given most"):
        await database.fetch("recent_events", most=3)


async def test_text_no_database_takes_is_written_with_a_mark(database: Database) -> None:
    await add(database, "a\x00b\ud800c\nd")

    [row] = await database.fetch("recent_events", limit=1)
    assert row["events"] == "a\ufffdb\ufffdc\nd"


async def test_a_finished_transaction_takes_no_more(database: Database) -> None:
    async with database.transaction() as tx:
        pass

    with pytest.raises(StoreError, match="has ended"):
        await tx.execute("append_events", events="[]")


async def test_migrating_twice_changes_nothing(database: Database) -> None:
    await add(database)

    assert await database.migrate() == await database.migrate()
    assert await count(database) == 1


async def test_closing_twice_is_harmless_and_use_afterwards_is_named(database: Database) -> None:
    await database.close()
    await database.close()

    with pytest.raises(StoreError, match="closed"):
        await database.fetch("recent_events", limit=1)


# --- SQLite --------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["memory", "disk"])
async def test_cancelling_twice_does_not_leave_a_rollback_behind(place: str, file: Path) -> None:
    database = await opened(":memory:" if place == "memory" else file)
    inside, busy = asyncio.Event(), threading.Event()

    async def write() -> None:
        async with database.transaction() as tx:
            await tx.execute("append_events", events="[]")
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(write())
    await inside.wait()
    database._writer.submit(lambda _: busy.wait(30), "hold the thread")
    for _ in range(2):
        task.cancel()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    busy.set()
    await asyncio.gather(task, return_exceptions=True)

    assert await count(database) == 0
    await database.close()


# --- SQLite files --------------------------------------------------------------------


async def opened(place: Path | str) -> SqliteDatabase:
    database = SqliteDatabase(f"sqlite:///{place}", busy_seconds=0.05)
    await database.migrate()
    return database


async def test_a_reader_does_not_wait_for_a_writer(file: Path) -> None:
    database = await opened(file)
    async with database.transaction() as tx:
        await tx.execute("append_events", events="[]")

        assert await asyncio.wait_for(count(database), 30) == 0
    assert await count(database) == 1
    await database.close()


async def test_a_file_is_durable_and_keeps_its_references(file: Path) -> None:
    database = await opened(file)

    def pragma(name: str) -> object:
        return database._writer._call(lambda raw: raw.execute(f"PRAGMA {name}").fetchone()[0], name)

    loop, thread = asyncio.get_running_loop(), database._writer._thread
    found = [
        await loop.run_in_executor(thread, pragma, name)
        for name in ("journal_mode", "synchronous", "foreign_keys")
    ]

    assert found == ["wal", 2, 1]
    await database.close()


@pytest.mark.parametrize("url", ["factory.db", "postgres://x", "sqlite:///", "sqlite:////"])
def test_a_mistyped_address_says_what_is_allowed(url: str) -> None:
    with pytest.raises(SettingError, match=r"sqlite:///relative/file\.db"):
        SqliteDatabase(url)


async def test_a_relative_address_starts_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    await (await opened("kept/here.db")).close()

    assert (tmp_path / "kept" / "here.db").is_file()


async def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear reader, this is no database at all. " * 40)
    before = file.read_bytes()

    with pytest.raises(StoreError, match=r"letter\.txt is no intact database"):
        await opened(file)
    assert file.read_bytes() == before


async def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageFull, match=str(tmp_path)):
        await opened(tmp_path)


async def test_a_file_where_a_folder_should_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(StorageFull, match="cannot write to"):
        await opened(tmp_path / "file" / "factory.db")


async def test_a_newer_schema_is_refused_and_left_alone(file: Path) -> None:
    await (await opened(file)).close()
    with sqlite3.connect(file) as raw:
        raw.execute("INSERT INTO schema_version VALUES (99, 'later')")
    raw.close()
    database = SqliteDatabase(f"sqlite:///{file}")

    with pytest.raises(NewerSchema, match="schema 99"):
        await database.migrate()
    await database.close()


async def test_a_failing_migration_leaves_nothing_behind(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from specfactory.adapters.sqlite import database as sqlite_database
    from specfactory.sql import Migration

    broken = (Migration(1, "broken", ("CREATE TABLE good (a BIGINT)", "CREATE TABLE bad (")),)
    monkeypatch.setattr(sqlite_database, "load_migrations", lambda _: broken)
    database = SqliteDatabase(f"sqlite:///{file}")

    with pytest.raises(StoreError, match="migration broken failed"):
        await database.migrate()
    await database.close()
    with sqlite3.connect(file) as raw:
        assert raw.execute("SELECT COUNT(*) FROM sqlite_master").fetchone() == (0,)
    raw.close()


async def test_a_held_file_is_reported_after_a_bounded_wait(file: Path) -> None:
    database = await opened(file)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreError, match="held by another process"):
        await add(database)
    other.execute("ROLLBACK")
    other.close()
    await add(database)
    await database.close()


async def test_a_full_database_keeps_what_was_written_before(file: Path) -> None:
    database = await opened(file)
    await add(database)
    await database._writer.run(lambda raw: raw.execute("PRAGMA max_page_count = 40"), "cap")

    with pytest.raises(StorageFull, match=r"no space is left; what was written before is intact"):
        await add(database, "x" * 1_000_000)
    await add(database)
    assert await count(database) == 2
    await database.close()


# --- other processes -----------------------------------------------------------------

PRELUDE = """
import asyncio, os, resource, sqlite3, sys
from specfactory.adapters.sqlite.database import SqliteDatabase
from specfactory.errors import StoreError

async def add(database, events="[]"):
    async with database.transaction() as tx:
        await tx.execute("append_events", events=events)
"""
Script = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def script() -> Iterator[Script]:
    started: list[subprocess.Popen[str]] = []

    def start(body: str, *arguments: object) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", PRELUDE + body, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


async def test_a_crash_between_statements_leaves_neither(file: Path, script: Script) -> None:
    await (await opened(file)).close()
    crash = """
async def main():
    database = SqliteDatabase("sqlite:///" + sys.argv[1])
    await database.migrate()
    await add(database)
    async with database.transaction() as tx:
        await tx.execute("append_events", events="[]")
        os._exit(7)
asyncio.run(main())
"""
    process = script(crash, file)
    process.communicate(timeout=60)
    database = await opened(file)

    assert process.returncode == 7
    assert await count(database) == 1
    await database.close()


async def test_an_interrupt_in_the_middle_ends_at_once_and_leaves_nothing_half_done(
    file: Path, script: Script
) -> None:
    interrupted = """
async def main():
    database = SqliteDatabase("sqlite:///" + sys.argv[1])
    await database.migrate()
    async with database.transaction() as tx:
        await tx.execute("append_events", events="[]")
        print("inside", flush=True)
        await asyncio.Event().wait()
try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("interrupted")
"""
    process = script(interrupted, file)
    assert process.stdout is not None
    assert process.stdout.readline() == "inside\n"
    process.send_signal(2)
    said, _ = process.communicate(timeout=60)
    database = await opened(file)

    assert said == "interrupted\n"
    assert await count(database) == 0
    await database.close()


async def test_two_processes_migrate_and_write_at_once(file: Path, script: Script) -> None:
    write = """
async def main():
    sys.stdin.readline()
    database = SqliteDatabase("sqlite:///" + sys.argv[1])
    await database.migrate()
    for _ in range(25):
        async with database.transaction() as tx:
            known = len(await tx.fetch("recent_events", limit=999))
            await tx.execute("append_events", events=str(known))
    await database.close()
asyncio.run(main())
"""
    processes = [script(write, file) for _ in range(3)]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate(timeout=60)[0] for process in processes]
    database = await opened(file)

    counted = [row["events"] for row in await database.fetch("recent_events", limit=999)]

    assert said == ["", "", ""]
    assert counted == [str(number) for number in reversed(range(75))]  # nobody saw the same
    await database.close()


async def test_a_new_file_in_which_another_process_means_to_write_is_waited_for(
    file: Path, script: Script
) -> None:
    hold = """
other = sqlite3.connect(sys.argv[1], isolation_level=None)
other.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
other.execute("COMMIT")
"""
    file.parent.mkdir(parents=True)
    process = script(hold, file)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    database = SqliteDatabase(f"sqlite:///{file}")
    migrating = asyncio.create_task(database.migrate())
    await asyncio.wait([migrating], timeout=0.05)
    process.stdin.write("go\n")
    process.stdin.flush()

    assert await asyncio.wait_for(migrating, 60) > 0
    process.communicate(timeout=60)
    await database.close()


async def test_a_full_disk_is_one_clear_line(file: Path, script: Script) -> None:
    await (await opened(file)).close()
    fill = """
async def main():
    database = SqliteDatabase("sqlite:///" + sys.argv[1])
    await add(database)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
    try:
        await add(database, os.urandom(1_000_000).hex())
    except StoreError as problem:
        print(type(problem).__name__, problem)
    await add(database)
    print(len(await database.fetch("recent_events", limit=9)))
    await database.close()
asyncio.run(main())
"""
    said, _ = script(fill, file).communicate(timeout=60)

    assert said == (
        f"StorageFull cannot write to {file}: the disk refused, it may be full; "
        "what was written before is intact\n2\n"
    )


@pytest.fixture(params=["folder", "file"])
def read_only(request: pytest.FixtureRequest) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:  # the test run's own folders are closed to others
        place = Path(name) / "factory.db"
        if request.param == "file":
            asyncio.run(_made(place))
            place.chmod(0o444)
        place.parent.chmod(0o555)
        yield place
        place.parent.chmod(0o755)


async def _made(place: Path) -> None:
    await (await opened(place)).close()


def test_a_read_only_place_is_one_clear_line(read_only: Path, script: Script) -> None:
    refused = """
import specfactory.sql
from specfactory.adapters.sqlite.database import TYPES
async def main():
    database = SqliteDatabase("sqlite:///" + sys.argv[1])
    specfactory.sql.load_queries(), specfactory.sql.load_migrations(TYPES)
    if os.geteuid() == 0:  # nothing is read-only for root
        os.setuid(65534)
    try:
        await database.migrate()
        await add(database)
    except StoreError as problem:
        print(type(problem).__name__, problem)
asyncio.run(main())
"""
    said, _ = script(refused, read_only).communicate(timeout=60)

    assert said == (
        f"StorageFull cannot write to {read_only}: the file or its folder is read-only or out of "
        "reach; what was written before is intact\n"
    )


@pytest.mark.parametrize("read_only", ["file"], indirect=True)
@pytest.mark.parametrize("is_written", [True, False])
def test_a_read_only_file_is_read_as_it_is_now(
    read_only: Path, script: Script, is_written: bool
) -> None:
    read_only.parent.chmod(0o755)
    writer = sqlite3.connect(read_only, isolation_level=None)
    writer.execute("INSERT INTO contracts VALUES ('d', 'mouse', x'00')")
    if not is_written:
        writer.close()  # its log is gone
    for file in read_only.parent.iterdir():
        file.chmod(0o444)
    read_only.parent.chmod(0o555)
    look = """
import specfactory.sql
async def main():
    database = SqliteDatabase("sqlite:///" + sys.argv[1])
    specfactory.sql.load_queries()
    if os.geteuid() == 0:  # nothing is read-only for root
        os.setuid(65534)
    await database.migrate()
    print(len(await database.fetch("get_contract", digest="d")))
    try:
        await add(database)
    except StoreError as problem:
        print(type(problem).__name__)
    await database.close()
asyncio.run(main())
"""
    said, _ = script(look, read_only).communicate(timeout=60)
    writer.close()

    assert said == "1\nStorageFull\n"


async def test_a_running_process_writes_to_no_schema_newer_than_its_own(file: Path) -> None:
    database = await opened(file)
    with sqlite3.connect(file) as raw:
        raw.execute("INSERT INTO schema_version VALUES (99, 'later')")
    raw.close()

    with pytest.raises(NewerSchema, match="schema 99, this version knows"):
        async with database.transaction() as tx:
            await add_contract(tx)
    assert await database.fetch("get_contract", digest="d") == []
    await database.close()


async def add_contract(tx: Transaction) -> None:
    await tx.execute("save_contract", digest="d", category="mouse", body=b"")


# --- the files of named queries --------------------------------------------------------


def test_every_query_is_described_and_every_migration_is_in_its_place() -> None:
    steps = load_migrations(TYPES)

    assert all(query.meaning.endswith((".", "?")) for query in load_queries().values())
    assert [step.version for step in steps] == list(range(1, len(steps) + 1))


def test_a_query_without_a_description_is_refused() -> None:
    with pytest.raises(StoreError, match=r"a\.sql: query bare needs a line"):
        list(parse_queries("-- name: bare\nSELECT 1;", "a.sql"))


def test_a_query_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    from specfactory.sql import loader

    (tmp_path / "a.sql").write_text("-- name: one\n-- It is one.\nSELECT 1;\n")
    (tmp_path / "b.sql").write_text("-- name: one\n-- It is two.\nSELECT 2;\n")

    with pytest.raises(StoreError, match=r"b\.sql: query one is there twice"):
        loader._collect(tmp_path)


def test_parameters_are_found_and_casts_are_not() -> None:
    text = "-- name: q\n-- It reads.\nSELECT :a, x::text FROM t WHERE b = :b_2 AND c = :a;"

    [query] = parse_queries(text, "a.sql")

    assert (query.parameters, query.reads) == ({"a", "b_2"}, True)
