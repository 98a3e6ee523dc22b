"""The checker that judges the chaos must itself see a planted loss and a planted duplicate."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.chaos_history import ACCEPTED, STARTED, Dump, FinalJob, Line, Subject, check

RUN = 7
JOBS = (
    FinalJob(1, "chaos", "a", "complete", 1, RUN),
    FinalJob(2, "chaos", "b", "complete", 3, RUN),  # the third execution made it
    FinalJob(3, "chaos", "poison", "failed", 3, None),
    FinalJob(4, "run", str(RUN), "complete", 1, None),
)
DUMP = Dump(
    JOBS,
    runs={RUN: "complete"},
    results={1: {1: 1}, 2: {3: 1}},
    finished={1: 1, 2: 1, 4: 1},
    ended_runs={RUN: 1},
)
LOG = (
    Line(STARTED, 1, 1),
    Line(ACCEPTED, 1, 1),
    *(Line(STARTED, 2, token) for token in (1, 2, 3)),
    *(Line(STARTED, 3, token) for token in (1, 2, 3)),
    Line(STARTED, 4, 1),
    Line(ACCEPTED, 4, 1),
)
EXPECTED: dict[Subject, str] = {(RUN, "a"): "complete", (RUN, "b"): "complete",
                                (None, "poison"): "failed"}  # fmt: skip


def _with(job: FinalJob) -> Dump:
    return replace(DUMP, jobs=[job if old.id == job.id else old for old in JOBS])


def test_a_good_history_has_nothing_wrong_with_it() -> None:
    assert check(LOG, DUMP, EXPECTED).is_good


@pytest.mark.parametrize("status", ["queued", "in_progress", "paused", "awaiting_review"])
def test_a_job_that_never_ends_is_lost(status: str) -> None:
    verdict = check(LOG, _with(replace(JOBS[1], status=status)), EXPECTED)

    assert any("never reached a final state" in line for line in verdict.lost)


def test_a_job_that_is_gone_is_lost() -> None:
    gone = replace(DUMP, jobs=[job for job in JOBS if job.id != 3])

    assert check(LOG, gone, EXPECTED).lost == ("job poison of run None is gone",)


def test_a_job_that_failed_instead_of_being_done_is_lost() -> None:
    failed = replace(_with(replace(JOBS[1], status="failed")), results={1: {1: 1}})

    assert "job b of run 7 is failed, not complete" in check(LOG, failed, EXPECTED).lost


def test_an_accepted_result_that_is_missing_is_lost() -> None:
    missing = replace(DUMP, results={2: {3: 1}})

    assert check(LOG, missing, EXPECTED).lost == ("job 1 is complete, but its result is missing",)


def test_an_acceptance_that_the_database_forgot_is_lost() -> None:
    log = (*LOG, Line(ACCEPTED, 3, 3))

    assert any("was accepted by token [3]" in line for line in check(log, DUMP, EXPECTED).lost)


def test_an_acceptance_that_another_overwrote_is_lost_and_doubled() -> None:
    log = (*LOG, Line(STARTED, 1, 2), Line(ACCEPTED, 1, 2))
    dump = replace(_with(replace(JOBS[0], token=2)), results={1: {1: 1, 2: 1}, 2: {3: 1}})

    verdict = check(log, dump, EXPECTED)

    assert any("accepted 2 times" in line for line in verdict.doubled)
    assert any("has 2 results" in line for line in verdict.doubled)


def test_a_finish_without_an_event_is_lost() -> None:
    silent = replace(DUMP, finished={1: 1, 4: 1})

    assert check(LOG, silent, EXPECTED).lost == ("job 2 is complete, but no event tells of it",)


def test_a_result_written_twice_is_doubled() -> None:
    twice = replace(DUMP, results={1: {1: 2}, 2: {3: 1}})

    assert check(LOG, twice, EXPECTED).doubled == ("job 1 has 2 results: tokens [1]",)


def test_a_job_finished_twice_is_doubled() -> None:
    twice = replace(DUMP, finished={1: 1, 2: 2, 4: 1})

    assert check(LOG, twice, EXPECTED).doubled == ("job 2 was finished 2 times",)


def test_the_result_of_a_lost_lease_is_doubled() -> None:
    late = replace(DUMP, results={1: {1: 1}, 2: {2: 1, 3: 1}})

    assert "job 2 has 2 results: tokens [2, 3]" in check(LOG, late, EXPECTED).doubled


def test_a_result_beside_a_dead_letter_is_doubled() -> None:
    both = replace(DUMP, results={**DUMP.results, 3: {3: 1}})

    verdict = check(LOG, both, EXPECTED)

    assert verdict.doubled == ("job 3 is failed, but has a result of token [3]",)


def test_a_result_out_of_nowhere_is_doubled() -> None:
    log = [line for line in LOG if line != Line(STARTED, 2, 3)]

    verdict = check(log, DUMP, EXPECTED)

    assert verdict.doubled == ("job 2 has a result of an execution that never started",)


def test_the_same_job_twice_in_a_run_is_doubled() -> None:
    again = FinalJob(9, "chaos", "a", "complete", 1, RUN)
    twice = replace(
        DUMP,
        jobs=[*JOBS, again],
        results={**DUMP.results, 9: {1: 1}},
        finished={**DUMP.finished, 9: 1},
    )

    verdict = check((*LOG, Line(STARTED, 9, 1)), twice, EXPECTED)

    assert verdict.doubled == ("job a of run 7 is there 2 times",)


def test_a_run_that_was_never_post_processed_is_lost() -> None:
    for never in (replace(DUMP, runs={RUN: "open"}), replace(DUMP, ended_runs={})):
        assert any("never post-processed" in line for line in check(LOG, never, EXPECTED).lost)


def test_a_run_that_was_post_processed_twice_is_doubled() -> None:
    twice = replace(DUMP, ended_runs={RUN: 2})

    assert check(LOG, twice, EXPECTED).doubled == ("run 7 was post-processed 2 times",)


@given(jobs=st.dictionaries(st.integers(1, 500), st.integers(1, 5), min_size=1), chosen=st.data())
def test_one_loss_or_one_duplicate_is_found_in_any_history(
    jobs: dict[int, int], chosen: st.DataObject
) -> None:
    final = [FinalJob(i, "chaos", f"k{i}", "complete", token) for i, token in jobs.items()]
    good = Dump(final, {}, {i: {t: 1} for i, t in jobs.items()}, dict.fromkeys(jobs, 1), {})
    log = [Line(STARTED, i, t) for i, last in jobs.items() for t in range(1, last + 1)]
    log += [Line(ACCEPTED, i, t) for i, t in jobs.items() if chosen.draw(st.booleans())]
    expected: dict[Subject, str] = {(None, job.key): "complete" for job in final}
    victim = chosen.draw(st.sampled_from(sorted(jobs)))
    rest = {i: results for i, results in good.results.items() if i != victim}
    more = {**good.results, victim: {jobs[victim]: 2}}

    assert check(log, good, expected).is_good
    assert check(log, replace(good, results=rest), expected).lost
    assert check(log, replace(good, results=more), expected).doubled
