"""The limit: our own SQL on our own tables, straight to the driver, with nothing around it."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Iterator, Sequence
from typing import Any

import asyncpg

from benchmarks.queue_ours import fill as fill_ours
from benchmarks.queue_ours import migrated
from benchmarks.queue_race import Course, Options, Servers
from specfactory.sql import load_queries

LEASE_MS = 300_000
KINDS = '{"noop":0}'
CHUNK = 1000

COLUMNS = ("kind", "key", "category", "status", "priority", "priority_reason", "payload", "tags",
           "overrides", "added_at", "added_by", "due_at", "attempts", "max_attempts")  # fmt: skip
POSTGRES_INSERT = (
    f"INSERT INTO jobs ({', '.join(COLUMNS)}) SELECT * FROM unnest($1::text[], $2::text[], "
    "$3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[], "
    "$10::bigint[], $11::text[], $12::bigint[], $13::bigint[], $14::bigint[]) "
    "ON CONFLICT DO NOTHING"
)
SQLITE_INSERT = (
    f"INSERT INTO jobs ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))}) "
    "ON CONFLICT DO NOTHING"
)


def fill(servers: Servers, jobs: int, options: Options) -> None:
    """The same tables with the same jobs as ours."""
    fill_ours(servers, jobs, options)


def work(servers: Servers, course: Course, options: Options) -> None:
    """One process: finish a batch and claim the next in one transaction, until nothing is left."""
    if options["database"] == "sqlite":
        _work_on_sqlite(servers, course, int(options["batch"]))
    else:
        asyncio.run(_work_on_postgres(servers, course, int(options["batch"])))


async def _work_on_postgres(servers: Servers, course: Course, batch: int) -> None:
    raw = await asyncpg.connect(servers.postgres, server_settings={"jit": "off"})
    queries = load_queries("postgres")
    claim, claim_order = queries["claim_jobs"].numbered()
    finish, finish_order = queries["finish_jobs"].numbered()
    claiming, finishing = await raw.prepare(claim), await raw.prepare(finish)
    course.wait_for_start()
    rows: Sequence[Any] = ()
    while True:
        params = _params(batch, rows)
        async with raw.transaction():
            if rows:
                await finishing.fetch(*(params[name] for name in finish_order))
            rows = await claiming.fetch(*(params[name] for name in claim_order))
        if not rows:
            break
        for _ in rows:
            course.count()
    await raw.close()


def _work_on_sqlite(servers: Servers, course: Course, batch: int) -> None:
    raw = _sqlite(servers)
    queries = load_queries()
    claim, finish = queries["claim_jobs"], queries["finish_jobs"]
    raw.row_factory = sqlite3.Row
    course.wait_for_start()
    rows: Sequence[Any] = ()
    while True:
        params = _params(batch, rows)
        raw.execute("BEGIN IMMEDIATE")
        if rows:
            raw.execute(finish.text, {name: params[name] for name in finish.parameters}).fetchall()
        rows = raw.execute(claim.text, {name: params[name] for name in claim.parameters}).fetchall()
        raw.execute("COMMIT")
        if not rows:
            break
        for _ in rows:
            course.count()
    raw.close()


def _params(batch: int, rows: Sequence[Any]) -> dict[str, Any]:
    now = time.time_ns() // 1_000_000
    leases = json.dumps({str(row["id"]): row["lease_token"] for row in rows})
    return {"owner": "bare", "count": batch, "kinds": KINDS, "until": now + LEASE_MS, "now": now,
            "leases": leases}  # fmt: skip


def _sqlite(servers: Servers) -> sqlite3.Connection:
    raw = sqlite3.connect(servers.sqlite, isolation_level=None)
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute("PRAGMA synchronous = FULL")
    raw.execute("PRAGMA foreign_keys = ON")
    return raw


def _rows(jobs: int) -> Iterator[tuple[Any, ...]]:
    now = time.time_ns() // 1_000_000
    for number in range(jobs):
        yield ("noop", f"job-{number}", "", "queued", 3, "", "{}", "[]", "{}", now, "bench", now,
               0, 3)  # fmt: skip


def enqueue_postgres(servers: Servers, jobs: int) -> float:
    """Jobs a second by arrays, in one transaction: the quickest way that can skip duplicates."""
    asyncio.run(migrated(servers, "postgres"))
    return asyncio.run(_enqueue_postgres(servers, jobs))


async def _enqueue_postgres(servers: Servers, jobs: int) -> float:
    raw, rows = await asyncpg.connect(servers.postgres), list(_rows(jobs))
    began = time.monotonic()
    async with raw.transaction():
        for start in range(0, jobs, CHUNK):
            columns = zip(*rows[start : start + CHUNK], strict=True)
            await raw.execute(POSTGRES_INSERT, *map(list, columns))
    seconds = time.monotonic() - began
    await raw.close()
    return jobs / seconds


def enqueue_sqlite(servers: Servers, jobs: int) -> float:
    """Jobs a second by executemany, in one transaction."""
    asyncio.run(migrated(servers, "sqlite"))
    raw, rows = _sqlite(servers), list(_rows(jobs))
    began = time.monotonic()
    raw.execute("BEGIN IMMEDIATE")
    raw.executemany(SQLITE_INSERT, rows)
    raw.execute("COMMIT")
    seconds = time.monotonic() - began
    raw.close()
    return jobs / seconds
