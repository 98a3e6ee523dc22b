"""The SharedState port in this process's memory: one machine, one event loop."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from specfactory.adapters.memory.live_events import QUEUE_SIZE, LiveEvents
from specfactory.fetch.politeness import BreakerRule
from specfactory.model import Event, Json
from specfactory.ports import Clock, Permit, RateLimit, SharedState

Entry = TypeVar("Entry")

SLACK_SHARE, SLACK_SECONDS = 0.1, 0.01
"""A slot may be used this much early: clocks and sleeps are never exact. The average holds."""

SWEEP_AT = 10_000  # entries of one kind before expired ones are removed


class _Breaker(Struct):
    """Closed while ``open_until`` is None; half-open once that has passed."""

    failures: int = 0
    failed_at: float = 0.0
    open_until: float | None = None
    probe_until: float = 0.0


class _Door(Struct):
    """One limit: when the next request may pass, and until when turns are booked."""

    free_at: float = 0.0
    booked_until: float = 0.0


class MemoryState(SharedState):
    """Rate limits, breakers, a short memory, counters and live events, in memory."""

    def __init__(
        self, clock: Clock, breaker: BreakerRule | None = None, queue_size: int = QUEUE_SIZE
    ) -> None:
        self._clock, self._rule = clock, breaker or BreakerRule()
        self._next_slots: dict[str, float] = {}
        self._doors: dict[str, _Door] = {}
        self._breakers: dict[str, _Breaker] = {}
        self._memory: dict[str, tuple[float, Json]] = {}
        self._counters: dict[str, int] = {}
        self._live = LiveEvents(queue_size)

    async def reserve(self, key: str, limit: RateLimit) -> float:
        now = self._clock.monotonic()
        if len(self._next_slots) > SWEEP_AT:
            self._next_slots = swept(self._next_slots, lambda slot: slot > now)
        slot = max(self._next_slots.get(key, now), now)
        self._next_slots[key] = slot + limit.interval_seconds
        return max(0.0, slot - now - (limit.burst - 1) * limit.interval_seconds)

    async def enter(self, limits: Mapping[str, RateLimit], *, booked: bool = False) -> float:
        now = self._clock.monotonic()
        tight, free_at = "", now
        for key, limit in limits.items():
            door = self._doors.get(key)
            if door is None:
                continue
            opens = door.free_at - (limit.burst - 1) * limit.interval_seconds
            if not booked:
                opens = max(opens, door.booked_until)
            if opens - slack_seconds(limit) > free_at:
                tight, free_at = key, opens
        if not tight:
            for key, limit in limits.items():
                door = self._door(key, now)
                door.free_at = max(door.free_at, now) + limit.interval_seconds
            return 0.0
        interval = limits[tight].interval_seconds
        if booked and free_at - now <= interval / 2:
            return free_at - now  # on time, but the one before was a little late
        door = self._door(tight, now)
        turn = max(free_at, door.booked_until)
        door.booked_until = turn + interval
        return turn - now

    def _door(self, key: str, now: float) -> _Door:
        if len(self._doors) > SWEEP_AT:
            self._doors = swept(self._doors, lambda d: max(d.free_at, d.booked_until) > now)
        return self._doors.setdefault(key, _Door())

    async def permit(self, key: str) -> Permit:
        breaker = self._breakers.get(key)
        if breaker is None or breaker.open_until is None:
            return Permit(allowed=True)
        now = self._clock.monotonic()
        closed_until = max(breaker.open_until, breaker.probe_until)
        if now < closed_until:
            wait = min(closed_until - now, self._rule.open_seconds)  # a probe may be back sooner
            return Permit(allowed=False, wait_seconds=wait)
        breaker.probe_until = now + self._rule.probe_seconds  # a lost probe runs out here
        return Permit(allowed=True, probe=True)

    async def report(self, key: str, *, ok: bool) -> None:
        """Close the breaker on success; count a failure, and open it on the last one allowed."""
        if ok:
            self._breakers.pop(key, None)
            return
        now = self._clock.monotonic()
        if len(self._breakers) > SWEEP_AT:
            since = now - self._rule.window_seconds
            self._breakers = swept(self._breakers, lambda breaker: breaker.failed_at > since)
        breaker = self._breakers.setdefault(key, _Breaker())
        if now - breaker.failed_at > self._rule.window_seconds:
            breaker.failures = 0
        breaker.failures, breaker.failed_at = breaker.failures + 1, now
        half_open = breaker.open_until is not None and now >= breaker.open_until
        if half_open or (breaker.open_until is None and breaker.failures >= self._rule.failures):
            breaker.open_until, breaker.probe_until = now + self._rule.open_seconds, 0.0

    async def remember(self, key: str, value: Json, ttl_seconds: float) -> None:
        now = self._clock.monotonic()
        if len(self._memory) > SWEEP_AT:
            self._memory = swept(self._memory, lambda kept: kept[0] > now)
        self._memory[key] = (now + ttl_seconds, value)

    async def recall(self, key: str) -> Json:
        kept = self._memory.get(key)
        if kept is None:
            return None
        if kept[0] <= self._clock.monotonic():
            del self._memory[key]
            return None
        return kept[1]

    async def forget(self, key: str) -> None:
        self._memory.pop(key, None)

    def remembered(self, most: int) -> Iterator[tuple[str, Json, float]]:
        """The latest remembered values, with the seconds they are still valid."""
        now = self._clock.monotonic()
        for key, (until, value) in list(self._memory.items())[-most:]:
            if until > now:
                yield key, value, until - now

    async def add(self, counter: str, amount: int = 1) -> int:
        self._counters[counter] = self._counters.get(counter, 0) + amount
        return self._counters[counter]

    async def publish(self, events: Sequence[Event]) -> None:
        """Show events to the current listeners; one that does not keep up is dropped."""
        self._live.show(events)

    def subscribe(self) -> AsyncIterator[Event]:
        return self._live.listen()

    async def close(self) -> None:
        """Nothing to close."""


def swept(entries: dict[str, Entry], is_alive: Callable[[Entry], bool]) -> dict[str, Entry]:
    """Entries that have not expired; if those are too many, the newer half."""
    alive = [(key, entry) for key, entry in entries.items() if is_alive(entry)]
    return dict(alive[-SWEEP_AT // 2 :])


def slack_seconds(limit: RateLimit) -> float:
    """Seconds by which a slot may be used early."""
    return min(limit.interval_seconds * SLACK_SHARE, SLACK_SECONDS)
