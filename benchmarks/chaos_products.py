"""Products of the chaos: real attempts, each at one page of a server that is never tormented."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.chaos_events import FinalAttempt, FinalRecord, Ledger
from benchmarks.chaos_history import FinalJob
from specfactory.contract import make_product
from specfactory.model import JobKind, NewJob
from specfactory.ports import Database
from specfactory.store import Attempts, Outbox, Records
from tests.little_server import Answering, serving

BRAND = "Razer"
PAGE = """<!doctype html><html lang="en"><title>{name}</title><body><h1>{name}</h1>
<table><tr><th>Brand</th><td>{brand}</td></tr><tr><th>Model</th><td>{model}</td></tr>
<tr><th>Weight</th><td>{weight} g</td></tr></table></body></html>"""
ALL = 1_000_000
SETTINGS = {
    "SPEC_FETCH_HOST_DELAY_SECONDS": "0",
    "SPEC_FETCH_LATENCY_FACTOR": "0",
    "SPEC_FETCH_RESPECT_ROBOTS": "false",
    "SPEC_BROWSER_ENABLED": "false",
    "SPEC_CONTRACT_SOURCES": "false",
    "SPEC_HEAL_ENABLED": "false",
    "SPEC_LEARN_AFTER_PAGES": "100000",
}


@contextmanager
def shop() -> Iterator[str]:
    """The address of a shop; the number of a product is its path."""

    class Shop(Answering):
        def get(self) -> None:
            number = self.path.rpartition("/")[2]
            model = f"Viper X{number}"
            words = {"brand": BRAND, "model": model, "name": f"{BRAND} {model}"}
            self.answer(PAGE.format(**words, weight=50 + int(number)).encode())

    with serving(Shop) as port:
        yield f"http://127.0.0.1:{port}"


def product_jobs(count: int, address: str, tries: int, step_ms: int) -> list[NewJob]:
    """Products that are on the shop's pages, due one after the other."""
    jobs = []
    for number in range(count):
        words = {"brand": BRAND, "model": f"Viper X{number}", "urls": [f"{address}/{number}"]}
        product = make_product("mouse", BRAND, f"Viper X{number}")
        jobs.append(
            NewJob(JobKind.PRODUCT, product.id, words, "mouse", due_at=number * step_ms,
                   max_attempts=tries, added_by="chaos")
        )  # fmt: skip
    return jobs


async def read_ledger(database: Database, jobs: list[FinalJob]) -> Ledger:
    """What the database says of jobs, attempts, records and events in the end."""
    products = sorted({job.key for job in jobs if job.kind == JobKind.PRODUCT})
    attempts = [one for key in products for one in await Attempts(database).list(key)]
    records = [one for key in products for one in await Records(database).history(key)]
    return Ledger(
        jobs,
        [FinalAttempt(one.id, one.job_id, str(one.status)) for one in attempts],
        [FinalRecord(one.product.id, one.version, one.attempt_id) for one in records],
        await Outbox(database).recent(ALL),
    )
