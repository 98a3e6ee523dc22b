"""How much memory a worker holds while there is nothing to do."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.queue_race import Servers

SETTLE_SECONDS = 3.0
POLL_SECONDS = 0.1
START_SECONDS = 30.0


def idle_worker_mb(servers: Servers, database: str) -> float:
    """The resident memory of ``spec worker``, some time after it came up."""
    url = servers.postgres if database == "postgres" else f"sqlite:///{servers.sqlite}"
    environment = {name: value for name, value in os.environ.items() if name[:5] != "SPEC_"}
    environment["SPEC_DATABASE_URL"] = url
    command = [sys.executable, "-m", "specfactory.entry.cli", "worker"]
    folder = str(Path(servers.sqlite).parent)
    with subprocess.Popen(
        command, env=environment, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as worker:
        try:
            return _settled(worker)
        finally:
            worker.terminate()


def _settled(worker: subprocess.Popen[bytes]) -> float:
    """Wait until its memory has not grown for a while."""
    seen, since, until = 0.0, time.monotonic(), time.monotonic() + START_SECONDS
    while time.monotonic() < until and time.monotonic() - since < SETTLE_SECONDS:
        if worker.poll() is not None:
            raise SystemExit(f"the worker ended by itself with {worker.returncode}")
        if (now := resident_mb(worker.pid)) > seen:
            seen, since = now, time.monotonic()
        time.sleep(POLL_SECONDS)
    return seen


def resident_mb(pid: int) -> float:
    """Resident memory of a process, in millions of bytes."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024 / 1e6
    return 0.0
