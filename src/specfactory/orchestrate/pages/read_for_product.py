"""Have one page read for one product."""

from collections.abc import Sequence

from specfactory.contract import CompiledContract
from specfactory.model import Page, Product
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.pages.handed_on import shared_body, shared_contract
from specfactory.orchestrate.pages.product_reading import ProductRead, read_product
from specfactory.orchestrate.pages.read_for_category import selectors_of
from specfactory.orchestrate.templates import templates_for


async def read_page_for_product(
    bench: Workbench,
    compiled: CompiledContract,
    product: Product,
    page: Page,
    body: bytes,
    *,
    siblings: Sequence[Product] | None,
    accept_unsure: bool,
    timed: bool = False,
    deadline_seconds: float | None = None,
) -> ProductRead:
    """Read a page with the templates and selectors of its source; raises Unreadable."""
    if siblings is None:
        siblings = await bench.products.siblings(product)
    at_work = await templates_for(bench, page.host, product.category)
    selectors = selectors_of(bench, compiled, page.host)
    return await bench.readers.run(
        read_product, product, shared_contract(compiled.contract), tuple(siblings), page,
        shared_body(body), accept_unsure, at_work.shared, selectors, timed,
        deadline_seconds=deadline_seconds,
    )  # fmt: skip
