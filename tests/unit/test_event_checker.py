"""The checker of events must itself see a planted gap, a planted surplus and an open attempt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.chaos_events import EventVerdict, FinalAttempt, FinalRecord, Ledger, check_events
from benchmarks.chaos_history import FinalJob
from specfactory.model import Event

MOUSE = "mouse-a-b"


def told(name: str, **fields: object) -> Event:
    return Event(name, 1, fields)  # type: ignore[arg-type]


EVENTS = (
    told("job.added", job_ids=[1, 2]),
    told("job.claimed", job_ids=[1], worker="w1"),
    told("attempt.started", attempt_id="run_1", product_id=MOUSE),
    told("lease.expired", job_ids=[1]),
    told("attempt.finished", attempt_id="run_1", product_id=MOUSE, status="interrupted"),
    told("job.claimed", job_ids=[1, 2], worker="w2"),
    told("attempt.started", attempt_id="run_2", product_id=MOUSE),
    told("record.published", attempt_id="run_2", product_id=MOUSE, version=1),
    told("attempt.finished", attempt_id="run_2", product_id=MOUSE, status="complete"),
    told("job.finished", job_ids=[1]),
    told("job.failed", job_id=2, cause="timeout"),
)
LEDGER = Ledger(
    (FinalJob(1, "product", MOUSE, "complete", 2), FinalJob(2, "chaos", "k", "failed", 1)),
    (FinalAttempt("run_1", 1, "interrupted"), FinalAttempt("run_2", 1, "complete")),
    (FinalRecord(MOUSE, 1, "run_2"),),
    EVENTS,
)


def test_a_whole_history_has_no_gaps() -> None:
    assert check_events(LEDGER) == EventVerdict((), ())


@pytest.mark.parametrize("place", range(len(EVENTS)))
def test_an_event_that_is_missing_is_a_gap(place: int) -> None:
    without = [event for number, event in enumerate(EVENTS) if number != place]

    assert check_events(replace(LEDGER, events=without)).gaps


@pytest.mark.parametrize("place", range(len(EVENTS)))
def test_an_event_that_is_told_twice_is_a_gap(place: int) -> None:
    assert check_events(replace(LEDGER, events=[*EVENTS, EVENTS[place]])).gaps


def test_an_attempt_that_nobody_ended_is_left_open() -> None:
    attempts = (FinalAttempt("run_1", 1, "running"), LEDGER.attempts[1])
    events = [event for number, event in enumerate(EVENTS) if number != 4]

    verdict = check_events(replace(LEDGER, attempts=attempts, events=events))

    assert verdict == EventVerdict((), ("attempt run_1 still runs",))


def test_a_record_without_its_attempt_is_a_gap() -> None:
    records = (replace(LEDGER.records[0], attempt_id="run_9"),)

    assert check_events(replace(LEDGER, records=records)).gaps


def test_a_job_that_is_done_without_an_attempt_is_a_gap() -> None:
    attempts = (LEDGER.attempts[0], replace(LEDGER.attempts[1], job_id=None))

    assert check_events(replace(LEDGER, attempts=attempts)).gaps
