"""Export and import of pages as web archives, with one page in memory at a time."""

import re
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct, field

from specfactory import __version__
from specfactory.contract import categories
from specfactory.errors import ContractError, StoreError
from specfactory.fetch import host_of
from specfactory.model import ARCHIVED, Outcome, Page, Tier
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.pages.foreign_records import NoPage, answer_in, page_from
from specfactory.orchestrate.pages.page_tiers import least_trusted
from specfactory.store.base import body_hash
from specfactory.store.pages import PageLists
from specfactory.store.warc import PageWriter, WarcReader, WarcRecord, page_in

BATCH_PAGES = 50
BATCH_BYTES = 8_000_000
MAX_DIGESTS = 100_000  # payloads that a revisit may stand for
DAY_MS = 86_400_000
_HEADS = 1_000_000  # of a record beyond the page itself
_PAGE_ID = re.compile(r"page-[0-9a-z-]{1,60}")
_TRUST = tuple(Tier)  # the most trusted first
_PAYLOADS = ("response", "resource", "revisit")

OnPage = Callable[[], None]


class Exported(Struct):
    """Counts of an export."""

    pages: int = 0
    records: int = 0
    without_body: int = 0  # pages of which only metadata was written


class Imported(Struct):
    """Counts of an import."""

    pages: int = 0
    duplicates: int = 0
    records: int = 0
    lowered: int = 0  # pages that get a lower tier than their archive says
    by_outcome: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)


async def export_pages(
    bench: Workbench, out: BinaryIO, pages: AsyncIterator[Page], *, gzip: bool, on_page: OnPage
) -> Exported:
    """Write pages as an archive, one after the other."""
    exported, writer = Exported(), PageWriter(out, gzip=gzip)
    writer.begin(f"specfactory/{__version__}", bench.clock.now())
    async for page in pages:
        response, dom = await bench.pages.body(page), b""
        if page.response_hash:  # a browser made the stored body of this response
            response, dom = await bench.pages.response(page), response
        exported.records += writer.add(page, response, dom)
        exported.pages += 1
        exported.without_body += not response
        on_page()
    return exported


class _Held(Struct):
    """A payload record, until the records that belong to it have been seen."""

    record: WarcRecord
    dom: bytes = b""
    page: Page | None = None  # as our own metadata describe it


