"""Live events inside one process: a bounded queue per listener."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from specfactory.model import Event

QUEUE_SIZE = 1000


class LiveEvents:
    """Hands events to listeners; a listener that does not keep up is dropped."""

    def __init__(self, queue_size: int = QUEUE_SIZE) -> None:
        self._queue_size = queue_size
        self._listeners: set[EventListener] = set()

    def listen(self, *, muted: bool = False) -> EventListener:
        """Events from now on; a muted listener gets none until it is unmuted."""
        listener = EventListener(self._queue_size, self._listeners, muted)
        self._listeners.add(listener)
        return listener

    def show(self, events: Sequence[Event]) -> None:
        """Give events to all listeners."""
        for listener in tuple(self._listeners):
            if not listener.muted and not listener.offer(events):
                self._listeners.discard(listener)

    def unmute_all(self) -> None:
        """Let everybody hear what comes from now on."""
        for listener in self._listeners:
            listener.muted = False


class EventListener:
    """One subscription: a bounded queue that ends when closed or overrun."""

    def __init__(self, size: int, listeners: set[EventListener], muted: bool) -> None:
        self._queue: asyncio.Queue[Event | None] = asyncio.Queue()
        self._size, self._listeners, self._open = size, listeners, True
        self.muted = muted

    def offer(self, events: Sequence[Event]) -> bool:
        """Queue the events; False when there is no room, which ends the subscription."""
        fits = self._queue.qsize() + len(events) <= self._size
        if fits:
            for item in events:
                self._queue.put_nowait(item)
        else:
            self._end()
        return fits

    def __aiter__(self) -> EventListener:
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
