"""Published records: versions that are only ever added, and the contracts that made them."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from specfactory.errors import StoreError
from specfactory.model import Contract, Frozen, Instant, Record
from specfactory.ports import Database, Row, Transaction
from specfactory.store.base import Store, as_row, fetch_number, from_row, pack, unpack

MOST_LISTED = 2**62
_ROWS_AT_ONCE = 500
_BODIES_AT_ONCE = 20  # each may hold hundreds of candidates


class Published(Frozen):
    """The outside of one record version, for lists."""

    product_id: str
    version: int
    attempt_id: str
    category: str
    generated_at: Instant
    filled: int
    total: int
    confidence: float  # mean over the filled fields


class Records(Store):
    """Every version of every record."""

    async def publish(self, tx: Transaction, record: Record) -> Record:
        """Add the next version of a product's record; returns it with its number."""
        product_id = record.product.id
        rows = await tx.fetch("next_record_version", product_id=product_id)
        if not rows:
            raise StoreError(f"product {product_id} is not stored; its record was not published")
        record = replace(record, version=rows[0]["last_version"])
        sure = [result.confidence for result in record.fields.values() if result.value is not None]
        outside = Published(
            product_id, record.version, record.attempt_id, record.product.category,
            record.generated_at, filled=len(sure), total=len(record.fields),
            confidence=sum(sure) / len(sure) if sure else 0.0,
        )  # fmt: skip
        await tx.execute("publish_record", **as_row(outside), body=pack(record))
        return record

    async def latest(self, product_id: str) -> Record | None:
        """The newest version."""
        return _first(await self._db.fetch("latest_record", product_id=product_id))

    async def get(self, product_id: str, version: int) -> Record | None:
        """One version."""
        return _first(await self._db.fetch("get_record", product_id=product_id, version=version))

    async def history(self, product_id: str) -> list[Record]:
        """All versions, the first one first."""
        rows = await self._db.fetch("record_history", product_id=product_id)
        return [unpack(Record, row["body"]) for row in rows]

    async def list(
        self, category: str | None = None, after: str = "", limit: int = MOST_LISTED
    ) -> AsyncIterator[Published]:
        """The newest version of each product, without its fields, by product id."""
        rows = self._each("list_records", after, limit, _ROWS_AT_ONCE, category=category)
        async for row in rows:
            yield from_row(Published, row)

    async def newest(
        self,
        category: str | None = None,
        since: Instant | None = None,
        after: str = "",
        limit: int = MOST_LISTED,
    ) -> AsyncIterator[Record]:
        """The newest version of each product, by product id."""
        given = {"category": category, "since": since}
        async for row in self._each("newest_records", after, limit, _BODIES_AT_ONCE, **given):
            yield unpack(Record, row["body"])

    async def count(self, category: str | None = None, after: str = "") -> int:
        """The number of products that have a record."""
        return await fetch_number(self._db, "count_records", category=category, after=after)

    async def _each(
        self, query: str, after: str, limit: int, at_once: int, **given: Any
    ) -> AsyncIterator[Row]:
        """The rows of a query, fetched a few at a time."""
        while limit > 0 and (
            rows := await self._db.fetch(query, after=after, limit=min(limit, at_once), **given)
        ):
            for row in rows:
                yield row
            after, limit = rows[-1]["product_id"], limit - len(rows)


def _first(rows: list[Row]) -> Record | None:
    return unpack(Record, rows[0]["body"]) if rows else None


class Contracts(Store):
    """Every contract that made a record or read a page, by its digest."""

    def __init__(self, db: Database) -> None:
        super().__init__(db)
        self.kept: set[str] = set()  # digests that are known to be in the database

    async def save(self, tx: Transaction, contract: Contract) -> None:
        """Keep a contract; one that is there already stays."""
        await tx.execute(
            "save_contract", digest=contract.digest, category=contract.category, body=pack(contract)
        )

    async def get(self, digest: str) -> Contract | None:
        """The contract with this digest."""
        rows = await self._db.fetch("get_contract", digest=digest)
        return unpack(Contract, rows[0]["body"]) if rows else None
