"""Politeness: one request at a time per host, at its pace, and none while it keeps failing."""

from __future__ import annotations

from datetime import UTC
from email.utils import parsedate_to_datetime

from msgspec import Struct

from specfactory.fetch.host_care import refusal
from specfactory.fetch.ladder import Room
from specfactory.hosts import domain_of
from specfactory.model import FetchEnd, FetchResponse, Instant, Outcome, facts_of
from specfactory.ports import Clock, RateLimit, SharedState
from specfactory.settings import FetchSettings
from specfactory.store import HostPolicies

_MAX_RETRY_SECONDS = 86_400.0
_WEIGHT = 0.3  # of the latest answer
_SHARE_SECONDS = 5.0  # pause between two exchanges with other workers
_MEMORY_SECONDS = 3600.0
_MAX_KEPT = 10_000
_LAG_SECONDS = 0.01  # a request may leave this long after its turn
_QUICK_SECONDS = 0.5  # for longer pauses the lag does not matter


class Politeness:
    """Waits for a turn at a host, and reports how the turn went."""

    def __init__(
        self,
        state: SharedState,
        clock: Clock,
        settings: FetchSettings,
        policies: HostPolicies | None = None,
    ) -> None:
        self._state, self._clock, self._settings = state, clock, settings
        self._policies = policies or HostPolicies(state, clock)
        self._paces = Paces(state, clock)
        self._follows_pace = settings.latency_factor > 0 and settings.host_delay_seconds > 0
        self._turns: dict[str, tuple[float, float]] = {}  # the next of a host, and its pause

    def next_turn(self, host: str) -> tuple[float, float]:
        """Seconds until a host may be asked again, and between two of its turns, as known here."""
        turn, pause = self._turns.get(host, (0.0, self._settings.host_delay_seconds))
        return max(turn - self._clock.monotonic(), 0.0), pause

    async def take_turn(
        self, host: str, crawl_delay: float = 0.0, room: Room | None = None
    ) -> FetchEnd | None:
        """Wait for a browser slot, if one is needed, and the host's next turn; or say why not."""
        policy, now = await self._policies.at_turn(host), self._clock.now()
        if (refused := refusal(policy, host, now)) is not None:
            return refused
        if policy.retry_at > now:
            await self._clock.sleep((policy.retry_at - now) / 1000)
        limits = await self._limits(host, crawl_delay)
        while limits and await self._waited_for(limits, room):
            # meanwhile another worker may have received a Retry-After
            policy = await self._policies.at_turn(host, ask_breaker=False)
            now = self._clock.now()
            if (refused := refusal(policy, host, now)) is not None:
                return refused
            if policy.retry_at <= now:
                break
            await self._clock.sleep((policy.retry_at - now) / 1000)
        if pause := max((limit.interval_seconds for limit in limits.values()), default=0.0):
            if len(self._turns) >= _MAX_KEPT:
                self._turns.clear()
            self._turns[host] = (self._clock.monotonic() + pause, pause)
        if room is not None:
            await room.take()
        return None

    async def report(self, host: str, outcome: Outcome, response: FetchResponse) -> Instant:
        """Report how the turn went; remember a Retry-After and the response time.

        Returns the instant that the server asks to wait for; 0 when it does not.
        """
        now = self._clock.now()
        wait = retry_after_seconds(response, now)
        retry_at = now + round(wait * 1000) if wait > 0 else 0
        await self._policies.report(host, ok=not facts_of(outcome).opens_breaker, retry_at=retry_at)
        if self._follows_pace:
            await self._paces.note(host, response, self._settings.timeout_seconds)
        return retry_at

    async def _waited_for(self, limits: dict[str, RateLimit], room: Room | None) -> bool:
        """Pass the limits when it is our turn; True when that took a while.

        A task that wakes up too late for its turn gets another: two late ones never go at once.
        """
        if room is not None:
            await room.take()
        wait = await self._state.enter(limits)
        if wait <= 0:
            return False
        if room is not None:
            room.leave()  # for others meanwhile; only once, or a busy browser is never ours
        while wait > 0:
            await self._clock.sleep(wait)
            if room is not None:
                await room.take()
            wait = await self._state.enter(limits, booked=True)
        return True

    async def _limits(self, host: str, crawl_delay: float) -> dict[str, RateLimit]:
        """All limits for a request to the host, without those that are off."""
        s, limits, wished = self._settings, dict[str, RateLimit](), crawl_delay
        if self._follows_pace:
            wished = max(wished, await self._paces.usual_seconds(host) * s.latency_factor)
        delay = max(s.host_delay_seconds, min(wished, s.longest_delay_seconds))
        if delay > 0:
            limits[f"host:{host}"] = _apart(delay)
        if s.domain_delay_seconds > 0:
            limits[f"domain:{domain_of(host)}"] = _apart(s.domain_delay_seconds)
        if s.requests_per_second > 0:
            limits["everywhere"] = _apart(1 / s.requests_per_second)
        return limits


def _apart(seconds: float) -> RateLimit:
    return RateLimit(
        seconds + min(seconds / 10, _LAG_SECONDS) if seconds < _QUICK_SECONDS else seconds
    )


def retry_after_seconds(response: FetchResponse, now: Instant) -> float:
    """Seconds that a failing server asks to be left alone; 0 when it does not say."""
    given = response.headers.get("retry-after", "").strip()
    if not given or response.status not in (429, 500, 502, 503, 504):
        return 0.0
    if given.isascii() and given.isdigit():
        return min(float(given[:9]), _MAX_RETRY_SECONDS)
    try:
        moment = parsedate_to_datetime(given)
    except (ValueError, TypeError, OverflowError):
        return 0.0
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return min(max(0.0, moment.timestamp() - now / 1000), _MAX_RETRY_SECONDS)


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
