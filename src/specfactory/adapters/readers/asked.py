"""One reader process, asked from the event loop."""

import asyncio
from collections.abc import Callable
from typing import Any, Self

from specfactory.adapters.readers.frames import HEAD, check_size
from specfactory.adapters.readers.started import StartedReader
from specfactory.settings import ReaderSettings


class AskedReader(StartedReader):
    """One reader process, asked from the event loop."""

    _channel: tuple[asyncio.StreamReader, asyncio.StreamWriter]

    @classmethod
    async def start(cls, settings: ReaderSettings) -> Self:
        reader = cls(settings)
        try:
            reader._channel = await asyncio.open_connection(sock=reader.socket)
        except BaseException:
            reader.end_at_once()
            raise
        return reader

    async def ask(self, work: Callable[..., Any], given: tuple[Any, ...], seconds: float) -> bytes:
        """Ask one question; raises TimeoutError, OSError or EOFError when no answer comes."""
        incoming, outgoing = self._channel
        async with asyncio.timeout(seconds + self.patience(work)):
            outgoing.write(self.question(work, given))
            await outgoing.drain()
            size = HEAD.unpack(await incoming.readexactly(HEAD.size))[0]
            check_size(size)
            return await incoming.readexactly(size)

    async def end(self) -> int | None:
        """End the process at once; gives what it ended with."""
        self._channel[1].transport.abort()
        self.process.kill()
        return await asyncio.to_thread(self.process.wait)
