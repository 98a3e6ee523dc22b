"""A page that is fetched for one product: read for it, and kept as its reading."""

from __future__ import annotations

import asyncio

from specfactory.model import Page, Product
from specfactory.observe import Laps
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.pages.read_for_category import selectors_of
from specfactory.orchestrate.pages.read_for_product import read_page
from specfactory.orchestrate.templates import templates_for, watch_reading
from specfactory.ports import Transaction
from specfactory.store import Reading


async def read_for(
    bench: Workbench, product: Product, page: Page, body: bytes, laps: Laps | None
) -> Reading:
    """Read a page for a product, outside the event loop."""
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
        selectors=selectors_of(bench, compiled, page.host),
    )


async def keep_for(
    bench: Workbench, product: Product, page: Page, reading: Reading, tx: Transaction
) -> None:
    """Keep what a page says of a product."""
    await bench.products.save(tx, product)
    await bench.readings.save(tx, reading)
    await watch_reading(bench, tx, page, reading, product.category)
