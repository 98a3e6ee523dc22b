"""The parts of a worker: failures, patience, overrides, handlers, the calendar."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from specfactory.errors import (
    AddressRefused,
    DatabaseAway,
    JobFailed,
    SettingError,
    UnknownCategory,
    UsageError,
)
from specfactory.model import Budget, Job, JobStatus, Outcome, Page, Source, Tier
from specfactory.orchestrate.jobs.database_retry import (
    FIRST_SECONDS,
    LONGEST_SECONDS,
    until_written,
)
from specfactory.orchestrate.jobs.failures import failure_of, nothing_found, page_failure
from specfactory.orchestrate.jobs.handlers import Handlers, add_handlers
from specfactory.orchestrate.kinds import standard_handlers
from specfactory.orchestrate.kinds.product import budget_of, product_of, sources_of
from specfactory.orchestrate.workers.stale_records import moments
from specfactory.queue import pauses
from specfactory.testing import START, ManualClock

HOUR_MS = 3_600_000


def job(**more: object) -> Job:
    return Job(1, "product", "k", JobStatus.IN_PROGRESS, 3, 0, 0, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("problem", "cause", "permanent"),
    [
        (JobFailed("odd", "words", "fetch", "h", True), "odd", True),
        (UnknownCategory("spoon", ("mouse",)), "unknown_category", True),
        (UsageError("no"), "bad_payload", True),
        (AddressRefused("http://x", "private"), "forbidden", True),
        (TimeoutError(), "timeout", False),
        (ZeroDivisionError("by zero"), "unexpected", False),
    ],
)
def test_every_exception_has_a_cause(problem, cause, permanent):
    failure = failure_of(problem)

    assert (failure.cause, failure.permanent) == (cause, permanent)
    assert failure.message


@pytest.mark.parametrize(
    ("hosts", "cause", "permanent"),
    [
        ({"a": "not_found", "b": "timeout"}, "timeout", False),
        ({"a": "not_found", "b": "robots"}, "no_such_product", True),
        ({"a": "blocked", "b": "robots"}, "forbidden", True),
        ({"a": "budget_exhausted"}, "budget_exhausted", False),
        ({"a": "other"}, "no_such_product", True),
        ({}, "no_source", True),
    ],
)
def test_nothing_found_is_worth_another_try_only_where_something_may_change(
    hosts, cause, permanent
):
    failure = nothing_found(hosts, "nothing")

    assert (failure.cause, failure.permanent) == (cause, permanent)


def test_a_page_that_is_gone_is_not_asked_again_and_one_that_is_slow_is():
    url = "http://a/x"
    missing = Page("p", url, url, "a", Tier.RETAILER, 0, Outcome.NOT_FOUND, "404")
    late = replace(missing, outcome=Outcome.TIMEOUT, outcome_evidence="")
    gone, slow = page_failure(missing, "a"), page_failure(late, "a")

    assert (gone.cause, gone.permanent, str(gone)) == (
        "not_found",
        True,
        "http://a/x: not_found (404)",
    )
    assert (slow.cause, slow.permanent) == ("timeout", False)


def test_pauses_grow_to_a_limit_and_never_in_step():
    grown = list(islice(pauses(Random(1), FIRST_SECONDS, LONGEST_SECONDS), 10))

    assert 0.1 <= grown[0] <= 0.15
    assert 5.0 <= grown[-1] <= 7.5
    assert len(set(grown)) == 10


async def test_patience_ends_when_it_is_over():
    async def away() -> None:
        raise DatabaseAway("here", "gone")

    clock = ManualClock()
    with pytest.raises(DatabaseAway):
        await until_written(away, clock, Random(1), is_over=lambda: len(clock.slept) == 3)
    assert len(clock.slept) == 3


def test_a_job_may_have_a_budget_of_its_own():
    given = job(overrides={"budget": {"max_pages": 3}})

    assert budget_of(given, Budget(max_seconds=7)) == Budget(max_pages=3, max_seconds=7)


@pytest.mark.parametrize("budget", ["much", {"max_pages": True}, {"max_pages": -1}, {"moons": 1}])
def test_a_budget_that_makes_no_sense_is_refused(budget):
    with pytest.raises(JobFailed) as refused:
        budget_of(job(overrides={"budget": budget}), Budget())

    assert refused.value.permanent


def test_a_job_may_name_its_sources_by_host_or_in_full():
    known = Source("a.example", Tier.LAB)
    given = job(overrides={"sources": ["a.example", {"host": "b.example", "tier": "tier2_lab"}]})

    chosen = sources_of(given, [known, Source("c.example", Tier.LAB)])

    assert chosen is not None
    assert [source.host for source in chosen] == ["a.example", "b.example"]
    assert sources_of(job(), [known]) is None


def test_a_job_names_its_product():
    product = product_of(job(category="mouse", payload={"brand": " Razer", "model": "X  1"}))

    assert (product.id, product.model) == ("mouse-razer-x-1", "X 1")


def test_only_kinds_that_somebody_can_do_can_be_chosen():
    handlers = standard_handlers()

    assert handlers.choose(["page", "product", "page"]) == ("page", "product")
    with pytest.raises(SettingError, match="alchemy"):
        handlers.choose(["alchemy"])


@pytest.mark.parametrize("named", ["nowhere:register", "json:nothing", ":x", ""])
def test_handlers_that_cannot_be_found_are_refused_in_words(named):
    with pytest.raises(UsageError, match="SPEC_HANDLERS"):
        add_handlers(Handlers(), named)


def test_the_calendar_is_read_in_utc():
    first, second = islice(moments("0 2 * * *", START), 2)

    assert first == START + 2 * HOUR_MS
    assert second - first == 24 * HOUR_MS


def test_a_calendar_that_cannot_be_read_names_its_setting():
    with pytest.raises(SettingError, match=r"schedule\.stale_check_cron"):
        moments("at night", START)
