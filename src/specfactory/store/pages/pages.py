"""Stored pages, each body once."""

from collections.abc import AsyncIterator

from specfactory.errors import StoreError, UnknownSubject
from specfactory.model import Instant, Page
from specfactory.ports import Transaction
from specfactory.store.base import (
    Store,
    as_row,
    body_hash,
    compress,
    decompress,
    fetch_all,
    fetch_first,
    fetch_number,
)

_AT_ONCE = 200


class Pages(Store):
    """Every snapshot ever fetched; a body is kept once, under the hash of its bytes."""

    async def save(self, tx: Transaction, page: Page, body: bytes, response: bytes = b"") -> None:
        """Keep a snapshot; its hashes must be those of its body and of the response behind it."""
        if body:
            await self._save_body(tx, page.id, page.content_hash, body)
        if response:
            await self._save_body(tx, page.id, page.response_hash, response)
        row = as_row(page)
        row["content_hash"] = page.content_hash or None if body else None
        row["response_hash"] = page.response_hash or None if response else None
        await tx.post("save_page", **row)

    async def _save_body(self, tx: Transaction, page_id: str, given: str, body: bytes) -> None:
        digest = body_hash(body)
        if digest != given:
            raise StoreError(f"page {page_id} says {given!r}, its body is {digest}")
        # Whether it is stored already is not asked: the answer costs more than to compress it.
        await tx.post("save_body", content_hash=digest, size_bytes=len(body), body=compress(body))

    async def get(self, page_id: str) -> Page:
        """The page with this id."""
        if (page := await fetch_first(self._db, Page, "get_page", id=page_id)) is None:
            raise UnknownSubject("page", page_id, "see: spec pages list")
        return page

    async def latest(self, url: str) -> Page | None:
        """The newest good page of a URL; a later failure does not hide it."""
        return await fetch_first(self._db, Page, "latest_page", url=url)

    async def body(self, page: Page) -> bytes:
        """The bytes of a page, as they are stored; the audit holds them against their hash."""
        return await self._bytes(page.id, page.content_hash)

    async def response(self, page: Page) -> bytes:
        """The bytes that the server sent: the body, unless a browser made that of them."""
        return await self._bytes(page.id, page.response_hash or page.content_hash)

    async def _bytes(self, page_id: str, content_hash: str) -> bytes:
        if not content_hash:
            return b""
        rows = await self._db.fetch("get_body", content_hash=content_hash)
        if not rows:
            raise StoreError(f"the body of page {page_id} ({content_hash}) is not stored")
        return decompress(rows[0]["body"])

    async def confirm(
        self, tx: Transaction, page_id: str, at: Instant, substance_hash: str = ""
    ) -> None:
        """Note that nothing changed, and the name of what the page says, where it is known."""
        changed = await tx.execute("confirm_page", id=page_id, at=at, substance_hash=substance_hash)
        if not changed:
            raise UnknownSubject("page", page_id)


class PageLists(Store):
    """Stored pages by the many: listed, walked through, looked for."""

    async def walk(
        self, host: str | None = None, since: Instant = 0, product_id: str | None = None
    ) -> AsyncIterator[Page]:
        """All pages, the oldest first, a few at a time; of a host, of a product, since."""
        given = {"host": host, "since": since, "limit": _AT_ONCE}
        query = "pages_after"
        if product_id is not None:
            query, given = "product_pages_after", {**given, "product_id": product_id}
        after = ""
        while pages := await fetch_all(self._db, Page, query, after=after, **given):
            for page in pages:
                yield page
            after = pages[-1].id

    async def count(self, host: str | None = None, since: Instant = 0) -> int:
        """Number of pages."""
        return await fetch_number(self._db, "count_pages", host=host, since=since)

    async def newest(
        self, host: str | None = None, since: Instant = 0, limit: int = 50
    ) -> list[Page]:
        """The latest pages, the newest first."""
        given = {"host": host, "since": since, "limit": limit}
        return await fetch_all(self._db, Page, "newest_pages", **given)

    async def has_id(self, page_id: str) -> bool:
        """Tell whether a page of this id is stored."""
        return bool(await self._db.fetch("has_page_id", id=page_id))

    async def has_content(self, url: str, content_hash: str) -> bool:
        """Tell whether these bytes are stored under this address."""
        return bool(await self._db.fetch("has_page_content", url=url, content_hash=content_hash))
