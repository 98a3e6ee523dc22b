"""The SharedState port in this process's memory: one machine, one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from specfactory.model import Event, Json
from specfactory.ports import Clock, Permit, RateLimit

_SWEEP_AT = 10_000  # entries of one kind before those that have run out are swept away


@dataclass(frozen=True, slots=True)
class BreakerRule:
    """When a breaker opens, for how long, and how long its one probe may take."""

    failures: int = 5  # in a row
    window_seconds: float = 600.0  # an older failure no longer counts
    open_seconds: float = 60.0
    probe_seconds: float = 60.0


@dataclass(slots=True)
class _Breaker:
    """Closed while ``open_until`` is None; half-open once that has passed."""

    failures: int = 0
    failed_at: float = 0.0
    open_until: float | None = None
    probe_until: float = 0.0


class MemoryState:
    """Rate limits, breakers, a short memory, counters and live events, in memory."""

    def __init__(
        self, clock: Clock, breaker: BreakerRule | None = None, queue_size: int = 1000
    ) -> None:
        self._clock, self._rule = clock, breaker or BreakerRule()
        self._queue_size = queue_size
        self._next_slots: dict[str, float] = {}
        self._breakers: dict[str, _Breaker] = {}
        self._memory: dict[str, tuple[float, Json]] = {}
        self._counters: dict[str, int] = {}
        self._listeners: set[_Listener] = set()

    async def reserve(self, key: str, limit: RateLimit) -> float:
        """Take the next slot (GCRA) and return the seconds to wait before using it."""
        now = self._clock.monotonic()
        if len(self._next_slots) > _SWEEP_AT:
            self._next_slots = {k: slot for k, slot in self._next_slots.items() if slot > now}
        slot = max(self._next_slots.get(key, now), now)
        self._next_slots[key] = slot + limit.interval_seconds
        return max(0.0, slot - now - (limit.burst - 1) * limit.interval_seconds)

    async def permit(self, key: str) -> Permit:
        """Ask the breaker; past its open time exactly one probe is let through at a time."""
        now = self._clock.monotonic()
        breaker = self._breakers.get(key)
        if breaker is None or breaker.open_until is None:
            return Permit(allowed=True)
        closed_until = max(breaker.open_until, breaker.probe_until)
        if now < closed_until:
            return Permit(allowed=False, wait_seconds=closed_until - now)
        breaker.probe_until = now + self._rule.probe_seconds  # a lost probe runs out here
        return Permit(allowed=True, probe=True)

    async def report(self, key: str, *, ok: bool) -> None:
        """Close the breaker on success; count a failure, and open it on the last one allowed."""
        if ok:
            self._breakers.pop(key, None)
            return
        now = self._clock.monotonic()
        self._sweep_breakers(now)
        breaker = self._breakers.setdefault(key, _Breaker())
        if now - breaker.failed_at > self._rule.window_seconds:
            breaker.failures = 0
        breaker.failures, breaker.failed_at = breaker.failures + 1, now
        half_open = breaker.open_until is not None and now >= breaker.open_until
        if half_open or (breaker.open_until is None and breaker.failures >= self._rule.failures):
            breaker.open_until, breaker.probe_until = now + self._rule.open_seconds, 0.0

    async def remember(self, key: str, value: Json, ttl_seconds: float) -> None:
        """Keep a small value for a while."""
        now = self._clock.monotonic()
        if len(self._memory) > _SWEEP_AT:
            self._memory = {k: kept for k, kept in self._memory.items() if kept[0] > now}
        self._memory[key] = (now + ttl_seconds, value)

    async def recall(self, key: str) -> Json:
        """A remembered value, or None."""
        kept = self._memory.get(key)
        if kept is None:
            return None
        if kept[0] <= self._clock.monotonic():
            del self._memory[key]
            return None
        return kept[1]

    async def forget(self, key: str) -> None:
        """Let go of a remembered value; harmless when there is none."""
        self._memory.pop(key, None)

    async def add(self, counter: str, amount: int = 1) -> int:
        """Raise a progress counter and return it."""
        self._counters[counter] = self._counters.get(counter, 0) + amount
        return self._counters[counter]

    async def publish(self, events: Sequence[Event]) -> None:
        """Show events to whoever is listening now; who does not keep up is dropped."""
        for listener in tuple(self._listeners):
            if not listener.offer(events):
                self._listeners.discard(listener)

    def subscribe(self) -> AsyncIterator[Event]:
        """Events from now on; ends when closed, or when the listener falls too far behind."""
        listener = _Listener(self._queue_size, self._listeners)
        self._listeners.add(listener)
        return listener

    async def close(self) -> None:
        """Nothing to let go of."""

    def _sweep_breakers(self, now: float) -> None:
        if len(self._breakers) > _SWEEP_AT:
            kept = now - self._rule.window_seconds
            self._breakers = {k: b for k, b in self._breakers.items() if b.failed_at > kept}


class _Listener:
    """One subscription: a bounded queue that ends when closed or overrun."""

    def __init__(self, size: int, listeners: set[_Listener]) -> None:
        self._queue: asyncio.Queue[Event | None] = asyncio.Queue()
        self._size, self._listeners, self._open = size, listeners, True

    def offer(self, events: Sequence[Event]) -> bool:
        """Queue the events; False when there is no room, which ends the subscription."""
        fits = self._queue.qsize() + len(events) <= self._size
        if fits:
            for item in events:
                self._queue.put_nowait(item)
        else:
            self._end()
        return fits

    def __aiter__(self) -> _Listener:
        return self

    async def __anext__(self) -> Event:
        if not self._open and self._queue.empty():
            raise StopAsyncIteration
        item = await self._queue.get()
        if item is None:
            raise StopAsyncIteration
        return item

    async def aclose(self) -> None:
        """Stop listening."""
        self._listeners.discard(self)
        self._end()

    def _end(self) -> None:
        if self._open:
            self._open = False
            self._queue.put_nowait(None)
