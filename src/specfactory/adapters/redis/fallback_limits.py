"""Limits of a process that has lost Redis: its own share, and no more.

All processes take turns on the clock that they share: of ``processes`` turns, each as long as
``CAUTION`` intervals, every process has one, and may send in its first interval. So they stay
apart without communication, whenever each of them sends.
"""

import math
import zlib
from collections.abc import Mapping

from specfactory.adapters.memory import SWEEP_AT, slack_seconds, swept
from specfactory.ports import Clock, RateLimit

CAUTION = 2.0  # without Redis, all processes together use half of what the limits allow
LATE_SECONDS = 0.1  # a busy process may be this late; shorter intervals hold on average
TICK_SECONDS = 0.001  # resolution of the clock
LONGEST_WAIT_SECONDS = 5.0  # then ask again: Redis may be back


class AloneLimits:
    """Slots that this process may use while Redis is away.

    Of several limits the slowest is kept in turns, the others by this process's share alone: the
    turns of two limits may never coincide.
    """

    def __init__(self, clock: Clock, before: int, processes: int) -> None:
        self._clock, self._before, self._processes = clock, before, max(processes, 1)
        self._began = clock.monotonic()
        self._free_at: dict[str, float] = {}

    def enter(self, limits: Mapping[str, RateLimit]) -> float:
        """Pass all limits at once (0.0), or none: the seconds until asking again."""
        now = self._clock.monotonic()
        slowest = max(limits, key=lambda key: limits[key].interval_seconds)
        # the first slot comes a whole round after Redis was lost: others may just have used theirs
        free_at = {
            key: self._free_at.get(key, self._began + self.share(limit).interval_seconds)
            for key, limit in limits.items()
        }
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
        """This process's part of a limit."""
        return RateLimit(limit.interval_seconds * CAUTION * self._processes)

    def _turn(self, key: str, limit: RateLimit, earliest: float) -> float:
        """Our first turn from an instant on; turns of different keys are spread over the round."""
        turn, whole = limit.interval_seconds * CAUTION, self.share(limit).interval_seconds
        apart = self._clock.now() / 1000 - self._clock.monotonic()
        ours = self._before * turn + zlib.crc32(key.encode()) / 2**32 * whole
        return math.ceil((earliest + apart - ours) / whole) * whole + ours - apart
