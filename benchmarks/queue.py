"""The queue against its peers and against bare SQL, all in one run on the same servers.

No-op jobs, durable, acknowledged; ours through the real worker loop, with events on. Contenders
take turns, and what counts is the median of the ratios within a turn: machines are noisy.
Against PgQueuer everybody is at the best of a sweep over processes and batches, which ``--sweep``
runs anew (see ``queue_sweep.py``); against bare SQL both have batches of 100.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.peers import go_on_with
from benchmarks.report import Report, main

ROOT = Path(__file__).parent.parent
PEERS = ("celery", "dramatiq", "huey", "pgqueuer", "procrastinate", "redis")
BATCH = 100


@dataclass(frozen=True, slots=True)
class Entry:
    """One contender in the race: its module, how many jobs, its options."""

    module: str
    jobs: int
    times: int
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured."""

    times: int
    jobs: int
    bulk: int
    waiting: tuple[int, int]
    claims: int


FULL = Sizes(times=5, jobs=10_000, bulk=100_000, waiting=(10_000, 1_000_000), claims=1500)
QUICK = Sizes(times=1, jobs=4_000, bulk=20_000, waiting=(10_000, 100_000), claims=300)


def options(parser: argparse.ArgumentParser) -> None:
    """The benchmark's own options."""
    parser.add_argument("--quick", action="store_true", help="once, with fewer jobs")
    parser.add_argument("--sweep", action="store_true", help="choose the peers' settings anew")


def run(given: argparse.Namespace) -> Report:
    """Measure everything."""
    if given.sweep:
        from benchmarks.queue_sweep import sweep

        sweep()
    from benchmarks.queue_servers import place

    sizes = QUICK if given.quick else FULL
    with place() as servers:
        rates = processing(servers, sizes)
        bulk = enqueuing(servers, sizes)
        claims = claim_growth(servers, sizes)
        idle = idle_memory(servers)
    return report(rates, bulk, claims, idle)


def processing(servers: Any, sizes: Sizes) -> dict[str, list[float]]:
    """Jobs a second of everybody, worked on until they are acknowledged."""
    from benchmarks.queue_race import race

    def timed(entry: Entry) -> Callable[[], float]:
        return lambda: race(entry.module, servers.fresh(), entry.jobs, entry.options)

    found = entries(sizes)
    return in_turns(
        {name: timed(entry) for name, entry in found.items()},
        {name: entry.times for name, entry in found.items()},
    )


def entries(sizes: Sizes) -> dict[str, Entry]:
    """Ours, the limits, and the peers with the best settings of the sweep."""
    from benchmarks.queue_sweep import best

    jobs, times = sizes.jobs, sizes.times
    found = {"ours at its best": Entry("ours", jobs, times, best("ours")),
             "pgqueuer": Entry("pgqueuer", jobs, times, best("pgqueuer"))}  # fmt: skip
    for database, processes in (("postgres", 2), ("sqlite", 1)):
        alike = {"database": database, "processes": processes, "batch": BATCH}
        for module in ("ours", "bare"):
            found[f"{module} on {database}"] = Entry(module, jobs, times, alike)
    for peer, share in (("procrastinate", 20), ("celery", 8), ("dramatiq", 4), ("huey", 4)):
        found[peer] = Entry(peer, jobs // share, min(times, 3), best(peer))
    return found


def enqueuing(servers: Any, sizes: Sizes) -> dict[str, list[float]]:
    """Jobs a second, added in bulk with dedup."""
    from benchmarks import queue_bare, queue_ours

    contenders = {
        "ours on postgres": lambda: queue_ours.enqueue_postgres(servers.fresh(), sizes.bulk),
        "bare on postgres": lambda: queue_bare.enqueue_postgres(servers.fresh(), sizes.bulk),
        "ours on sqlite": lambda: queue_ours.enqueue_sqlite(servers.fresh(), sizes.bulk),
        "bare on sqlite": lambda: queue_bare.enqueue_sqlite(servers.fresh(), sizes.bulk),
    }
    return in_turns(contenders, dict.fromkeys(contenders, sizes.times))


def in_turns(
    contenders: Mapping[str, Callable[[], float]], times: Mapping[str, int]
) -> dict[str, list[float]]:
    """Measure everybody in turns."""
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for turn in range(max(times.values())):
        for name, measure in contenders.items():
            if turn < times[name]:
                rates[name].append(measure())
    return rates


def ratio(rates: Mapping[str, Sequence[float]], ours: str, other: str) -> float:
    """The median over all turns in which both took part: they had the machine of one moment."""
    turns = zip(rates[ours], rates[other], strict=False)
    return statistics.median(one / another for one, another in turns)


def claim_growth(servers: Any, sizes: Sizes) -> dict[str, float]:
    """How much longer a claim takes with very many waiting, on both databases."""
    from benchmarks.queue_claims import beside, growth

    few, many = servers.fresh(), servers.fresh(keep=True)
    return {
        database: growth(few, beside(many), database, sizes.waiting, sizes.claims)
        for database in ("postgres", "sqlite")
    }


def idle_memory(servers: Any) -> dict[str, float]:
    """The memory of an idle worker, on both databases."""
    from benchmarks.queue_idle import idle_worker_mb

    place = servers.fresh()
    return {database: idle_worker_mb(place, database) for database in ("postgres", "sqlite")}


def report(
    rates: Mapping[str, Sequence[float]],
    bulk: Mapping[str, Sequence[float]],
    claims: Mapping[str, float],
    idle: Mapping[str, float],
) -> Report:
    """The figures with their bars."""
    found = Report("queue")
    postgres, sqlite = "ours on postgres", "ours on sqlite"
    found.at_least("pg_vs_pgqueuer", ratio(rates, "ours at its best", "pgqueuer"), 1.0)
    found.at_least("pg_vs_bare", ratio(rates, postgres, "bare on postgres"), 0.6)
    found.at_least("pg_vs_procrastinate", ratio(rates, postgres, "procrastinate"), 10)
    found.at_least("pg_vs_celery", ratio(rates, postgres, "celery"), 5)
    found.at_least("sqlite_vs_bare", ratio(rates, sqlite, "bare on sqlite"), 0.5)
    found.at_least("sqlite_vs_huey", ratio(rates, sqlite, "huey"), 3)
    found.at_least("pg_enqueue_vs_bare", ratio(bulk, postgres, "bare on postgres"), 0.5)
    found.at_least("sqlite_enqueue_vs_bare", ratio(bulk, sqlite, "bare on sqlite"), 0.5)
    found.at_most("claim_p99_growth", max(claims.values()), 2.0)
    found.at_most("idle_worker_mb", max(idle.values()), 120)
    found.notes += [
        _line("jobs a second, worked", {k: statistics.median(v) for k, v in rates.items()}),
        _line("jobs a second, added", {k: statistics.median(v) for k, v in bulk.items()}),
        _line("claim p99 growth", claims),
        _line("idle worker MB", idle),
    ]
    return found


def _line(what: str, values: Mapping[str, float]) -> str:
    return what + ": " + ", ".join(f"{name} {_number(value)}" for name, value in values.items())


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


if __name__ == "__main__":
    go_on_with(PEERS, "benchmarks.queue")
    main(run, options)
