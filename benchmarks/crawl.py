"""The same site crawled by Scrapy, by Crawlee and by ours, and fetched by a bare loop as the limit.

Everybody has the same pages, the same ten selectors, 16 requests at once, no robots.txt and no
pause; each crawl is a process of its own, whose processor time and memory count as a whole, the
start included, the server's not. Contenders take turns; what counts is the median of the ratios
within a turn. After every crawl all pages must be kept with all ten values, ours proven again
from the stored pages.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks.crawl_race import Lap, lap
from benchmarks.crawl_site import served
from benchmarks.peers import go_on_with
from benchmarks.report import Report, main

PEERS = ("scrapy", "crawlee", "parsel")
PAGES, TURNS, WARM_UP_PAGES = 1_000, 3, 20

# Name -> module and options. Those that are held against each other go one after the other: the
# machine changes while others run, and timings cost less than that.
CONTENDERS: Mapping[str, tuple[str, ...]] = {
    "scrapy": ("scrapy",),
    "ours without timings": ("ours", "--no-timings"),
    "ours": ("ours",),
    "ours without readers": ("ours", "--no-readers"),
    "crawlee": ("crawlee",),
    "bare": ("bare",),
    "crawlee in memory": ("crawlee", "--in-memory"),
}

Laps = Mapping[str, Sequence[Lap]]


def options(parser: argparse.ArgumentParser) -> None:
    """The benchmark's own options."""
    parser.add_argument("--pages", type=int, default=PAGES, help="pages of the site")
    parser.add_argument("--turns", type=int, default=TURNS, help="crawls of each contender")


def run(given: argparse.Namespace) -> Report:
    """Crawl in turns."""
    return report(race(list(CONTENDERS), given.pages, given.turns), given.pages)


def race(names: Sequence[str], pages: int, turns: int) -> Laps:
    """The laps of these contenders, in turns."""
    laps: dict[str, list[Lap]] = {name: [] for name in names}
    with served(pages) as address, tempfile.TemporaryDirectory() as place:
        for name in names:
            _lap(name, address, WARM_UP_PAGES, Path(place))
        for turn in range(turns):
            for name in names[:: 1 if turn % 2 == 0 else -1]:
                laps[name].append(_lap(name, address, pages, Path(place)))
    return laps


def readers_overhead(laps: Laps) -> float:
    """Share of processor time that reading in processes of its own adds."""
    return ratio(laps, "ours", "ours without readers", _cpu) - 1


def _lap(name: str, address: str, pages: int, compiled: Path) -> Lap:
    module, *given = CONTENDERS[name]
    check = module != "bare"
    with tempfile.TemporaryDirectory() as folder:
        return lap(module, address, pages, Path(folder), *given, check=check, compiled=compiled)


def report(laps: Laps, pages: int) -> Report:
    """The figures with their bars."""
    found = Report("crawl")
    for peer, bar in (("scrapy", 2.0), ("crawlee", 3.0)):
        found.at_least(f"pages_per_cpu_vs_{peer}", ratio(laps, peer, "ours", _cpu), bar)
    found.plain(
        "pages_per_cpu_vs_crawlee_in_memory", ratio(laps, "crawlee in memory", "ours", _cpu)
    )
    found.plain("pages_per_second_vs_bare", ratio(laps, "bare", "ours", _wall))
    for peer in ("scrapy", "crawlee"):
        found.at_most(f"memory_vs_{peer}", ratio(laps, "ours", peer, _memory), 1.0)
    timings = ratio(laps, "ours", "ours without timings", _cpu) - 1
    found.at_most("timings_overhead", timings, 0.05)
    found.at_most("readers_overhead", readers_overhead(laps), 0.05)
    found.notes += [
        _line("ms of processor time a page", laps, lambda one: one.cpu_seconds / pages * 1000),
        _line("pages a second", laps, lambda one: pages / one.wall_seconds),
        _line("MB at the most", laps, _memory),
        f"{pages} pages; Scrapy writes JSON lines, Crawlee its dataset in files (in memory: "
        "exported at the end), neither keeps pages; ours keeps every page, compressed, and the "
        "values with their proof in SQLite, under leases",
    ]
    return found


def ratio(laps: Laps, over: str, under: str, what: Callable[[Lap], float]) -> float:
    """The median over all turns: both had the machine of one moment."""
    turns = zip(laps[over], laps[under], strict=True)
    return statistics.median(what(one) / what(other) for one, other in turns)


def _cpu(one: Lap) -> float:
    return one.cpu_seconds


def _wall(one: Lap) -> float:
    return one.wall_seconds


def _memory(one: Lap) -> float:
    return one.peak_megabytes


def _line(what: str, laps: Laps, value: Callable[[Lap], float]) -> str:
    medians = {name: statistics.median(map(value, some)) for name, some in laps.items()}
    return what + ": " + ", ".join(f"{name} {number:.3g}" for name, number in medians.items())


if __name__ == "__main__":
    go_on_with(PEERS, "benchmarks.crawl")
    main(run, options)
