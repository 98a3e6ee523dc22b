"""How the healing benchmark judges: what is cured, what is settled, what is lost."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.healing_judge import JobSeen, Snapshot, Trial, judge
from specfactory.demo.faults import find_fault

HOST = "blocked-shop.localhost:8601"
URLS = (f"http://{HOST}/a", f"http://{HOST}/b")
DONE, WAITING = JobSeen("complete", 5_000), JobSeen("queued")
BLOCKED = {"diagnosis": "blocked", "status": "tried"}


def trial(fault: str = "blocked_address", struck_at: int | None = 2_000) -> Trial:
    return Trial(find_fault(fault), 1, HOST, URLS, "blocked-shop", 1, struck_at)


def snapshot(first: JobSeen = DONE, second: JobSeen = DONE, **more: object) -> Snapshot:
    seen = Snapshot({URLS[0]: [first], URLS[1]: [second]}, {HOST: [BLOCKED]}, {}, frozenset(URLS))
    return replace(seen, **more)


def test_a_fault_is_cured_when_every_page_was_had_after_all():
    found = judge(trial(), snapshot())

    assert found.cured
    assert found.is_over
    assert (found.seconds, found.lost, found.misdiagnosed) == (3.0, (), False)


def test_a_fault_that_nobody_met_was_not_cured():
    assert not judge(trial(struck_at=None), snapshot()).cured


def test_a_page_that_still_waits_is_no_cure_and_no_loss():
    found = judge(trial(), snapshot(second=WAITING))

    assert not found.cured
    assert found.lost == ()


def test_another_diagnosis_than_the_right_one_is_wrong_even_beside_it():
    both = [BLOCKED, {"diagnosis": "slow_host", "status": "undone"}]

    found = judge(trial(), snapshot(events={HOST: both}))

    assert found.wrong == ("slow_host",)
    assert found.misdiagnosed


def test_a_single_bad_page_needs_no_diagnosis_at_all():
    assert not judge(trial("page_reset"), snapshot(events={})).misdiagnosed
    assert judge(trial("page_reset"), snapshot()).misdiagnosed


def test_what_is_incurable_must_be_recognised():
    assert judge(trial("blocked"), snapshot(events={})).misdiagnosed
    assert not judge(trial("blocked"), snapshot()).misdiagnosed


def test_what_is_incurable_is_settled_when_its_host_rests_or_a_person_was_asked():
    paused = {HOST: {"paused_until": 9_000, "paused_for": "blocked"}}
    asked = {HOST: [{"diagnosis": "blocked", "status": "asked"}]}

    assert not judge(trial("blocked"), snapshot()).settled
    assert judge(trial("blocked"), snapshot(cares=paused)).settled
    assert judge(trial("blocked"), snapshot(events=asked)).settled


def test_a_pause_for_another_reason_settles_nothing():
    paused = {HOST: {"paused_until": 9_000, "paused_for": "slow_host"}}

    assert not judge(trial("blocked"), snapshot(cares=paused)).settled


def test_jobs_that_vanish_double_or_lie_are_lost():
    vanished = judge(trial(), snapshot(jobs={URLS[0]: [DONE]}))
    doubled = judge(trial(), snapshot(jobs={URLS[0]: [DONE, DONE], URLS[1]: [DONE]}))
    lying = judge(trial(), snapshot(read=frozenset(URLS[:1])))
    stuck = judge(trial(), snapshot(second=JobSeen("in_progress")))

    assert [len(found.lost) for found in (vanished, doubled, lying, stuck)] == [1, 1, 1, 1]


def test_a_dead_letter_is_a_loss_only_where_the_fault_can_be_cured():
    dead = JobSeen("failed", 5_000, "forbidden")

    assert len(judge(trial(), snapshot(second=dead)).lost) == 1
    assert judge(trial("blocked"), snapshot(second=dead)).lost == ()


def test_the_factorys_own_trouble_stands_under_its_own_name():
    ailing = {"factory": [{"diagnosis": "disk_full", "status": "helped"}]}

    assert judge(trial("disk_full"), snapshot(events=ailing)).diagnoses == ("disk_full",)
    assert judge(trial(), snapshot(events=ailing)).diagnoses == ()
