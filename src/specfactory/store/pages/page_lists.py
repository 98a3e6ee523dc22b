"""Stored pages by the many: listed, walked through, looked for."""

from __future__ import annotations

from collections.abc import AsyncIterator

from specfactory.model import Instant, Page
from specfactory.ports import Database
from specfactory.store.pages.pages import page_of

_AT_ONCE = 200


class PageLists:
    """What archives and the page commands look at."""

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
        """How many pages there are."""
        rows = await self._db.fetch("count_pages", host=host, since=since)
        return int(rows[0]["pages"])

    async def newest(
        self, host: str | None = None, since: Instant = 0, limit: int = 50
    ) -> list[Page]:
        """The latest pages, the newest first."""
        rows = await self._db.fetch("newest_pages", host=host, since=since, limit=limit)
        return [page_of(row) for row in rows]

    async def has_id(self, page_id: str) -> bool:
        """Whether a page of this id is stored."""
        return bool(await self._db.fetch("has_page_id", id=page_id))

    async def has_content(self, url: str, content_hash: str) -> bool:
        """Whether these bytes are stored under this address."""
        rows = await self._db.fetch("has_page_content", url=url, content_hash=content_hash)
        return bool(rows)
