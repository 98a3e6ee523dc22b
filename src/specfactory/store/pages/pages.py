"""Stored pages, each body once."""

from __future__ import annotations

import hashlib

from specfactory.errors import StoreError, UnknownSubject
from specfactory.model import Cause, Instant, Outcome, Page, Rung, Tier
from specfactory.ports import Database, Row, Transaction
from specfactory.store.base import compress, decompress, from_json, to_json


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
        await tx.post(
            "save_page",
            id=page.id,
            url=page.url,
            final_url=page.final_url,
            host=page.host,
            tier=page.tier,
            fetched_at=page.fetched_at,
            outcome=page.outcome,
            outcome_evidence=page.outcome_evidence,
            cause=page.cause,
            retry_at=page.retry_at,
            status=page.status,
            headers=to_json(page.headers),
            content_hash=page.content_hash or None if body else None,
            media_type=page.media_type,
            charset=page.charset,
            size_bytes=page.size_bytes,
            timings_ms=to_json(page.timings_ms),
            confirmed_at=page.confirmed_at,
            rung=page.rung,
            proxy=page.proxy,
            response_hash=page.response_hash or None if response else None,
            substance_hash=page.substance_hash,
        )

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
        """What the server sent: the body, unless that is what a browser made of it."""
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


def page_of(row: Row) -> Page:
    """A page out of its row."""
    return Page(
        id=row["id"],
        url=row["url"],
        final_url=row["final_url"],
        host=row["host"],
        tier=Tier(row["tier"]),
        fetched_at=row["fetched_at"],
        outcome=Outcome(row["outcome"]),
        outcome_evidence=row["outcome_evidence"],
        cause=Cause(row["cause"]),
        retry_at=row["retry_at"],
        status=row["status"],
        headers=from_json(row["headers"]),
        content_hash=row["content_hash"] or "",
        media_type=row["media_type"],
        charset=row["charset"],
        size_bytes=row["size_bytes"],
        timings_ms=from_json(row["timings_ms"]),
        confirmed_at=row["confirmed_at"],
        rung=Rung(row["rung"]),
        proxy=row["proxy"],
        response_hash=row["response_hash"] or "",
        substance_hash=row["substance_hash"],
    )
