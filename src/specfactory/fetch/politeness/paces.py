"""Usual response times of hosts: a moving average, shared with other workers."""

from __future__ import annotations

from msgspec import Struct

from specfactory.model import FetchResponse, Outcome
from specfactory.ports import Clock, SharedState

_WEIGHT = 0.3  # of the latest answer
_SHARE_SECONDS = 5.0  # pause between two exchanges with other workers
_MEMORY_SECONDS = 3600.0
_MAX_KEPT = 10_000


class _Pace(Struct):
    seconds: float
    shared_at: float


class Paces:
    """The usual response time of every host."""

    def __init__(self, state: SharedState, clock: Clock) -> None:
        self._state, self._clock = state, clock
        self._kept: dict[str, _Pace] = {}

    async def usual_seconds(self, host: str) -> float:
        """Usual response time of a host; 0.0 when unknown."""
        pace = self._kept.get(host)
        return (pace or await self._first(host)).seconds

    async def note(self, host: str, response: FetchResponse, timeout_seconds: float) -> None:
        """Record a response time; a timeout counts as long as we waited."""
        seconds = response.timings_ms.get("ttfb", 0.0) / 1000
        if response.failure is Outcome.TIMEOUT:
            seconds = timeout_seconds
        if seconds <= 0:
            return
        pace = self._kept.get(host) or await self._first(host)
        pace.seconds += (seconds - pace.seconds) * (_WEIGHT if pace.seconds else 1.0)
        if self._clock.monotonic() - pace.shared_at >= _SHARE_SECONDS:
            pace.shared_at = self._clock.monotonic()
            shared = await self._shared(host)
            # each worker has seen a part of the responses: meet in the middle
            pace.seconds = (pace.seconds + shared) / 2 if shared else pace.seconds
            await self._state.remember(f"pace:{host}", round(pace.seconds, 4), _MEMORY_SECONDS)

    async def _first(self, host: str) -> _Pace:
        if len(self._kept) >= _MAX_KEPT:
            self._kept.clear()
        pace = _Pace(await self._shared(host), self._clock.monotonic() - _SHARE_SECONDS)
        return self._kept.setdefault(host, pace)

    async def _shared(self, host: str) -> float:
        seconds = await self._state.recall(f"pace:{host}")
        return float(seconds) if isinstance(seconds, int | float) else 0.0
