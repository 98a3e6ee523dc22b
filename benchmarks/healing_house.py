"""Faults of the factory's own house and of its proxies: each strikes a factory of its own."""

from __future__ import annotations

import asyncio
import os
import re
import resource
import signal
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.healing_factory import Factory, at_work, quick_settings
from benchmarks.healing_judge import Found, Trial, judge, look, now_ms
from benchmarks.healing_network import Proxy, listening
from benchmarks.healing_sites import PROXIES, jobs_of, plan, until
from benchmarks.healing_web import Web
from specfactory.adapters.sqlite.database import SqliteDatabase
from specfactory.demo.faults import Fault
from specfactory.model import HostCare, Rung
from tests.redis_servers import redis_server

LOOK_SECONDS = 0.1
BUSY_SECONDS = 1.0  # how long a locked database is waited for
NO_SPACE = 1  # no file may grow beyond this many bytes

Strike = Callable[[Factory], AbstractAsyncContextManager[None]]


@dataclass
class Scene:
    """What a trial needs: settings, what is so from the start, and how the fault strikes."""

    strike: Strike
    settings: Mapping[str, Any] = field(default_factory=dict)
    rung: Rung = Rung.HTTP  # how the host's pages are fetched from the start


async def try_house(web: Web, fault: Fault, seed: int, folder: Path, seconds: float) -> Found:
    """One fault that strikes a factory while it works."""
    trial = plan(web, fault, seed)
    async with AsyncExitStack() as stack:
        stack.enter_context(patch.object(SqliteDatabase.__init__, "__defaults__", (BUSY_SECONDS,)))
        scene = await stack.enter_async_context(SCENES[fault.name](trial, web))
        more = {"fetch__host_delay_seconds": 0.1, **scene.settings}
        settings = quick_settings(folder, **more)
        factory = await stack.enter_async_context(at_work(folder, settings))
        await _treat(factory, trial, scene.rung)
        await factory.add(jobs_of([trial]))
        await until(seconds, lambda: _done(factory, trial) >= trial.spare)
        trial.struck_at = now_ms()
        async with scene.strike(factory):
            await asyncio.sleep(fault.seconds)
        await until(seconds, lambda: judge(trial, look(factory.database)).is_over)
        await asyncio.sleep(2 * LOOK_SECONDS)  # what is told with the last job's end is written
    return judge(trial, look(folder / "factory.db"))


async def _treat(factory: Factory, trial: Trial, rung: Rung) -> None:
    """Let the host's pages be fetched this way from the start."""
    bench = factory.bench
    if rung is not Rung.HTTP:
        async with bench.database.transaction() as tx:
            care = HostCare(rung=rung)
            await bench.policies.put_care(tx, trial.host, care, bench.clock.now())


def _done(factory: Factory, trial: Trial) -> int:
    jobs = look(factory.database).jobs
    return sum(job.status == "complete" for url in trial.urls for job in jobs.get(url, ()))


@asynccontextmanager
async def _disk_full(trial: Trial, web: Web) -> AsyncIterator[Scene]:
    """Nobody in this process can write any more."""

    @asynccontextmanager
    async def strike(factory: Factory) -> AsyncIterator[None]:
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (NO_SPACE, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    yield Scene(strike)


@asynccontextmanager
async def _database_away(trial: Trial, web: Web) -> AsyncIterator[Scene]:
    """Somebody else holds the database and lets nobody write."""

    @asynccontextmanager
    async def strike(factory: Factory) -> AsyncIterator[None]:
        other = sqlite3.connect(
            factory.database, timeout=10, isolation_level=None, check_same_thread=False
        )
        await asyncio.to_thread(_lock, other)
        try:
            yield
        finally:
            other.close()

    yield Scene(strike)


def _lock(database: sqlite3.Connection) -> None:
    database.execute("BEGIN IMMEDIATE")


@asynccontextmanager
async def _state_away(trial: Trial, web: Web) -> AsyncIterator[Scene]:
    """Redis crashes, and comes back empty."""
    with redis_server() as server:

        @asynccontextmanager
        async def strike(factory: Factory) -> AsyncIterator[None]:
            await asyncio.to_thread(server.stop)
            try:
                yield
            finally:
                await asyncio.to_thread(server.start)

        yield Scene(strike, {"state_url": server.url})


@asynccontextmanager
async def _proxies(trial: Trial, web: Web) -> AsyncIterator[Scene]:
    """The proxy that is used most turns bad for good."""
    proxies = [Proxy(address) for address in PROXIES]

    @asynccontextmanager
    async def strike(factory: Factory) -> AsyncIterator[None]:
        used = max(proxies, key=lambda proxy: proxy.visits)
        used.manner = "dead" if trial.fault.name == "dead_proxy" else "refusing"
        yield

    async with listening(*proxies):
        urls = [proxy.url for proxy in proxies]
        yield Scene(strike, {"proxy__urls": urls}, Rung.HTTP_PROXY)


@asynccontextmanager
async def _browser_crashed(trial: Trial, web: Web) -> AsyncIterator[Scene]:
    """Every browser that we have started is killed."""

    @asynccontextmanager
    async def strike(factory: Factory) -> AsyncIterator[None]:
        for pid in _browsers(os.getpid()):
            os.kill(pid, signal.SIGKILL)
        yield

    yield Scene(strike, rung=Rung.BROWSER)


def _browsers(parent: int) -> Iterator[int]:
    """Browser processes among the descendants of a process."""
    for pid in _children(parent):
        yield from _browsers(pid)
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
        if re.search(rb"chrom|headless_shell", words.split(b"\0")[0]):
            yield pid


def _children(parent: int) -> list[int]:
    tasks = Path(f"/proc/{parent}/task").glob("*/children")
    return [int(pid) for task in tasks for pid in task.read_text().split()]


SCENES: Mapping[str, Callable[[Trial, Web], AbstractAsyncContextManager[Scene]]] = {
    "disk_full": _disk_full,
    "database_away": _database_away,
    "state_away": _state_away,
    "dead_proxy": _proxies,
    "refusing_proxy": _proxies,
    "browser_crashed": _browser_crashed,
}
