"""Chromium, kept running: started when first needed, recycled by pages and by memory."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from specfactory.adapters.browser.find import (
    BrowserUnusable,
    is_root,
    name_browser,
    usable_browser,
    why_no_browser,
)
from specfactory.adapters.memory import SystemClock
from specfactory.errors import UsageError
from specfactory.ports import Clock
from specfactory.settings import BrowserSettings

if TYPE_CHECKING:
    from playwright.async_api import Browser, CDPSession, Playwright

# Off: whatever bypasses the proxy or calls home (UDP, QUIC, name look-ups, updates).
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
_MEGABYTE = 1024  # the system counts in kilobytes
REST_SECONDS = 300.0  # pause before an unusable browser is tried again
_MOST_WORDS = 200
HARD_MEMORY_FACTOR = 2  # a page that exceeds the limit by this much is killed at once


MISSING = (
    "a browser needs the package playwright; install it with: pip install 'specfactory[browser]'"
)
_OPTIONS = "NODE_OPTIONS"
# Node resets inherited signal handling, so the driver has to ignore SIGTERM from inside. Other
# programs started meanwhile inherit the option too; it means nothing to them.
_IGNORE_SIGTERM = (
    "--import=data:text/javascript,"
    "if(process.argv.includes('run-driver'))process.on('SIGTERM',()=>{})"
)


class RunningBrowser(Struct, eq=False):
    """One Chromium process."""

    browser: Browser
    session: CDPSession
    pid: int
    pages: int = 0
    visitors: int = 0
    retired: bool = False
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def alive(self) -> bool:
        """True while it runs and is connected."""
        return not self.ended.is_set() and self.browser.is_connected()

    async def megabytes(self) -> float:
        """Memory of all its processes; 0 where the system does not say."""
        found = await self.session.send("SystemInfo.getProcessInfo")
        pids = [each["id"] for each in found["processInfo"]]
        return await asyncio.to_thread(lambda: sum(map(_kilobytes, pids)) / _MEGABYTE)

    def kill(self) -> None:
        """Kill it at once."""
        with suppress(ProcessLookupError, PermissionError):
            os.kill(self.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)

    async def end(self) -> None:
        """Close it, by force if need be."""
        try:
            async with asyncio.timeout(_END_SECONDS):
                await self.browser.close()
        except Exception:  # of any kind: it must end
            self.kill()
        self.ended.set()


def _kilobytes(pid: int) -> int:
    """Memory of a process; shared memory counts in part."""
    with suppress(OSError, ValueError, IndexError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0


class BrowserPool:
    """Lends the running browser to a limited number of pages; one event loop."""

    def __init__(
        self, settings: BrowserSettings, executable: str, clock: Clock | None = None
    ) -> None:
        self._settings, self._executable = settings, executable
        self._clock = clock or SystemClock()
        self._slots = asyncio.Semaphore(settings.pages_at_once)
        self._starting = asyncio.Lock()
        self._driver: Playwright | None = None
        self._current: RunningBrowser | None = None
        self._all: set[RunningBrowser] = set()
        self._checked = False  # that the executable is a browser
        self._warned_of_sandbox = False
        self._trouble, self._rests_until = "", 0.0
        self.started = 0  # browsers, since the beginning

    @property
    def trouble(self) -> str:
        """The reason why no browser can be used now; "" when one can, as far as is known."""
        return self._trouble if self._clock.monotonic() < self._rests_until else ""

    @property
    def works(self) -> bool:
        """True while a browser is running."""
        return self._current is not None and self._current.alive

    async def prepare(self, proxy: str) -> str:
        """Start a browser if none runs; returns why that failed, or ""."""
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
                if await self._is_worn(running):
                    running.retired = True
                if running.retired and not running.visitors:
                    await self._end(running)

    async def close(self) -> None:
        """End every browser; harmless twice."""
        self._current = None
        for running in list(self._all):
            await self._end(running)
        await self._stop_driver()

    async def restart(self) -> None:
        """Use a new browser for the next pages."""
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

    async def _is_worn(self, running: RunningBrowser) -> bool:
        if running.pages >= self._settings.recycle_pages or not running.alive:
            return True
        try:
            async with asyncio.timeout(_END_SECONDS):
                return await running.megabytes() > self._settings.recycle_megabytes
        except Exception:  # a browser that cannot report its memory is not healthy
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
            if not self._checked and (why := await why_no_browser(self._executable)):
                other = await usable_browser(self._settings, self._executable)
                if not other:
                    raise self._rest(why)
                self._executable = other
            self._checked = True
            try:
                return await self._launch(proxy)
            except UsageError:
                raise
            except Exception:  # the driver may have died: once more, with a new one
                await self._stop_driver()
                return await self._launch(proxy)
        except (UsageError, BrowserUnusable):
            raise
        except Exception as problem:  # the driver raises many kinds
            said = str(problem).strip().partition("\n")[0][:_MOST_WORDS] or type(problem).__name__
            raise self._rest(f"does not start: {said}") from None

    def _rest(self, why: str) -> BrowserUnusable:
        """Remember that there is no browser: the next pages would not find one either."""
        self._trouble = f"{name_browser(self._settings, self._executable)} {why}"
        self._rests_until = self._clock.monotonic() + REST_SECONDS
        return BrowserUnusable(self._trouble)

    async def _launch(self, proxy: str) -> RunningBrowser:
        async with asyncio.timeout(_START_SECONDS):
            browser = await self._open(proxy, sandbox=not is_root())
            try:
                session = await browser.new_browser_cdp_session()
                found = await session.send("SystemInfo.getProcessInfo")
                pid = next(each["id"] for each in found["processInfo"] if each["type"] == "browser")
            except BaseException:  # it is not registered yet: nobody else would close it
                with suppress(Exception):
                    async with asyncio.timeout(_END_SECONDS):
                        await browser.close()
                raise
        running = RunningBrowser(browser, session, pid)
        browser.on("disconnected", lambda _: running.ended.set())
        self._all.add(running)
        self.started += 1
        return running

    async def _open(self, proxy: str, *, sandbox: bool) -> Browser:
        if self._driver is None:
            self._driver = await start_driver()
        try:
            return await self._driver.chromium.launch(
                executable_path=self._executable,
                headless=True,
                args=list(_ARGUMENTS),
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
            if not self._warned_of_sandbox:
                _LOG.warning(WITHOUT_SANDBOX)
            self._warned_of_sandbox = True
            return await self._open(proxy, sandbox=False)

    async def _stop_driver(self) -> None:
        driver, self._driver = self._driver, None
        if driver is not None:
            with suppress(Exception):
                async with asyncio.timeout(_END_SECONDS):
                    await driver.stop()


async def start_driver() -> Playwright:
    """Start Playwright's driver, protected from signals meant for us: we end it after our pages.

    A signal to our process group (``timeout``, a terminal, some supervisors) also reaches the
    driver. If it obeyed, all pages in progress would be lost. Its browser is in a group of its
    own. Both end with us in any case: the driver when its input ends, the browser when the driver
    does.
    """
    try:
        from playwright.async_api import async_playwright
    except ModuleNotFoundError:
        raise UsageError(MISSING) from None
    manager = async_playwright()
    before = os.environ.get(_OPTIONS)  # Playwright passes our whole environment on
    os.environ[_OPTIONS] = f"{before} {_IGNORE_SIGTERM}" if before else _IGNORE_SIGTERM
    try:
        driver = await manager.start()
    finally:
        if before is None:
            os.environ.pop(_OPTIONS, None)
        else:
            os.environ[_OPTIONS] = before
    # keep asyncio from printing the driver's last error: its pages report that it is gone
    internals: Any = manager
    for name in ("_client", "_connection"):  # there is no public way; it differs by version
        transport = getattr(getattr(internals, name, None), "_transport", None)
        error = getattr(transport, "on_error_future", None)
        if isinstance(error, asyncio.Future):
            error.add_done_callback(lambda done: done.cancelled() or done.exception())
    return driver
