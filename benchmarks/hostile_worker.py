"""A real worker among hostile servers: its event loop, its memory and its end are watched.

The loop is measured in processor time of its thread, so that a busy machine changes nothing.
Run as ``python -m benchmarks.hostile_worker FOLDER``, with the addresses as JSON on its input.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from asyncio.events import Handle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from specfactory.assembly import heartbeat_database, open_factory
from specfactory.entry.event_loop import perform
from specfactory.model import JobStatus, NewJob
from specfactory.orchestrate import Workbench, Worker, WorkerPlan, standard_handlers
from specfactory.queue import Intake, product_job
from specfactory.settings import Settings, load

AT_ONCE = 4
LONGEST_SECONDS = 1_800.0
_LOOKS_A_SECOND = 10
CATEGORY = "product"
NO_PRODUCTS: Mapping[str, str] = MappingProxyType({})
_CALLS = 6  # shown of who held the loop


class Met(NamedTuple):
    """What became of a worker and of its jobs."""

    ends: Mapping[str, str]  # by address: the outcome of the page, "" where it has none
    left: Sequence[str]  # addresses whose jobs did not end
    loop_ms: float  # longest stretch in which nothing else could run
    loop_by: str  # who held the loop then
    memory_mb: float  # of the worker and its readers, at the most
    killed: int


class LoopWatch:
    """The longest stretch of an event loop, in processor time, and who was at it."""

    def __init__(self) -> None:
        self.longest_ms, self.by = 0.0, ""
        self._stretch = 0  # counts them
        self._seen: tuple[int, str] = (0, "")
        self._over = threading.Event()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch the loop of this thread."""
        plain, me = Handle._run, threading.get_ident()

        def run(handle: Handle) -> None:
            self._stretch += 1
            began = time.thread_time()
            plain(handle)
            took_ms = (time.thread_time() - began) * 1_000
            if took_ms > self.longest_ms:
                self.longest_ms = took_ms
                self.by = self._seen[1] if self._seen[0] == self._stretch else str(handle)

        looking = threading.Thread(target=self._look, args=(me,))
        Handle._run = run  # type: ignore[method-assign]
        looking.start()
        try:
            yield
        finally:
            Handle._run = plain  # type: ignore[method-assign]
            self._over.set()
            looking.join()

    def _look(self, thread: int) -> None:
        """Note now and then where the loop's thread is, if it is still at the same stretch."""
        before = 0
        while not self._over.wait(0.01):
            if self._stretch == before and (frame := sys._current_frames().get(thread)):
                calls = traceback.extract_stack(frame)[-_CALLS:]
                self._seen = before, " > ".join(f"{one.name}:{one.lineno}" for one in calls)
            before = self._stretch


def meet(
    urls: Iterable[str],
    good: str,
    timeout_seconds: float = 5.0,
    products: Mapping[str, str] = NO_PRODUCTS,
) -> Met:
    """Let a worker in a process of its own fetch and read them all, after a good page.

    ``products`` are addresses of pages by the name of the product that they are about.
    """
    asked = {"urls": list(urls), "good": good, "timeout_seconds": timeout_seconds,
             "products": dict(products)}  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.hostile_worker", folder]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        most = [0.0]
        looking = threading.Thread(target=_look_at_memory, args=(process, most))
        looking.start()
        told, _ = process.communicate(json.dumps(asked).encode())
        looking.join()
    if process.returncode:
        return Met(
            {}, [*asked["urls"], *products], 0.0, f"ended with {process.returncode}", most[0], 1
        )
    said = json.loads(told)
    return Met(said["ends"], said["left"], said["loop_ms"], said["loop_by"], most[0], 0)


def _look_at_memory(process: subprocess.Popen[bytes], most: list[float]) -> None:
    while process.poll() is None:
        most[0] = max(most[0], sum(map(_megabytes, (process.pid, *_children(process.pid)))))
        time.sleep(1 / _LOOKS_A_SECOND)


def _children(pid: int) -> list[int]:
    """The processes that a process has started, and theirs."""
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [one for child in map(int, listed) for one in (child, *_children(child))]


def _megabytes(pid: int) -> float:
    """Memory of a process, what it shares with others divided among them."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # it is gone
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


def settings_for(folder: Path, urls: Sequence[str], timeout_seconds: float) -> Settings:
    """The defaults, with little patience and one try."""
    flags = {
        "database_url": f"sqlite:///{folder / 'factory.db'}",
        "fetch.allow_loopback": [urlsplit(url).netloc for url in urls],
        "fetch.host_delay_seconds": 0,
        "fetch.latency_factor": 0,
        "fetch.timeout_seconds": timeout_seconds,
        "browser.enabled": False,
        "heal.enabled": False,
    }
    return load(environment={}, flags=flags)


async def work(
    folder: Path,
    urls: Sequence[str],
    good: str,
    timeout_seconds: float,
    products: Mapping[str, str],
) -> dict[str, Any]:
    """Fetch and read all pages; gives what became of them, and the longest stretch of the loop."""
    watch, everything = LoopWatch(), [*urls, *products.values()]
    settings = settings_for(folder, [*everything, good], timeout_seconds)
    async with open_factory(settings) as bench:
        # loads what a worker needs
        await _drain(bench, settings, [_page_job(good), _product_job("Thing", good)])
        jobs = [*map(_page_job, urls), *(_product_job(*one) for one in products.items())]
        with watch.watching():
            await _drain(bench, settings, jobs)
        wanted = {job.key for job in jobs}
        met = [job for job in await bench.jobs.list(limit=10_000) if job.key in wanted]
    ended = (JobStatus.COMPLETE, JobStatus.FAILED, JobStatus.AWAITING_REVIEW)
    with closing(sqlite3.connect(folder / "factory.db")) as database:
        outcomes = dict(database.execute("SELECT url, outcome FROM visits ORDER BY id"))
    return {
        "ends": {url: outcomes.get(url, "") for url in everything},
        "left": [job.key for job in met if job.status not in ended],
        "loop_ms": watch.longest_ms,
        "loop_by": watch.by,
    }


def _page_job(url: str) -> NewJob:
    return NewJob("page", url, {"url": url, "category": CATEGORY}, max_attempts=1)


def _product_job(name: str, url: str) -> NewJob:
    given = {"brand": "Acme", "model": name, "urls": [url], "max_attempts": 1}
    return product_job(given, Intake(CATEGORY))


async def _drain(bench: Workbench, settings: Settings, jobs: Sequence[NewJob]) -> None:
    async with bench.database.transaction() as tx:
        await bench.jobs.add(tx, jobs, bench.clock.now())
    kinds = ("page", "product")
    plan = WorkerPlan("met", "localhost", os.getpid(), kinds, AT_ONCE, until_empty=True)
    worker = Worker(bench, standard_handlers(), plan, heartbeat_database(settings))
    await asyncio.wait_for(worker.run(), LONGEST_SECONDS)


if __name__ == "__main__":
    print(json.dumps(perform(work(Path(sys.argv[1]), **json.loads(sys.stdin.read())))))
