"""Exports: memory that does not grow with the number of records.

Two databases are filled, one with 1,000 records, questions and read pages, one with 20,000. Each
export and each list runs in a process of its own; ``memory_growth`` is the largest ratio of the
peak memory of the second to that of the first.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.report import Report, main
from specfactory.assembly import open_factory
from specfactory.settings import Settings, load
from tests.many_records import fill

FEW, MANY = 1_000, 20_000
BAR = 1.1
OF_RECORDS = ("jsonl", "csv", "xlsx", "parquet", "jsonld", "seed")
OF_PAGES = ("jsonl", "csv", "xlsx", "parquet")
SCRIPT = """
import sys
from specfactory.entry.cli import run_command
code = run_command(sys.argv[1:])
from benchmarks.crawl_race import peak_megabytes
print(peak_megabytes(), file=sys.stderr)
sys.exit(code)
"""


def options(parser: argparse.ArgumentParser) -> None:
    """Sizes of the two databases."""
    parser.add_argument("--few", type=int, default=FEW, help="records of the small one")
    parser.add_argument("--many", type=int, default=MANY, help="records of the large one")


def run(given: argparse.Namespace) -> Report:
    """Every export and every list, on both databases."""
    report = Report("export")
    with tempfile.TemporaryDirectory(prefix="spec-export-") as folder:
        small, large = (_filled(Path(folder), count) for count in (given.few, given.many))
        worst = 0.0
        for name, arguments in _commands():
            began = time.perf_counter()
            before, after = (_peak_mb(place, arguments) for place in (small, large))
            seconds = time.perf_counter() - began
            worst = max(worst, after / before)
            report.plain(f"growth_{name}", round(after / before, 3))
            report.notes.append(f"{name}: {before:.0f} MB, then {after:.0f} MB; {seconds:.0f} s")
    report.at_most("memory_growth", round(worst, 3), BAR)
    report.notes.append(f"{given.few:,} records, questions and pages against {given.many:,}")
    return report


def _commands() -> Iterator[tuple[str, list[str]]]:
    for form in OF_RECORDS:
        yield form, ["export", "--format", form, "--output", f"records.{form}"]
    for form in OF_PAGES:
        pages = ["--pages", "--category", "mouse"]
        yield f"pages_{form}", ["export", *pages, "--format", form, "--output", f"pages.{form}"]
    yield "record_list", ["record", "list", "--json"]
    yield "review_list", ["review", "list", "--json"]
    yield "audit", ["audit", "--all", "--json"]


def _filled(folder: Path, count: int) -> Path:
    place = folder / str(count)
    place.mkdir()
    settings = {"database_url": f"sqlite:///{place}/factory.db"}
    (place / "specfactory.yaml").write_text(json.dumps(settings))  # JSON is YAML
    asyncio.run(_fill(load(place / "specfactory.yaml"), count))
    return place


async def _fill(settings: Settings, count: int) -> None:
    async with open_factory(settings) as factory:
        await fill(factory.database, count)


def _peak_mb(place: Path, arguments: list[str]) -> float:
    """Run a command and return the most memory that it took."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments], cwd=place, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, check=False,
        env={"PYTHONPATH": ":".join(filter(None, sys.path)), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)}: {done.stderr}")
    return float(done.stderr.splitlines()[-1])


if __name__ == "__main__":
    main(run, options)
