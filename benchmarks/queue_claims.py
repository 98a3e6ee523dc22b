"""How long a claim takes while few or very many jobs are waiting, many of them not yet due."""

from __future__ import annotations

import asyncio
import math
import sqlite3
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import asyncpg

from benchmarks.queue_ours import KIND, migrated, settings_for
from benchmarks.queue_race import Servers
from specfactory.assembly import choose_database
from specfactory.ports import Database
from specfactory.store import Jobs

BATCH = 5
LATER = 10  # one job in so many is urgent, but scheduled for tomorrow: it must not be in the way
DAY_MS = 86_400_000

COLUMNS = """INSERT INTO jobs (kind, key, category, status, priority, priority_reason, payload,
    tags, overrides, added_at, added_by, due_at, attempts, max_attempts)"""
VALUES = f"""'{KIND}', 'job-' || n, '', 'queued',
    CASE WHEN n % {LATER} = 0 THEN 1 ELSE 2 + n % 4 END, '', '{{{{}}}}', '[]', '{{{{}}}}',
    {{now}}, 'bench', {{now}} - n + CASE WHEN n % {LATER} = 0 THEN {DAY_MS} ELSE 0 END, 0, 3"""
WAITING = f"{COLUMNS} SELECT {VALUES}"
UP_TO = "WITH RECURSIVE given (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM given WHERE n < {jobs}) "


@dataclass
class Queue:
    """A filled queue and the times of its claims."""

    database: Database
    seconds: list[float] = field(default_factory=list)

    async def claim(self) -> None:
        """Time one claim; its commit waits for the disk, whatever else is in the queue."""
        now = time.time_ns() // 1_000_000
        async with self.database.transaction() as tx:
            began = time.perf_counter()
            claimed = await Jobs(self.database).claim(tx, "bench", BATCH, (KIND,), 300, now)
            self.seconds.append(time.perf_counter() - began)
        assert len(claimed) == BATCH


def growth(few: Servers, many: Servers, database: str, sizes: tuple[int, int], times: int) -> float:
    """The 99th percentile with many waiting, over that with few; claims are taken in turns."""
    asyncio.run(filled(few, database, sizes[0]))
    asyncio.run(filled(many, database, sizes[1]))
    return asyncio.run(_growth(few, many, database, times))


async def _growth(few: Servers, many: Servers, database: str, times: int) -> float:
    queues = [Queue(choose_database(settings_for(one, database))) for one in (few, many)]
    for queue in queues:
        await queue.claim()  # plans are made, pages are read
        queue.seconds.clear()
    for _ in range(times):
        for queue in queues:
            await queue.claim()
    for queue in queues:
        await queue.database.close()
    return percentile_99(queues[1].seconds) / percentile_99(queues[0].seconds)


def percentile_99(seconds: list[float]) -> float:
    """The time that one claim in a hundred exceeds."""
    return sorted(seconds)[math.ceil(len(seconds) * 0.99) - 1]


async def filled(servers: Servers, database: str, jobs: int, insert: str = WAITING) -> None:
    """Make our tables and add jobs by one statement, with ``n`` for the number of each."""
    await migrated(servers, database)
    now = time.time_ns() // 1_000_000
    if database == "sqlite":
        raw = sqlite3.connect(servers.sqlite)
        raw.execute(f"{UP_TO}{insert} FROM given".format(now=now, jobs=jobs))
        raw.commit()
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        raw.close()
        return
    connection = await asyncpg.connect(servers.postgres, command_timeout=300)
    numbers = f" FROM generate_series(1, {jobs}) AS n"
    await connection.execute(insert.format(now=now) + numbers)
    await connection.execute("VACUUM ANALYZE jobs")
    await connection.execute("CHECKPOINT")
    await connection.close()


def beside(servers: Servers) -> Servers:
    """Another SQLite file next to the first."""
    return replace(servers, sqlite=str(Path(servers.sqlite).with_suffix(".other.db")))
