"""What learning changes for a user: three sites of every trade, pages read before and after.

Every site is served on loopback; a worker fetches and reads a hundred of its pages by a contract
as a user writes it, ``spec learn`` follows, and a hundred pages that nobody has fetched are read
without and with what was learned. A field is worse or better where the number of pages with the
right answer falls or rises; an answer where the page has none is wrong. ``cpu_share`` is what
learning takes of a worker that reads those pages and learns beside; ``asked_share`` compares
``spec learn``, for which somebody waits, with reading the hundred pages.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import groupby
from pathlib import Path

from benchmarks.learning_share import seconds_of_worker
from benchmarks.real_sets._pages import SetPage
from benchmarks.real_sets._swde_sites import PageTruth, site_pages, values_of
from benchmarks.report import Report, main
from specfactory.contract import CompiledContract
from specfactory.errors import TooFewPages
from specfactory.extract.templates.rule_vote import folded
from specfactory.learn.unlabelled.known_values import unlabelled
from specfactory.model import NewJob
from specfactory.orchestrate.bench import Workbench

CONTRACTS = Path(__file__).parent / "learning_contracts"
SITES, STORED, LEFT_OUT = 3, 100, 100
FLAGS = {
    "contracts_dir": str(CONTRACTS), "fetch.host_delay_seconds": 0,
    "fetch.latency_factor": 0,
}  # fmt: skip
NAMES = {"auto": {"model": "name"}, "camera": {"model": "name"}}  # what the set calls a name


@dataclass(slots=True)
class Site:
    """A site with its pages: those to fetch and those left out."""

    name: str
    stored: Sequence[PageTruth]
    left_out: Sequence[PageTruth]
    host: str = ""
    adopted: int = 0
    before: Counter[str] = field(default_factory=Counter)  # pages with the right answer, by field
    after: Counter[str] = field(default_factory=Counter)
    changed: list[str] = field(default_factory=list)

    @property
    def category(self) -> str:
        return self.name.partition("-")[0]

    @property
    def names(self) -> list[str]:
        return list(self.left_out[0].fields)


def options(parser: argparse.ArgumentParser) -> None:
    """The benchmark's own options."""
    parser.add_argument("folder", type=Path, help="the set swde")
    parser.add_argument("--trade", default="", help="only this trade")
    parser.add_argument("--sites", type=int, default=SITES, help="sites of a trade")
    parser.add_argument("--wrong", action="store_true", help="list answers that became wrong")


def run(given: argparse.Namespace) -> Report:
    """Learn trade by trade."""
    folders = [one for one in sorted(given.folder.iterdir()) if given.trade in one.name]
    sites: list[Site] = []
    seconds = Counter[str]()
    for _, several in groupby(folders, key=lambda one: one.name.partition("-")[0]):
        trade = [read_site(one) for one in list(several)[: given.sites]]
        seconds.update(asyncio.run(learn_trade(trade)))
        sites += trade
    return report(sites, seconds, given)


def read_site(folder: Path) -> Site:
    """The pages of a site, those marked as seeds first."""
    pages = sorted(site_pages(folder), key=lambda page: (not page.seed, page.name))
    return Site(folder.name, pages[:STORED], pages[-LEFT_OUT:])


@contextmanager
def served(site: Site) -> Iterator[None]:
    """Serve the stored pages of a site on a port of its own."""
    bodies = {f"/{page.name}": page.body for page in site.stored}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = bodies.get(self.path)
            self.send_response(200 if body is not None else 404)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    site.host = f"127.0.0.1:{server.server_address[1]}"
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


