"""Hostile pages, files and servers: nothing takes long, nothing staged is published.

Pages and files are grown from 50 KB to 1.6 MB before everything that looks at fetched bytes;
staged pages go through the whole line; hostile servers meet a real worker.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from benchmarks import hostile_hidden, hostile_votes
from benchmarks.crawl import PAGES, TURNS, race, readers_overhead
from benchmarks.hostile_good import GOOD_PAGES
from benchmarks.hostile_measured import GROWN, WORST_EXPONENT, Growth, grow
from benchmarks.hostile_servers import GROWN as HOSTILE_PAGES
from benchmarks.hostile_servers import SERVERS, hostile_web, product_page
from benchmarks.hostile_staged import Staged, run_cases
from benchmarks.hostile_worker import meet
from benchmarks.report import Report, main

PARTS = ("growth", "staged", "servers", "good", "overhead")
CASES: Sequence[Staged] = (*hostile_hidden.CASES, *hostile_votes.CASES)


def options(parser: argparse.ArgumentParser) -> None:
    """The benchmark's own options."""
    parser.add_argument("--only", default="", help=f"parts, comma-separated: {', '.join(PARTS)}")
    parser.add_argument("--names", default="", help="generators to grow, comma-separated")
    parser.add_argument("--pages", type=int, default=PAGES, help="crawled for the overhead")
    parser.add_argument("--all", action="store_true", help="list every growth, not the worst")


def run(given: argparse.Namespace) -> Report:
    """Measure and report."""
    report = Report("hostile")
    parts = given.only.split(",") if given.only else PARTS
    inputs = 0
    if "growth" in parts:
        names = given.names.split(",") if given.names else list(GROWN)
        inputs += _grow(report, names, given.all)
    if "staged" in parts:
        inputs += _stage(report)
    if "servers" in parts:
        inputs += _serve(report)
    if "good" in parts:
        given_as_before = sum(is_good() for is_good in GOOD_PAGES.values())
        report.at_least("good_pages", given_as_before / len(GOOD_PAGES), 1.0)
    if "overhead" in parts:
        laps = race(("ours", "ours without readers"), given.pages, TURNS)
        report.at_most("overhead", readers_overhead(laps), 0.05)
    report.at_least("inputs", inputs, 300)
    return report


def _grow(report: Report, names: Sequence[str], tell_all: bool) -> int:
    found: list[Growth] = []
    for growth in grow(names):
        found.append(growth)
        if tell_all:
            print(growth.told, flush=True)
    found.sort(key=lambda one: -one.exponent)
    report.at_least("grown", len(found), 150)
    report.at_most("worst_exponent", found[0].exponent, WORST_EXPONENT)
    report.notes += [one.told for one in found if one.exponent > WORST_EXPONENT] or [found[0].told]
    return len(found)


def _stage(report: Report) -> int:
    outcomes = run_cases(CASES)
    report.at_least("staged", len(outcomes), 100)
    report.at_most("staged_values_published", sum(len(one.fooled) for one in outcomes), 0)
    report.at_most("good_values_lost", sum(len(one.missing) for one in outcomes), 0)
    report.notes += [f"{one.case.name}: {one.fooled}, lost {one.missing}"
                     for one in outcomes if one.fooled or one.missing]  # fmt: skip
    return len(outcomes)


def _serve(report: Report) -> int:
    """Hostile servers, and every hostile page: small, as the worker looks at it, and large."""
    with hostile_web() as web:
        good = web["good"]
        pages = [good.replace("/thing", f"/{name}") for name in HOSTILE_PAGES]
        products = {name: product_page(good, name) for name in HOSTILE_PAGES}
        met = meet([*(web[name] for name in SERVERS), *pages], good, products=products)
    without = [url for url, outcome in met.ends.items() if not outcome]
    report.at_least("servers", len(SERVERS), 20)
    report.at_most("workers_killed", met.killed, 0)
    report.at_most("jobs_without_outcome", len({*met.left, *without}), 0)
    report.at_most("worst_loop_ms", met.loop_ms, 50)
    report.at_most("worst_memory_mb", met.memory_mb, 600)
    report.notes.append(f"the loop was held longest by {met.loop_by}")
    report.notes += [f"no outcome: {url}" for url in without]
    return len(SERVERS)


if __name__ == "__main__":
    main(run, options)
