"""Pages that do not want to be used, for categories whose contract respects that."""

from collections.abc import Mapping
from dataclasses import replace

from specfactory.errors import StoreError
from specfactory.fetch.robots import product_token, unwanted_use
from specfactory.model import Cause, Fetched, Outcome, Page, facts_of
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.pages.handed_on import shared_body


async def as_respected(
    bench: Workbench, respect: tuple[str, ...], got: Fetched, previous: Page | None = None
) -> Fetched:
    """Turn a fetch into ``refused`` when the page forbids a use that the contract respects."""
    if not respect or not facts_of(got.page.outcome).is_good:
        return got
    headers, body = got.page.headers, got.body
    if got.page.outcome is Outcome.NOT_MODIFIED and previous is not None:
        headers, body = {**previous.headers, **headers}, await _body(bench, previous)
    reason = await _unwanted(bench, headers, body, respect)
    if not reason:
        return got
    # Without its body: what must not be used is not stored either.
    refused = replace(
        got.page, outcome=Outcome.REFUSED, outcome_evidence=reason, cause=Cause.UNWANTED,
        content_hash="", size_bytes=0, response_hash="", confirmed_at=None,
    )  # fmt: skip
    return Fetched(refused, b"")


async def is_unwanted(bench: Workbench, category: str, page: Page) -> bool:
    """True if a stored page must not be used for a category."""
    respect = bench.contract(category).contract.respect
    if not respect:
        return False
    return bool(await _unwanted(bench, page.headers, await _body(bench, page), respect))


async def _unwanted(
    bench: Workbench, headers: Mapping[str, str], body: bytes, respect: tuple[str, ...]
) -> str:
    token = product_token(bench.settings.fetch.user_agent)
    return await bench.readers.run(
        unwanted_use, headers, shared_body(body), respect, token, quick=True
    )


async def _body(bench: Workbench, page: Page) -> bytes:
    try:
        return await bench.pages.body(page)
    except StoreError:  # damaged: only its headers are left
        return b""
