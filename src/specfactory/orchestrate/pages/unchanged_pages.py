"""Unchanged pages are confirmed and not read again.

A server without ETags sends the whole page, with another nonce in it. What such a page says is
named by its substance. The names are made only when a page is fetched again and its bytes differ,
so that a first visit pays nothing for them.
"""

from dataclasses import replace

from specfactory.errors import StoreError
from specfactory.model import Fetched, Outcome, Page
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.pages.handed_on import shared_body
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
            body = await bench.pages.body(previous)
            before = await bench.readers.run(name_substance, previous, shared_body(body))
    except StoreError:  # a damaged body: nothing to compare with, and the new page mends it
        return got
    now = await bench.readers.run(name_substance, page, shared_body(got.body))
    if now and now == before:
        # The same words in another layout: a relaunched site is read and learned again.
        body = await bench.pages.body(previous)
        pages = page, shared_body(got.body), previous, shared_body(body)
        if await bench.readers.run(is_built_alike, *pages):
            return _confirmed(page, previous, now)
    return replace(got, page=replace(page, substance_hash=now))


def is_built_alike(page: Page, body: bytes, other: Page, other_body: bytes) -> bool:
    """Check whether two pages have the same layout, in the process that reads."""
    from specfactory.extract.templates import shape_of
    from specfactory.learn import ALIKE, likeness

    one, two = PageViews(page, body), PageViews(other, other_body)
    return likeness(shape_of(one.outline), shape_of(two.outline)) >= ALIKE


def name_substance(page: Page, body: bytes) -> str:
    """Name what a page says, in the process that reads."""
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
