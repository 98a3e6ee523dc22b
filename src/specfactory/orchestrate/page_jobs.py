"""Jobs of kind ``page``: fetch one page and keep it; read it where the job names a product."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial

from specfactory.errors import JobFailed
from specfactory.model import Job, Outcome, Page, Product, Tier
from specfactory.observe import Laps
from specfactory.orchestrate.failures import page_failure
from specfactory.orchestrate.handlers import Done
from specfactory.orchestrate.product_jobs import product_of
from specfactory.orchestrate.reading import read_page
from specfactory.orchestrate.template_care import watch_reading
from specfactory.orchestrate.template_shelf import templates_for
from specfactory.orchestrate.visits import confidence_in, note_visit, start_laps, stored_in
from specfactory.orchestrate.workbench import Workbench
from specfactory.ports import Transaction
from specfactory.store import Reading


async def work_on_page(bench: Workbench, job: Job) -> Done:
    """Fetch the page that the job names; what is new lands with the job's end."""
    url, tier = _address(job)
    previous = await bench.pages.latest(url)
    got = await bench.fetch.fetch_page(url, tier, previous)
    page = got.page
    if page.outcome is Outcome.NOT_MODIFIED and previous is not None:
        return Done(partial(_confirm, bench, replace(page, id=previous.id)))
    if page.outcome is not Outcome.OK:
        async with bench.database.transaction() as tx:
            await bench.pages.save(tx, page, got.body, got.response)
            await note_visit(bench, tx, page)
        raise page_failure(page.outcome, page.outcome_evidence, url, page.host)
    product = product_of(job) if job.payload.get("brand") else None
    laps = start_laps(bench)
    reading = await _read(bench, product, page, got.body, laps) if product else None
    sure = _confidence(bench, product, reading)

    async def write(tx: Transaction) -> None:
        if laps is not None:
            laps.begin()
        await bench.pages.save(tx, page, got.body, got.response)
        if product is not None and reading is not None:
            await bench.products.save(tx, product)
            await bench.readings.save(tx, reading)
            await watch_reading(bench, tx, page, reading, product.category)
        await note_visit(bench, tx, page, confidence=sure, timings_ms=stored_in(laps))

    return Done(write)


async def _confirm(bench: Workbench, page: Page, tx: Transaction) -> None:
    """The server says that nothing changed; ``page`` has the id of the page that it is."""
    await bench.pages.confirm(tx, page.id, page.fetched_at)
    await note_visit(bench, tx, page)


def _address(job: Job) -> tuple[str, Tier]:
    url, tier = job.payload.get("url") or job.key, job.payload.get("tier") or Tier.RETAILER
    if not isinstance(url, str) or not url.startswith(("http://", "https://")):
        raise JobFailed("bad_payload", f"{url!r} is no web address", "queue", permanent=True)
    if tier not in set(Tier):
        allowed = ", ".join(Tier)
        raise JobFailed("bad_payload", f"tier is {tier!r}; allowed: {allowed}", "queue", "", True)
    return url, Tier(tier)


def _confidence(bench: Workbench, product: Product | None, reading: Reading | None) -> float | None:
    if product is None or reading is None:
        return None
    return confidence_in(reading, len(bench.contract(product.category).contract.fields))


async def _read(
    bench: Workbench, product: Product, page: Page, body: bytes, laps: Laps | None
) -> Reading:
    compiled = bench.contract(product.category)
    siblings = await bench.products.of_brand(product.category, product.brand)
    others = tuple(known for known in siblings if known.id != product.id)
    at_work = await templates_for(bench, page.host, product.category)
    return await asyncio.to_thread(
        read_page,
        product,
        compiled,
        others,
        page,
        body,
        templates=at_work.templates,
        trials=at_work.trials,
        laps=laps,
    )
