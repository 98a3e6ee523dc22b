"""The Clock port on this machine's clock."""

from __future__ import annotations

import asyncio
import time

from specfactory.model import Instant


class SystemClock:
    """This machine's time."""

    def now(self) -> Instant:
        """Milliseconds since 1970 in UTC."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait without holding the event loop."""
        await asyncio.sleep(seconds)
