"""Room for a page in the browser: waited for before the page's turn at its host, never after it.

Turns that wait for the browser would be used all at once when it is free: the host would see no
pause between them.
"""

from __future__ import annotations

import asyncio

from specfactory.ports import Browser


class Room:
    """One of the places that the browser has for pages; taken and left as often as one likes."""

    def __init__(self, browser: Browser, places: asyncio.Semaphore) -> None:
        self._browser, self._places, self._is_held = browser, places, False

    async def take(self) -> None:
        """Wait for a place, with a browser that runs; whoever has one keeps it."""
        if not self._is_held:
            await self._places.acquire()
            self._is_held = True
        await self._browser.prepare()

    def leave(self) -> None:
        """Let others have the place; harmless twice."""
        if self._is_held:
            self._is_held = False
            self._places.release()
