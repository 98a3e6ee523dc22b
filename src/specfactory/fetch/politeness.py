"""Politeness: one request at a time per host, as far apart as it wishes, and none when it ails."""

from __future__ import annotations

from datetime import UTC
from email.utils import parsedate_to_datetime

from specfactory.model import FetchResponse, Instant, Outcome
from specfactory.ports import Clock, RateLimit, SharedState

MAX_PATIENCE_SECONDS = 30.0  # a longer Retry-After is not waited for but reported
_MAX_RETRY_SECONDS = 86_400.0

AILING = frozenset(
    {
        Outcome.RATE_LIMITED, Outcome.MAINTENANCE, Outcome.BLOCKED, Outcome.CAPTCHA,
        Outcome.WAITING_ROOM, Outcome.DNS_FAILURE, Outcome.TIMEOUT, Outcome.NETWORK_ERROR,
    }
)  # fmt: skip


class Politeness:
    """Asks the shared state for a turn at a host, and tells it how the turn went."""

    def __init__(self, state: SharedState, clock: Clock, host_delay_seconds: float) -> None:
        self._state, self._clock, self._delay = state, clock, host_delay_seconds

    async def take_turn(self, host: str, crawl_delay: float = 0.0) -> tuple[Outcome, str] | None:
        """Wait for the host's next slot; or say at once why there is none."""
        if (wait := await self._retry_wait(host)) > MAX_PATIENCE_SECONDS:
            return Outcome.RATE_LIMITED, f"the server asked to come back in {wait:.0f} s"
        permit = await self._state.permit(_breaker(host))
        if not permit.allowed:
            seconds = f"{permit.wait_seconds:.0f} s"
            return Outcome.REFUSED, f"breaker: {host} kept failing; next try in {seconds}"
        limit = RateLimit(max(self._delay, crawl_delay))
        wait = max(wait, await self._state.reserve(f"host:{host}", limit))
        if wait > 0:
            await self._clock.sleep(wait)
        return None

    async def report(self, host: str, outcome: Outcome, response: FetchResponse) -> None:
        """Tell how the turn went, and remember a Retry-After."""
        await self._state.report(_breaker(host), ok=outcome not in AILING)
        now = self._clock.now()
        wait = retry_after_seconds(response, now)
        if wait > 0:
            await self._state.remember(f"retry-after:{host}", now + round(wait * 1000), wait)

    async def _retry_wait(self, host: str) -> float:
        until = await self._state.recall(f"retry-after:{host}")
        return max(0.0, (until - self._clock.now()) / 1000) if until else 0.0


def retry_after_seconds(response: FetchResponse, now: Instant) -> float:
    """How long a server that is not well asks to be left alone; 0 when it does not say."""
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


def _breaker(host: str) -> str:
    return f"breaker:{host}"
