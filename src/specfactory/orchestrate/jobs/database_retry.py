"""Retries with growing pauses while the database is away."""

from collections.abc import Awaitable, Callable
from random import Random
from typing import TypeVar

from specfactory.orchestrate.jobs.failures import AWAY
from specfactory.ports import Clock
from specfactory.queue import pauses

Result = TypeVar("Result")

FIRST_SECONDS, LONGEST_SECONDS = 0.1, 5.0


async def until_written(
    work: Callable[[], Awaitable[Result]],
    clock: Clock,
    random: Random,
    on_away: Callable[[Exception], Awaitable[None]] | None = None,
    is_over: Callable[[], bool] = lambda: False,
) -> Result:
    """Retry ``work`` from its start until the database lets it succeed.

    ``on_away`` is called with each failure after the pause, to look before the retry; once
    ``is_over``, the failure is raised instead.
    """
    waits = pauses(random, FIRST_SECONDS, LONGEST_SECONDS)
    while True:
        try:
            return await work()
        except AWAY as problem:
            if is_over():
                raise
            await clock.sleep(next(waits))
            if on_away is not None:
                await on_away(problem)
