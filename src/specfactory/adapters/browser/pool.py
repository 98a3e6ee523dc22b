"""Chromium, kept running: found, started when first needed, recycled by pages and by memory."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from specfactory.adapters.browser.browser_finding import is_root, name_browser, usable_browser
from specfactory.adapters.browser.driver import start_driver
from specfactory.adapters.browser.find import BrowserUnusable, why_no_browser
from specfactory.adapters.memory import SystemClock
from specfactory.errors import UsageError
from specfactory.ports import Clock
from specfactory.settings import BrowserSettings

if TYPE_CHECKING:
    from playwright.async_api import Browser, CDPSession, Playwright

# What would go past the proxy or talk behind our back is off: UDP, QUIC, name look-ups, updates.
_ARGUMENTS = (
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--no-pings",
    "--block-new-web-contents",
    "--disable-gpu",
    "--mute-audio",
)
_ENVIRONMENT = ("HOME", "PATH", "LANG", "LC_ALL", "TMPDIR", "TZ", "XDG_RUNTIME_DIR", "SYSTEMROOT")
_LOG = logging.getLogger("specfactory.browser")
WITHOUT_SANDBOX = (
    "the browser runs without its sandbox: this user has no user namespaces here (a container?); "
    "pages are kept from the network by our proxy, but not from this user's files by the system"
)
_START_SECONDS = 30.0
_END_SECONDS = 5.0
_MEGABYTE = 1024  # of the kilobytes that the system counts in
REST_SECONDS = 300.0  # a browser that cannot be used is not tried again before
_MOST_WORDS = 200
HARD_MEMORY_FACTOR = 2  # a page that drives the memory so far past the limit is ended at once


@dataclass(slots=True, eq=False)
class RunningBrowser:
    """One Chromium at work."""

    browser: Browser
    session: CDPSession
    pid: int
    pages: int = 0
    visitors: int = 0
    retired: bool = False
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return not self.ended.is_set() and self.browser.is_connected()

    async def megabytes(self) -> float:
        """What all its processes hold; 0 where the system does not say."""
        found = await self.session.send("SystemInfo.getProcessInfo")
        pids = [each["id"] for each in found["processInfo"]]
        return await asyncio.to_thread(lambda: sum(map(_kilobytes, pids)) / _MEGABYTE)

    def kill(self) -> None:
        """End it whatever it is doing."""
        with suppress(ProcessLookupError, PermissionError):
            os.kill(self.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)

    async def end(self) -> None:
        """Close it, gently if it lets itself be closed."""
        try:
            async with asyncio.timeout(_END_SECONDS):
                await self.browser.close()
        except Exception:  # whatever it says, it must end
            self.kill()
        self.ended.set()


def _kilobytes(pid: int) -> int:
    """The memory of a process, what it shares counted in part."""
    with suppress(OSError, ValueError, IndexError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0


class BrowserPool:
    """Lends the running browser to so many pages at once; one event loop."""

    def __init__(
        self,
        settings: BrowserSettings,
        executable: str,
        *,
        arguments: tuple[str, ...] = (),
        clock: Clock | None = None,
    ) -> None:
        self._settings, self._executable = settings, executable
        self._clock = clock or SystemClock()
        self._arguments = (*_ARGUMENTS, *arguments)
        self._slots = asyncio.Semaphore(settings.pages_at_once)
        self._starting = asyncio.Lock()
        self._driver: Playwright | None = None
        self._current: RunningBrowser | None = None
        self._all: set[RunningBrowser] = set()
        self._proven = False  # that it is a browser
        self._told_of_sandbox = False
        self._trouble, self._rests_until = "", 0.0
        self.started = 0  # browsers, since the beginning

    @property
    def trouble(self) -> str:
        """Why there is no browser to be used just now; "" as far as is known there is one."""
        return self._trouble if self._clock.monotonic() < self._rests_until else ""

    @property
    def works(self) -> bool:
        """Whether one is running."""
        return self._current is not None and self._current.alive

    async def prepare(self, proxy: str) -> str:
        """Have a browser running; why there is none, "" when there is."""
        try:
            await self._usable(proxy)
        except BrowserUnusable as problem:
            return str(problem)
        return ""

    @asynccontextmanager
    async def borrow(self, proxy: str) -> AsyncIterator[RunningBrowser]:
        """A browser whose only way to the network is the proxy, for one page."""
        async with self._slots:
            running = await self._usable(proxy)
            running.pages += 1
            running.visitors += 1
            try:
                yield running
            finally:
                running.visitors -= 1
                await self._look_after(running)

    async def close(self) -> None:
        """End every browser; harmless twice."""
        self._current = None
        for running in list(self._all):
            await self._end(running)
        await self._stop_driver()

    async def restart(self) -> None:
        """Let pages that come next have a new browser."""
        if self._current is not None:
            self._current.retired = True

    async def _usable(self, proxy: str) -> RunningBrowser:
        async with self._starting:
            if self._current is not None and (self._current.retired or not self._current.alive):
                old, self._current = self._current, None
                old.retired = True
                if not old.visitors:
                    await self._end(old)
            if self._current is None:
                self._current = await self._start(proxy)
            return self._current

    async def _look_after(self, running: RunningBrowser) -> None:
        """Retire a browser that has served long enough; the last to leave closes the door."""
        if (
            running.pages >= self._settings.recycle_pages
            or not running.alive
            or await self._has_grown(running)
        ):
            running.retired = True
        if running.retired and not running.visitors:
            await self._end(running)

    async def _has_grown(self, running: RunningBrowser) -> bool:
        try:
            async with asyncio.timeout(_END_SECONDS):
                return await running.megabytes() > self._settings.recycle_megabytes
        except Exception:  # a browser that cannot say how it is is not well
            return True

    async def _end(self, running: RunningBrowser) -> None:
        self._all.discard(running)
        if self._current is running:
            self._current = None
        await running.end()

    async def _start(self, proxy: str) -> RunningBrowser:
        if self.trouble:
            raise BrowserUnusable(self.trouble)
        try:
            await self._prove()
            return await self._start_or_again(proxy)
        except (UsageError, BrowserUnusable):
            raise
        except Exception as problem:  # of the driver, which has many kinds
            raise self._rest(f"does not start: {_first_line(problem)}") from None

    async def _prove(self) -> None:
        if self._proven:
            return
        if why := await why_no_browser(self._executable):
            if not (other := await usable_browser(self._settings, self._executable)):
                raise self._rest(why)
            self._executable = other
        self._proven = True

    def _rest(self, why: str) -> BrowserUnusable:
        """What is no browser now is none for the next page either: remembered for a while."""
        self._trouble = f"{name_browser(self._settings, self._executable)} {why}"
        self._rests_until = self._clock.monotonic() + REST_SECONDS
        return BrowserUnusable(self._trouble)

    async def _start_or_again(self, proxy: str) -> RunningBrowser:
        try:
            async with asyncio.timeout(_START_SECONDS):
                return await self._launch(proxy)
        except UsageError:
            raise
        except Exception:  # the driver may have died: once more, with a new one
            await self._stop_driver()
            async with asyncio.timeout(_START_SECONDS):
                return await self._launch(proxy)

    async def _launch(self, proxy: str) -> RunningBrowser:
        browser = await self._open(proxy, sandbox=not is_root())
        try:
            session = await browser.new_browser_cdp_session()
            found = await session.send("SystemInfo.getProcessInfo")
            pid = next(each["id"] for each in found["processInfo"] if each["type"] == "browser")
        except BaseException:  # nobody else knows of it yet
            await _close(browser)
            raise
        running = RunningBrowser(browser, session, pid)
        browser.on("disconnected", lambda _: running.ended.set())
        self._all.add(running)
        self.started += 1
        return running

    async def _open(self, proxy: str, *, sandbox: bool) -> Browser:
        driver = await self._drive()
        try:
            return await driver.chromium.launch(
                executable_path=self._executable,
                headless=True,
                args=list(self._arguments),
                proxy={"server": proxy, "bypass": "<-loopback>"},
                chromium_sandbox=sandbox,
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
                timeout=_START_SECONDS * 1000,
                env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
            )
        except Exception as problem:
            if not sandbox or "sandbox" not in str(problem).lower():
                raise
            if not self._told_of_sandbox:
                _LOG.warning(WITHOUT_SANDBOX)
            self._told_of_sandbox = True
            return await self._open(proxy, sandbox=False)

    async def _drive(self) -> Playwright:
        if self._driver is None:
            self._driver = await start_driver()
        return self._driver

    async def _stop_driver(self) -> None:
        driver, self._driver = self._driver, None
        if driver is not None:
            with suppress(Exception):
                async with asyncio.timeout(_END_SECONDS):
                    await driver.stop()


async def _close(browser: Browser) -> None:
    with suppress(Exception):
        async with asyncio.timeout(_END_SECONDS):
            await browser.close()


def _first_line(problem: Exception) -> str:
    said = str(problem).strip().partition("\n")[0]
    return said[:_MOST_WORDS] or type(problem).__name__
