"""A factory with short patience, and its worker, in this process."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from specfactory.assembly import heartbeat_database, open_factory
from specfactory.model import NewJob
from specfactory.orchestrate import Workbench, Worker, WorkerPlan, standard_handlers
from specfactory.settings import Settings, load
from specfactory.testing import open_to_loopback

SLOTS = 48
BREAKER_SECONDS = 2.0  # an open breaker lets the first one through after this
TIMEOUT_SECONDS = 2.0
SLOW_SECONDS = 3.0  # how late a slow host answers: past the time-out, within a longer one
QUICK: Mapping[str, Any] = {
    "fetch.host_delay_seconds": 0.02,
    "fetch.timeout_seconds": TIMEOUT_SECONDS,
    "fetch.longest_delay_seconds": 2.0,
    "fetch.max_bytes": 1_000_000,
    "fetch.breaker_seconds": BREAKER_SECONDS,
    "heal.first_pause_seconds": 1.0,
    "heal.longest_pause_seconds": 4.0,
    "browser.timeout_seconds": 15.0,
    "browser.settle_seconds": 0.2,
    "browser.pages_at_once": 3,
    "proxy.minimum": 1,
    "proxy.rest_minutes": 0.05,
    "queue.retry_first_seconds": 0.3,
    "queue.poll_seconds": 0.1,
    "queue.lease_seconds": 20,
    "queue.heartbeat_seconds": 1,
    "learn.cpu_share": 1,
    "learn.wait_minutes": 0,
}
"""Everything that waits, made short; what decides (how many failures, how many checks) is kept."""


@dataclass
class Factory:
    """A factory at work."""

    bench: Workbench
    worker: Worker
    database: Path

    async def add(self, jobs: Sequence[NewJob]) -> None:
        """Queue jobs."""
        bench = self.bench
        async with bench.database.transaction() as tx:
            await bench.jobs.add(tx, jobs, bench.clock.now())


def quick_settings(folder: Path, **more: Any) -> Settings:
    """Settings in which a minute is a second."""
    flags = {
        **QUICK,
        "database_url": f"sqlite:///{folder / 'factory.db'}",
        "proxy.live_folder": str(folder),
        **{name.replace("__", "."): value for name, value in more.items()},
    }
    return open_to_loopback(load(environment={}, flags=flags))


@asynccontextmanager
async def at_work(folder: Path, settings: Settings, slots: int = SLOTS) -> AsyncIterator[Factory]:
    """A factory whose worker is at work; on leaving it ends what it has begun, or gives it back."""
    handlers = standard_handlers()
    plan = WorkerPlan("healer", "localhost", os.getpid(), handlers.choose(), slots,
                      grace_seconds=10.0)  # fmt: skip
    async with AsyncExitStack() as stack:
        bench = await stack.enter_async_context(open_factory(settings, models=True))
        worker = Worker(bench, handlers, plan, heartbeat_database(settings))
        running = asyncio.create_task(worker.run())
        try:
            yield Factory(bench, worker, folder / "factory.db")
        finally:
            worker.drain()
            await asyncio.wait_for(running, 40)
