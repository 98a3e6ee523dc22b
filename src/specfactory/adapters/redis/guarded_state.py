"""Redis while it answers, stricter in-process limits while it does not.

Every process sends a heartbeat each second, so that all know how many share the limits. When
Redis is lost, each goes on with its own share of half of every limit; when it is back, all
return to it.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from specfactory.adapters.memory import QUEUE_SIZE, LiveEvents, MemoryState
from specfactory.adapters.redis.fallback_limits import AloneLimits
from specfactory.adapters.redis.state import AWAY, RedisState, Standing
from specfactory.declared_events import event
from specfactory.fetch.politeness import BreakerRule
from specfactory.model import Event, Json
from specfactory.ports import Clock, Permit, RateLimit, SharedState

Given = TypeVar("Given")

ASSUMED_PROCESSES = 8  # assumed as long as Redis has never answered
SIGN_SECONDS = 1.0
_REPLAYED = 1000  # remembered values that are restored to a Redis that may have lost them
_AGAIN_SECONDS = 0.1
_MESSAGE_LENGTH = 200


class GuardedState(SharedState):
    """A SharedState that never fails: Redis, or stricter limits of this process."""

    def __init__(
        self,
        url: str,
        place: str,
        clock: Clock,
        breaker: BreakerRule | None = None,
        *,
        queue_size: int = QUEUE_SIZE,
        sign_seconds: float = SIGN_SECONDS,
        **options: Any,
    ) -> None:
        self._place, self._clock, self._sign_seconds = place, clock, sign_seconds
        self._live = LiveEvents(queue_size)
        self._shared = RedisState(url, clock, breaker, live=self._live, **options)
        self._own = MemoryState(clock, breaker)
        self._name = secrets.token_hex(8)
        self._standing = Standing("", secrets.randbelow(ASSUMED_PROCESSES), ASSUMED_PROCESSES)
        self._alone: AloneLimits | None = None
        self._lost_at = 0.0
        self._heartbeats: asyncio.Task[None] | None = None

    @property
    def is_lost(self) -> bool:
        """True while Redis is away."""
        return self._alone is not None

    async def look(self) -> Standing:
        """Ask Redis once, and return how many processes share it; raises while it is away."""
        await self._find(await self._shared.register(self._name))
        return self._standing

    async def reserve(self, key: str, limit: RateLimit) -> float:
        if (wait := await self._asked(lambda: self._shared.reserve(key, limit))) is not None:
            return wait
        return await self._own.reserve(key, self._alone_now().share(limit))

    async def enter(self, limits: Mapping[str, RateLimit], *, booked: bool = False) -> float:
        wait = await self._asked(lambda: self._shared.enter(limits, booked=booked))
        return wait if wait is not None else self._alone_now().enter(limits)

    async def permit(self, key: str) -> Permit:
        return await self._asked(lambda: self._shared.permit(key)) or await self._own.permit(key)

    async def report(self, key: str, *, ok: bool) -> None:
        """Report to the breaker; to our own as well, in case Redis is lost."""
        await self._own.report(key, ok=ok)
        await self._asked(lambda: self._shared.report(key, ok=ok))

    async def remember(self, key: str, value: Json, ttl_seconds: float) -> None:
        """Keep a small value for a while; in our own memory too."""
        await self._own.remember(key, value, ttl_seconds)
        await self._asked(lambda: self._shared.remember(key, value, ttl_seconds))

    async def recall(self, key: str) -> Json:
        kept = await self._asked(lambda: self._shared.recall(key))
        return await self._own.recall(key) if self.is_lost else kept

    async def forget(self, key: str) -> None:
        await self._own.forget(key)
        await self._asked(lambda: self._shared.forget(key))

    async def add(self, counter: str, amount: int = 1) -> int:
        """Raise a progress counter and return it; without Redis, of this process only."""
        raised = await self._asked(lambda: self._shared.add(counter, amount))
        return raised if raised is not None else await self._own.add(counter, amount)

    async def publish(self, events: Sequence[Event]) -> None:
        """Show events to the current listeners; without Redis, in this process only."""
        await self._asked(lambda: self._shared.publish(events))
        if self.is_lost:
            self._live.show(events)

    def subscribe(self) -> AsyncIterator[Event]:
        self._begin()
        listener = self._shared.subscribe()
        if self.is_lost:
            self._live.unmute_all()
        return listener

    async def close(self) -> None:
        signs, self._heartbeats = self._heartbeats, None
        while signs is not None and not signs.done():
            signs.cancel()  # the client may swallow one while it connects
            await asyncio.wait([signs], timeout=_AGAIN_SECONDS)
        if self._standing.life and not self.is_lost:
            with contextlib.suppress(*AWAY):
                await self._shared.leave(self._name)
            self._standing = replace(self._standing, life="")
        await self._shared.close()

    async def _asked(self, ask: Callable[[], Awaitable[Given]]) -> Given | None:
        """Redis's answer; None, and the fallback from then on, when it is away."""
        self._begin()
        if self._alone is None:
            try:
                return await ask()
            except AWAY as problem:
                self._lose(problem)
        return None

    def _alone_now(self) -> AloneLimits:
        """The fallback limits; new ones in case Redis came back while it was asked."""
        if self._alone is None:
            return AloneLimits(self._clock, self._standing.before, self._standing.processes)
        return self._alone

    def _begin(self) -> None:
        if self._heartbeats is not None:
            return

        async def send_heartbeats() -> None:
            """Notice when Redis goes, comes back, or has lost its memory."""
            while True:
                try:
                    await self._find(await self._shared.register(self._name))
                except AWAY as problem:
                    self._lose(problem)
                await asyncio.sleep(self._sign_seconds)

        self._heartbeats = asyncio.create_task(send_heartbeats())

    def _lose(self, problem: Exception) -> None:
        if self._alone is not None:
            return
        self._lost_at = self._clock.monotonic()
        count = self._standing.processes
        self._alone = AloneLimits(self._clock, self._standing.before, count)
        self._live.unmute_all()
        said = f"{type(problem).__name__}: {problem}"[:_MESSAGE_LENGTH]
        lost = event(
            "state.lost", self._clock.now(), place=self._place, processes=count, message=said
        )
        self._live.show([lost])

    async def _find(self, standing: Standing) -> None:
        """Note which processes there are; restore our memory to a Redis that was away or is new."""
        known, self._standing = self._standing, standing
        if self._alone is None and known.life in ("", standing.life):
            return
        for key, value, seconds in self._own.remembered(_REPLAYED):
            await self._shared.remember(key, value, seconds, unless_known=True)
        seconds = self._clock.monotonic() - self._lost_at if self._alone is not None else 0.0
        self._alone = None
        back = event(
            "state.recovered", self._clock.now(), place=self._place,
            processes=standing.processes, seconds=round(seconds, 1),
        )  # fmt: skip
        self._live.show([back])  # every process tells its own listeners
