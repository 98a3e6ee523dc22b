"""A rotator such as mubeng as a child process: started where none answers, watched, ended.

The command runs without a shell; ``{live_proxies}`` in it stands for the file of live proxies,
which must not be empty before the rotator is started.
"""

import asyncio
import contextlib
import os
import shlex
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

from specfactory.errors import SettingError
from specfactory.ports import Clock

LOOK_SECONDS = 5.0  # between two checks of a rotator, or of the file that it needs
FIRST_LOOK_SECONDS = 0.5  # after a start
FIRST_BACKOFF_SECONDS = 1.0
LONGEST_BACKOFF_SECONDS = 60.0
MISSES = 6  # checks in a row without an answer: it hangs and is restarted
STEADY_SECONDS = 60.0  # after a run of this length the backoff starts over
ENDING_SECONDS = 5.0
_PLACE = "{live_proxies}"
_LINE_LENGTH = 500
_MOST_LINE = 64 * 1024


class RotatorProcess:
    """Keeps one rotator answering."""

    def __init__(
        self,
        command: str,
        live_proxies: Path,
        answers: Callable[[], Awaitable[bool]],
        clock: Clock,
        say: Callable[[str], None],
        look_seconds: float = LOOK_SECONDS,
    ) -> None:
        self._live, self._answers, self._look = live_proxies, answers, look_seconds
        self._clock, self._say = clock, say
        self._words = _words(command)
        self._process: asyncio.subprocess.Process | None = None
        self._backoff = FIRST_BACKOFF_SECONDS

    @property
    def pid(self) -> int | None:
        """Id of the process started here; None when none runs."""
        running = self._process is not None and self._process.returncode is None
        return self._process.pid if running and self._process else None

    async def run(self) -> None:
        """Start it where it does not answer, restart it when it ends, until cancelled."""
        try:
            while True:
                if await self._answers() or not await self._has_proxies():
                    await self._clock.sleep(self._look)
                else:
                    await self._once()
        finally:
            await self._end()

    async def _has_proxies(self) -> bool:
        if not any(_PLACE in word for word in self._words):
            return True
        try:
            return (await asyncio.to_thread(self._live.stat)).st_size > 0
        except OSError:
            return False

    async def _once(self) -> None:
        """Run the process once, and pause after it."""
        began = self._clock.monotonic()
        words = [word.replace(_PLACE, str(self._live)) for word in self._words]
        try:
            self._process = process = await asyncio.create_subprocess_exec(
                *words,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is for us; we end it ourselves
                limit=_MOST_LINE,
            )
        except OSError as problem:
            self._say(f"{words[0]} cannot be started: {problem.strerror}")
        else:
            self._say(f"started as process {process.pid}")
            watching = asyncio.create_task(self._watch())
            try:
                await self._listen(process)
                self._say(f"ended with {await process.wait()}")
            finally:
                watching.cancel()
        if self._clock.monotonic() - began >= STEADY_SECONDS:
            self._backoff = FIRST_BACKOFF_SECONDS
        await self._clock.sleep(self._backoff)
        self._backoff = min(self._backoff * 2, LONGEST_BACKOFF_SECONDS)

    async def _watch(self) -> None:
        """End a process that runs but does not answer, so that it is restarted."""
        misses, pause = 0, min(FIRST_LOOK_SECONDS, self._look)
        while misses < MISSES:
            await self._clock.sleep(pause)
            pause = self._look
            misses = 0 if await self._answers() else misses + 1
        self._say(f"no answer at {MISSES} looks; it is started anew")
        await self._end()

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        """Copy its output to our log, line by line."""
        if process.stdout is None:
            return
        while True:
            try:
                line = await process.stdout.readline()
            except ValueError:  # an overlong line was dropped
                continue
            if not line:
                return
            # it may name the proxies it uses, with their passwords
            words = line.decode("utf-8", "replace").split()
            shown = (f"…@{word.rpartition('@')[2]}" if "@" in word else word for word in words)
            self._say(" ".join(shown)[:_LINE_LENGTH])

    async def _end(self) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(ENDING_SECONDS):
                    await process.wait()
                    return


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words:
        allowed = "a command such as mubeng -a 127.0.0.1:8089 -f {live_proxies}"
        raise SettingError("proxy.rotator_command", command, allowed)
    return words
