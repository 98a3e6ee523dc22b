"""Golden products: the whole line on the demo web, held against the truth.

Three seeds are drawn when it runs and printed, so that a bad one can be repeated with --seeds.
The demo web runs in a process of its own, so that CPU time is the factory's alone, with that of
the processes that read its pages; without them, everything is done once more for ``--overhead``.
What counts as right is said in ``judging``.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import random
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.judging import disputed, fell, own_values, why_unkept, why_wrong
from benchmarks.report import Report, main
from specfactory.assembly import open_factory
from specfactory.contract import value_to_json
from specfactory.demo import World, build_world
from specfactory.entry.cli.records.audit import audit_records
from specfactory.model import Product, Record
from specfactory.orchestrate import Workbench, run_attempt
from specfactory.settings import ReaderSettings, load

AT_ONCE = 4
PAGES = 8  # the bar is stated for this many pages
PROCESSES = ReaderSettings().processes
READER = b"specfactory.adapters.readers"


@dataclass(slots=True)
class Count:
    """What was seen over all products."""

    right: int = 0
    wrong: list[str] = field(default_factory=list)
    reachable: int = 0
    covered: int = 0
    missed: Counter[str] = field(default_factory=Counter)
    disputes: int = 0  # fields in which the sources that were read truly differ
    told: int = 0  # values that sources have of their own, on pages that were read
    lost: Counter[str] = field(default_factory=Counter)  # of these, those that no record keeps
    trapped: list[str] = field(default_factory=list)
    traps: int = 0
    published: int = 0
    proven: int = 0
    products: int = 0
    pages: int = 0
    cpu_seconds: float = 0.0


def options(parser: argparse.ArgumentParser) -> None:
    """The benchmark's own options."""
    parser.add_argument("--seeds", default="", help="comma-separated; drawn when not given")
    parser.add_argument("--products", type=int, default=50)
    parser.add_argument("--overhead", action="store_true", help="the cost of reader processes")
    parser.add_argument("--wrong", action="store_true", help="list wrong values and misses")


def run(given: argparse.Namespace) -> Report:
    """Measure all seeds and report."""
    seeds = [int(s) for s in given.seeds.split(",") if s] or [
        secrets.randbelow(1_000_000) for _ in range(3)
    ]
    count = Count()
    for seed in seeds:
        measure(seed, given.products, count)
    report = Report("golden")
    report.at_least("accuracy", count.right / max(count.right + len(count.wrong), 1), 0.99)
    report.at_least("proven_share", count.proven / max(count.published, 1), 1.0)
    report.at_least("coverage_expected", count.covered / max(count.reachable, 1), 0.95)
    report.at_least("own_values_kept", 1 - count.lost.total() / max(count.told, 1), 0.95)
    report.at_most("wrong_variant_values", len(count.trapped), 0)
    report.at_most("help_time_ratio", help_time_ratio(), 3.0)
    report.at_most("cpu_seconds_per_product", count.cpu_seconds / max(count.pages, 1) * PAGES, 0.5)
    report.at_least("reachable_fields_per_product", count.reachable / max(count.products, 1), 100)
    if given.overhead:
        report.at_most("readers_overhead", readers_overhead(seeds, given.products), 0.05)
    report.notes.append(f"seeds {','.join(map(str, seeds))}, {count.products} products, "
                        f"{count.pages} pages, {count.traps} traps, "
                        f"{count.disputes} disputes")  # fmt: skip
    if given.wrong:
        report.notes += [f"wrong: {line}" for line in count.wrong]
        report.notes += [f"trapped: {line}" for line in count.trapped]
        report.notes += [f"missed {n}x: {name}" for name, n in count.missed.most_common(40)]
        report.notes += [f"lost {n}x: {name}" for name, n in count.lost.most_common(40)]
    return report


def readers_overhead(seeds: list[int], products: int) -> float:
    """Share of processor time that reading in processes of its own adds.

    Taken in turns, each in a process of its own, as workers are: nothing is loaded already.
    """
    spent = {PROCESSES: 0.0, 0: 0.0}
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as fresh:
        for turn, seed in enumerate(seeds):
            for processes in sorted(spent, reverse=turn % 2 == 0):
                spent[processes] += fresh.apply(_spent, (seed, products, processes))
    return spent[PROCESSES] / spent[0] - 1


def _spent(seed: int, products: int, processes: int) -> float:
    count = Count()
    measure(seed, products, count, processes)
    return count.cpu_seconds


def measure(seed: int, products: int, count: Count, processes: int = PROCESSES) -> None:
    """Make the records of one world and hold them against its truth."""
    with tempfile.TemporaryDirectory() as place, demo_web(seed, Path(place)) as world:
        chosen = random.Random(seed).sample(world.products, min(products, len(world.products)))
        asyncio.run(_measure(world, chosen, Path(place), count, processes))


