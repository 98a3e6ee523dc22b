"""Retries of failed jobs: how long to wait, and when a job becomes a dead letter."""

from __future__ import annotations

from random import Random

from specfactory.model import Action, Frozen, Instant, Job, failure_facts
from specfactory.settings import QueueSettings


class RetryRule(Frozen):
    """Exponential with jitter: 2 s, 4 s, 8 s … by default."""

    first_seconds: float = 2.0
    factor: float = 2.0
    longest_seconds: float = 3600.0
    cooldown_seconds: float = 0.0  # no pause is shorter
    jitter: float = 0.25  # up to this share is added, so that retries spread out

    @classmethod
    def of(cls, settings: QueueSettings) -> RetryRule:
        """The rule that the operator has set."""
        return cls(
            settings.retry_first_seconds,
            settings.retry_factor,
            settings.retry_longest_seconds,
            settings.cooldown_seconds,
        )


def is_permanent(cause: str) -> bool:
    """True if a retry would fail for the same cause."""
    return failure_facts(cause).is_permanent


def after_failure(
    job: Job, cause: str, rule: RetryRule, random: Random, *, permanent: bool = False
) -> tuple[Action, float]:
    """Retry after a number of seconds, or give up.

    ``job.attempts`` already counts the attempt that failed.
    """
    if permanent or is_permanent(cause) or job.attempts >= job.max_attempts:
        return Action.FAIL, 0.0
    return Action.RETRY, delay_seconds(job.attempts, rule, random)


def delay_seconds(attempts: int, rule: RetryRule, random: Random) -> float:
    """The pause after the n-th failure."""
    try:
        grown = rule.first_seconds * rule.factor ** max(attempts - 1, 0)
    except OverflowError:
        grown = rule.longest_seconds
    base = max(min(grown, rule.longest_seconds), rule.cooldown_seconds)
    return base * (1.0 + rule.jitter * random.random())


def due_after(now: Instant, seconds: float) -> Instant:
    """The instant ``seconds`` from now."""
    return now + round(seconds * 1000)
