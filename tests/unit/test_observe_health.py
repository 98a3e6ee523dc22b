"""Depth, workers and alerts: what a person should look at, and when."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from specfactory.model import HealingEvent, HealingStatus, Job, JobStatus, WorkerReport
from specfactory.observe import Health, Throughput, find_alerts, unknown_kinds
from specfactory.observe.queue_health import depth, depth_of_run, kinds_done, pace, worker_health
from specfactory.settings import MonitorSettings
from specfactory.store import JobCount, Stats

NOW = 1_000_000_000
LIMITS = MonitorSettings()
WORKER = WorkerReport("w1", "host", 7, ("product",), NOW - 600_000, NOW, 90, 10)


def stats(**jobs: int) -> Stats:
    """Jobs of priority 3 by status."""
    return Stats(
        tuple(JobCount(JobStatus(name), "product", 3, count) for name, count in jobs.items())
    )


def health(workers: tuple[WorkerReport, ...] = (WORKER,), due: int = 0, **more: Any) -> Health:
    jobs = more.pop("jobs", {"queued": due})
    deep = depth(stats(**jobs), ("product",), due, more.pop("oldest", None))
    plain = Health(NOW, deep, Throughput(0, 0, 600), (), None, last_ended_seconds=0)
    return replace(plain, workers=worker_health(workers, {}, (), NOW), **more)


def names(found: Health) -> list[str]:
    return [alert.name for alert in find_alerts(found, LIMITS)]


def test_all_is_well_while_workers_work() -> None:
    assert names(health(due=5)) == []


def test_jobs_without_a_living_worker_are_the_first_thing_to_see() -> None:
    lost = replace(WORKER, status="lost", seen_at=NOW - 100_000)

    found = find_alerts(health((lost,), due=5), LIMITS)

    assert [(alert.name, alert.level) for alert in found] == [
        ("no_workers", "fail"),
        ("worker_lost", "warn"),
    ]


def test_a_queue_that_does_not_move_is_stalled() -> None:
    found = health(due=5, last_ended_seconds=LIMITS.alert_stall_minutes * 60 + 1)

    assert names(found) == ["stalled"]
    assert replace(found, alerts=find_alerts(found, LIMITS)).word == "stalled"


@pytest.mark.parametrize(
    ("pace_now", "told"),
    [
        (Throughput(7, 3, 600), ["failing"]),
        (Throughput(8, 2, 600), []),
        (Throughput(0, 2, 600), []),  # too few to say anything
    ],
)
def test_many_failures_among_enough_jobs_are_told(pace_now: Throughput, told: list[str]) -> None:
    assert names(health(due=5, throughput=pace_now)) == told


def test_dead_letters_are_told_from_the_threshold_on() -> None:
    assert names(health(due=1, jobs={"queued": 1, "failed": LIMITS.alert_dead_letters})) == [
        "dead_letters"
    ]
    assert names(health(due=1, jobs={"queued": 1, "failed": LIMITS.alert_dead_letters - 1})) == []


def test_a_job_that_waits_too_long_is_told() -> None:
    minutes = LIMITS.alert_waiting_minutes

    assert names(health(due=1, oldest=NOW - round(minutes * 60_000) - 1000)) == ["waiting"]
    assert names(health(due=1, oldest=NOW - round(minutes * 60_000) + 1000)) == []


def test_an_empty_queue_is_told_unless_that_is_not_wanted() -> None:
    assert names(health()) == ["queue_empty"]
    assert find_alerts(health(), replace(LIMITS, alert_when_empty=False)) == ()


def test_leases_that_nobody_took_back_are_told() -> None:
    assert names(health(due=1, overdue=2)) == ["lease_overdue"]


def test_jobs_of_a_kind_nobody_can_do_are_named_and_not_counted_as_work() -> None:
    counted = Stats(
        (
            JobCount(JobStatus.QUEUED, "hologram", 3, 4),
            JobCount(JobStatus.QUEUED, "product", 3, 2),
            JobCount(JobStatus.COMPLETE, "rune", 3, 9),
        )
    )

    deep = depth(counted, ("product",), 2, None)

    assert unknown_kinds(counted, ("product",)) == {"hologram": 4}
    assert (deep.left, deep.scheduled) == (2, 0)


def test_a_kind_that_a_living_worker_knows_is_no_unknown_one() -> None:
    other = replace(WORKER, kinds=("hologram",))

    assert kinds_done(("product",), [other]) == {"product", "hologram"}
    assert kinds_done(("product",), [replace(other, status="gone")]) == {"product"}


def test_a_run_has_every_status_and_priority() -> None:
    deep = depth_of_run({JobStatus.QUEUED: {1: 2, 3: 5}}, due=6)

    assert deep.by_status[JobStatus.QUEUED] == 7
    assert deep.by_priority[JobStatus.FAILED] == dict.fromkeys(range(1, 6), 0)
    assert (deep.left, deep.scheduled) == (6, 1)


def test_a_workers_pace_is_that_since_an_earlier_look() -> None:
    earlier = replace(WORKER, seen_at=NOW - 60_000, done=60, failed=10, busy_ms=300_000)
    worker = replace(WORKER, busy_ms=345_000)

    assert pace(worker, earlier) == (30, 0.75)
    assert pace(worker, None) == (10, 0.575)  # since it started


def test_a_worker_that_was_started_anew_has_no_earlier_pace() -> None:
    earlier = replace(WORKER, started_at=NOW - 900_000, seen_at=NOW - 60_000, done=500)

    assert pace(WORKER, earlier) == (10, 0)


def test_workers_long_gone_are_not_shown_unless_they_hold_a_job() -> None:
    gone = replace(WORKER, status="lost", seen_at=NOW - 3_600_000)
    job = Job(1, "product", "k", JobStatus.IN_PROGRESS, 3, NOW, NOW, lease_owner="w1")

    assert worker_health([gone], {}, [], NOW) == ()
    assert [each.jobs for each in worker_health([gone], {}, [job], NOW)] == [(job,)]


def test_hosts_that_ail_are_named_with_what_they_have() -> None:
    ill = HealingEvent(1, "shop.example", "blocked", "blocked", "pause", HealingStatus.TRIED, 0)

    [alert] = find_alerts(health(due=5, ailing=(ill,)), LIMITS)

    assert (alert.name, alert.message) == ("hosts_ailing", "not well: shop.example (blocked)")
