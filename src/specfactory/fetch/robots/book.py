"""The robots.txt of every origin: fetched once, cached for a while."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import msgspec

from specfactory.errors import Unreadable
from specfactory.fetch.addresses import Target
from specfactory.fetch.outcomes import judge_body
from specfactory.fetch.robots.rules import (
    ALLOW_ALL,
    MAX_ROBOTS_BYTES,
    Robots,
    product_token,
    read_robots,
)
from specfactory.model import (
    Cause,
    Fault,
    FetchEnd,
    FetchResponse,
    Frozen,
    Instant,
    Outcome,
    facts_of,
    replace,
)
from specfactory.ports import Clock, Readers, SharedState

UNREACHABLE_SECONDS = 60.0  # how long a missing answer holds before it is asked for again
LAST_RESORT_SECONDS = 30 * 86_400.0  # RFC 9309: after so long, no answer may count as none needed
_MAX_KEPT = 1_000


class RobotsAnswer(Frozen):
    """A robots.txt, or why there is none: then every page of the origin ends like it."""

    robots: Robots = ALLOW_ALL
    failure: FetchEnd | None = None


class _Entry(Frozen):
    """An answer as the shared state keeps it; ``failing_since`` is 0 while it can be fetched."""

    answer: RobotsAnswer
    fresh_until: Instant
    failing_since: Instant


class RobotsBook:
    """The robots.txt of every origin, kept in the shared state."""

    def __init__(
        self,
        state: SharedState,
        clock: Clock,
        user_agent: str,
        hours: float,
        ask: Callable[[str], Awaitable[FetchResponse]],
        readers: Readers,
    ) -> None:
        self._state, self._clock, self._ask, self._readers = state, clock, ask, readers
        self._token, self._seconds = product_token(user_agent), hours * 3600
        self._kept: dict[str, tuple[float, RobotsAnswer]] = {}
        self._asking: dict[str, asyncio.Lock] = {}

    async def answer_for(self, target: Target) -> RobotsAnswer:
        """The robots.txt of the target's origin; fetched when it is not known."""
        origin = f"{target.scheme}://{target.netloc}"
        if (answer := self._at_hand(origin)) is not None:
            return answer
        lock = self._asking.setdefault(origin, asyncio.Lock())
        async with lock:
            answer = self._at_hand(origin) or await self._recall_or_ask(origin)
        self._asking.pop(origin, None)
        return answer

    def _at_hand(self, origin: str) -> RobotsAnswer | None:
        until, answer = self._kept.get(origin, (0.0, None))
        return answer if until > self._clock.monotonic() else None

    async def _recall_or_ask(self, origin: str) -> RobotsAnswer:
        key = f"robots:{self._token}:{origin}"
        now = self._clock.now()
        entry: _Entry | None = None
        with suppress(msgspec.ValidationError):  # nothing, or what another version kept
            entry = msgspec.convert(await self._state.recall(key), _Entry)
        if entry is None or entry.fresh_until <= now:
            answer = await self._read(await self._ask(f"{origin}/robots.txt"))
            now = self._clock.now()  # it may have been our turn much later
            entry = self._entry(answer, entry, now)
            await self._state.remember(key, msgspec.to_builtins(entry), LAST_RESORT_SECONDS * 2)
        seconds = min(max(entry.fresh_until - now, 0) / 1000, UNREACHABLE_SECONDS)
        if len(self._kept) >= _MAX_KEPT:
            self._kept.clear()
        self._kept[origin] = (self._clock.monotonic() + seconds, entry.answer)
        return entry.answer

    def _entry(self, answer: RobotsAnswer, before: _Entry | None, now: Instant) -> _Entry:
        """The entry that holds from now on: while no answer comes, the last good one does."""
        if answer.failure is None:
            return _Entry(answer, now + round(self._seconds * 1000), 0)
        since = (before.failing_since if before else 0) or now
        soon = now + round(UNREACHABLE_SECONDS * 1000)
        if before is not None and before.answer.failure is None:
            return _Entry(before.answer, soon, since)
        if now - since > LAST_RESORT_SECONDS * 1000:
            return _Entry(RobotsAnswer(), soon, since)
        return _Entry(answer, soon, since)

    async def _read(self, response: FetchResponse) -> RobotsAnswer:
        """RFC 9309: 4xx allows everything, no answer or 5xx nothing; too long counts as far."""
        try:
            return await self._judge(response)
        except Unreadable as problem:
            end = FetchEnd(Outcome.UNREADABLE, f"robots.txt: {problem.detail}")
            return RobotsAnswer(failure=end)

    async def _judge(self, response: FetchResponse) -> RobotsAnswer:
        if response.failure is Outcome.TOO_LARGE and response.body:
            return RobotsAnswer(await self._parse(response.body[:MAX_ROBOTS_BYTES]))
        if response.failure is not None and not 300 <= response.status < 400:
            return RobotsAnswer(failure=_no_answer(response, response.failure))
        if response.status >= 500 or response.status == 429:
            bare = replace(response, body=b"")
            end = (await self._readers.run(judge_body, bare, response.body, quick=True)).end
            # what a status says of robots.txt alone says nothing of the page's server
            cause = Cause.NONE if end.cause is Cause.STATUS_ONLY else end.cause
            return RobotsAnswer(failure=FetchEnd(end.outcome, f"robots.txt: {end.evidence}", cause))
        if response.status != 200:
            return RobotsAnswer()
        return RobotsAnswer(await self._parse(response.body))

    async def _parse(self, body: bytes) -> Robots:
        return await self._readers.run(read_robots, body, self._token, quick=True)


def _no_answer(response: FetchResponse, failure: Outcome) -> FetchEnd:
    """The end of every page of an origin without robots.txt."""
    if failure is Outcome.REFUSED:
        return FetchEnd(failure, response.failure_detail, response.cause, response.retry_at)
    facts = facts_of(failure, response.cause)
    # Pages that end like it did not go through that proxy, and do not know of that wait.
    of_wire = facts.was_asked and facts.fault is not Fault.PROXY
    said = f"robots.txt: {response.failure_detail or f'HTTP {response.status}'}"
    return FetchEnd(failure, said, response.cause if of_wire else Cause.NONE)
