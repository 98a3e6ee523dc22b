"""A race: so many no-op jobs, so many worker processes, timed from the start to the last answer."""

from __future__ import annotations

import asyncio
import importlib
import multiprocessing
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

SPAWN = multiprocessing.get_context("spawn")
LOOK_SECONDS = 0.005
LIMIT_SECONDS = 120.0

Options = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Servers:
    """What the contenders run on; every race has a database of its own."""

    postgres: str
    redis: str
    sqlite: str


class Course:
    """What the worker processes of one race share: the start, and how many jobs are done."""

    def __init__(self, jobs: int, processes: int) -> None:
        self.jobs = jobs
        self._start = SPAWN.Barrier(processes + 1)
        self._done = SPAWN.Value("q", 0)

    def wait_for_start(self) -> None:
        """Called once by everybody, when all connections are made."""
        self._start.wait(LIMIT_SECONDS)

    def count(self) -> None:
        """The whole work of a no-op job."""
        with self._done.get_lock():
            self._done.value += 1

    @property
    def is_over(self) -> bool:
        """Whether all jobs have been executed; some may not be acknowledged yet."""
        return bool(self._done.value >= self.jobs)

    async def over(self) -> None:
        """Wait until all jobs have been executed."""
        while not self.is_over:  # noqa: ASYNC110 - other processes count too
            await asyncio.sleep(LOOK_SECONDS)

    def give_up(self) -> None:
        """Let nobody wait for a worker that could not start."""
        self._start.abort()

    def wait_until_over(self) -> None:
        """The same, for those who have threads."""
        while not self.is_over:
            time.sleep(LOOK_SECONDS)


def race(contender: str, servers: Servers, jobs: int, options: Options) -> float:
    """Jobs a second of one contender, the module ``benchmarks.queue_<contender>``.

    Its ``fill`` adds the jobs; its ``work`` is called in each process, starts with the course,
    and returns when everything has been executed and acknowledged.
    """
    module = importlib.import_module(f"benchmarks.queue_{contender}")
    module.fill(servers, jobs, options)
    if hasattr(module, "rate"):  # brings processes of its own
        return float(module.rate(servers, jobs, options))
    processes = int(options.get("processes", 1))
    course, ends = Course(jobs, processes), SPAWN.Queue()
    arguments = (contender, servers, course, options, ends)
    workers = [SPAWN.Process(target=_worker, args=arguments) for _ in range(processes)]
    for worker in workers:
        worker.start()
    try:
        course.wait_for_start()
        began = time.monotonic()
        ended = max(ends.get(timeout=LIMIT_SECONDS) for _ in workers)
        for worker in workers:
            worker.join(LIMIT_SECONDS)
    finally:
        for worker in workers:
            worker.kill()
    return jobs / (ended - began)


def _worker(contender: str, servers: Servers, course: Course, options: Options, ends: Any) -> None:
    module = importlib.import_module(f"benchmarks.queue_{contender}")
    try:
        module.work(servers, course, options)
    except BaseException:
        course.give_up()
        ends.put(float("inf"))  # no jobs a second
        raise
    ends.put(time.monotonic())


def run(work: Callable[[], Awaitable[None]], uvloop: bool = False) -> None:
    """Run a coroutine on the standard loop or on the quicker one."""
    if not uvloop:
        asyncio.run(_call(work))
        return
    import uvloop as quick

    quick.run(_call(work))


async def _call(work: Callable[[], Awaitable[None]]) -> None:
    await work()
