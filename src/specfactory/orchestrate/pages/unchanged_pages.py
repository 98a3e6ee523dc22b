"""Unchanged pages are confirmed and not read again.

A server without ETags sends the whole page, with another nonce in it. What such a page says is
named by its substance. The names are made only when a page is fetched again and its bytes differ,
so that a first visit pays nothing for them.
"""

import asyncio
from dataclasses import replace

from specfactory.errors import StoreError
from specfactory.model import Fetched, Outcome, Page
from specfactory.orchestrate.bench import Workbench
from specfactory.proof import PageViews


async def as_confirmed(bench: Workbench, got: Fetched, previous: Page | None) -> Fetched:
    """Turn a fetch into ``not_modified`` when the page says what the previous one said."""
    page = got.page
    if (
        previous is None
        or page.outcome is not Outcome.OK
        or not previous.content_hash
        or (page.final_url, page.media_type) != (previous.final_url, previous.media_type)
    ):
        return got
    if page.content_hash == previous.content_hash:
        return _confirmed(page, previous, previous.substance_hash)
    from specfactory.proof import VERSION  # loaded with the first page that differs

    try:
        before = previous.substance_hash
        if not before.startswith(f"{VERSION}:"):
            before = await asyncio.to_thread(_name, previous, await bench.pages.body(previous))
    except StoreError:  # a damaged body: nothing to compare with, and the new page mends it
        return got
    now = await asyncio.to_thread(_name, page, got.body)
    if now and now == before:
        # The same words in another layout: a relaunched site is read and learned again.
        body = await bench.pages.body(previous)
        views = PageViews(page, got.body), PageViews(previous, body)
        if await asyncio.to_thread(_is_built_alike, *views):
            return _confirmed(page, previous, now)
    return replace(got, page=replace(page, substance_hash=now))


def _is_built_alike(one: PageViews, other: PageViews) -> bool:
    from specfactory.extract.templates import shape_of
    from specfactory.learn import ALIKE, likeness

    return likeness(shape_of(one.outline), shape_of(other.outline)) >= ALIKE


def _name(page: Page, body: bytes) -> str:
    from specfactory.proof import substance_hash

    return substance_hash(PageViews(page, body))


def _confirmed(page: Page, previous: Page, name: str) -> Fetched:
    said = f"same content as page {previous.id}"
    confirmed = replace(
        page, outcome=Outcome.NOT_MODIFIED, outcome_evidence=said, substance_hash=name,
        content_hash=previous.content_hash, response_hash=previous.response_hash,
        confirmed_at=page.fetched_at,
    )  # fmt: skip
    return Fetched(confirmed, b"")