async def learn_trade(sites: Sequence[Site]) -> Mapping[str, float]:
    """Fetch, learn and judge the sites of one trade; processor seconds by what they went into."""
    from specfactory.assembly import open_factory
    from specfactory.settings import load
    from specfactory.testing import open_to_loopback

    with ExitStack() as stack:
        for site in sites:
            stack.enter_context(served(site))
        urls = [(f"http://{one.host}/{p.name}", one.category) for one in sites for p in one.stored]
        worked = await asyncio.to_thread(seconds_of_worker, urls, FLAGS)
    seconds = {**worked, "pages": 0.0, "asked": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        flags = {**FLAGS, "database_url": f"sqlite:///{folder}/factory.db"}
        async with open_factory(open_to_loopback(load(environment={}, flags=flags))) as bench:
            for site in sites:
                with served(site):
                    began = time.process_time()
                    await fetch(bench, site)
                    seconds["pages"] += time.process_time() - began
            for site in sites:
                began = time.process_time()
                await learn(bench, site)
                seconds["asked"] += time.process_time() - began
                await judge(bench, site)
    return seconds


async def fetch(bench: Workbench, site: Site) -> None:
    """Let a worker fetch and read the stored pages."""
    from specfactory.assembly import heartbeat_database
    from specfactory.orchestrate.kinds import standard_handlers
    from specfactory.orchestrate.workers.worker import Worker, WorkerPlan

    urls = [f"http://{site.host}/{page.name}" for page in site.stored]
    jobs = [NewJob("page", url, {"url": url, "category": site.category}) for url in urls]
    async with bench.database.transaction() as tx:
        await bench.jobs.add(tx, jobs, bench.clock.now())
    plan = WorkerPlan("bench", socket.gethostname(), os.getpid(), ("page",), 4, max_jobs=len(jobs))
    worker = Worker(bench, standard_handlers(), plan, heartbeat_database(bench.settings))
    end = await worker.run()
    assert end.done == len(jobs), end


async def learn(bench: Workbench, site: Site) -> None:
    """Learn the site from its stored pages."""
    from specfactory.orchestrate.learning import DomainLearner

    try:
        result = await DomainLearner(bench).learn_domain(site.host, category=site.category)
    except TooFewPages:
        return
    site.adopted = sum(one.status == "adopted" for one in result.templates)


async def judge(bench: Workbench, site: Site) -> None:
    """Read the pages left out without and with the templates."""
    from specfactory.orchestrate.templates import NO_TEMPLATES, templates_for

    compiled = bench.contract(site.category)
    at_work = await templates_for(bench, site.host, site.category)
    for page in site.left_out:
        without = answers(page, compiled, NO_TEMPLATES)
        learned = answers(page, compiled, at_work) if at_work.templates else without
        for attribute, values in page.fields.items():
            name = NAMES.get(site.category, {}).get(attribute, attribute)
            # The set has whole texts: "Publisher: Knopf" is right without its label, too.
            truth = values_of([*values, *map(unlabelled, values)])
            before, after = is_right(without, name, truth), is_right(learned, name, truth)
            site.before[attribute] += before
            site.after[attribute] += after
            if before and not after:
                said = learned.get(name, ())
                site.changed.append(f"{site.name} {page.name} {name}: {said} for {values}")


def answers(page: PageTruth, compiled: CompiledContract, at_work: object) -> Mapping[str, set[str]]:
    """The words and the value of every answer, folded."""
    from specfactory.orchestrate.pages import answer_for_category

    views = SetPage(page.name, "", "", page.body, {}, {}).views
    said = answer_for_category(views, compiled, {}, at_work)  # type: ignore[arg-type]
    quotes = {one.field: " ".join(part.quote for part in one.evidence.values) for one in said.kept}
    return {one.field: {folded(quotes[one.field]), folded(str(one.value))} for one in said.kept}


def is_right(said: Mapping[str, set[str]], name: str, truth: set[str]) -> bool:
    """True if the answer is among the values of the page, or neither has one."""
    return bool(said[name] & truth) if name in said else not truth


def report(
    sites: Sequence[Site], seconds: Mapping[str, float], given: argparse.Namespace
) -> Report:
    """Count the fields that learning made worse and better."""
    gains = [site.after[name] - site.before[name] for site in sites for name in site.names]
    made = Report("learning")
    made.at_most("worse_fields", sum(gain < 0 for gain in gains), 0)
    made.at_least("better_fields", sum(gain > 0 for gain in gains), 30)
    made.plain("templates_adopted", sum(site.adopted for site in sites))
    made.at_most("cpu_share", seconds["learning"] / seconds["worker"], 0.1)
    made.plain("asked_share", seconds["asked"] / (seconds["asked"] + seconds["pages"]))
    for site in sites:
        counts = (f"{name} {site.before[name]}>{site.after[name]}" for name in site.names)
        right = f"right of {len(site.left_out)}: " + ", ".join(counts)
        made.notes.append(f"{site.name}: {site.adopted} adopted; {right}")
    if given.wrong:
        made.notes += [line for site in sites for line in site.changed]
    return made


if __name__ == "__main__":
    main(run, options)
