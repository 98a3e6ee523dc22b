"""Readings of pages, for products and for categories."""

from collections.abc import AsyncIterator

from specfactory.model import Candidate, Dropped, Frozen, Identity, Instant, TemplateUse
from specfactory.ports import Transaction
from specfactory.store.base import Store, pack, unpack

_AT_ONCE = 200


class Reading(Frozen):
    """One page read for one product, by one contract."""

    product_id: str
    page_id: str
    contract_digest: str
    identity: Identity
    candidates: tuple[Candidate, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    uses: tuple[TemplateUse, ...] = ()  # the templates that fit the page
    offered: tuple[str, ...] = ()  # all that were at work when it was read
    measures: tuple[tuple[float, str], ...] = ()  # of a variant that the product leaves open
    variant: tuple[str, ...] = ()  # words of the variant that it names and the product does not
    passages: tuple[str, ...] = ()  # fingerprints of its running text about the product
    around: tuple[int, ...] = ()  # and of the words around its values


class PageReading(Frozen):
    """One page read by one contract, for no product: at most one candidate for each field."""

    page_id: str
    category: str
    contract_digest: str
    candidates: tuple[Candidate, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    uses: tuple[TemplateUse, ...] = ()  # how templates did on it


class ReadPage(Frozen):
    """A reading for a category and the page it is of."""

    url: str
    host: str
    fetched_at: Instant
    reading: PageReading


class Readings(Store):
    """The evidence from which the next attempt starts, and the rows that page jobs made."""

    async def save(self, tx: Transaction, reading: Reading | PageReading) -> None:
        """Keep a reading; the same page read again for the same product or category replaces it."""
        await tx.post(
            "save_reading",
            page_id=reading.page_id,
            product_id=reading.product_id if isinstance(reading, Reading) else "",
            category=reading.category if isinstance(reading, PageReading) else "",
            contract_digest=reading.contract_digest,
            body=pack(reading),
        )

    async def digest(self, page_id: str, *, product_id: str = "", category: str = "") -> str:
        """The contract by which a page was read for a product or a category; "" if it was not."""
        rows = await self._db.fetch(
            "reading_digest", page_id=page_id, product_id=product_id, category=category
        )
        return str(rows[0]["contract_digest"]) if rows else ""

    async def for_product(self, product_id: str) -> list[Reading]:
        """Readings of the newest page of each URL, the oldest page first."""
        rows = await self._db.fetch("readings_for_product", product_id=product_id)
        return [unpack(Reading, row["body"]) for row in rows]

    async def for_category(self, category: str) -> AsyncIterator[ReadPage]:
        """Readings of the newest page of each URL for a category alone, the oldest first."""
        after = ""
        while rows := await self._db.fetch(
            "readings_for_category", category=category, after=after, limit=_AT_ONCE
        ):
            for row in rows:
                reading = unpack(PageReading, row["body"])
                yield ReadPage(row["url"], row["host"], row["fetched_at"], reading)
            after = rows[-1]["page_id"]

    async def categories(self) -> list[str]:
        """The categories for which pages were read, whatever product they are about."""
        return [row["category"] for row in await self._db.fetch("categories_read")]

    async def of_host(
        self,
        host: str,
        category: str,
        after: tuple[str, str] = ("", ""),
        limit: int = 1,
        tx: Transaction | None = None,
    ) -> list[Reading | PageReading]:
        """Readings of the newest page of each URL of a host, after a page and a product."""
        place = {"page_id": after[0], "product_id": after[1]}
        about = {"host": host, "category": category, "limit": limit}
        rows = await (tx or self._db).fetch("readings_of_host", **about, **place)
        return [
            unpack(Reading, row["body"]) if row["product_id"] else unpack(PageReading, row["body"])
            for row in rows
        ]

    async def elsewhere(
        self, host: str, category: str, limit: int
    ) -> AsyncIterator[tuple[str, Reading]]:
        """Readings of the latest pages of other hosts: host and reading."""
        seen: set[tuple[str, str]] = set()
        rows = await self._db.fetch("readings_elsewhere", host=host, category=category, limit=limit)
        for row in rows:
            reading = unpack(Reading, row["body"])
            if (row["url"], reading.product_id) not in seen:
                seen.add((row["url"], reading.product_id))
                yield row["host"], reading
