"""Stored pages read again after a change of templates; nothing is fetched."""

from specfactory.contract import CompiledContract
from specfactory.errors import StoreError, Unreadable
from specfactory.model import DecisionAction, Page, Product, ReviewKind
from specfactory.orchestrate.attempts.resettle import settle_again
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.pages import (
    read_page_for_category,
    read_page_for_product,
    selectors_of,
    shared_body,
)
from specfactory.orchestrate.templates import StoredTemplates, made_ready, templates_for
from specfactory.proof import PageViews
from specfactory.store import PageReading, Reading

AT_ONCE = 200  # readings looked at between two checks of the time
Place = tuple[str, str]  # page and product of the last reading


async def reread_pages(
    bench: Workbench, host: str, compiled: CompiledContract, after: Place, seconds: float
) -> Place | None:
    """Read pages of a host again that other templates fit now, and settle their records.

    Stops after about ``seconds``; gives the place to continue after, None at the end.
    """
    until, category = bench.clock.monotonic() + seconds, compiled.contract.category
    while stored := await bench.readings.of_host(host, category, after, AT_ONCE):
        at_work = await templates_for(bench, host, category)
        changed: dict[str, Product] = {}
        for reading in stored:
            product_id = reading.product_id if isinstance(reading, Reading) else ""
            after = (reading.page_id, product_id)
            product = await bench.products.get(product_id) if product_id else None
            if await _reread(bench, compiled, at_work, reading, product) and product is not None:
                changed[product.id] = product
            if bench.clock.monotonic() >= until:
                break
        for product in changed.values():
            await settle_again(bench, product)
        if bench.clock.monotonic() >= until:
            return after
    return None


async def _reread(
    bench: Workbench,
    compiled: CompiledContract,
    at_work: StoredTemplates,
    reading: Reading | PageReading,
    product: Product | None,
) -> bool:
    """Read one page again, unless the same templates would; True if it was read."""
    page = await bench.pages.get(reading.page_id)
    try:
        body = await bench.pages.body(page)
    except StoreError:  # damaged in the store: what was read from it stays
        return False
    try:
        again = await _read_again(bench, compiled, at_work, reading, product, page, body)
    except Unreadable:  # what was read from it stays
        return False
    if again is None:
        return False
    async with bench.database.transaction() as tx:
        await bench.readings.save(tx, again)
    return True


async def _read_again(
    bench: Workbench,
    compiled: CompiledContract,
    at_work: StoredTemplates,
    reading: Reading | PageReading,
    product: Product | None,
    page: Page,
    body: bytes,
) -> Reading | PageReading | None:
    """The new reading of a page; None where it would be the same."""
    if reading.contract_digest == compiled.contract.digest and (
        await _is_current(bench, reading, at_work, page, body)
    ):
        return None
    if product is not None:
        decisions = await bench.reviews.decisions(product.id)
        accepted = any(
            one.kind is ReviewKind.IDENTITY and one.action is DecisionAction.ACCEPT
            for one in decisions
        )
        read = await read_page_for_product(
            bench, compiled, product, page, body, siblings=None, accept_unsure=accepted
        )
        return read.reading
    if compiled.is_covered_by(selectors_of(bench, compiled, page.host)):
        return None  # selectors settle every field
    return (await read_page_for_category(bench, compiled, page, body)).reading


async def _is_current(
    bench: Workbench,
    reading: Reading | PageReading,
    at_work: StoredTemplates,
    page: Page,
    body: bytes,
) -> bool:
    used = {use.template_id for use in reading.uses if not use.trial}
    if not used and not at_work.templates:
        return True
    fitting = await bench.readers.run(fitting_template, page, shared_body(body), at_work.shared)
    return used == ({fitting} if fitting else set())


def fitting_template(page: Page, body: bytes, templates: StoredTemplates) -> str:
    """Id of the template in use that fits a page, in the process that reads; "" where none does."""
    fitting, _ = made_ready(templates).fitting(PageViews(page, body))
    return fitting.template.id if fitting is not None else ""
