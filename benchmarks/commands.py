"""What a person waits for: the start of commands that only read, and lookups in a large queue.

``startup_vs_help`` is the processor time of a whole command over that of ``spec --help``, the
quickest of several taken in turns, from compiled modules. ``lookup_growth`` is the median time of
a lookup among many jobs over that among few, the worst lookup on either database.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from benchmarks.queue_claims import COLUMNS, filled
from benchmarks.queue_ours import settings_for
from benchmarks.queue_race import Servers
from benchmarks.queue_servers import place
from benchmarks.report import Report, main
from specfactory.adapters.sqlite import SqliteDatabase
from specfactory.assembly import choose_database
from specfactory.model import Attempt, Budget
from specfactory.ports import Database
from specfactory.store import Attempts, Contracts, Jobs, Products, Records
from tests.sample import CONTRACT, PRODUCT, sample_record

FEW, MANY = 10_000, 1_000_000
TURNS = 15
LOOKUPS = 40
COMMANDS = {
    "queue stats": ("queue", "stats"),
    "record show": ("record", "show", PRODUCT.id),
    "review list": ("review", "list"),
}
STATUSES = "CASE n % 10 WHEN 0 THEN 'failed' WHEN 1 THEN 'queued' ELSE 'complete' END"
VALUES = f"""CASE n % 3 WHEN 0 THEN 'product' ELSE 'page' END, 'job-' || n, 'mouse', {STATUSES},
    1 + n % 5, '', '{{{{}}}}', '["tag-' || (n / 100) || '"]', '{{{{}}}}', n, 'bench', n, 1, 3"""

Lookup = Callable[[Jobs], Awaitable[object]]
KNOWN: dict[str, Lookup] = {
    "counts": lambda jobs: jobs.stats(),
    "newest job": lambda jobs: jobs.newest_at(),
    "jobs of a key": lambda jobs: jobs.find("job-777"),
    "jobs of a tag": lambda jobs: jobs.list(tag="tag-50"),
}


def options(parser: argparse.ArgumentParser) -> None:
    """The benchmark's own options."""
    parser.add_argument("--jobs", type=int, default=MANY, help="jobs of the large queue")


def run(given: argparse.Namespace) -> Report:
    """Measure both."""
    report = Report("commands")
    starts = startups()
    report.at_most("startup_vs_help", max(starts.values()), 2.0)
    with place() as servers:
        growths = {
            f"{name} on {database}": growth
            for database in ("sqlite", "postgres")
            for name, growth in lookup_growths(servers.fresh, database, given.jobs).items()
        }
    report.at_most("lookup_growth", max(growths.values()), 3.0)
    for title, found in (("startup against --help", starts), ("growth of lookups", growths)):
        said = ", ".join(f"{name} {value:.2f}" for name, value in found.items())
        report.notes.append(f"{title}: {said}")
    return report


def startups() -> dict[str, float]:
    """Processor time of each command over that of ``spec --help``."""
    with tempfile.TemporaryDirectory(prefix="spec-bench-") as name:
        folder = Path(name)
        asyncio.run(_with_record(folder / "specfactory-data" / "factory.db"))
        commands = {"help": ("--help",), **COMMANDS}
        seconds: dict[str, list[float]] = {what: [] for what in commands}
        for turn in range(TURNS + 1):
            for what, arguments in commands.items():
                took = _processor_seconds(folder, arguments)
                if turn:  # the first one compiles
                    seconds[what].append(took)
    best = {what: min(times) for what, times in seconds.items()}
    return {what: best[what] / best["help"] for what in COMMANDS}


async def _with_record(file: Path) -> None:
    file.parent.mkdir()
    database = SqliteDatabase(f"sqlite:///{file}")
    await database.migrate()
    async with database.transaction() as tx:
        await Products(database).save(tx, PRODUCT)
        await Contracts(database).save(tx, CONTRACT)
        attempt = Attempt(sample_record().attempt_id, PRODUCT.id, Budget(), 0)
        await Attempts(database).start(tx, attempt)
        await Records(database).publish(tx, sample_record())
    await database.close()


def _processor_seconds(folder: Path, arguments: Sequence[str]) -> float:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name != "PYTHONDONTWRITEBYTECODE" and not name.startswith("SPEC_")
    }
    command = [sys.executable, "-m", "specfactory.entry.cli", *arguments]
    begun = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL,
        env={**kept, "PYTHONPYCACHEPREFIX": str(folder / "compiled")},
    )  # fmt: skip
    _, status, used = os.wait4(begun.pid, 0)
    begun.returncode = os.waitstatus_to_exitcode(status)
    if begun.returncode != 0:
        raise SystemExit(f"spec {' '.join(arguments)} failed with {begun.returncode}")
    return used.ru_utime + used.ru_stime


def lookup_growths(fresh: Callable[..., Servers], database: str, many: int) -> dict[str, float]:
    """How much longer each lookup takes among many jobs than among few."""
    sizes = {FEW: fresh(), many: fresh(keep=True)}
    for jobs, servers in sizes.items():
        asyncio.run(filled(servers, database, jobs, f"{COLUMNS} SELECT {VALUES}"))
    return asyncio.run(_growths([sizes[FEW], sizes[many]], database))


async def _growths(servers: Sequence[Servers], database: str) -> dict[str, float]:
    opened = [choose_database(settings_for(one, database)) for one in servers]
    found = {name: await _growth(opened, lookup) for name, lookup in KNOWN.items()}
    for one in opened:
        await one.close()
    return found


async def _growth(databases: Sequence[Database], lookup: Lookup) -> float:
    seconds: list[list[float]] = [[] for _ in databases]
    for turn in range(LOOKUPS + 1):
        for database, times in zip(databases, seconds, strict=True):
            began = time.perf_counter()
            await lookup(Jobs(database))
            if turn:  # plans are made, pages are read
                times.append(time.perf_counter() - began)
    few, many = (statistics.median(times) for times in seconds)
    return many / few


if __name__ == "__main__":
    main(run, options)
