"""Retries of failed jobs: how long to wait, and when a job becomes a dead letter."""

from collections.abc import Iterator
from random import Random

from specfactory.model import Action, Instant, Job, failure_facts
from specfactory.settings import QueueSettings

JITTER = 0.25  # up to this share is added to a pause, so that retries spread out


def after_failure(
    job: Job, cause: str, settings: QueueSettings, random: Random, *, permanent: bool = False
) -> tuple[Action, float]:
    """Retry after a number of seconds, or give up.

    ``job.attempts`` already counts the attempt that failed.
    """
    if permanent or failure_facts(cause).is_permanent or job.attempts >= job.max_attempts:
        return Action.FAIL, 0.0
    return Action.RETRY, delay_seconds(job.attempts, cause, settings, random)


def delay_seconds(attempts: int, cause: str, settings: QueueSettings, random: Random) -> float:
    """The pause after the n-th failure, growing by ``retry_factor``, or as its cause demands."""
    first = failure_facts(cause).first_wait(settings.retry_first_seconds)
    try:
        grown = first * settings.retry_factor ** max(attempts - 1, 0)
    except OverflowError:
        grown = settings.retry_longest_seconds
    base = max(min(grown, settings.retry_longest_seconds), settings.cooldown_seconds)
    return base * (1.0 + JITTER * random.random())


def pauses(random: Random, first_seconds: float, longest_seconds: float) -> Iterator[float]:
    """Pauses that double up to the longest, each with up to half of it added."""
    pause = first_seconds
    while True:
        yield pause * (1 + random.random() / 2)
        pause = min(pause * 2, longest_seconds)


def due_after(now: Instant, seconds: float) -> Instant:
    """The instant ``seconds`` from now."""
    return now + round(seconds * 1000)
