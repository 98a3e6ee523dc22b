"""The peer PgQueuer: jobs by the batch from PostgreSQL, acknowledged by the batch."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import asyncpg
from pgqueuer import PgQueuer
from pgqueuer.db import AsyncpgDriver
from pgqueuer.models import Job
from pgqueuer.queries import Queries

from benchmarks.queue_race import Course, Options, Servers, run

CHUNK = 5000


def fill(servers: Servers, jobs: int, options: Options) -> None:
    """Install its tables (durable, its default) and add the jobs."""
    asyncio.run(_fill(servers, jobs))


async def _fill(servers: Servers, jobs: int) -> None:
    raw = await asyncpg.connect(servers.postgres)
    queries = Queries(AsyncpgDriver(raw))
    await queries.install()
    for start in range(0, jobs, CHUNK):
        count = min(CHUNK, jobs - start)
        await queries.enqueue(["noop"] * count, [b"{}"] * count, [0] * count)
    await raw.execute("ANALYZE")
    await raw.close()


def work(servers: Servers, course: Course, options: Options) -> None:
    """One worker process; with ``pool`` connections, or one of its own."""
    run(lambda: _work(servers, course, options), uvloop=bool(options["uvloop"]))


async def _work(servers: Servers, course: Course, options: Options) -> None:
    if options["pool"]:
        size = int(options["pool"])
        async with asyncpg.create_pool(servers.postgres, min_size=size, max_size=size) as pool:
            await _drain(PgQueuer.from_asyncpg_pool(pool), course, options)
    else:
        raw = await asyncpg.connect(servers.postgres)
        await _drain(PgQueuer.from_asyncpg_connection(raw), course, options)


async def _drain(queue: PgQueuer, course: Course, options: Options) -> None:
    @queue.entrypoint("noop")
    async def noop(job: Job) -> None:
        course.count()

    async def stop() -> None:
        await course.over()
        queue.shutdown.set()

    course.wait_for_start()
    stopping = asyncio.create_task(stop())
    timeout = timedelta(seconds=1)
    await queue.qm.run(batch_size=int(options["batch"]), dequeue_timeout=timeout)
    await stopping
