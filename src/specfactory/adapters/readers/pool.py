"""A small pool of readers: warm, reused, and replaced when one runs over or dies."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from specfactory.errors import ReaderFailed, Unreadable
from specfactory.model import Cause
from specfactory.ports import Shared
from specfactory.proof.text import has_little_markup

if TYPE_CHECKING:
    from specfactory.adapters.readers.asked import AskedReader
    from specfactory.settings import ReaderSettings

Result = TypeVar("Result")

_LARGE_BYTES = 1_000_000
_PATIENCE_SECONDS = 5.0


class ReaderPool:
    """The Readers port: small pages are read at once, everything else in a process of its own."""

    def __init__(self, settings: ReaderSettings) -> None:
        self._settings = settings
        self._slots, self._open_slots = asyncio.Semaphore(1), 1
        self._large = asyncio.Lock()
        self._idle: list[AskedReader] = []
        self._asked: set[asyncio.Task[Any]] = set()
        self._closed = False

    async def run(
        self,
        work: Callable[..., Result],
        *given: Any,
        quick: bool = False,
        deadline_seconds: float | None = None,
    ) -> Result:
        if quick or not self._settings.processes:
            plain = [one.value if isinstance(one, Shared) else one for one in given]
            if quick and self._are_few([one for one in plain if isinstance(one, bytes)]):
                return work(*plain)
            if not self._settings.processes:
                return await asyncio.to_thread(work, *plain)
        most = self._settings.deadline_seconds
        seconds = most if deadline_seconds is None else min(most, max(deadline_seconds, 0.1))
        asked = asyncio.ensure_future(self._ask(work, given, seconds))
        self._asked.add(asked)
        asked.add_done_callback(self._forget)
        # Whoever is cancelled leaves the reader to its page: it is of use again afterwards.
        result: Result = await asyncio.shield(asked)
        return result

    async def close(self) -> None:
        self._closed = True
        for asked in tuple(self._asked):
            asked.cancel()
        if self._asked:
            await asyncio.wait(self._asked)
        while self._idle:
            await self._idle.pop().end()

    @staticmethod
    async def start_reader(settings: ReaderSettings) -> AskedReader:
        """Start a reader."""
        from specfactory.adapters.readers.asked import AskedReader

        return await AskedReader.start(settings)

    async def _ask(self, work: Callable[..., Any], given: tuple[Any, ...], seconds: float) -> Any:
        # Loaded with the first page that needs a reader: most commands read none.
        from specfactory.adapters.readers.frames import read_answer, read_value
        from specfactory.adapters.readers.started import ended_by, exceeded_by, size_of

        # Large pages one at a time: each may take what several small ones do.
        turn = self._large if size_of(given) > _LARGE_BYTES else contextlib.nullcontext()
        async with turn, self._slot():
            reader, is_good = await self._choose(given), False
            try:
                if reader is None:
                    reader = await self.start_reader(self._settings)
                answer = read_answer(await reader.ask(work, given, seconds))
                value = read_value(work, answer)
                is_good = not answer.is_worn
                if answer.exceeded:
                    raise exceeded_by(answer.exceeded, self._settings)
                if answer.problem:
                    raise ReaderFailed(answer.problem)
                return value
            except TimeoutError:
                said = f"not read within {seconds:g} s"
                raise Unreadable(Cause.READER_TIME, said) from None
            except (OSError, EOFError):  # it is gone
                status = await reader.end() if reader is not None else None
                raise ended_by(status, self._settings) from None
            except ValueError as problem:
                raise Unreadable(Cause.READER_DIED, str(problem)) from None
            finally:
                if reader is not None:
                    if is_good and not self._closed:
                        self._idle.append(reader)
                    else:
                        await reader.end()

    @contextlib.asynccontextmanager
    async def _slot(self) -> AsyncIterator[None]:
        """A reader's turn at a page; another reader is allowed once a page has waited long enough.

        One keeps up with most workers, and each takes a second to load what it needs.
        """
        seconds = _PATIENCE_SECONDS if self._open_slots < self._settings.processes else None
        try:
            await asyncio.wait_for(self._slots.acquire(), seconds)
        except TimeoutError:
            if self._open_slots < self._settings.processes:
                self._open_slots += 1
            else:  # others waited for as long
                await self._slots.acquire()
        try:
            yield
        finally:
            self._slots.release()

    def _forget(self, asked: asyncio.Task[Any]) -> None:
        self._asked.discard(asked)
        if not asked.cancelled():
            asked.exception()  # retrieved: whoever waited for it may be gone

    def _are_few(self, bodies: list[bytes]) -> bool:
        """True if bytes are gone over in some milliseconds, whatever they hold."""
        small = sum(map(len, bodies)) <= self._settings.small_bytes
        return small and all(map(has_little_markup, bodies))

    async def _choose(self, given: tuple[Any, ...]) -> AskedReader | None:
        """Take the idle reader that knows most of what is given; None: one is to be started."""
        # One that was ended while idle, as by a system short of memory, says nothing of a page.
        for ended in [reader for reader in self._idle if reader.process.poll() is not None]:
            self._idle.remove(ended)
            await ended.end()
        if not self._idle:
            return None
        keys = {one.key for one in given if isinstance(one, Shared)}
        best = max(self._idle, key=lambda reader: len(keys & reader.known.keys()))
        self._idle.remove(best)
        return best
