"""Take a page: fetch it, obey its usage directives, recognise it as unchanged, read it, keep it.

Products, page jobs, learning, profiling and the page commands all take their pages here, so that
each of them counts templates, notes a visit and heals the host::

    taken = await take_page(bench, url, PagePurpose(compiled=bench.contract("mouse"), reads=True))
    await taken.keep()
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import Struct, field

from specfactory.contract import CompiledContract
from specfactory.errors import StoreError, Unreadable
from specfactory.model import Cause, Fetched, Frozen, Outcome, Page, Product, Source, Tier, Visit
from specfactory.observe import Laps
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.healing import after_visit, was_asked
from specfactory.orchestrate.pages.handed_on import is_quick, share_garbled, shared_body
from specfactory.orchestrate.pages.page_tiers import tier_of_answer
from specfactory.orchestrate.pages.read_for_category import (
    CategoryRead,
    read_page_for_category,
    selectors_of,
)
from specfactory.orchestrate.pages.unchanged_pages import as_confirmed
from specfactory.orchestrate.pages.usage_directives import as_respected
from specfactory.orchestrate.pages.visits import confidence_in, is_sampled, note_visit
from specfactory.orchestrate.templates import Upkeep, watch_reading
from specfactory.ports import Hit, Transaction, Write
from specfactory.store import PageReading, Reading

if TYPE_CHECKING:
    from specfactory.orchestrate.pages.product_reading import ProductRead


class PagePurpose(Frozen):
    """Purpose of a page: only to be kept, or read for a category or for one product."""

    compiled: CompiledContract | None = None  # whose usage directives are obeyed
    reads: bool = False  # by that contract
    product: Product | None = None  # None: read for the category alone
    tier: Tier = Tier.RETAILER  # of the host that is asked
    sources: tuple[Source, ...] | None = None  # name tiers of other hosts; None: the category's
    siblings: tuple[Product, ...] | None = None  # None: those in the store
    accept_unsure: bool = False  # a person said that unsure pages are about the product
    known: Reading | None = None  # holds as long as the page has not changed
    needs_body: bool = False  # even where the page has not changed: the caller reads it
    anew: bool = False  # without asking whether the page has changed
    timed: bool = False  # even where the page would not be sampled
    deadline_seconds: float | None = None  # for reading; None: as the settings have it


class TakenPage(Struct):
    """A page that was fetched and read, and is yet to be kept.

    A page job writes it in the transaction that ends the job; everybody else calls ``keep``.
    """

    bench: Workbench
    purpose: PagePurpose
    fetched: Fetched  # this fetch, as it counts
    page: Page  # as it is stored: the earlier page where nothing has changed
    body: bytes = b""
    is_unchanged: bool = False
    reading: Reading | PageReading | None = None  # None: not read, or not read again
    seconds: float = 0.0  # for fetching and reading
    garbled: float = 0.0  # share of wrongly decoded characters
    data_sheets: tuple[Hit, ...] = ()  # that a page about the product links
    laps: Laps = field(default_factory=Laps)
    visit: Visit | None = None  # once it is written
    upkeep: Upkeep | None = None  # of templates, once it is written

    @property
    def is_good(self) -> bool:
        """The page can be used; it came now, or has not changed."""
        return self.is_unchanged or self.page.outcome is Outcome.OK

    async def keep(self, *more: Write) -> None:
        """Store everything in one transaction, together with ``more``; then heal the host."""
        async with self.bench.database.transaction() as tx:
            await self.write(tx)
            for write in more:
                await write(tx)
        await self.after()

    async def write(self, tx: Transaction) -> None:
        """Store the page, its reading and its visit, and count what templates did."""
        bench, page = self.bench, self.fetched.page
        if not was_asked(page):
            return
        self.laps.begin()
        if self.is_unchanged:
            await bench.pages.confirm(tx, self.page.id, page.fetched_at, page.substance_hash)
            page = replace(page, id=self.page.id)
        else:
            await bench.pages.save(tx, page, self.fetched.body, self.fetched.response)
        if self.reading is not None:
            await bench.readings.save(tx, self.reading)
            compiled = self.purpose.compiled
            if compiled is not None and self.reading.contract_digest not in bench.contracts.kept:
                await bench.contracts.save(tx, compiled.contract)
            self.upkeep = await self._watch(tx)
        if page.outcome is not Outcome.OK:
            self.visit = await note_visit(bench, tx, page)
            return
        self.laps.lap("store")
        sure, compiled = None, self.purpose.compiled
        if compiled is not None and self.reading is not None:
            sure = confidence_in(self.reading, len(compiled.contract.fields))
        self.visit = await note_visit(
            bench, tx, page, confidence=sure, timings_ms=self.laps.ms, garbled=self.garbled
        )

    async def after(self) -> None:
        """After the transaction: show what templates did, and heal the host where it fails."""
        if self.reading is not None:
            self.bench.contracts.kept.add(self.reading.contract_digest)
        if self.upkeep is not None:
            await self.upkeep.publish()
        await after_visit(self.bench, self.visit)

    async def _watch(self, tx: Transaction) -> Upkeep | None:
        bench, compiled, page = self.bench, self.purpose.compiled, self.page
        if compiled is None or self.reading is None:
            return None
        # Where selectors settle every field there is nothing for a template to find.
        if isinstance(self.reading, PageReading) and compiled.is_covered_by(
            selectors_of(bench, compiled, page.host)
        ):
            return None
        return await watch_reading(bench, tx, page, self.reading, compiled.contract.category)


async def take_page(bench: Workbench, url: str, purpose: PagePurpose) -> TakenPage:
    """Fetch a page and read it for a purpose; nothing is stored yet."""
    began = bench.clock.monotonic()
    previous = None if purpose.anew else await bench.pages.latest(url)
    if previous is not None and previous.is_archived:
        previous = None  # no server shall confirm what only an archive says
    got = _in_its_tier(bench, purpose, await bench.fetch.fetch_page(url, purpose.tier, previous))
    try:
        taken = await _look_at(bench, purpose, got, previous)
    except Unreadable as problem:
        page = replace(
            got.page, outcome=Outcome.UNREADABLE, outcome_evidence=problem.detail,
            cause=Cause(problem.cause),
        )  # fmt: skip
        return TakenPage(bench, purpose, replace(got, page=page), page, got.body)
    if taken is None:  # damaged in the store: the whole page mends it
        return await take_page(bench, url, replace(purpose, anew=True))
    taken.seconds = bench.clock.monotonic() - began
    return taken


def _in_its_tier(bench: Workbench, purpose: PagePurpose, got: Fetched) -> Fetched:
    """The page with the tier of the host that answered."""
    sources = purpose.sources
    if sources is None:
        compiled = purpose.compiled
        sources = bench.sources(compiled.contract.category) if compiled is not None else ()
    tier = tier_of_answer(got.page, purpose.tier, sources)
    return got if tier is got.page.tier else replace(got, page=replace(got.page, tier=tier))


async def _look_at(
    bench: Workbench, purpose: PagePurpose, got: Fetched, previous: Page | None
) -> TakenPage | None:
    """Obey the page's directives, recognise it as unchanged, and read it where it is new.

    None when the page has not changed, and what is stored of it cannot be read.
    """
    respect = purpose.compiled.contract.respect if purpose.compiled is not None else ()
    got = await as_respected(bench, respect, got, previous)
    got = await as_confirmed(bench, got, previous)
    taken = TakenPage(bench, purpose, got, got.page, got.body)
    if got.page.outcome is Outcome.NOT_MODIFIED and previous is not None:
        taken.page, taken.is_unchanged = previous, True
        is_read = await _is_read(bench, purpose, previous)
        if purpose.needs_body or not is_read:
            try:
                taken.body = await bench.pages.body(previous)
            except StoreError:
                return None
        if not is_read:
            await _read(taken)
    elif got.page.outcome is Outcome.OK:
        timed = purpose.timed or is_sampled(bench)
        taken.laps = Laps(bench.clock.monotonic if timed else None)
        await _read(taken)
    return taken


async def _read(taken: TakenPage) -> None:
    """Read a page for its purpose, with the templates and selectors of its source."""
    bench, purpose, page, body = taken.bench, taken.purpose, taken.page, taken.body
    compiled, timed = purpose.compiled, taken.laps.is_on
    if compiled is None or not purpose.reads:
        taken.garbled = await bench.readers.run(
            share_garbled, page, shared_body(body), quick=is_quick(page)
        )
        return
    read: CategoryRead | ProductRead
    if purpose.product is None:
        read = await read_page_for_category(
            bench, compiled, page, body, timed=timed, deadline_seconds=purpose.deadline_seconds
        )
    else:
        # It loads identification, which a crawl does without.
        from specfactory.orchestrate.pages.read_for_product import read_page_for_product

        read = await read_page_for_product(
            bench, compiled, purpose.product, page, body, siblings=purpose.siblings,
            accept_unsure=purpose.accept_unsure, timed=timed,
            deadline_seconds=purpose.deadline_seconds,
        )  # fmt: skip
        taken.data_sheets = read.data_sheets
    taken.reading, taken.garbled = read.reading, read.garbled
    taken.laps.ms.update(read.timings_ms)


async def _is_read(bench: Workbench, purpose: PagePurpose, page: Page) -> bool:
    """An unchanged page is read only where it never was for this purpose by this contract."""
    if purpose.compiled is None or not purpose.reads or purpose.known is not None:
        return True
    contract, product = purpose.compiled.contract, purpose.product
    about = {"product_id": product.id} if product else {"category": contract.category}
    return await bench.readings.digest(page.id, **about) == contract.digest
