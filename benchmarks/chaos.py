"""Chaos: real workers, real kills, and a checker that nothing was lost and nothing doubled.

Prints its seed; ``--seed`` draws the same jobs and the same faults again.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import secrets
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import chaos_products
from benchmarks.chaos_events import EventVerdict, check_events
from benchmarks.chaos_faults import ROOT, Crew, Faults
from benchmarks.chaos_history import STARTED, Dump, FinalJob, Line, Verdict, check
from benchmarks.chaos_jobs import LOG, RESULTS
from benchmarks.chaos_work import PATIENT, add, plan
from benchmarks.report import Report, main
from specfactory.assembly import choose_database
from specfactory.errors import StoreError
from specfactory.ports import Database
from specfactory.settings import load
from specfactory.store import Jobs, Outbox, Runs, Yields
from tests.servers import PostgresServer, postgres_server

WORKERS = 4
LEASE_SECONDS = 1.5
SETTINGS = {
    "SPEC_QUEUE_LEASE_SECONDS": str(LEASE_SECONDS),
    "SPEC_QUEUE_HEARTBEAT_SECONDS": "0.4",
    "SPEC_QUEUE_POLL_SECONDS": "0.2",
    "SPEC_QUEUE_CLAIM_BATCH": "20",
    "SPEC_QUEUE_RETRY_FIRST_SECONDS": "0.1",
    "SPEC_HANDLERS": "benchmarks.chaos_jobs:register",
    "PYTHONPATH": str(ROOT),
    **chaos_products.SETTINGS,
}
LOOK_SECONDS = 0.05
START_SECONDS = 60.0
ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class Trial:
    """How much chaos, and for how long at most."""

    jobs: int = 2000
    products: int = 20
    faults: int = 12
    seconds: float = 10.0  # over which jobs become due and faults happen
    patience_seconds: float = 60.0  # for the rest


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a trial ended."""

    verdict: Verdict
    events: EventVerdict
    attempts: int
    jobs: int
    executions: int
    statuses: dict[str, int]
    faults: dict[str, int]
    deaths: int
    bad_ends: list[int]
    seconds: float
    words: str  # of the workers, besides the usual


def trial(database: str, seed: int, wanted: Trial) -> Outcome:
    """One trial on ``sqlite`` or ``postgres``."""
    with tempfile.TemporaryDirectory(prefix="spec-chaos-") as folder, contextlib.ExitStack() as on:
        server = on.enter_context(postgres_server(durable=True)) if database != "sqlite" else None
        url = server.url if server else f"sqlite:///{folder}/factory.db"
        return asyncio.run(_trial(url, server, Path(folder), seed, wanted))


