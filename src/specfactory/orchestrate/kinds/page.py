"""Jobs of kind ``page``: fetch one page and keep it.

It is read for the product that the job names or, where it names a category alone, for that.
"""

from specfactory.errors import JobFailed
from specfactory.model import Job, Tier
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.jobs import Done
from specfactory.orchestrate.kinds.product import product_of
from specfactory.ports import Transaction

_TIERS = frozenset(Tier)


async def work_on_page(bench: Workbench, job: Job) -> Done:
    """Fetch the page that the job names; what is new lands with the job's end."""
    from specfactory.orchestrate.healing import page_end
    from specfactory.orchestrate.pages import PagePurpose, take_page

    url, tier = job.payload.get("url") or job.key, job.payload.get("tier") or Tier.RETAILER
    if not isinstance(url, str) or not url.startswith(("http://", "https://")):
        raise JobFailed("bad_payload", f"{url!r} is no web address", "queue", permanent=True)
    if tier not in _TIERS:
        allowed = ", ".join(Tier)
        raise JobFailed("bad_payload", f"tier is {tier!r}; allowed: {allowed}", "queue", "", True)
    product = product_of(job) if job.payload.get("model") else None
    category = product.category if product is not None else job.payload.get("category")
    compiled = bench.contract(category) if isinstance(category, str) and category else None
    purpose = PagePurpose(compiled, compiled is not None, product, Tier(tier))
    taken = await take_page(bench, url, purpose)
    if not taken.is_good:
        await taken.keep()
        raise await page_end(bench, url, taken.page, taken.visit)

    async def write(tx: Transaction) -> None:
        if product is not None:
            await bench.products.save(tx, product)
        await taken.write(tx)

    return Done(write, after=taken.after)
