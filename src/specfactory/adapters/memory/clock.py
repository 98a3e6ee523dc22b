"""The Clock port on this machine's clock."""

import asyncio
import threading
import time
from collections.abc import Callable

from specfactory.model import Instant
from specfactory.ports import Clock


class SystemClock(Clock):
    """This machine's time; after the clock was set back, it runs at half speed until they agree."""

    def __init__(
        self, steady: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time
    ) -> None:
        self._steady, self._wall = steady, wall
        self._shown, self._shown_at = 0.0, steady()
        self._lock = threading.Lock()

    def now(self) -> Instant:
        """Milliseconds since 1970 in UTC."""
        return self._show(self._wall() * 1000)

    def _show(self, wanted: float) -> Instant:
        """The wanted time, or a little more than was shown last: time never goes back."""
        with self._lock:
            steady = self._steady()
            if wanted < self._shown:
                wanted = self._shown + (steady - self._shown_at) * 500
            self._shown, self._shown_at = wanted, steady
            return int(wanted)

    def monotonic(self) -> float:
        return self._steady()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
