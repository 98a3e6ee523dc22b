"""Whatever is killed, stopped, crashed or full: every job is done exactly once.

`make chaos` runs a longer trial; a seed that ever failed goes into SEEDS.
"""

from __future__ import annotations

import secrets

import pytest

from benchmarks.chaos import Trial, trial
from benchmarks.chaos_events import EventVerdict

SEEDS = {"sqlite": 20_260_212, "postgres": 20_260_213}
TRIAL = Trial(jobs=2000, products=20, faults=10, seconds=8.0, patience_seconds=150)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_every_job_is_done_once_whoever_dies(database: str) -> None:
    seed = secrets.choice([SEEDS[database], secrets.randbelow(1_000_000)])

    end = trial(database, seed, TRIAL)

    told = (
        f"seed {seed}",
        end.verdict,
        end.events,
        end.statuses,
        end.faults,
        end.bad_ends,
        end.words,
    )
    assert end.verdict.is_good, told
    assert end.events == EventVerdict((), ()), told
    assert end.attempts >= TRIAL.products, told
    assert end.jobs >= 2000, told
    assert end.executions > end.jobs, told  # something was taken from somebody
    assert end.statuses["failed"] == 6, told  # the poison, and nothing else
    assert sum(end.faults.values()) == TRIAL.faults, told
    assert {"kill", "pause", "full disk"} <= end.faults.keys(), told
    assert ("restart" in end.faults) == (database == "postgres"), told
    assert end.deaths >= 3 + end.faults["kill"] - 1, told
    assert end.bad_ends == [], told
