"""Ours: the real worker loop with heartbeat, sweeper and events, and the store's bulk intake."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from typing import Any

from benchmarks.queue_race import Course, Options, Servers
from specfactory.assembly import choose_database, heartbeat_database, open_factory
from specfactory.model import Job, NewJob
from specfactory.orchestrate.bench.workbench import Workbench
from specfactory.orchestrate.jobs.handlers import Done, Handlers
from specfactory.orchestrate.workers.worker import Worker, WorkerPlan
from specfactory.settings import Settings, load
from specfactory.store import Jobs

KIND = "noop"


def settings_for(servers: Servers, database: str, **flags: Any) -> Settings:
    """The defaults, on one of the servers."""
    url = servers.postgres if database == "postgres" else f"sqlite:///{servers.sqlite}"
    return load(environment={}, flags={"database_url": url, **flags})


async def migrated(servers: Servers, database: str) -> None:
    """Make our tables."""
    opened = choose_database(settings_for(servers, database))
    await opened.migrate()
    await opened.close()


def fill(servers: Servers, jobs: int, options: Options) -> None:
    """Make our tables and add the jobs."""
    asyncio.run(_enqueue(servers, options["database"], jobs))


def enqueue_postgres(servers: Servers, jobs: int) -> float:
    """Jobs a second into PostgreSQL."""
    asyncio.run(migrated(servers, "postgres"))
    return asyncio.run(_enqueue(servers, "postgres", jobs))


def enqueue_sqlite(servers: Servers, jobs: int) -> float:
    """Jobs a second into SQLite."""
    asyncio.run(migrated(servers, "sqlite"))
    return asyncio.run(_enqueue(servers, "sqlite", jobs))


async def _enqueue(servers: Servers, database: str, jobs: int) -> float:
    opened = choose_database(settings_for(servers, database))
    await opened.migrate()
    now = time.time_ns() // 1_000_000
    new = [NewJob(KIND, f"job-{number}", added_by="bench") for number in range(jobs)]
    began = time.monotonic()
    async with opened.transaction() as tx:
        added = await Jobs(opened).add(tx, new, now)
    seconds = time.monotonic() - began
    assert sum(one.is_new for one in added) == jobs
    await opened.close()
    return jobs / seconds


def work(servers: Servers, course: Course, options: Options) -> None:
    """One worker process."""
    asyncio.run(_work(servers, course, options))


async def _work(servers: Servers, course: Course, options: Options) -> None:
    batch = int(options["batch"])
    settings = settings_for(servers, options["database"], **{"queue.claim_batch": batch})
    handlers = Handlers()

    async def noop(bench: Workbench, job: Job) -> Done:
        course.count()
        return Done()

    handlers.register(KIND, noop, short=True)
    async with open_factory(settings) as bench:
        plan = WorkerPlan(f"bench-{os.getpid()}", socket.gethostname(), os.getpid(), (KIND,), 1)
        worker = Worker(bench, handlers, plan, heartbeat_database(settings))
        stopping = asyncio.create_task(_stop(course, worker))
        course.wait_for_start()
        end = await worker.run()
        await stopping
        assert end.lost == end.failed == 0, end


async def _stop(course: Course, worker: Worker) -> None:
    await course.over()
    worker.drain()
