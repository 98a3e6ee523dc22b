"""What pages gave by themselves, for a category and no product in particular."""

from __future__ import annotations

from collections.abc import AsyncIterator

from specfactory.model import Candidate, Dropped, Frozen, Instant, TemplateUse
from specfactory.ports import Database, Transaction
from specfactory.store.base import pack, unpack

_AT_ONCE = 200


class PageReading(Frozen):
    """One page read by one contract: at most one candidate for each field."""

    page_id: str
    category: str
    contract_digest: str
    candidates: tuple[Candidate, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    uses: tuple[TemplateUse, ...] = ()  # how templates did on it


class ReadPage(Frozen):
    """A reading and the page it is of."""

    url: str
    host: str
    fetched_at: Instant
    reading: PageReading


class PageReadings:
    """The rows that page jobs made; the newest page of a URL speaks for it."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def save(self, tx: Transaction, reading: PageReading) -> None:
        """Keep a reading; the same page read again for the same category replaces it."""
        await tx.post(
            "save_page_reading",
            page_id=reading.page_id,
            category=reading.category,
            contract_digest=reading.contract_digest,
            body=pack(reading),
        )

    async def digest(self, page_id: str, category: str) -> str:
        """The contract by which a page was read for a category; empty when it was not."""
        rows = await self._db.fetch("page_reading_digest", page_id=page_id, category=category)
        return str(rows[0]["contract_digest"]) if rows else ""

    async def current(self, category: str) -> AsyncIterator[ReadPage]:
        """What the newest page of each URL gave, the oldest first."""
        after = ""
        while rows := await self._db.fetch(
            "current_page_readings", category=category, after=after, limit=_AT_ONCE
        ):
            for row in rows:
                reading = unpack(PageReading, row["body"])
                yield ReadPage(row["url"], row["host"], row["fetched_at"], reading)
            after = rows[-1]["page_id"]
