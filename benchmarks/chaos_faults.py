"""What is done to workers and servers: killed, stopped and woken late, restarted, out of disk."""

from __future__ import annotations

import contextlib
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.servers import PostgresServer

ROOT = Path(__file__).parent.parent
NO_SPACE = 1  # no file may grow beyond this many bytes


@dataclass
class Crew:
    """So many workers at any time: whoever dies is replaced."""

    size: int
    environment: Mapping[str, str]
    folder: Path
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    died: int = 0
    bad_ends: list[int] = field(default_factory=list)

    def replace_dead(self) -> None:
        """Start as many workers as are missing; one that ended by itself is a fault of ours."""
        for worker in list(self.workers):
            if worker.poll() is not None:
                self.workers.remove(worker)
                self.died += 1
                self._judge(worker, -signal.SIGKILL)
        while len(self.workers) < self.size:
            self.workers.append(self._start())

    def stop(self, patience_seconds: float) -> None:
        """Let everybody go as one should; all that had come up must end with 0."""
        for worker in self.workers:
            worker.send_signal(signal.SIGCONT)
            worker.terminate()
        for worker in self.workers:
            try:
                worker.wait(patience_seconds)
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()
            self._judge(worker, 0)

    def words(self) -> str:
        """What the workers said."""
        log = self.folder / "workers.log"
        return log.read_text(errors="replace") if log.is_file() else ""

    def complaints(self) -> str:
        """What they said besides the usual."""
        usual = re.compile(r" info |job\.retried|job\.failed|lease\.expired")
        return "\n".join(line for line in self.words().splitlines() if not usual.search(line))

    def up(self) -> list[subprocess.Popen[bytes]]:
        """Those who have begun to work."""
        said = set(re.findall(r"worker\.started .*\bpid=(\d+)", self.words()))
        return [worker for worker in self.workers if str(worker.pid) in said]

    def _judge(self, worker: subprocess.Popen[bytes], allowed: int) -> None:
        """One that had not come up may end as it likes: the database may have been away."""
        came_up = re.search(rf"worker\.started .*\bpid={worker.pid}\b", self.words())
        if worker.returncode != allowed and came_up:
            self.bad_ends.append(worker.returncode)

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "specfactory.entry.cli", "worker", "--workers", "4",
                   "--kinds", "chaos,chaos_long,run,product"]  # fmt: skip
        with (self.folder / "workers.log").open("ab") as log:
            return subprocess.Popen(
                command, env={**os.environ, **self.environment}, cwd=self.folder,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip


class Faults:
    """The faults that can happen here, and how often each did."""

    def __init__(
        self,
        crew: Crew,
        chosen: random.Random,
        lease_seconds: float,
        postgres: PostgresServer | None = None,
    ) -> None:
        self._crew, self._chosen, self._lease = crew, chosen, lease_seconds
        self._postgres = postgres
        self._later: list[tuple[float, Callable[[], None]]] = []
        self.counts: dict[str, int] = {}

    def schedule(self, count: int) -> Iterator[Callable[[], None]]:
        """So many faults in random order, none of the kinds left out."""
        rare = [self.fill_disk, self.restart] if self._postgres else [self.fill_disk]
        first = [self.kill, self.pause, *rare * max(1, count // 12)]
        order = [*first, *self._chosen.choices([self.kill, self.pause], k=count)][:count]
        self._chosen.shuffle(order)
        yield from order

    def kill(self) -> None:
        """SIGKILL a worker, wherever it is."""
        self._count("kill")
        self._victim().kill()

    def pause(self) -> None:
        """SIGSTOP a worker; it wakes up when its leases may be another's."""
        self._count("pause")
        victim = self._victim()
        victim.send_signal(signal.SIGSTOP)
        seconds = self._lease * self._chosen.uniform(0.3, 2.0)
        self._at(seconds, lambda: victim.send_signal(signal.SIGCONT))

    def restart(self) -> None:
        """Crash PostgreSQL and start it again."""
        assert self._postgres is not None
        self._count("restart")
        self._postgres.restart("immediate")

    def fill_disk(self) -> None:
        """Let nobody write for a while; a PostgreSQL that cannot write its log crashes."""
        self._count("full disk")
        pids = [worker.pid for worker in self._crew.workers]
        if self._postgres is not None:
            pids = backends(self._postgres)
        self._at(self._chosen.uniform(0.5, 1.5), lambda: limit_files(pids, resource.RLIM_INFINITY))
        limit_files(pids, NO_SPACE)

    def tick(self) -> None:
        """Undo what is due to be undone."""
        now = time.monotonic()
        due = [undo for at, undo in self._later if at <= now]
        self._later = [(at, undo) for at, undo in self._later if at > now]
        for undo in due:
            undo()

    def end(self) -> None:
        """Undo everything."""
        for _, undo in self._later:
            undo()
        self._later = []

    def _victim(self) -> subprocess.Popen[bytes]:
        return self._chosen.choice(self._crew.up() or self._crew.workers)

    def _at(self, seconds: float, undo: Callable[[], None]) -> None:
        self._later.append((time.monotonic() + seconds, undo))

    def _count(self, name: str) -> None:
        self.counts[name] = self.counts.get(name, 0) + 1


def limit_files(pids: list[int], size: int) -> None:
    """How large files may grow for some processes; only their owner may say so, even to root."""
    owners = {pid: _owner(pid) for pid in pids}
    for owner in {found for found in owners.values() if found is not None}:
        theirs = [pid for pid, found in owners.items() if found == owner]
        if owner == os.geteuid():
            _limit(theirs, size)
        elif (child := os.fork()) == 0:
            os.setgroups([])
            os.setgid(owner)
            os.setuid(owner)
            _limit(theirs, size)
            os._exit(0)
        else:
            os.waitpid(child, 0)


def _limit(pids: list[int], size: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it may have died
            _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))


def _owner(pid: int) -> int | None:
    with contextlib.suppress(FileNotFoundError):
        return Path(f"/proc/{pid}").stat().st_uid
    return None


def backends(server: PostgresServer) -> list[int]:
    """The processes of a PostgreSQL server that serve somebody."""
    postmaster = int(Path(server.folder, "data", "postmaster.pid").read_text().split()[0])
    children = Path(f"/proc/{postmaster}/task/{postmaster}/children")
    pids = [int(pid) for pid in children.read_text().split()]
    return [pid for pid in pids if b" spec " in _title(pid)]


def _title(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""
