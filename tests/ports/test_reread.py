"""Stored pages are read again when templates change, on every database."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from specfactory.assembly import open_factory
from specfactory.contract import make_product
from specfactory.model import JobKind, Outcome, Page, PageLabel, Tier, replace
from specfactory.orchestrate import Workbench, Worker, WorkerPlan, standard_handlers
from specfactory.orchestrate.attempts import reread_pages, run_attempt, stored_evidence
from specfactory.orchestrate.learning import DomainLearner
from specfactory.orchestrate.pages import (
    answer_for_category,
    read_page_for_category,
    read_page_for_product,
)
from specfactory.orchestrate.templates import templates_for
from specfactory.proof import PageViews
from specfactory.settings import load

HOST = "shop.example"
CONTRACT = """
category: mouse
version: "1.0.0"
title: Mouse
fields:
  weight: {group: body, type: number, unit: g, range: [1, 500], labels: {en: [Weight]}}
  length: {group: body, type: number, unit: mm, labels: {en: [Length]}}
"""
PAGES = 12


def html(n: int) -> bytes:
    """A page that says its weight without a label."""
    return (
        f"<html lang=en><head><title>Mouse {n}</title></head><body><nav><a>Home</a></nav><main>"
        f"<h1>Mouse {n}</h1><p class=badge>{50 + n} g</p><table><tr><th>Length</th>"
        f"<td>{110 + n} mm</td></tr></table></main><p>Imprint</p></body></html>"
    ).encode()


def page(n: int) -> Page:
    url = f"https://{HOST}/{n}"
    digest = hashlib.sha256(html(n)).hexdigest()
    return Page(f"page-{n:02d}", url, url, HOST, Tier.RETAILER, n, Outcome.OK, "",
                content_hash=digest, media_type="text/html")  # fmt: skip


@pytest.fixture
async def bench(database_url: str, tmp_path: Path) -> AsyncIterator[Workbench]:
    """A factory with pages that were read without a template, and some that a person labelled."""
    (tmp_path / "mouse.yaml").write_text(CONTRACT)
    flags = {
        "database_url": database_url, "contracts_dir": str(tmp_path), "queue.poll_seconds": 0.05,
        "learn.adopt_at": 0.7,
    }  # fmt: skip
    async with open_factory(load(environment={}, flags=flags)) as opened:
        compiled = opened.contract("mouse")
        for n in range(PAGES):
            reading = (await read_page_for_category(opened, compiled, page(n), html(n))).reading
            label = PageLabel(f"page-{n:02d}", HOST, "weight", (f"{50 + n} g",), "ann", 1)
            async with opened.database.transaction() as tx:
                await opened.pages.save(tx, page(n), html(n))
                await opened.readings.save(tx, reading)
                await opened.templates.set_label(tx, label)
        yield opened


async def work(bench: Workbench) -> int:
    plan = WorkerPlan("w", "localhost", 1, (JobKind.REREAD,), 1, until_empty=True)
    return (await Worker(bench, standard_handlers(), plan).run()).done


async def weights(bench: Workbench) -> list[object]:
    """The weights that ``spec export --pages`` gives."""
    return [
        {one.field: one.value for one in found.reading.candidates}.get("weight")
        for found in [each async for each in bench.readings.for_category("mouse")]
    ]


async def extracted(bench: Workbench) -> list[object]:
    """The weights that ``spec extract`` gives."""
    compiled, at_work = bench.contract("mouse"), await templates_for(bench, HOST, "mouse")
    said = [
        answer_for_category(PageViews(page(n), html(n)), compiled, {}, at_work)
        for n in range(PAGES)
    ]
    return [{one.field: one.value for one in each.kept}.get("weight") for each in said]


async def test_a_new_template_reads_the_pages_that_are_stored_already(bench: Workbench) -> None:
    assert await weights(bench) == [None] * PAGES

    learned = await DomainLearner(bench, "ann").learn_domain(
        HOST, category="mouse", sample_count=PAGES
    )
    assert learned.status == "adopted"
    done = await work(bench)

    assert (await weights(bench), done) == ([50.0 + n for n in range(PAGES)], 1)
    assert await weights(bench) == await extracted(bench)


async def test_pages_lose_what_only_a_rejected_template_gave(bench: Workbench) -> None:
    learner = DomainLearner(bench, "ann")
    learned = await learner.learn_domain(HOST, category="mouse", sample_count=PAGES)
    await work(bench)
    await learner.reject_template(learned.template_id or 0, "it takes the badge")

    await work(bench)

    assert await weights(bench) == [None] * PAGES == await extracted(bench)


async def test_a_large_host_is_read_in_slices_and_pages_once(bench: Workbench) -> None:
    await DomainLearner(bench, "ann").learn_domain(HOST, category="mouse", sample_count=PAGES)
    compiled = bench.contract("mouse")

    first = await reread_pages(bench, HOST, compiled, ("", ""), seconds=1e-9)
    assert first == ("page-00", "")
    assert (await weights(bench))[:2] == [50.0, None]

    assert await reread_pages(bench, HOST, compiled, first, seconds=60) is None
    assert None not in await weights(bench)


async def test_a_page_that_no_template_fits_is_read_again_once(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = b"<html lang=en><title>Acme Zap 9</title><h1>Acme Zap 9</h1><p>Weight: 61 g</p></html>"
    stored = replace(page(40), content_hash=hashlib.sha256(odd).hexdigest())
    stored = replace(stored, fetched_at=bench.clock.now())
    product, compiled = make_product("mouse", "Acme", "Zap 9"), bench.contract("mouse")
    read = await read_page_for_product(
        bench, compiled, product, stored, odd, siblings=(), accept_unsure=False
    )
    async with bench.database.transaction() as tx:
        await bench.products.save(tx, product)
        await bench.pages.save(tx, stored, odd)
        await bench.readings.save(tx, read.reading)
    await DomainLearner(bench, "ann").learn_domain(HOST, category="mouse", sample_count=PAGES)
    read_again: list[str] = []

    async def counted(bench, compiled, product, page, body, **options):
        read_again.append(page.id)
        return await read_page_for_product(bench, compiled, product, page, body, **options)

    monkeypatch.setattr(stored_evidence, "read_page_for_product", counted)
    records = [(await run_attempt(bench, product, sources=())).record for _ in range(3)]

    assert read_again == [stored.id]
    assert [one and one.fields["weight"].value for one in records] == [61] * 3
