"""Whether a page that could not be had makes its job fail, or wait until its host is healed."""

from __future__ import annotations

import contextlib

from specfactory.errors import JobDeferred, JobFailed, StoreError
from specfactory.heal import OPEN, QUICK, Seen, fails, is_bad, sign_of, since_healed
from specfactory.model import (
    Cause,
    Fault,
    HealingEvent,
    HealingStatus,
    HostCare,
    Instant,
    Page,
    Sign,
    Source,
    Visit,
    facts_of,
)
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.healing.treat import EVENTS_SEEN, treat
from specfactory.orchestrate.jobs import page_failure
from specfactory.queue import RetryRule, due_after

SPREAD = 0.1  # share of a wait that is added at random, so that a crowd spreads out
MOST_SPREAD_SECONDS = 30.0
HOUR_MS = 3_600_000
STAYS = frozenset({Sign.LARGE, Sign.ADDRESS})  # failures of which another try costs too much
_USUAL = HostCare()


def was_asked(page: Page) -> bool:
    """Whether a request went out for a page; its host may be paused, or its breaker open."""
    return facts_of(page.outcome, page.cause).was_asked


async def page_end(
    bench: Workbench, url: str, page: Page, visit: Visit | None
) -> JobFailed | JobDeferred:
    """What the job of a page that could not be had ends with; its host was treated before."""
    host = bench.fetch.host_of(url) or page.host
    if visit is None:
        until: Instant | None = await until_asked(bench, host, page)
    else:
        until = await wait_after(bench, visit)
    if until is None:
        failure = page_failure(page, host)
        return _milder(bench, failure, visit) if visit is not None else failure
    return JobDeferred(
        until, f"{page.url}: {page.outcome_evidence or page.outcome}; it waits", host
    )


def _milder(bench: Workbench, failure: JobFailed, visit: Visit) -> JobFailed:
    """Where hosts are healed, a refusal may be over soon: the page is tried again."""
    sign = sign_of(visit, _USUAL, bench.settings.heal)
    if not bench.settings.heal.enabled or sign in STAYS or not is_bad(sign):
        return failure
    return JobFailed(
        visit.outcome, failure.message, failure.station, failure.host, page_cause=visit.cause
    )


async def wait_after(bench: Workbench, visit: Visit) -> Instant | None:
    """Until when work waits for a host that was treated, or None: the failure stands."""
    if not bench.settings.heal.enabled:
        return None
    events = await bench.healings.of_host(visit.host, EVENTS_SEEN)
    if not _concerns(bench, visit, events) or _is_given_up(bench, events):
        return None
    return await resumes_at(bench, visit.host, events)


async def resumes_at(bench: Workbench, host: str, events: list[HealingEvent]) -> Instant | None:
    """When a host that is paused or under treatment may be asked again; None: it is neither."""
    care, now = await bench.policies.care(host), bench.clock.now()
    soon = RetryRule.of(bench.settings.queue).first_seconds
    if care.paused_for:
        return spread(bench, max(care.paused_until, due_after(now, soon)))
    if any(event.status is HealingStatus.TRIED for event in events):
        return spread(bench, due_after(now, soon))
    return None


def trouble_visit(bench: Workbench, source: Source) -> Visit | None:
    """The visit of a host that could not be searched; None where that is no sign of illness."""
    trouble = bench.fetch.trouble_of(source.host)
    if trouble is None or trouble.failure is None:
        return None
    facts = facts_of(trouble.failure, trouble.cause)
    if not facts.was_asked or facts.fault is Fault.RULES:
        return None
    return Visit(
        source.host, trouble.url, bench.clock.now(), trouble.failure, trouble.failure_detail,
        trouble.status, cause=trouble.cause,
    )  # fmt: skip


def spread(bench: Workbench, until: Instant) -> Instant:
    """An instant a little later, for each one another."""
    seconds = max(until - bench.clock.now(), 0) / 1000
    return due_after(until, min(seconds * SPREAD, MOST_SPREAD_SECONDS) * bench.random.random())


async def until_asked(bench: Workbench, host: str, page: Page) -> Instant:
    """When a host may be asked that was not, because it is paused or its breaker is open.

    An open breaker says that the host keeps failing: fewer visits are then enough to treat it.
    """
    if page.cause is Cause.BREAKER and bench.settings.heal.enabled:
        with contextlib.suppress(StoreError):
            await treat(bench, host, QUICK)
    care, now = await bench.policies.care(host), bench.clock.now()
    soon = RetryRule.of(bench.settings.queue).first_seconds
    wait = max(page.retry_at - now, 0) / 1000
    if page.cause is Cause.BREAKER:  # one looks already: it may be over any time
        wait = min(wait, bench.settings.heal.first_pause_seconds)
        if await _is_on_trial(bench, host):
            await bench.policies.reopen(host)
    until = due_after(now, max(wait, soon))
    if care.paused_for and care.paused_until <= now:  # the one who was to look could not
        await bench.policies.put_off_probe(host, until)
    return spread(bench, max(care.paused_until, until) if care.paused_for else until)


async def _is_on_trial(bench: Workbench, host: str) -> bool:
    """Whether a remedy waits for visits that show whether it helps; a pause wants none."""
    events = await bench.healings.of_host(host, EVENTS_SEEN)
    return any(e.status is HealingStatus.TRIED and "until" not in e.params for e in events)


def _concerns(bench: Workbench, visit: Visit, events: list[HealingEvent]) -> bool:
    """Whether a failure may lie with the host, or with what it is treated for."""
    heal = bench.settings.heal
    seen = Seen(visit, sign_of(visit, _USUAL, heal))
    return is_bad(seen.sign) or any(fails(seen, e, heal) for e in events if e.status in OPEN)


def _is_given_up(bench: Workbench, events: list[HealingEvent]) -> bool:
    """Whether a host has been ill for too long; its jobs are done again once it is well."""
    illness = since_healed(events)
    limit = bench.settings.heal.give_up_hours * HOUR_MS
    return bool(illness) and bench.clock.now() - illness[-1].created_at > limit
