"""Live events through Redis: events of one process reach the listeners of all."""

import asyncio
import contextlib
import secrets
from collections.abc import Sequence
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError

from specfactory.adapters.memory import EventListener, LiveEvents
from specfactory.errors import StoreError
from specfactory.model import Event
from specfactory.store.base import build, from_json, to_json

_RETRY_SECONDS = 1.0
_LISTEN_SECONDS = 60.0
_CHANNELS = 2  # the events of all and the marks of this process
_MARKS_KEPT = 1000


class RedisFeed:
    """One subscription for all listeners of this process.

    A new listener is muted until a mark that was sent after it subscribed has come back, so that it
    gets nothing older than itself.
    """

    def __init__(self, redis: Redis, prefix: str, live: LiveEvents) -> None:
        self._redis, self._live = redis, live
        self._events, self._marks = f"{prefix}events", f"{prefix}mark:{secrets.token_hex(8)}"
        self._waiting: dict[str, EventListener] = {}
        self._seating: set[asyncio.Task[None]] = set()
        self._hearing: asyncio.Task[None] | None = None
        self._heard = asyncio.Event()  # set while subscribed

    async def publish(self, events: Sequence[Event]) -> None:
        """Publish events, after those that subscribed before are ready."""
        if self._seating:
            await asyncio.wait(self._seating, timeout=_RETRY_SECONDS)
        await self._redis.publish(self._events, to_json(list(events)))

    def subscribe(self) -> EventListener:
        """Add a listener; needs a running event loop."""
        if self._hearing is None or self._hearing.done():
            self._hearing = asyncio.create_task(self._hear())
        listener = self._live.listen(muted=True)
        task = asyncio.create_task(self._seat(listener))
        self._seating.add(task)
        task.add_done_callback(self._seating.discard)
        return listener

    async def close(self) -> None:
        """Stop listening; harmless twice."""
        tasks = [task for task in (self._hearing, *self._seating) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._hearing = None

    async def _seat(self, listener: EventListener) -> None:
        await self._heard.wait()
        mark = secrets.token_hex(8)
        while len(self._waiting) >= _MARKS_KEPT:
            self._waiting.pop(next(iter(self._waiting)))
        self._waiting[mark] = listener
        with contextlib.suppress(RedisError, OSError, TimeoutError):
            await self._redis.publish(self._marks, mark)

    async def _hear(self) -> None:
        """Listen until closed; after a lost connection, on the next one."""
        while True:
            with contextlib.suppress(RedisError, OSError, TimeoutError):
                async with self._redis.pubsub() as line:
                    await line.subscribe(self._events, self._marks)
                    while True:
                        message = await line.get_message(timeout=_LISTEN_SECONDS)
                        if message is not None and message["type"] == "message":
                            self._take(message)
                        elif message is not None and message["data"] == _CHANNELS:
                            self._live.unmute_all()  # marks sent on an older connection are lost
                            self._heard.set()
            self._heard.clear()
            await asyncio.sleep(_RETRY_SECONDS)

    def _take(self, message: dict[str, Any]) -> None:
        if message["channel"] == self._marks.encode():
            if listener := self._waiting.pop(message["data"].decode("ascii", "replace"), None):
                listener.muted = False
            return
        with contextlib.suppress(StoreError, ValueError, TypeError):  # not one of our messages
            self._live.show([build(Event, plain) for plain in from_json(message["data"])])
