"""The queue's tables: the claim uses its index, and a database of the first schema goes on."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from specfactory.adapters.postgres.database import TYPES as POSTGRES_TYPES
from specfactory.adapters.postgres.database import PostgresDatabase
from specfactory.adapters.sqlite.database import TYPES, SqliteDatabase
from specfactory.model import Attempt, Budget, Cause, Identity, NewJob, Product, Verdict
from specfactory.ports import Database
from specfactory.sql import load_migrations, load_queries
from specfactory.store import Attempts, Jobs, PageReading, Products, Reading, Readings, Visits
from specfactory.store.base.codec import pack
from tests.servers import PostgresServer

MOUSE = Product("mouse", "Razer", "Viper V3 Pro", "Wireless", {"gtin": "1"}, "mouse-razer-viper")


def made_by_schema(version: int, file: Path) -> sqlite3.Connection:
    """A file as the release with that schema left it."""
    raw = sqlite3.connect(file)
    raw.execute("CREATE TABLE schema_version (version BIGINT PRIMARY KEY, name TEXT NOT NULL)")
    for step in load_migrations(TYPES)[:version]:
        for statement in step.statements:
            raw.execute(statement)
        raw.execute("INSERT INTO schema_version VALUES (?, ?)", (step.version, step.name))
    return raw


async def test_a_database_of_the_first_schema_is_migrated_and_worked_on(tmp_path: Path) -> None:
    old = made_by_schema(1, tmp_path / "f.db")
    old.execute(
        "INSERT INTO products VALUES (?, 'mouse', 'Razer', 'Viper V3 Pro', 'Wireless', "
        """'{"gtin":"1"}', 'razer', 'mouse-razer-viper', 0)""",
        (MOUSE.id,),
    )
    old.execute(
        "INSERT INTO attempts VALUES ('run_1', ?, NULL, 'complete', 5, 9, ?, ?, NULL, NULL, '{}')",
        (MOUSE.id, "{}", "{}"),
    )
    old.execute("INSERT INTO outbox (events) VALUES ('[]')")
    old.commit()
    old.close()
    db = SqliteDatabase(f"sqlite:///{tmp_path / 'f.db'}")

    assert await db.migrate() == load_migrations(TYPES)[-1].version

    assert await Products(db).get(MOUSE.id) == MOUSE
    async with db.transaction() as tx:
        await Jobs(db).add(tx, [NewJob("product", MOUSE.id)], 10)
        [job] = await Jobs(db).claim(tx, "w", 1, ["product"], 300, 10)
        await Attempts(db).start(tx, Attempt("run_2", MOUSE.id, Budget(), 10, job.id))
        assert await Jobs(db).finish(tx, [job.lease], 11) == [job.id]
    assert [one.id for one in await Attempts(db).list(MOUSE.id)] == ["run_2", "run_1"]
    await db.close()


BEFORE_CAUSES = 7
OLD_VISITS = {
    ("network_error", "TLS: certificate has expired"): "tls",
    ("network_error", "proxy: TLS: refused"): "proxy",
    ("network_error", "more than 5 redirects"): "redirect_loop",
    ("network_error", "broken gzip: invalid block"): "broken_encoding",
    ("network_error", "unknown Content-Encoding 'x'"): "broken_encoding",
    ("network_error", "the body ended before its announced end"): "cut_off",
    ("network_error", "no connection: refused"): "",
    ("timeout", "no connection in time"): "no_connection",
    ("timeout", "no complete answer within 30 s"): "",
    ("maintenance", "HTTP 503"): "status_only",
    ("maintenance", "HTTP 503 from Akamai"): "",
    ("refused", "robots.txt forbids it: Disallow: /"): "robots",
    ("refused", "gate: a private address"): "gate",
    ("refused", "binary bytes, declared as text/html"): "not_text",
    ("refused", "not a page but image/png"): "",
    ("rate_limited", "the server asked to come back in 60 s"): "asked_to_wait",
    ("js_required", "empty; a browser might help, but it cannot be used: no"): "browser_unusable",
    ("ok", "HTTP 200, TLS: proxy: certificate redirects"): "",
}
OLD_ROWS = (
    *(f"INSERT INTO visits (host, url, at, outcome, evidence, status, rung, proxy, size_bytes, "
      f"page_id, landed, garbled) VALUES ('a', 'u', {at}, '{outcome}', "
      f"'{evidence.replace(chr(39), chr(39) * 2)}', 503, 'http', '', 0, '', '', 0)"
      for at, (outcome, evidence) in enumerate(OLD_VISITS)),
    "INSERT INTO jobs (kind, key, category, status, priority, priority_reason, payload, tags, "
    "overrides, added_at, added_by, due_at, attempts, max_attempts, last_error) VALUES ('page', "
    "'https://Shop.example:8080/a/b', '', 'queued', 3, '', '{}', '[]', '{}', 0, '', 0, 1, 3, "
    "'lease expired: its worker fell silent')",
    "INSERT INTO job_errors (job_id, attempt, at, worker, station, cause, message, host, permanent)"
    " VALUES (1, 1, 0, 'w', 'fetch', 'forbidden', 'u: refused (robots.txt forbids it)', 'a', 1)",
)  # fmt: skip


@pytest.fixture(params=["sqlite", "postgres"])
async def old_database(
    request: pytest.FixtureRequest, tmp_path: Path, postgres: PostgresServer
) -> AsyncIterator[Database]:
    """A database as the release before causes left it, with some of its rows."""
    if request.param == "sqlite":
        raw = made_by_schema(BEFORE_CAUSES, tmp_path / "f.db")
        for statement in OLD_ROWS:
            raw.execute(statement)
        raw.commit()
        raw.close()
        database: Database = SqliteDatabase(f"sqlite:///{tmp_path / 'f.db'}")
        yield database
        await database.close()
        return
    session, name = await asyncpg.connect(postgres.url), f"old{time.monotonic_ns()}"
    await session.execute(f"CREATE DATABASE {name}")
    old = await asyncpg.connect(postgres.address(name))
    await old.execute("CREATE TABLE schema_version (version BIGINT PRIMARY KEY, name TEXT)")
    for step in load_migrations(POSTGRES_TYPES)[:BEFORE_CAUSES]:
        for statement in step.statements:
            await old.execute(statement)
        await old.execute("INSERT INTO schema_version VALUES ($1, $2)", step.version, step.name)
    for statement in OLD_ROWS:
        await old.execute(statement)
    await old.close()
    database = PostgresDatabase(postgres.address(name))
    yield database
    await database.close()
    await session.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await session.close()


async def test_old_rows_get_their_causes_and_hosts_from_their_texts_once(
    old_database: Database,
) -> None:
    await old_database.migrate()

    visits = await Visits(old_database).recent("a", 100)
    assert {(v.outcome, v.evidence): v.cause for v in visits} == OLD_VISITS
    [job] = await Jobs(old_database).list()
    assert (job.last_cause, job.host) == (Cause.LEASE_EXPIRED, "shop.example:8080")
    [error] = await Jobs(old_database).errors(job.id)
    assert error.page_cause is Cause.ROBOTS


def plan(raw: sqlite3.Connection, name: str) -> list[str]:
    query = load_queries()[name]
    params = dict.fromkeys(query.parameters, '{"1": 1}')
    return [row[3] for row in raw.execute(f"EXPLAIN QUERY PLAN {query.text}", params)]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("claim_jobs",
         "jobs USING INDEX jobs_claim (kind=? AND priority=? AND host=? AND due_at<?)"),
        ("claim_at_hosts",
         "jobs USING INDEX jobs_claim (kind=? AND priority=? AND host=? AND due_at<?)"),
        ("hosts_in_line", "jobs USING INDEX jobs_claim (kind=? AND priority=? AND host>?)"),
        ("next_due", "jobs USING INDEX jobs_claim (kind=? AND priority=?)"),
        ("expired_leases", "jobs USING INDEX jobs_leased (lease_until<?)"),
        ("finish_jobs", "jobs USING INTEGER PRIMARY KEY (rowid=?)"),
        ("close_run", "jobs USING INDEX jobs_left_in_run (run_id=?)"),
        ("active_subjects", "jobs USING INDEX jobs_active (key=? AND kind=?)"),
        ("subjects_of_run",
         "jobs USING COVERING INDEX jobs_of_run (run_id=? AND key=? AND kind=?)"),
        ("delete_idle_jobs", "jobs USING INDEX jobs_idle (status=?)"),
        ("age_jobs", "jobs USING INDEX jobs_idle (status=? AND finished_at<?)"),
        ("jobs_of_key", "jobs USING INDEX jobs_active (key=?)"),
        ("jobs_of_key", "jobs USING INDEX jobs_idle_by_key (key=?)"),
        ("jobs_of_key", "jobs USING COVERING INDEX jobs_of_run (run_id=? AND key=?)"),
        ("list_idle_jobs", "jobs USING INDEX jobs_idle (status=?)"),
        ("list_leased_jobs", "jobs USING INDEX jobs_leased"),
        ("list_tagged_jobs",
         "job_tags USING COVERING INDEX sqlite_autoindex_job_tags_1 (tag=? AND job_id>?)"),
    ],
)  # fmt: skip
def test_sqlite_finds_jobs_by_their_partial_indexes(
    tmp_path: Path, query: str, wanted: str
) -> None:
    raw = made_by_schema(len(load_migrations(TYPES)), tmp_path / "f.db")

    steps = plan(raw, query)

    assert {f"SEARCH {wanted}", f"SCAN {wanted}"} & {*steps}
    assert not [step for step in steps if step.startswith("SCAN jobs") and "INDEX" not in step]
    raw.close()


async def test_postgresql_claims_by_the_partial_index(postgres_url: str) -> None:
    raw = await asyncpg.connect(postgres_url)
    await raw.execute(
        "INSERT INTO jobs (kind, key, category, status, priority, priority_reason, payload, tags, "
        "overrides, added_at, added_by, due_at, attempts, max_attempts) "
        "SELECT 'product', 'k' || n, '', CASE WHEN n % 9 = 0 THEN 'complete' ELSE 'queued' END, "
        "3, '', '{}', '[]', '{}', n, '', n, 0, 3 FROM generate_series(1, 20000) AS n"
    )
    await raw.execute("ANALYZE jobs")
    text, order = load_queries("postgres")["claim_jobs"].numbered()
    given = {"kinds": '{"product": 0}', "now": 30000, "count": 100, "owner": "w", "until": 9}

    rows = await raw.fetch(f"EXPLAIN {text}", *(given[name] for name in order))

    steps = "\n".join(row[0] for row in rows)
    assert "Index Scan using jobs_claim" in steps or "Index Only Scan using jobs_claim" in steps
    assert "Seq Scan on jobs" not in steps
    await raw.close()


FILLED = (
    "INSERT INTO jobs (kind, key, category, status, priority, priority_reason, payload, tags, "
    "overrides, added_at, added_by, due_at, attempts, max_attempts) "
    "SELECT 'product', 'k' || n, '', CASE WHEN n % 9 = 0 THEN 'complete' ELSE 'queued' END, "
    "3, '', '{}', CASE WHEN n % 100 = 0 THEN '[\"t\"]' ELSE '[]' END, '{}', n, '', n, 0, 3 "
    "FROM generate_series(1, 20000) AS n"
)


@pytest.mark.parametrize(
    ("query", "given"),
    [
        ("jobs_of_key", {"key": "k77"}),
        ("list_tagged_jobs", {"tag": "t", "after": 0, "limit": 5, "status": None,
                              "category": None, "kind": None, "run_id": None}),
        ("list_idle_jobs", {"status": "failed", "after": 0, "limit": 5, "category": None,
                            "kind": None, "run_id": None}),
        ("list_leased_jobs", {"after": 0, "limit": 5, "category": None, "kind": None,
                              "run_id": None}),
        ("newest_job", {}),
        ("count_jobs", {}),
    ],
)  # fmt: skip
async def test_postgresql_looks_jobs_up_without_reading_them_all(
    postgres_url: str, query: str, given: dict[str, object]
) -> None:
    raw = await asyncpg.connect(postgres_url)
    await raw.execute(FILLED)
    await raw.execute("ANALYZE")
    text, order = load_queries("postgres")[query].numbered()

    rows = await raw.fetch(f"EXPLAIN {text}", *(given[name] for name in order))

    assert "Seq Scan on jobs" not in "\n".join(row[0] for row in rows)
    await raw.close()


async def test_a_database_with_jobs_is_counted_and_indexed_by_the_new_schema(
    tmp_path: Path,
) -> None:
    old = made_by_schema(13, tmp_path / "f.db")
    for number, status in enumerate(("queued", "queued", "failed")):
        old.execute(
            "INSERT INTO jobs (kind, key, category, status, priority, priority_reason, payload, "
            "tags, overrides, added_at, added_by, due_at, attempts, max_attempts) "
            """VALUES ('product', ?, '', ?, 3, '', '{}', '["spring"]', '{}', 0, '', 0, 0, 3)""",
            (f"k{number}", status),
        )
    old.commit()
    old.close()
    db = SqliteDatabase(f"sqlite:///{tmp_path / 'f.db'}")

    await db.migrate()

    jobs = Jobs(db)
    assert (await jobs.stats()).by_kind() == {"product": 2}
    assert [job.key for job in await jobs.list(tag="spring", status="failed")] == ["k2"]
    await db.close()


async def test_readings_of_products_and_of_categories_move_into_one_table(tmp_path: Path) -> None:
    identity = Identity(Verdict.SAME, 1.0, ())
    of_product = Reading(MOUSE.id, "page-1", "d1", identity)
    of_category = PageReading("page-1", "mouse", "d2")
    old = made_by_schema(7, tmp_path / "f.db")
    old.execute(
        "INSERT INTO pages (id, url, final_url, host, tier, fetched_at, outcome, outcome_evidence,"
        " status, headers, media_type, charset, size_bytes, timings_ms) VALUES ('page-1', 'u', 'u',"
        " 'h', 'tier3_retailer', 5, 'ok', '', 200, '{}', 'text/html', '', 0, '{}')"
    )
    old.execute("INSERT INTO readings VALUES (?, 'page-1', 'd1', ?)", (MOUSE.id, pack(of_product)))
    old.execute(
        "INSERT INTO page_readings VALUES ('page-1', 'mouse', 'd2', ?)", [pack(of_category)]
    )
    old.commit()
    old.close()
    db = SqliteDatabase(f"sqlite:///{tmp_path / 'f.db'}")

    await db.migrate()

    readings = Readings(db)
    assert await readings.for_product(MOUSE.id) == [of_product]
    assert [one.reading async for one in readings.for_category("mouse")] == [of_category]
    assert await readings.digest("page-1", product_id=MOUSE.id) == "d1"
    assert await readings.digest("page-1", category="mouse") == "d2"
    await db.close()
