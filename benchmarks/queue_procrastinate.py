"""The peer Procrastinate: one job at a time from PostgreSQL, several at once."""

from __future__ import annotations

import asyncio

from procrastinate import App, PsycopgConnector

from benchmarks.queue_race import Course, Options, Servers, run

CHUNK = 1000


def fill(servers: Servers, jobs: int, options: Options) -> None:
    """Install its tables and add the jobs."""
    asyncio.run(_fill(servers, jobs))


async def _fill(servers: Servers, jobs: int) -> None:
    app = App(connector=PsycopgConnector(conninfo=servers.postgres))
    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        deferrer = app.configure_task("noop")
        for start in range(0, jobs, CHUNK):
            await deferrer.batch_defer_async(*({} for _ in range(min(CHUNK, jobs - start))))
        await app.connector.execute_query_async("ANALYZE")


def work(servers: Servers, course: Course, options: Options) -> None:
    """One worker process."""
    run(lambda: _work(servers, course, options), uvloop=bool(options["uvloop"]))


async def _work(servers: Servers, course: Course, options: Options) -> None:
    concurrency = int(options["concurrency"])
    connector = PsycopgConnector(
        conninfo=servers.postgres, min_size=concurrency, max_size=concurrency + 1
    )
    app = App(connector=connector)

    @app.task(name="noop")
    async def noop() -> None:
        course.count()

    async with app.open_async():
        course.wait_for_start()
        await app.run_worker_async(
            wait=False,  # returns when the queue is empty and everything is written
            concurrency=concurrency,
            listen_notify=False,  # nobody is told while the queue is full
            delete_jobs=options["delete"],
            install_signal_handlers=False,
        )