@contextmanager
def demo_web(seed: int, folder: Path) -> Iterator[World]:
    """The demo web in a process of its own; gives the same world, for its truth and traps."""
    port = free_ports(24)
    command = [sys.executable, "-m", "specfactory.entry.cli", "demo", "web"]
    command += ["--port", str(port), "--seed", str(seed), "--folder", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            if not any("in another terminal" in line for line in process.stdout):
                raise SystemExit("the demo web did not come up")
            yield build_world(seed, port)
        finally:
            process.terminate()


def free_ports(count: int) -> int:
    """The first of so many free ports in a row."""
    while True:
        first = random.SystemRandom().randrange(20_000, 32_000)
        taken = []
        try:
            for port in range(first, first + count):
                taken.append(socket.create_server(("127.0.0.1", port)))
        except OSError:
            continue
        finally:
            for server in taken:
                server.close()
        return first


async def _measure(
    world: World, products: list[Product], folder: Path, count: Count, processes: int
) -> None:
    flags = {"readers.processes": processes}
    settings = load(folder / "specfactory.yaml", environment={}, flags=flags)
    async with open_factory(settings) as bench:
        async with bench.database.transaction() as tx:
            for product in world.products:  # the catalogue is known, as in real life
                await bench.products.save(tx, product)
        began = time.process_time()
        records = await _records(bench, products, count)
        count.cpu_seconds += time.process_time() - began + reader_seconds()
        for product in products:
            _compare(bench, world, product, records.get(product.id), count)
        failures, proven = await audit_records(bench, list(records.values()))
        count.published += proven + len(failures)
        count.proven += proven


def reader_seconds() -> float:
    """Processor time of the processes that read pages for this one."""
    seconds, ours = 0.0, {os.getpid()}
    for place in sorted(Path("/proc").glob("[0-9]*"), key=lambda place: int(place.name)):
        with suppress(OSError):  # it has ended
            if READER in (place / "cmdline").read_bytes():
                facts = (place / "stat").read_text().rpartition(")")[2].split()
                if int(facts[1]) in ours:
                    ours.add(int(place.name))
                    seconds += sum(map(int, facts[11:15])) / os.sysconf("SC_CLK_TCK")
    return seconds


async def _records(bench: Workbench, products: list[Product], count: Count) -> dict[str, Record]:
    slots = asyncio.Semaphore(AT_ONCE)
    records: dict[str, Record] = {}

    async def one(product: Product) -> None:
        async with slots:
            result = await run_attempt(bench, product)
        count.products += 1
        count.pages += result.attempt.spent.pages
        if result.record is not None:
            records[product.id] = result.record

    await asyncio.gather(*(one(product) for product in products))
    return records


def _compare(
    bench: Workbench, world: World, product: Product, record: Record | None, count: Count
) -> None:
    compiled = bench.contract(product.category)
    truth = world.truth[product.id]
    for name in compiled.contract.fields:
        result = record.fields[name] if record else None
        value = result.value if result else None
        known = truth.get(name)
        if known is not None and known.reachable:
            count.reachable += 1
            count.covered += value is not None
            if value is None:
                count.missed[name] += 1
        if value is None or result is None or record is None:
            continue
        problem = why_wrong(compiled, known, result)
        if known is not None and known.by_host:
            own = own_values(compiled, known, record, name)
            count.disputes += disputed(compiled, name, own)
            count.told += len(own.told)
            count.lost.update(f"{name} of {host}" for host in own.lost)
            problem = problem or why_unkept(compiled, result, own)
        if problem is None:
            count.right += 1
            continue
        origin = result.chosen.evidence.url if result.chosen else "decision"
        count.wrong.append(
            f"{product.id} {name}: {value_to_json(value)!r} from {origin}, {problem}"
        )
    if record is not None:
        for trap in world.traps:
            if trap.product_id == product.id and trap.field:
                count.traps += 1
                if fell(compiled, trap, record, truth.get(trap.field)):
                    count.trapped.append(str(trap))


def help_time_ratio(times: int = 7) -> float:
    """``spec --help`` against ``import typer``, the quickest of several, taken in turns."""
    spec = [sys.executable, "-m", "specfactory.entry.cli", "--help"]
    typer = [sys.executable, "-c", "import typer"]
    best = {"spec": float("inf"), "typer": float("inf")}
    for _ in range(times):
        for name, command in (("spec", spec), ("typer", typer)):
            began = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            best[name] = min(best[name], time.perf_counter() - began)
    return best["spec"] / best["typer"]


if __name__ == "__main__":
    main(run, options)
