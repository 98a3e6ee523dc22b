"""A worker that reads pages and learns their hosts beside, in a process of its own."""

from __future__ import annotations

import asyncio
import socket
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from specfactory.model import NewJob

Pages = Sequence[tuple[str, str]]  # addresses, each with a category


def seconds_of_worker(urls: Pages, flags: Mapping[str, Any]) -> dict[str, float]:
    """Processor seconds of a worker, and of these what learning took."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_worked, urls, flags).result()


def _worked(urls: Pages, flags: Mapping[str, Any]) -> dict[str, float]:
    from specfactory.orchestrate.bench import OF_THIS_PROCESS

    asyncio.run(_work(urls, flags))
    return {"worker": time.process_time(), "learning": OF_THIS_PROCESS.seconds}


async def _work(urls: Pages, flags: Mapping[str, Any]) -> None:
    from specfactory.assembly import heartbeat_database, open_factory
    from specfactory.orchestrate import Worker, WorkerPlan, standard_handlers
    from specfactory.settings import load
    from specfactory.testing import open_to_loopback

    with tempfile.TemporaryDirectory() as folder:
        # Learning waits for no quiet moment: it takes all that it may have.
        own = {"database_url": f"sqlite:///{folder}/factory.db", "learn.wait_minutes": 0}
        settings = open_to_loopback(load(environment={}, flags={**flags, **own}))
        async with open_factory(settings) as bench:
            jobs = [NewJob("page", url, {"url": url, "category": name}) for url, name in urls]
            async with bench.database.transaction() as tx:
                await bench.jobs.add(tx, jobs, bench.clock.now())
            kinds = ("page", "learn", "reread")
            plan = WorkerPlan("bench", socket.gethostname(), 0, kinds, 4, until_empty=True)
            await Worker(bench, standard_handlers(), plan, heartbeat_database(settings)).run()
