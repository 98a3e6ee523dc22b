"""Stored pages, each body once."""

import hashlib
from collections.abc import AsyncIterator

from msgspec.structs import asdict

from specfactory.errors import StoreError, UnknownSubject
from specfactory.model import Instant, Page
from specfactory.ports import Database, Row, Transaction
from specfactory.store.base import build, compress, decompress, from_json, to_json

_AT_ONCE = 200


class Pages:
    """Every snapshot ever fetched; a body is kept once, under the hash of its bytes."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def save(self, tx: Transaction, page: Page, body: bytes, response: bytes = b"") -> None:
        """Keep a snapshot; its hashes must be those of its body and of the response behind it."""
        if body:
            await self._save_body(tx, page.id, page.content_hash, body)
        if response:
            await self._save_body(tx, page.id, page.response_hash, response)
        row = asdict(page)
        row["headers"], row["timings_ms"] = to_json(page.headers), to_json(page.timings_ms)
        row["content_hash"] = page.content_hash or None if body else None
        row["response_hash"] = page.response_hash or None if response else None
        await tx.post("save_page", **row)

    async def _save_body(self, tx: Transaction, page_id: str, given: str, body: bytes) -> None:
        digest = hashlib.sha256(body).hexdigest()
        if digest != given:
            raise StoreError(f"page {page_id} says {given!r}, its body is {digest}")
        # Whether it is stored already is not asked: the answer costs more than to compress it.
        await tx.post("save_body", content_hash=digest, size_bytes=len(body), body=compress(body))

    async def get(self, page_id: str) -> Page:
        """The page with this id."""
        rows = await self._db.fetch("get_page", id=page_id)
        if not rows:
            raise UnknownSubject("page", page_id, "see: spec pages list")
        return page_of(rows[0])

    async def latest(self, url: str) -> Page | None:
        """The newest good page of a URL; a later failure does not hide it."""
        rows = await self._db.fetch("latest_page", url=url)
        return page_of(rows[0]) if rows else None

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


class PageLists:
    """Stored pages by the many: listed, walked through, looked for."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def walk(
        self, host: str | None = None, since: Instant = 0, product_id: str | None = None
    ) -> AsyncIterator[Page]:
        """All pages, the oldest first, a few at a time; of a host, of a product, since."""
        given = {"host": host, "since": since, "limit": _AT_ONCE}
        query = "pages_after"
        if product_id is not None:
            query, given = "product_pages_after", {**given, "product_id": product_id}
        after = ""
        while rows := await self._db.fetch(query, after=after, **given):
            for row in rows:
                yield page_of(row)
            after = rows[-1]["id"]

    async def count(self, host: str | None = None, since: Instant = 0) -> int:
        """Number of pages."""
        rows = await self._db.fetch("count_pages", host=host, since=since)
        return int(rows[0]["pages"])

    async def newest(
        self, host: str | None = None, since: Instant = 0, limit: int = 50
    ) -> list[Page]:
        """The latest pages, the newest first."""
        rows = await self._db.fetch("newest_pages", host=host, since=since, limit=limit)
        return [page_of(row) for row in rows]

    async def has_id(self, page_id: str) -> bool:
        """Tell whether a page of this id is stored."""
        return bool(await self._db.fetch("has_page_id", id=page_id))

    async def has_content(self, url: str, content_hash: str) -> bool:
        """Tell whether these bytes are stored under this address."""
        rows = await self._db.fetch("has_page_content", url=url, content_hash=content_hash)
        return bool(rows)


def page_of(row: Row) -> Page:
    """A page out of its row."""
    plain = dict(row)
    for name in ("headers", "timings_ms"):
        plain[name] = from_json(plain[name])
    for name in ("content_hash", "response_hash"):
        plain[name] = plain[name] or ""
    return build(Page, plain)
