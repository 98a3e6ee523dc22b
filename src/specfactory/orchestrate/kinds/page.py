"""Jobs of kind ``page``: fetch one page and keep it.

It is read for the product that the job names or, where it names a category alone, for itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from specfactory.contract import CompiledContract
from specfactory.errors import JobFailed
from specfactory.extract.templates import covers
from specfactory.heal import garbled_share
from specfactory.model import Fetched, Job, Outcome, Page, Tier, Visit
from specfactory.observe import Laps
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.healing import after_visit, page_end, was_asked
from specfactory.orchestrate.jobs import Done
from specfactory.orchestrate.kinds.product import product_of
from specfactory.orchestrate.pages import (
    as_confirmed,
    as_respected,
    confidence_in,
    mean_likelihood,
    note_visit,
    read_alone,
    selectors_of,
    start_laps,
    stored_in,
)
from specfactory.ports import Transaction
from specfactory.proof.text import parse_page
from specfactory.store import PageReading

Keep = Callable[[Transaction], Awaitable[None]]

_TIERS = frozenset(Tier)


async def work_on_page(bench: Workbench, job: Job) -> Done:
    """Fetch the page that the job names; what is new lands with the job's end."""
    url, tier = _address(job)
    previous = await bench.pages.latest(url)
    got = await bench.fetch.fetch_page(url, tier, previous)
    category = _category(job)
    compiled = bench.contract(category) if category else None
    respect = compiled.contract.respect if compiled is not None else ()
    got = await as_respected(bench, respect, got, previous)
    got = await as_confirmed(bench, got, previous)
    page, noted = got.page, list[Visit]()
    if page.outcome is Outcome.NOT_MODIFIED and previous is not None:
        keep = await _read_late(bench, job, previous)
        known = replace(page, id=previous.id)
        return Done(
            partial(_confirm, bench, known, keep, noted), after=partial(_look, bench, noted)
        )
    if page.outcome is not Outcome.OK:
        raise await page_end(bench, url, page, await _keep_failure(bench, got))
    laps = start_laps(bench)
    keep, sure = await _read(bench, job, page, got.body, laps, compiled)
    garbled = _garbled(page, got.body)

    async def write(tx: Transaction) -> None:
        if laps is not None:
            laps.begin()
        await bench.pages.save(tx, page, got.body, got.response)
        if keep is not None:
            await keep(tx)
        visit = await note_visit(
            bench, tx, page, confidence=sure, timings_ms=stored_in(laps), garbled=garbled
        )
        noted[:] = [visit] if visit else []

    return Done(write, after=partial(_look, bench, noted))


def _garbled(page: Page, body: bytes) -> float:
    """The share of the page that makes no sense; whoever read it has seen whether it is UTF-8."""
    header = page.headers.get("content-type", "")
    is_flawless = parse_page(body, header, page.charset).decoded[1]
    return 0.0 if is_flawless else garbled_share(body, page.charset)


async def _look(bench: Workbench, noted: list[Visit]) -> None:
    """After a visit was noted: its host may ail, or be well again."""
    for visit in noted:
        await after_visit(bench, visit)


async def _keep_failure(bench: Workbench, got: Fetched) -> Visit | None:
    """Keep a page that could not be had, where it was asked for at all."""
    if not was_asked(got.page):
        return None
    async with bench.database.transaction() as tx:
        await bench.pages.save(tx, got.page, got.body, got.response)
        return await note_visit(bench, tx, got.page)


async def _confirm(
    bench: Workbench, page: Page, keep: Keep | None, noted: list[Visit], tx: Transaction
) -> None:
    """Nothing has changed; ``page`` has the id of the page that it is."""
    await bench.pages.confirm(tx, page.id, page.fetched_at, page.substance_hash)
    if keep is not None:
        await keep(tx)
    visit = await note_visit(bench, tx, page)
    noted[:] = [visit] if visit else []


async def _read_late(bench: Workbench, job: Job, page: Page) -> Keep | None:
    """A page that has not changed is read only where it never was for this job's purpose."""
    if await _is_read(bench, job, page):
        return None
    compiled = bench.contract(_category(job))
    keep, _ = await _read(bench, job, page, await bench.pages.body(page), None, compiled)
    return keep


async def _is_read(bench: Workbench, job: Job, page: Page) -> bool:
    category = job.payload.get("category")
    if job.payload.get("brand"):
        product = product_of(job)
        category, digest = product.category, await bench.readings.digest(product.id, page.id)
    elif isinstance(category, str) and category:
        digest = await bench.page_readings.digest(page.id, category)
    else:
        return True
    return digest == bench.contract(category).contract.digest


def _category(job: Job) -> str:
    """For which category the page is read; "": it is only kept."""
    given = job.payload.get("category")
    if job.payload.get("brand"):
        given = product_of(job).category
    return given if isinstance(given, str) else ""


def _address(job: Job) -> tuple[str, Tier]:
    url, tier = job.payload.get("url") or job.key, job.payload.get("tier") or Tier.RETAILER
    if not isinstance(url, str) or not url.startswith(("http://", "https://")):
        raise JobFailed("bad_payload", f"{url!r} is no web address", "queue", permanent=True)
    if tier not in _TIERS:
        allowed = ", ".join(Tier)
        raise JobFailed("bad_payload", f"tier is {tier!r}; allowed: {allowed}", "queue", "", True)
    return url, Tier(tier)


async def _read(
    bench: Workbench,
    job: Job,
    page: Page,
    body: bytes,
    laps: Laps | None,
    compiled: CompiledContract | None,
) -> tuple[Keep | None, float | None]:
    """What is to be kept of what the page says by a contract, and how surely it says it."""
    if compiled is None:
        return None, None
    fields = compiled.contract.fields
    if job.payload.get("brand"):
        from specfactory.orchestrate.pages import (  # loads all methods
            keep_for,
            read_for,
        )

        product = product_of(job)
        reading = await read_for(bench, product, page, body, laps)
        return partial(keep_for, bench, product, page, reading), confidence_in(reading, len(fields))
    alone = await read_alone(bench, compiled, page, body, laps)
    sure = mean_likelihood(alone.candidates, len(fields))
    covered = covers(selectors_of(bench, compiled, page.host), fields.keys())
    return partial(_keep_alone, bench, None if covered else page, alone), sure


async def _keep_alone(
    bench: Workbench, page: Page | None, reading: PageReading, tx: Transaction
) -> None:
    """Keep a reading; ``page`` where templates may serve its source, and are watched."""
    await bench.page_readings.save(tx, reading)
    if page is not None:
        from specfactory.orchestrate.templates import watch_alone

        await watch_alone(bench, tx, page, reading)
