"""Politeness: 20 workers in 4 processes share one host with a limit of 10 requests a second.

``worst_second`` is the largest number of requests in any second, measured at the server, in
two runs: with Redis as it should be, and with Redis killed and started anew in the middle, all
that it knew forgotten. Real workers: ``spec worker``, PostgreSQL, Redis, page jobs.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from benchmarks.politeness_server import TIMES
from benchmarks.report import Report, main
from specfactory.assembly import choose_database
from specfactory.model import NewJob
from specfactory.settings import Settings
from specfactory.store import Jobs
from tests.redis_servers import RedisServer, redis_server
from tests.servers import PostgresServer, postgres_server

ROOT = Path(__file__).parent.parent
PROCESSES, SLOTS = 4, 5
LIMIT = 10  # requests a second
BAR = LIMIT + 1
AWAY_SECONDS = 3.0
PATIENCE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Outing:
    """What one run looked like at the server."""

    times: list[float]
    lost: int  # processes that said they were alone
    recovered: int

    @property
    def worst_second(self) -> int:
        """The most requests in any second."""
        first = worst = 0
        for last, moment in enumerate(self.times):
            while moment - self.times[first] > 1.0:
                first += 1
            worst = max(worst, last - first + 1)
        return worst

    @property
    def per_second(self) -> float:
        """How quickly it went on the whole."""
        return (len(self.times) - 1) / (self.times[-1] - self.times[0])


def options(parser: argparse.ArgumentParser) -> None:
    """How long."""
    parser.add_argument("--seconds", type=float, default=20.0, help="of each run, about")


def run(given: argparse.Namespace) -> Report:
    """Both runs, one after the other."""
    made = Report("politeness")
    with (
        tempfile.TemporaryDirectory(prefix="spec-polite-") as folder,
        postgres_server() as postgres,
        redis_server() as redis,
    ):
        calm = outing(Path(folder), postgres, redis, given.seconds, restart=False)
        rough = outing(Path(folder), postgres, redis, given.seconds, restart=True)
    made.at_most("worst_second", max(calm.worst_second, rough.worst_second), BAR)
    made.at_most("worst_second_calm", calm.worst_second, BAR)
    made.at_most("worst_second_redis_restarted", rough.worst_second, BAR)
    made.plain("limit", LIMIT)
    made.plain("per_second_calm", calm.per_second)
    made.plain("per_second_redis_restarted", rough.per_second)
    made.notes.append(
        f"{PROCESSES} processes of {SLOTS} workers; {len(calm.times)} and {len(rough.times)} "
        f"requests; Redis was away for {AWAY_SECONDS:g} s, {rough.lost} processes said so and "
        f"{rough.recovered} that it was back"
    )
    return made


def outing(
    folder: Path, postgres: PostgresServer, redis: RedisServer, seconds: float, *, restart: bool
) -> Outing:
    """One run, with as many pages as the limit allows in the time."""
    name = f"run_{secrets.token_hex(4)}"
    place = folder / name
    place.mkdir()
    asyncio.run(_make_database(postgres, name))
    with _noting_server(place) as host:
        pages = round(seconds * LIMIT)
        asyncio.run(_add_jobs(postgres.address(name), host, pages))
        environment = _environment(postgres.address(name), redis.url, host)
        with _workers(place, environment) as log:
            if restart:
                _wait_for(lambda: len(_times(host)) > pages // 3)
                redis.stop()
                time.sleep(AWAY_SECONDS)
                redis.start()
            _wait_for(lambda: len(_times(host)) >= pages, seconds)
        said = log.read_text(errors="replace")
        return Outing(_times(host), said.count("state.lost"), said.count("state.recovered"))


def _environment(database: str, redis: str, host: str) -> dict[str, str]:
    return {
        **os.environ,
        "SPEC_DATABASE_URL": database,
        "SPEC_STATE_URL": redis,
        "SPEC_FETCH_ALLOW_LOOPBACK": host,
        "SPEC_FETCH_HOST_DELAY_SECONDS": str(1 / LIMIT),
        "SPEC_QUEUE_CLAIM_BATCH": str(SLOTS),
        "SPEC_DAEMON_GRACE_SECONDS": "2",
        "PYTHONPATH": str(ROOT),
    }


async def _make_database(postgres: PostgresServer, name: str) -> None:
    raw = await asyncpg.connect(postgres.url)
    await raw.execute(f"CREATE DATABASE {name}")
    await raw.close()


async def _add_jobs(database_url: str, host: str, pages: int) -> None:
    database = choose_database(Settings(database_url=database_url))
    await database.migrate()
    urls = [f"http://{host}/page/{number}" for number in range(pages)]
    jobs = [NewJob("page", url, {"url": url}, added_by="politeness") for url in urls]
    async with database.transaction() as tx:
        await Jobs(database).add(tx, jobs, round(time.time() * 1000))
    await database.close()


@contextlib.contextmanager
def _noting_server(folder: Path) -> Iterator[str]:
    port_file = folder / "port"
    command = [sys.executable, "-m", "benchmarks.politeness_server", str(port_file)]
    with subprocess.Popen(command, cwd=ROOT) as server:
        try:
            _wait_for(lambda: port_file.is_file() and bool(port_file.read_text()))
            yield f"127.0.0.1:{port_file.read_text()}"
        finally:
            server.kill()


@contextlib.contextmanager
def _workers(folder: Path, environment: dict[str, str]) -> Iterator[Path]:
    """All processes until the block ends; what they say goes to one log."""
    command = [sys.executable, "-m", "specfactory.entry.cli", "worker", "--workers", str(SLOTS),
               "--kinds", "page"]  # fmt: skip
    file = folder / "workers.log"
    with file.open("ab") as log:
        crew = [
            subprocess.Popen(command, env=environment, cwd=folder, stdin=subprocess.DEVNULL,
                             stdout=log, stderr=log)
            for _ in range(PROCESSES)
        ]  # fmt: skip
    try:
        yield file
    finally:
        for worker, number in itertools.product(crew, (signal.SIGTERM, signal.SIGKILL)):
            with contextlib.suppress(subprocess.TimeoutExpired):
                worker.send_signal(number)
                worker.wait(10)


def _times(host: str) -> list[float]:
    with urllib.request.urlopen(f"http://{host}{TIMES}", timeout=10) as answer:
        times: list[float] = json.load(answer)
    return times


def _wait_for(is_so: Callable[[], bool], more_seconds: float = 0.0) -> None:
    until = time.monotonic() + PATIENCE_SECONDS + more_seconds
    while not is_so():
        if time.monotonic() > until:
            raise SystemExit("the workers did not get done; see what they say")
        time.sleep(0.2)


if __name__ == "__main__":
    main(run, options)
