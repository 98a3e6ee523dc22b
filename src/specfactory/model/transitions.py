"""The states of a job as one pure function: every transition is listed, every other refused.

::

                      claim                    finish
     add ─► queued ─────────► in_progress ───────────────► complete ──age──► stale
              ▲ ▲  ◄──────────    │  │ │                      │                │
              │ │   retry, defer, │  │ └─ ask ─► awaiting_review                │
        resume│ │   release,      │  └─── fail ─► failed       │                │
              │ │   expire        │                  │         │                │
           paused └───────────────┴──────────────────┴─────────┴── requeue ─────┘
              ▲  pause (from queued or in_progress)      skip (from anything unfinished or
                                                         unwanted) ─► skipped ── resume ─► queued

An expired lease is a failed attempt: after the last one it is ``fail`` instead of ``expire``.
A job in progress that is paused or skipped is taken from its worker, whose result is discarded.
"""

from enum import StrEnum

from specfactory.errors import TransitionRefused
from specfactory.model.job import JobStatus

Q, P, A = JobStatus.QUEUED, JobStatus.IN_PROGRESS, JobStatus.AWAITING_REVIEW
C, F, O = JobStatus.COMPLETE, JobStatus.FAILED, JobStatus.STALE  # noqa: E741 – O as in old
H, S = JobStatus.PAUSED, JobStatus.SKIPPED


class Action(StrEnum):
    """Actions on a job."""

    CLAIM = "claim"  # a worker takes it
    FINISH = "finish"  # its result was accepted
    ASK = "ask"  # a person must answer first
    RETRY = "retry"  # it failed and may be tried again
    FAIL = "fail"  # it failed for good: a dead letter
    RELEASE = "release"  # its worker gives it back unstarted
    DEFER = "defer"  # its host must not be asked for a while
    EXPIRE = "expire"  # its worker is gone
    AGE = "age"  # its record is past its age
    REQUEUE = "requeue"  # a person or the schedule wants it done again
    PAUSE = "pause"
    RESUME = "resume"
    SKIP = "skip"


_ROWS: dict[JobStatus, dict[Action, JobStatus]] = {
    Q: {Action.CLAIM: P, Action.PAUSE: H, Action.SKIP: S},
    P: {
        Action.FINISH: C, Action.ASK: A, Action.RETRY: Q, Action.FAIL: F, Action.RELEASE: Q,
        Action.DEFER: Q, Action.EXPIRE: Q, Action.PAUSE: H, Action.SKIP: S,
    },
    A: {Action.FINISH: C, Action.REQUEUE: Q, Action.SKIP: S},
    C: {Action.AGE: O, Action.REQUEUE: Q},
    F: {Action.REQUEUE: Q, Action.SKIP: S},
    O: {Action.REQUEUE: Q, Action.SKIP: S},
    H: {Action.RESUME: Q, Action.SKIP: S},
    S: {Action.RESUME: Q, Action.REQUEUE: Q},
}  # fmt: skip
TRANSITIONS = {
    (before, action): after for before, row in _ROWS.items() for action, after in row.items()
}

ACTIVE = (Q, P, A, H)
"""States in which a second job of the same subject is not added."""

LEFT_TO_DO = (Q, P, H)
"""States that keep a run open; one that only waits for a person does not."""

LEASED = frozenset(
    {
        Action.CLAIM, Action.RETRY, Action.FAIL, Action.RELEASE, Action.DEFER, Action.EXPIRE,
        Action.ASK,
    }
)  # fmt: skip
"""Actions of the worker that holds the lease, or of the clock."""


def transition(status: JobStatus, action: Action) -> JobStatus:
    """The state after the action; TransitionRefused when it is not listed."""
    try:
        return TRANSITIONS[status, action]
    except KeyError:
        raise TransitionRefused(status, action, actions_of(status)) from None


def actions_of(status: JobStatus) -> tuple[Action, ...]:
    """The actions that a job in this state allows."""
    return tuple(action for known, action in TRANSITIONS if known is status)