async def _trial(
    url: str, server: PostgresServer | None, folder: Path, seed: int, wanted: Trial
) -> Outcome:
    began = time.monotonic()
    database = choose_database(load(environment={}, flags={"database_url": url}))
    await database.migrate()
    async with database.transaction() as tx:  # what this reader has not received is not pruned
        await Outbox(database).join(tx, "checker", time.time_ns() // 1_000_000)
    work = plan(seed, wanted.jobs, wanted.seconds)
    with outside_log() as log, chaos_products.shop() as shop:
        environment = {**SETTINGS, "SPEC_DATABASE_URL": url, LOG: str(log)}
        environment["SPEC_FETCH_ALLOW_LOOPBACK"] = shop.removeprefix("http://")
        crew = Crew(WORKERS, environment, folder)
        faults = Faults(crew, random.Random(seed), LEASE_SECONDS, server)
        try:
            await _come_up(crew)
            now = time.time_ns() // 1_000_000
            step_ms = round(wanted.seconds * 1000 / max(wanted.products, 1))
            work.jobs[None] += chaos_products.product_jobs(wanted.products, shop, PATIENT, step_ms)
            await add(database, work, now)
            await _torment(database, crew, faults, wanted)
        finally:
            faults.end()
            crew.stop(30)
        dump, lines = await read_dump(database), read_log(log)
        ledger = await chaos_products.read_ledger(database, list(dump.jobs))
    await database.close()
    verdict = check(lines, dump, work.expected)
    executions = sum(line.what == STARTED for line in lines)
    statuses = dict(Counter(job.status for job in dump.jobs))
    return Outcome(
        verdict, check_events(ledger), len(ledger.attempts), len(dump.jobs), executions,
        statuses, faults.counts, crew.died, crew.bad_ends,
        time.monotonic() - began, crew.complaints()[-4000:],
    )  # fmt: skip


async def _come_up(crew: Crew) -> None:
    """Wait until everybody is at work, so that the faults hit somebody."""
    crew.replace_dead()
    until = time.monotonic() + START_SECONDS
    while len(crew.up()) < crew.size and time.monotonic() < until:  # noqa: ASYNC110 - processes
        await asyncio.sleep(LOOK_SECONDS)


async def _torment(database: Database, crew: Crew, faults: Faults, wanted: Trial) -> None:
    """Let faults happen while there is work, then wait until nothing is left to do."""
    began, pause = time.monotonic(), wanted.seconds / max(wanted.faults, 1)
    coming = faults.schedule(wanted.faults)
    next_fault = began + pause / 2
    while time.monotonic() < began + wanted.seconds + wanted.patience_seconds:
        faults.tick()
        crew.replace_dead()
        if time.monotonic() >= next_fault:
            fault = next(coming, None)
            if fault is None and await is_done(database):
                return
            if fault is not None:
                fault()
            next_fault = time.monotonic() + (pause if fault else LOOK_SECONDS * 4)
        await asyncio.sleep(LOOK_SECONDS)


async def is_done(database: Database) -> bool:
    """Whether every job and every run has come to its end."""
    try:
        left = (await Jobs(database).stats()).by_status()
        runs = await Runs(database).list(limit=ALL)
    except StoreError:  # away: who knows
        return False
    unfinished = sum(count for status, count in left.items() if status in ACTIVE)
    return unfinished == 0 and all(run.finished_at is not None for run in runs)


ACTIVE = ("queued", "in_progress", "paused", "awaiting_review")


async def read_dump(database: Database) -> Dump:
    """What the database says in the end."""
    jobs = await Jobs(database).list(limit=ALL)
    told = await Outbox(database).recent(ALL)
    finished: Counter[int] = Counter()
    ended: Counter[int] = Counter()
    for event in told:
        if event.name == "job.finished":
            finished.update(event.fields["job_ids"])  # type: ignore[arg-type]
        elif event.name == "run.finished":
            ended.update([event.fields["run_id"]])  # type: ignore[list-item]
    results = {
        int(host): {int(token): times for token, times in given.fields.items()}
        for host, given in (await Yields(database).for_category(RESULTS)).items()
    }
    final = [FinalJob(j.id, j.kind, j.key, j.status, j.lease_token, j.run_id) for j in jobs]
    runs = {run.id: str(run.status) for run in await Runs(database).list(limit=ALL)}
    return Dump(final, runs, results, finished, ended)


@contextlib.contextmanager
def outside_log() -> Iterator[Path]:
    """A file that has nothing to do with the database, on another disk where there is one."""
    memory = Path("/dev/shm")
    place = str(memory) if memory.is_dir() else None
    try:
        folder = tempfile.TemporaryDirectory(prefix="spec-chaos-log-", dir=place)
    except OSError:
        folder = tempfile.TemporaryDirectory(prefix="spec-chaos-log-")
    with folder as made:
        log = Path(made, "log.jsonl")
        log.touch()
        yield log


def read_log(file: Path) -> list[Line]:
    """The lines of the outside log; a killed worker may have left half of one."""
    lines = []
    for text in file.read_text(encoding="utf-8").splitlines():
        with contextlib.suppress(json.JSONDecodeError):
            lines.append(Line(**json.loads(text)))
    return lines


def options(parser: argparse.ArgumentParser) -> None:
    """The benchmark's own options."""
    parser.add_argument("--jobs", type=int, default=5000)
    parser.add_argument("--products", type=int, default=60, help="with attempts of their own")
    parser.add_argument("--faults", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=40.0, help="of faults, per database")
    parser.add_argument("--seed", type=int, default=None, help="draw the same faults again")


def run(given: argparse.Namespace) -> Report:
    """Torment both databases."""
    seed = secrets.randbelow(1_000_000) if given.seed is None else given.seed
    wanted = Trial(given.jobs, given.products, given.faults, given.seconds, patience_seconds=120)
    found = Report("chaos")
    ends = {name: trial(name, seed, wanted) for name in ("sqlite", "postgres")}
    found.at_most("event_gaps", sum(len(end.events.gaps) for end in ends.values()), 0)
    left_open = sum(len(end.events.left_open) for end in ends.values())
    found.at_most("attempts_left_open", left_open, 0)
    found.at_least("attempts", sum(end.attempts for end in ends.values()), 2 * given.products)
    found.at_least("jobs", sum(end.jobs for end in ends.values()), 2 * given.jobs)
    found.at_most("lost", sum(len(end.verdict.lost) for end in ends.values()), 0)
    found.at_most("doubled", sum(len(end.verdict.doubled) for end in ends.values()), 0)
    found.at_least("faults", sum(sum(e.faults.values()) for e in ends.values()), 2 * given.faults)
    found.notes.append(f"seed {seed}, {WORKERS} workers")
    for name, end in ends.items():
        found.notes.append(
            f"{name}: {_counts(end.statuses)} in {end.executions:,} executions and "
            f"{end.attempts:,} attempts; "
            f"faults: {_counts(end.faults)}; {end.deaths} workers died; "
            f"bad ends: {end.bad_ends}; {end.seconds:.0f} s"
        )
        wrong = (*end.verdict.lost, *end.verdict.doubled, *end.events.gaps, *end.events.left_open)
        found.notes += [f"{name}: {line}" for line in wrong]
        found.notes += end.words.splitlines() if end.bad_ends else []
    return found


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items()))


if __name__ == "__main__":
    main(run, options)
