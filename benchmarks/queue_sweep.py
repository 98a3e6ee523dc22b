"""The peers' settings: the best of a small sweep, which ``--sweep`` runs and writes down again.

``queue_settings.json`` holds, for each contender, how many jobs one race has, the options that
were tried with the jobs a second of each, and the best, which the benchmark uses. We are swept
over the same numbers of processes and sizes of batches as PgQueuer, the only peer with batches.
"""

from __future__ import annotations

import itertools
import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.queue_race import race
from benchmarks.queue_servers import Place, place

FILE = Path(__file__).parent / "queue_settings.json"
TIMES = 2

JOBS: Mapping[str, int] = {"ours": 10_000, "pgqueuer": 10_000, "procrastinate": 600, "celery": 1500,
                           "dramatiq": 4000, "huey": 3000}  # fmt: skip
TRIED: Mapping[str, Mapping[str, Sequence[Any]]] = {
    "ours": {"database": ("postgres",), "processes": (1, 2), "batch": (100, 500, 1000)},
    "pgqueuer": {"processes": (1, 2), "batch": (100, 500, 1000), "pool": (0, 4),
                 "uvloop": (True,)},
    "procrastinate": {"processes": (1, 2), "concurrency": (4, 16), "uvloop": (False, True),
                      "delete": ("never",)},
    "celery": {"pool": ("prefork", "threads", "solo"), "concurrency": (2, 4), "prefetch": (64,)},
    "dramatiq": {"processes": (1, 2), "threads": (2, 8), "prefetch": (16, 200)},
    "huey": {"processes": (1,), "threads": (1, 4, 8, 16)},
}  # fmt: skip


def best(contender: str) -> dict[str, Any]:
    """The options that won the sweep."""
    return dict(json.loads(FILE.read_text(encoding="utf-8"))[contender]["best"])


def sweep() -> None:
    """Try everything in turns, so that a noisy minute hits all alike, and write it down."""
    found = {}
    with place() as servers:
        for contender in TRIED:
            found[contender] = _sweep(servers, contender)
            print(contender, found[contender]["best"], flush=True)
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _sweep(servers: Place, contender: str) -> dict[str, Any]:
    tried = list(_combinations(TRIED[contender]))
    rates: list[list[float]] = [[] for _ in tried]
    for _ in range(TIMES):
        for options, seen in zip(tried, rates, strict=True):
            seen.append(race(contender, servers.fresh(), JOBS[contender], options))
    medians = [statistics.median(seen) for seen in rates]
    winner = tried[medians.index(max(medians))]
    table = [
        {**options, "jobs_per_second": round(median)}
        for options, median in zip(tried, medians, strict=True)
    ]
    return {"jobs": JOBS[contender], "best": winner, "tried": table}


def _combinations(options: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    for values in itertools.product(*options.values()):
        yield dict(zip(options, values, strict=True))
