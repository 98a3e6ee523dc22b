"""What pages gave for products."""

from __future__ import annotations

from collections.abc import AsyncIterator

from specfactory.model import Candidate, Dropped, Frozen, Identity, TemplateUse
from specfactory.ports import Database, Transaction
from specfactory.store.base import pack, unpack


class Reading(Frozen):
    """One page read for one product, by one contract."""

    product_id: str
    page_id: str
    contract_digest: str
    identity: Identity
    candidates: tuple[Candidate, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    uses: tuple[TemplateUse, ...] = ()  # the templates that fit the page
    measures: tuple[tuple[float, str], ...] = ()  # of a variant that the product leaves open


class Readings:
    """The evidence from which the next attempt starts."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def save(self, tx: Transaction, reading: Reading) -> None:
        """Keep a reading; the same page read again for the same product replaces it."""
        await tx.execute(
            "save_reading",
            product_id=reading.product_id,
            page_id=reading.page_id,
            contract_digest=reading.contract_digest,
            body=pack(reading),
        )

    async def digest(self, product_id: str, page_id: str) -> str:
        """The contract by which a page was read for a product; empty when it was not."""
        rows = await self._db.fetch("reading_digest", product_id=product_id, page_id=page_id)
        return str(rows[0]["contract_digest"]) if rows else ""

    async def for_product(self, product_id: str) -> list[Reading]:
        """What the newest page of each URL says, the oldest page first."""
        rows = await self._db.fetch("current_readings", product_id=product_id)
        return [unpack(Reading, row["body"]) for row in rows]

    async def elsewhere(
        self, host: str, category: str, limit: int
    ) -> AsyncIterator[tuple[str, Reading]]:
        """What the latest pages of other hosts say of products: host and reading."""
        seen: set[tuple[str, str]] = set()
        rows = await self._db.fetch("readings_elsewhere", host=host, category=category, limit=limit)
        for row in rows:
            reading = unpack(Reading, row["body"])
            if (row["url"], reading.product_id) not in seen:
                seen.add((row["url"], reading.product_id))
                yield row["host"], reading
