"""Ours: page jobs in the queue and a worker that fetches, keeps, reads and proves every page.

All is on: the gate, leases with heartbeat and sweeper, events, stored pages, visits. Robots.txt
and the pause between requests are off, as for everybody. It runs as commands do, which load what
they need once they run.
"""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from benchmarks.crawl_race import AT_ONCE, Entry, Row, contend
from benchmarks.crawl_site import SELECTORS
from specfactory.entry.event_loop import perform

if TYPE_CHECKING:
    from specfactory.orchestrate.bench.workbench import Workbench
    from specfactory.settings import Settings

CATEGORY = "gadget"
CONTRACT = """\
category: gadget
title: Gadgets
fields:
  title: {type: text}
  brand: {type: text}
  price: {type: price, unit: EUR}
  availability:
    type: enumeration
    allowed: {in_stock: [In stock], out_of_stock: [Out of stock], soon: [Available in 3 days]}
  sku: {type: text}
  gtin: {type: text}
  rating: {type: number, range: [0, 5]}
  review_count: {type: integer}
  weight: {type: number, unit: g}
  battery_life: {type: number, unit: h}
sources:
  - host: SHOP
    tier: tier3_retailer
    scheme: http
    selectors:
"""


def crawl(entry: Entry) -> None:
    """Crawl into factory.db."""
    perform(_crawl(entry))


def settings_for(folder: Path, timings: bool = True, readers: bool = True) -> Settings:
    """The defaults, in a folder, with politeness off."""
    from specfactory.settings import load
    from specfactory.testing import open_to_loopback

    flags = {
        "database_url": f"sqlite:///{folder}/factory.db",
        "contracts_dir": str(folder),
        "fetch.respect_robots": False,
        "fetch.host_delay_seconds": 0,
        "fetch.latency_factor": 0,
        "profile.sample": float(timings),
    }
    if not readers:
        flags["readers.processes"] = 0
    return open_to_loopback(load(environment={}, flags=flags))


async def _crawl(entry: Entry) -> None:
    from specfactory.assembly import heartbeat_database, open_factory
    from specfactory.orchestrate.kinds import standard_handlers
    from specfactory.orchestrate.workers.worker import Worker, WorkerPlan

    host = urlsplit(entry.urls[0]).netloc
    lines = [f"      {field}: '{selector}'" for field, selector in SELECTORS.items()]
    contract = CONTRACT.replace("SHOP", f"'{host}'") + "\n".join(lines) + "\n"
    (entry.folder / f"{CATEGORY}.yaml").write_text(contract, encoding="utf-8")
    settings = settings_for(entry.folder, entry.timings, entry.readers)
    async with open_factory(settings) as bench:
        await _fill(bench, entry)
        plan = WorkerPlan(
            "bench", socket.gethostname(), os.getpid(), ("page",), AT_ONCE,
            max_jobs=len(entry.urls),
        )  # fmt: skip
        worker = Worker(bench, standard_handlers(), plan, heartbeat_database(settings))
        end = await worker.run()
    assert (end.done, end.failed, end.lost) == (len(entry.urls), 0, 0), end


async def _fill(bench: Workbench, entry: Entry) -> None:
    from specfactory.model import NewJob

    jobs = [NewJob("page", url, {"url": url, "category": CATEGORY}) for url in entry.urls]
    async with bench.database.transaction() as tx:
        await bench.jobs.add(tx, jobs, bench.clock.now())


def stored(folder: Path) -> Iterator[Row]:
    """What was kept, each value proven again from the stored page alone."""
    yield from perform(_stored(folder))


async def _stored(folder: Path) -> list[Row]:
    from specfactory.assembly import open_factory

    async with open_factory(settings_for(folder)) as bench:
        return [row async for row in _proven(bench)]


async def _proven(bench: Workbench) -> AsyncIterator[Row]:
    from specfactory.proof import PageViews, prove, reading

    compiled = bench.contract(CATEGORY)
    async for found in bench.readings.for_category(CATEGORY):
        page = await bench.pages.get(found.reading.page_id)
        views = PageViews(page, await bench.pages.body(page))
        row = {"url": found.url}
        for candidate in found.reading.candidates:
            problem = prove(candidate, compiled, views)
            assert problem is None, problem
            row[candidate.field] = " ".join(map(reading, candidate.evidence.values))
        yield row


if __name__ == "__main__":
    contend(crawl)
