"""One contender in a process of its own: what it had to fetch, what it took, what it kept."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.crawl_site import truth_of

AT_ONCE = 16  # requests of everybody
ROOT = Path(__file__).parent.parent

Row = Mapping[str, str]  # the words taken from one page by field, and its "url"


@dataclass(frozen=True, slots=True)
class Entry:
    """What a contender is given."""

    urls: Sequence[str]
    folder: Path
    timings: bool = True
    in_memory: bool = False
    readers: bool = True


@dataclass(frozen=True, slots=True)
class Lap:
    """What one crawl took: processor time and memory of the whole process, start included."""

    cpu_seconds: float
    wall_seconds: float  # of the crawl alone
    peak_megabytes: float


def lap(
    contender: str,
    address: str,
    pages: int,
    folder: Path,
    *options: str,
    check: bool = True,
    compiled: Path | None = None,
) -> Lap:
    """Let a contender, the module ``benchmarks.crawl_<contender>``, crawl once.

    ``compiled`` is where Python keeps compiled modules, for everybody and from lap to lap, however
    they were installed: who starts is not to pay for compiling again.
    """
    module = f"benchmarks.crawl_{contender}"
    command = [sys.executable, "-m", module, address, str(pages), str(folder), *options]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    if compiled is not None:
        environment["PYTHONPYCACHEPREFIX"] = str(compiled)
    running = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    said = running.stdout.read()
    _, status, used = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode != 0:
        raise SystemExit(f"{contender} failed with {running.returncode}")
    if check:
        _check(contender, pages, folder)
    told = json.loads(said.strip().splitlines()[-1])
    return Lap(used.ru_utime + used.ru_stime, told["seconds"], told["megabytes"])


def _check(contender: str, pages: int, folder: Path) -> None:
    """Every page is kept, with the ten values of the truth."""
    stored = importlib.import_module(f"benchmarks.crawl_{contender}").stored
    found = {int(row["url"].rpartition("/")[2]): row for row in stored(folder)}
    for number in range(pages):
        truth = truth_of(number)
        row = found.get(number, {})
        if wrong := [field for field in truth if row.get(field) != truth[field]]:
            kept = {field: row.get(field) for field in wrong}
            raise SystemExit(f"{contender}: page {number} was kept with {kept}")


def contend(crawl: Callable[[Entry], None]) -> None:
    """The contender's own process."""
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("pages", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--no-timings", action="store_true")
    parser.add_argument("--in-memory", action="store_true")
    parser.add_argument("--no-readers", action="store_true")
    given = parser.parse_args()
    urls = [f"{given.address}/product/{number}" for number in range(given.pages)]
    began = time.monotonic()
    options = (not given.no_timings, given.in_memory, not given.no_readers)
    crawl(Entry(urls, given.folder, *options))
    seconds = time.monotonic() - began
    print(json.dumps({"seconds": seconds, "megabytes": peak_megabytes()}))


def peak_megabytes() -> float:
    """The most memory that this process had; what the system says of it may be its parent's."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(line.partition(":")[::2] for line in status.read_text().splitlines())
        return float(lines["VmHWM"].split()[0]) / 1024
    unit = 1024**2 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
