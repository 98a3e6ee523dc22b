"""States and retries: every transition is listed, every other refused; pauses grow and end."""

from __future__ import annotations

import pickle
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.errors import TransitionRefused
from specfactory.model import Cause, Job, JobStatus, failure_facts
from specfactory.model.transitions import ACTIVE, LEFT_TO_DO, TRANSITIONS, actions_of
from specfactory.queue import Action, after_failure, delay_seconds, due_after, transition
from specfactory.settings import QueueSettings

JOB = Job(1, "product", "a", JobStatus.IN_PROGRESS, 3, 0, 0, attempts=1)


@pytest.mark.parametrize("status", JobStatus)
@pytest.mark.parametrize("action", Action)
def test_a_transition_is_listed_or_refused_in_words(status: JobStatus, action: Action) -> None:
    if (status, action) in TRANSITIONS:
        assert transition(status, action) is TRANSITIONS[status, action]
        return

    with pytest.raises(TransitionRefused) as caught:
        transition(status, action)
    assert str(caught.value).startswith(f"a job that is {status} cannot {action}; possible: ")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_every_state_can_be_reached_and_left() -> None:
    reached, border = {JobStatus.QUEUED}, [JobStatus.QUEUED]
    while border:
        status = border.pop()
        for action in actions_of(status):
            after = transition(status, action)
            if after not in reached:
                reached.add(after)
                border.append(after)

    assert reached == set(JobStatus)
    assert all(actions_of(status) for status in JobStatus)


def test_only_a_claim_puts_a_job_to_work_and_only_a_queued_one() -> None:
    assert [before for before, action in TRANSITIONS if action is Action.CLAIM] == ["queued"]
    starting = {action for (_, action), after in TRANSITIONS.items() if after == "in_progress"}
    assert starting == {Action.CLAIM}


def test_what_is_left_to_do_is_active() -> None:
    assert set(LEFT_TO_DO) < set(ACTIVE)


def test_pauses_double_from_two_seconds() -> None:
    pauses = [
        delay_seconds(attempts, "timeout", QueueSettings(), Random(1)) for attempts in (1, 2, 3)
    ]

    jitter = 1.0 + 0.25 * Random(1).random()
    assert [pause / jitter for pause in pauses] == [2.0, 4.0, 8.0]


@given(st.integers(0, 10_000), st.floats(0, 100), st.floats(1, 100), st.integers(0, 100))
def test_a_pause_is_never_longer_than_the_longest_but_for_its_jitter(
    attempts: int, first: float, factor: float, seed: int
) -> None:
    rule = QueueSettings(retry_first_seconds=first, retry_factor=factor, retry_longest_seconds=60.0)

    assert 0 <= delay_seconds(attempts, "timeout", rule, Random(seed)) <= 60.0 * 1.25


def test_a_cooldown_is_the_least_pause() -> None:
    rule = QueueSettings(cooldown_seconds=30.0)

    assert 30.0 <= delay_seconds(1, "timeout", rule, Random(1)) <= 37.5


def test_a_failure_is_tried_again_until_the_attempts_are_used_up() -> None:
    rule, random = QueueSettings(), Random(1)

    actions = [
        after_failure(replace(JOB, attempts=attempts), "timeout", rule, random)[0]
        for attempts in (1, 2, 3, 4)
    ]

    assert actions == [Action.RETRY, Action.RETRY, Action.FAIL, Action.FAIL]


@pytest.mark.parametrize("cause", [cause for cause in Cause if failure_facts(cause).is_permanent])
def test_a_permanent_cause_is_not_tried_again(cause: str) -> None:
    assert after_failure(JOB, cause, QueueSettings(), Random(1)) == (Action.FAIL, 0.0)


def test_what_the_worker_calls_permanent_is_not_tried_again() -> None:
    given = after_failure(JOB, "odd", QueueSettings(), Random(1), permanent=True)

    assert given == (Action.FAIL, 0.0)


def test_seconds_become_an_instant() -> None:
    assert due_after(1000, 2.5) == 3500