class PageImporter:
    """Imports pages from archives into the store."""

    def __init__(self, bench: Workbench, tier: Tier = Tier.RETAILER) -> None:
        self._bench, self._tier = bench, tier
        self._own = own_tiers(bench)
        self._lists = PageLists(bench.database)
        self._max_bytes = bench.settings.fetch.max_bytes
        self._batch: list[tuple[Page, bytes, bytes]] = []
        self._batch_ids: set[str] = set()
        self._batch_bytes = 0
        self._digests: dict[str, str] = {}  # payload digest -> the hash under which it is stored
        self.found = Imported()

    async def take(self, file: BinaryIO, on_record: OnPage) -> Imported:
        """Import one archive; pages before a broken part are kept."""
        reader = WarcReader(file, self._max_bytes + _HEADS)
        held: _Held | None = None
        for record in reader:
            self.found.records += 1
            if record.kind in _PAYLOADS:
                await self._keep(held)
                held = _Held(record)
            elif held is not None and record.is_about(held.record.id):
                if record.kind == "conversion":
                    held.dom = record.block
                elif record.kind == "metadata":
                    held.page = self._page_in(record)
            elif record.kind == "metadata":
                # A page of which nothing was received: our metadata is all there is.
                page = self._page_in(record)
                if page is not None and not page.content_hash:
                    await self._add_ours(page, b"", b"")
            on_record()
        await self._keep(held)
        await self._flush()
        self.found.skipped += reader.skipped
        return self.found

    def _page_in(self, record: WarcRecord) -> Page | None:
        try:
            page = page_in(record.block)
        except StoreError:
            self.found.skipped["broken metadata"] += 1
            return None
        if page is None or not _PAGE_ID.fullmatch(page.id):
            return None
        problem = ""
        if not page.url.startswith(("http://", "https://")):
            problem = "no web address"
        elif page.host != host_of(page.final_url):  # another host's word would count as its own
            problem = "a host that is not its address's"
        elif page.fetched_at > self._bench.clock.now() + DAY_MS:  # else the newest for ever
            problem = "dated in the future"
        if problem:
            self.found.skipped[problem] += 1
        return None if problem else page

    async def _add_ours(self, page: Page, body: bytes, response: bytes) -> None:
        """Add a page of ours; only our own sources or the operator may raise its tier."""
        most = self._own.get(page.host, self._tier)
        tier = least_trusted((page.tier, most))
        if await self._add(replace(page, tier=tier), body, response):
            self.found.lowered += tier is not page.tier

    async def _keep(self, held: _Held | None) -> None:
        """Make a page of a payload, now that all its records have been read."""
        if held is None:
            return
        try:
            if held.page is not None:
                # restore a page of ours; its bytes must match its hashes
                page = held.page
                wanted = page.response_hash or page.content_hash
                if held.record.kind == "revisit":
                    response = await self._stored(wanted)
                elif held.record.kind == "resource":
                    response = held.record.block
                else:
                    response = answer_in(held.record.url, held.record.block, self._max_bytes).body
                body = held.dom if page.response_hash else response
                if body_hash(response) != wanted or body_hash(body) != page.content_hash:
                    raise NoPage("bytes that are not those of the page")
                self._remember(held.record, response)
                await self._add_ours(page, body, response if page.response_hash else b"")
            else:
                await self._adopt(held.record)
        except NoPage as reason:
            self.found.skipped[str(reason)] += 1

    async def _adopt(self, record: WarcRecord) -> None:
        """Import a page of another tool, classified as if it had been fetched."""
        if record.kind == "resource":
            raise NoPage("no HTTP answer")
        if record.headers.get("warc-truncated"):
            raise NoPage("truncated")
        if not record.url.startswith(("http://", "https://")):
            raise NoPage("no web address")
        response = answer_in(record.url, record.block, self._max_bytes)
        if record.kind == "revisit":
            digest = record.headers.get("warc-payload-digest", "").lower()
            body = await self._stored(self._digests.get(digest, ""))
            response = replace(response, body=body)
        if 300 <= response.status < 400:
            raise NoPage("a redirect")
        if not response.body:
            raise NoPage("an empty answer")
        now = self._bench.clock.now()
        at = min(record.at if record.at is not None else now, now)
        most = self._own.get(host_of(response.final_url), self._tier)
        tier = least_trusted((self._tier, most))  # of a forum, whatever the operator says of all
        page = await page_from(self._bench, response, at, tier)
        self._remember(record, response.body)
        waiting = any(
            (one.url, one.content_hash) == (page.url, page.content_hash)
            for one, _, _ in self._batch
        )
        if waiting or await self._lists.has_content(page.url, page.content_hash):
            self.found.duplicates += 1
        else:
            await self._add(page, response.body, b"")

    def _remember(self, record: WarcRecord, body: bytes) -> None:
        digest = record.headers.get("warc-payload-digest", "")
        if digest and len(self._digests) < MAX_DIGESTS:
            self._digests[digest.lower()] = body_hash(body)

    async def _stored(self, content_hash: str) -> bytes:
        for _, body, response in self._batch:
            for some in (body, response):
                if some and body_hash(some) == content_hash:
                    return some
        known = Page(
            "revisit", "", "", "", self._tier, 0, Outcome.OK, "", content_hash=content_hash
        )
        try:
            body = await self._bench.pages.body(known)
        except StoreError:
            body = b""
        if not body:
            raise NoPage("a revisit of what is not there")
        return body

    async def _add(self, page: Page, body: bytes, response: bytes) -> bool:
        """Add a page to the batch, unless it is stored already."""
        if page.id in self._batch_ids or await self._lists.has_id(page.id):
            self.found.duplicates += 1
            return False
        # Anybody can write that a server confirmed a page, and as what it would know it again.
        headers = {**page.headers, ARCHIVED: "yes"}
        page = replace(page, headers=headers, substance_hash="", confirmed_at=None)
        self._batch.append((page, body, response))
        self._batch_ids.add(page.id)
        self._batch_bytes += len(body) + len(response)
        self.found.pages += 1
        self.found.by_outcome[page.outcome] += 1
        if len(self._batch) >= BATCH_PAGES or self._batch_bytes >= BATCH_BYTES:
            await self._flush()
        return True

    async def _flush(self) -> None:
        async with self._bench.database.transaction() as tx:
            for page, body, response in self._batch:
                await self._bench.pages.save(tx, page, body, response)
        self._batch.clear()
        self._batch_ids.clear()
        self._batch_bytes = 0


def own_tiers(bench: Workbench) -> dict[str, Tier]:
    """The tier of each host that settings or contracts name; the best one, where they differ."""
    tiers: dict[str, Tier] = {}
    for category in categories(Path(bench.settings.contracts_dir)):
        try:
            sources = bench.sources(category)
        except ContractError:  # a contract that cannot be read names no source
            continue
        for source in sources:
            known = tiers.get(source.host, source.tier)
            tiers[source.host] = min(known, source.tier, key=_TRUST.index)
    return tiers
