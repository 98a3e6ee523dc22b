"""Visits: every fetch of a page is noted, in the transaction that stores the page."""

from collections.abc import Mapping

from specfactory.model import Page, Visit, facts_of
from specfactory.orchestrate.bench import Workbench
from specfactory.ports import Transaction
from specfactory.store import PageReading, Reading

UNRANKED = 1.0  # a value found by its label, which nobody doubted


async def note_visit(
    bench: Workbench,
    tx: Transaction,
    page: Page,
    *,
    confidence: float | None = None,
    timings_ms: Mapping[str, float] | None = None,
    garbled: float = 0.0,
) -> Visit | None:
    """Note how the fetch of a page ended; ``timings_ms`` come on top of those of the network.

    Without them it is decided here whether the page is sampled; empty: it is not.
    A page that was not asked for, because its host is paused or its breaker open, is no visit:
    it would push out of the history what was seen. The host is the one that was asked. Gives
    what was noted.
    """
    if not facts_of(page.outcome, page.cause).was_asked:
        return None
    sampled = is_sampled(bench) if timings_ms is None else bool(timings_ms)
    timed = sampled and bool(page.timings_ms)  # what never reached the network has no profile
    timings = {**page.timings_ms, **(timings_ms or {})} if timed else {}
    host = bench.fetch.host_of(page.url) or page.host
    landed = page.host if page.host != host else ""
    visit = Visit(
        host, page.url, page.fetched_at, page.outcome, page.outcome_evidence, page.status,
        rung=page.rung, proxy=page.proxy, size_bytes=page.size_bytes, confidence=confidence,
        timings_ms=timings, page_id=page.id, landed=landed, garbled=garbled, cause=page.cause,
    )  # fmt: skip
    await bench.visits.add(tx, visit)
    return visit


def confidence_in(reading: Reading | PageReading, fields: int) -> float | None:
    """Confidence in what a page gave for the contract's ``fields``; None when it was not read.

    The mean of the best candidate of each field, where a field that was not found counts as 0:
    a page whose layout has changed loses fields before it loses confidence in the others.
    """
    if not fields or (isinstance(reading, Reading) and not reading.identity.verdict.usable):
        return None
    best: dict[str, float] = {}
    for candidate in reading.candidates:
        sure = UNRANKED if candidate.likelihood is None else candidate.likelihood
        if sure > best.get(candidate.field, 0.0):
            best[candidate.field] = sure
    return round(sum(best.values()) / fields, 4)


def is_sampled(bench: Workbench) -> bool:
    """Decide by chance whether the timings of a page are stored."""
    share = bench.settings.profile.sample
    return share >= 1.0 or (share > 0.0 and bench.random.random() < share)
