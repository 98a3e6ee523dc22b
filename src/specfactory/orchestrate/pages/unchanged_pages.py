"""Pages that say what they said before: confirmed, not read again.

A server without ETags sends the whole page, with another nonce in it. What such a page says is
named by its substance. The names are made only when a page is fetched again and its bytes differ,
so that a first visit pays nothing for them.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from specfactory.errors import StoreError
from specfactory.model import Fetched, Outcome, Page
from specfactory.orchestrate.bench import Workbench
from specfactory.proof import PageViews


async def as_confirmed(bench: Workbench, got: Fetched, previous: Page | None) -> Fetched:
    """The fetch as it counts: ``not_modified`` when the page says what the previous one said."""
    if previous is None or not _is_comparable(got.page, previous):
        return got
    if got.page.content_hash == previous.content_hash:
        return _confirmed(got.page, previous, previous.substance_hash)
    try:
        said_before = await _named(bench, previous)
    except StoreError:  # a damaged body: nothing to compare with, and the new page mends it
        return got
    says_now = await asyncio.to_thread(_name, got.page, got.body)
    if says_now and says_now == said_before and await _is_built_alike(bench, got, previous):
        return _confirmed(got.page, previous, says_now)
    return replace(got, page=replace(got.page, substance_hash=says_now))


async def _is_built_alike(bench: Workbench, got: Fetched, previous: Page) -> bool:
    """Whether the layout is still the same; a relaunched site is read again, and learned again."""
    body = await bench.pages.body(previous)
    return await asyncio.to_thread(_alike, PageViews(got.page, got.body), PageViews(previous, body))


def _alike(one: PageViews, other: PageViews) -> bool:
    from specfactory.extract.templates import shape_of
    from specfactory.learn.samples import ALIKE, likeness

    return likeness(shape_of(one.outline), shape_of(other.outline)) >= ALIKE


def _is_comparable(page: Page, previous: Page) -> bool:
    return (
        page.outcome is Outcome.OK
        and bool(previous.content_hash)
        and page.final_url == previous.final_url
        and page.media_type == previous.media_type
    )


async def _named(bench: Workbench, page: Page) -> str:
    from specfactory.proof import VERSION  # loaded with the first page that differs

    if page.substance_hash.startswith(f"{VERSION}:"):
        return page.substance_hash
    return await asyncio.to_thread(_name, page, await bench.pages.body(page))


def _name(page: Page, body: bytes) -> str:
    from specfactory.proof import substance_hash

    return substance_hash(PageViews(page, body))


def _confirmed(page: Page, previous: Page, name: str) -> Fetched:
    confirmed = replace(
        page,
        outcome=Outcome.NOT_MODIFIED,
        outcome_evidence=f"same content as page {previous.id}",
        content_hash=previous.content_hash,
        response_hash=previous.response_hash,
        substance_hash=name,
        confirmed_at=page.fetched_at,
    )
    return Fetched(confirmed, b"")
