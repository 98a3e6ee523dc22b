"""Decide whether the job of a page that could not be fetched fails, or waits for its host."""

import contextlib

from specfactory.errors import JobDeferred, JobFailed, StoreError
from specfactory.heal import OPEN, QUICK, Observation, fails, is_bad, sign_of, since_healed
from specfactory.model import (
    Cause,
    Fault,
    FetchResponse,
    HealingStatus,
    HostCare,
    Instant,
    Page,
    Sign,
    Visit,
    facts_of,
    failure_facts,
)
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.healing.heal_host import EVENTS_SEEN, heal_host
from specfactory.orchestrate.jobs import page_failure
from specfactory.queue import due_after

SPREAD = 0.1  # share of a wait that is added at random, so that a crowd spreads out
MOST_SPREAD_SECONDS = 30.0
HOUR_MS = 3_600_000
STAYS = frozenset({Sign.LARGE, Sign.ADDRESS})  # failures of which another try costs too much
_USUAL = HostCare()


def was_asked(page: Page) -> bool:
    """True if a request went out for a page; its host may be paused, or its breaker open."""
    return facts_of(page.outcome, page.cause).was_asked


async def page_end(
    bench: Workbench, url: str, page: Page, visit: Visit | None
) -> JobFailed | JobDeferred:
    """The end of the job of a page that could not be fetched; its host was healed before."""
    host = bench.fetch.host_of(url) or page.host
    if visit is None:
        until: Instant | None = await until_asked(bench, host, page)
    else:
        until = await wait_after(bench, visit)
    if until is not None:
        said = f"{page.url}: {page.outcome_evidence or page.outcome}; it waits"
        return JobDeferred(until, said, host)
    failure, heal = page_failure(page, host), bench.settings.heal
    if visit is None or not heal.enabled:
        return failure
    sign = sign_of(visit, _USUAL, heal)
    if sign in STAYS or not is_bad(sign):
        return failure
    # Where hosts are healed, a refusal may be over soon: the page is tried again.
    return JobFailed(
        visit.outcome, failure.message, failure.station, failure.host, page_cause=visit.cause
    )


async def wait_after(bench: Workbench, visit: Visit) -> Instant | None:
    """The instant until which work waits for a host being healed; None: the failure stands."""
    heal = bench.settings.heal
    if not heal.enabled:
        return None
    events = await bench.healings.of_host(visit.host, EVENTS_SEEN)
    # The failure may lie with the host, or with what it is being healed of.
    seen = Observation(visit, sign_of(visit, _USUAL, heal))
    open_events = [event for event in events if event.status in OPEN]
    if not is_bad(seen.sign) and not any(fails(seen, event, heal) for event in open_events):
        return None
    # Given up after too long; its jobs are requeued once it is well.
    unhealed, limit = since_healed(events), heal.give_up_hours * HOUR_MS
    if unhealed and bench.clock.now() - unhealed[-1].created_at > limit:
        return None
    care = await bench.policies.care(visit.host)
    wait = failure_facts(visit.outcome).first_wait(bench.settings.queue.retry_first_seconds)
    soon = due_after(bench.clock.now(), wait)
    if care.paused_for:
        return spread(bench, max(care.paused_until, soon))
    is_healed = any(event.status is HealingStatus.TRIED for event in events)
    return spread(bench, soon) if is_healed else None


def trouble_visit(bench: Workbench, host: str, failed: FetchResponse | None) -> Visit | None:
    """A failed search as a visit of its host; None where it is no sign of a problem there."""
    if failed is None or failed.failure is None:
        return None
    facts = facts_of(failed.failure, failed.cause)
    if not facts.was_asked or facts.fault is Fault.RULES:
        return None
    return Visit(
        host, failed.url, bench.clock.now(), failed.failure, failed.failure_detail,
        failed.status, cause=failed.cause,
    )  # fmt: skip


def spread(bench: Workbench, until: Instant) -> Instant:
    """Add a random delay to an instant."""
    seconds = max(until - bench.clock.now(), 0) / 1000
    return due_after(until, min(seconds * SPREAD, MOST_SPREAD_SECONDS) * bench.random.random())


async def until_asked(bench: Workbench, host: str, page: Page) -> Instant:
    """When a host may be asked that was not, because it is paused or its breaker is open.

    An open breaker says that the host keeps failing: fewer visits are then enough to heal it.
    """
    if page.cause is Cause.BREAKER and bench.settings.heal.enabled:
        with contextlib.suppress(StoreError):
            await heal_host(bench, host, QUICK)
    care, now = await bench.policies.care(host), bench.clock.now()
    soon = bench.settings.queue.retry_first_seconds
    wait = max(page.retry_at - now, 0) / 1000
    if page.cause is Cause.BREAKER:  # somebody probes already: it may be over any time
        wait = min(wait, bench.settings.heal.first_pause_seconds)
        events = await bench.healings.of_host(host, EVENTS_SEEN)
        # A remedy needs visits that show whether it helps; a pause needs none.
        if any(e.status is HealingStatus.TRIED and "until" not in e.params for e in events):
            await bench.policies.reopen(host)
    until = due_after(now, max(wait, soon))
    if care.paused_for and care.paused_until <= now:  # the one that was to probe could not
        await bench.policies.put_off_probe(host, until)
    return spread(bench, max(care.paused_until, until) if care.paused_for else until)
