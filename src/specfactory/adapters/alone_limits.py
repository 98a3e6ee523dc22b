"""The limits of a process that has lost the others: its own share, and no more.

All processes count in turns on the clock that they share: of ``processes`` turns, each as long
as ``CAUTION`` intervals, every process has one. So they keep apart without a word.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from specfactory.adapters.memory_state import slack_seconds
from specfactory.ports import Clock, RateLimit

CAUTION = 2.0  # alone, all processes together take one in two of what the limits allow
LONGEST_WAIT_SECONDS = 5.0  # then ask again: the others may be back


class AloneLimits:
    """Slots that this process may use while it cannot ask anybody."""

    def __init__(self, clock: Clock, before: int, processes: int) -> None:
        self._clock, self._before, self._processes = clock, before, max(processes, 1)
        self._began = clock.monotonic()
        self._free_at: dict[str, float] = {}

    def enter(self, limits: Mapping[str, RateLimit]) -> float:
        """Go through all limits at once (0.0), or through none: the seconds until asking again."""
        now = self._clock.monotonic()
        free_at = {key: self._free(key, limit) for key, limit in limits.items()}
        wait = max(free_at[key] - slack_seconds(limit) - now for key, limit in limits.items())
        if wait > 0:
            return min(max(free_at.values()) - now, LONGEST_WAIT_SECONDS)
        for key, limit in limits.items():
            self._free_at[key] = max(free_at[key], now) + self.share(limit).interval_seconds
        return 0.0

    def share(self, limit: RateLimit) -> RateLimit:
        """The part of a limit that is this process's own."""
        return RateLimit(limit.interval_seconds * CAUTION * self._processes)

    def _free(self, key: str, limit: RateLimit) -> float:
        if key not in self._free_at:
            self._free_at[key] = self._first_turn(limit)
        return self._free_at[key]

    def _first_turn(self, limit: RateLimit) -> float:
        """Our first turn, a whole round after the others were lost at the earliest."""
        turn, whole = limit.interval_seconds * CAUTION, self.share(limit).interval_seconds
        apart = self._clock.now() / 1000 - self._clock.monotonic()
        earliest, ours = self._began + whole + apart, self._before * turn
        return math.ceil((earliest - ours) / whole) * whole + ours - apart
