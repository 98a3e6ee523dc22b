"""The Wakeup port inside one process; the others are built on it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from specfactory.ports import Clock, Listener, Wakeup


class WakeupListener(Listener):
    """Remembers a call until somebody waits for it; may be called from any thread."""

    def __init__(self, clock: Clock, forget: Callable[[WakeupListener], None]) -> None:
        self._clock, self._forget = clock, forget
        self._loop, self._called = asyncio.get_running_loop(), asyncio.Event()

    async def wait(self, timeout_seconds: float) -> bool:
        if not self._called.is_set():
            call = asyncio.ensure_future(self._called.wait())
            late = asyncio.ensure_future(self._clock.sleep(timeout_seconds))
            try:
                await asyncio.wait({call, late}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for waiter in (call, late):
                    waiter.cancel()
                await asyncio.gather(call, late, return_exceptions=True)
        called = self._called.is_set()
        self._called.clear()
        return called

    def call(self) -> None:
        """Wake it."""
        with contextlib.suppress(RuntimeError):  # its event loop has ended
            self._loop.call_soon_threadsafe(self._called.set)

    def close(self) -> None:
        self._forget(self)


class MemoryWakeup(Wakeup):
    """Wakes listeners of this process; other processes find out by polling."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._by_channel: dict[str, set[WakeupListener]] = {}  # every one ever listened to

    async def notify(self, channel: str) -> None:
        self.call(channel)

    def call(self, channel: str) -> None:
        """Wake all listeners of a channel in this process."""
        for listener in tuple(self._by_channel.get(channel, ())):
            listener.call()

    def listen(self, channel: str) -> WakeupListener:
        here = self._by_channel.setdefault(channel, set())
        listener = WakeupListener(self._clock, here.discard)
        here.add(listener)
        return listener

    async def close(self) -> None:
        """Nothing to close."""
