"""Readers that outlive their factory: the next test takes them over, for a start takes long."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any, Self

from specfactory.adapters.readers import ReaderPool
from specfactory.adapters.readers.asked import AskedReader
from specfactory.adapters.readers.frames import read_answer
from specfactory.settings import ReaderSettings

KEPT: list[KeptReader] = []
os.register_at_fork(after_in_child=KEPT.clear)  # a reader answers one process


class KeptReader(AskedReader):
    """A reader that is kept when its pool is closed, unless its last page was too much for it."""

    is_good = False

    @classmethod
    async def start(cls, settings: ReaderSettings) -> Self:
        """Take over a reader with the same limits, or start one."""
        for kept in [one for one in KEPT if one.process.poll() is not None]:
            KEPT.remove(kept)
            kept.end_at_once()
        fitting = [one for one in KEPT if isinstance(one, cls) and one._settings == settings]
        if fitting:
            KEPT.remove(fitting[0])
        reader = fitting[0] if fitting else cls(settings)
        # A connection belongs to the event loop of one test.
        reader._channel = await asyncio.open_connection(sock=reader.socket.dup())
        return reader

    async def ask(self, work: Callable[..., Any], given: tuple[Any, ...], seconds: float) -> bytes:
        self.is_good = False
        answer = await super().ask(work, given, seconds)
        self.is_good = not read_answer(answer).is_worn
        return answer

    async def end(self) -> int | None:
        if not self.is_good or self.process.poll() is not None:
            self.socket.close()
            return await super().end()
        self._channel[1].transport.abort()
        await asyncio.sleep(0)  # the connection is closed in the next turn of the loop
        KEPT.append(self)
        return None


class KeepingPool(ReaderPool):
    """A pool as factories have it, of readers that are kept."""

    start_reader = staticmethod(KeptReader.start)


def end_kept() -> None:
    """End all readers that wait for another test."""
    while KEPT:
        KEPT.pop().end_at_once()
