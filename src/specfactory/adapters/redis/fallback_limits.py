"""The limits of a process that has lost the others: its own share, and no more.

All processes count in turns on the clock that they share: of ``processes`` turns, each as long
as ``CAUTION`` intervals, every process has one, in whose first interval it may go. So they keep
apart without a word, whenever each of them comes.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping

from specfactory.adapters.memory import SWEEP_AT, slack_seconds, swept
from specfactory.ports import Clock, RateLimit

CAUTION = 2.0  # alone, all processes together take one in two of what the limits allow
LATE_SECONDS = 0.1  # a busy process may come so late; quicker limits than this hold on average
TICK_SECONDS = 0.001  # clocks tell no less
LONGEST_WAIT_SECONDS = 5.0  # then ask again: the others may be back


class AloneLimits:
    """Slots that this process may use while it cannot ask anybody.

    Of several limits the slowest is kept in turns, the others by this process's share alone: the
    turns of two limits may never fall together.
    """

    def __init__(self, clock: Clock, before: int, processes: int) -> None:
        self._clock, self._before, self._processes = clock, before, max(processes, 1)
        self._began = clock.monotonic()
        self._free_at: dict[str, float] = {}

    def enter(self, limits: Mapping[str, RateLimit]) -> float:
        """Go through all limits at once (0.0), or through none: the seconds until asking again."""
        now = self._clock.monotonic()
        slowest = max(limits, key=lambda key: limits[key].interval_seconds)
        free_at = {key: self._free(key, limit) for key, limit in limits.items()}
        late = max(limits[slowest].interval_seconds, LATE_SECONDS)
        free_at[slowest] = self._turn(slowest, limits[slowest], max(free_at[slowest], now - late))
        wait = max(free_at[key] - slack_seconds(limit) - now for key, limit in limits.items())
        if wait > TICK_SECONDS:
            return min(max(free_at.values()) - now, LONGEST_WAIT_SECONDS)
        if len(self._free_at) > SWEEP_AT:
            self._free_at = swept(self._free_at, lambda at: at > now)
        for key, limit in limits.items():
            self._free_at[key] = max(free_at[key], now) + self.share(limit).interval_seconds
        # anywhere before the next turn: clocks are never exact
        self._free_at[slowest] = free_at[slowest] + self.share(limits[slowest]).interval_seconds / 2
        return 0.0

    def share(self, limit: RateLimit) -> RateLimit:
        """The part of a limit that is this process's own."""
        return RateLimit(limit.interval_seconds * CAUTION * self._processes)

    def _free(self, key: str, limit: RateLimit) -> float:
        """When a slot is free; a whole round after the others were lost at the earliest."""
        return self._free_at.get(key, self._began + self.share(limit).interval_seconds)

    def _turn(self, key: str, limit: RateLimit, earliest: float) -> float:
        """Our first turn from an instant on; those of different keys are spread over the round."""
        turn, whole = limit.interval_seconds * CAUTION, self.share(limit).interval_seconds
        apart = self._clock.now() / 1000 - self._clock.monotonic()
        ours = self._before * turn + zlib.crc32(key.encode()) / 2**32 * whole
        return math.ceil((earliest + apart - ours) / whole) * whole + ours - apart
