"""Browser page slots, acquired before the rate limit, never after it.

Turns that wait for the browser would all be used at the same moment when it becomes free: the
host would see no pause between them.
"""

import asyncio

from specfactory.ports import Browser


class Room:
    """One browser page slot; may be taken and left repeatedly."""

    def __init__(self, browser: Browser, places: asyncio.Semaphore) -> None:
        self._browser, self._places, self._is_held = browser, places, False

    async def take(self) -> None:
        """Wait for a slot and a running browser; a slot already held is kept."""
        if not self._is_held:
            await self._places.acquire()
            self._is_held = True
        await self._browser.prepare()

    def leave(self) -> None:
        """Release the slot; harmless twice."""
        if self._is_held:
            self._is_held = False
            self._places.release()
