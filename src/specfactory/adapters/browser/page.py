"""One page in the browser: opened in its own context, waited for, read and closed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct, field

from specfactory.adapters.browser.filtering_proxy import Pass
from specfactory.adapters.browser.pool import HARD_MEMORY_FACTOR, RunningBrowser
from specfactory.adapters.browser.traffic import Traffic
from specfactory.fetch.addresses import Target
from specfactory.fetch.outcomes import (
    ACCEPTING,
    MAKERS_ACCEPTING,
    MAKERS_REFUSING,
    REFUSING,
    SUBJECTS,
)
from specfactory.model import FetchRequest
from specfactory.ports import Clock
from specfactory.proof.text import DROPPED, TURNED_MARK, UNSEEN_MARK
from specfactory.settings import BrowserSettings
from specfactory.word_lists import read_text

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession

_Given = TypeVar("_Given")

_LOOK_SECONDS = 0.1  # between two checks whether the page is quiet
_ANSWER_SECONDS = 2.0  # a page that takes longer to answer is busy
_MEMORY_SECONDS = 1.0
_CLOSE_SECONDS = 3.0
_TRIES = 10
_LEFT_FOR_READING = 0.25  # share of the time reserved for reading the page
_COUNT = "document.getElementsByTagName('*').length"
_MOST_PRESSES = 2  # a wall may have a second page
CRASHED = "browser crashed"


class BrowserCrashed(Exception):
    """The browser or the page's process ended, or had to be killed."""

    def __str__(self) -> str:
        why = super().__str__()
        return f"{CRASHED}: {why}" if why else CRASHED


class BrowserPage(Struct):
    """A page in a fresh context of a running browser."""

    running: RunningBrowser
    settings: BrowserSettings
    clock: Clock
    request: FetchRequest
    given: Pass
    _context: BrowserContext | None = None
    _crashed: asyncio.Event = field(default_factory=asyncio.Event)
    _world: int = 0

    async def visit(
        self, target: Target, headers: Mapping[str, str], until: float, proxy: str
    ) -> tuple[Traffic, str, bytes]:
        """Go to a URL; returns its traffic, why it was not reached, and the serialised page."""
        named = {name.lower(): value for name, value in headers.items()}
        if self._context is None:
            self._context = await self.running.browser.new_context(
                proxy={"server": proxy, "bypass": "<-loopback>"},
                user_agent=named.get("user-agent"),
                locale=(named.get("accept-language") or "en").split(",")[0].split(";")[0],
                service_workers="block",
                accept_downloads=False,
            )
        pairs = (part.strip().partition("=") for part in named.get("cookie", "").split(";"))
        cookies: list[Any] = [
            {"name": name, "value": value, "url": target.url}
            for name, equals, value in pairs
            if equals
        ]
        if cookies:
            await self._context.add_cookies(cookies)
        page = await self._context.new_page()
        page.on("crash", lambda _: self._crashed.set())
        cdp = await self._context.new_cdp_session(page)
        tree = await cdp.send("Page.getFrameTree")
        traffic = Traffic(
            cdp, tree["frameTree"]["frame"]["id"], target, headers, self.request, self.given,
            self.settings.max_requests, self.clock,
        )  # fmt: skip
        await traffic.watch()
        try:
            problem, dom = await self._go(cdp, traffic, target, until)
        finally:
            await traffic.stop()
            with suppress(Exception):
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await page.close()
        return traffic, problem, dom

    async def _go(
        self, cdp: CDPSession, traffic: Traffic, target: Target, until: float
    ) -> tuple[str, bytes]:
        gone = await self._or_crash(cdp.send("Page.navigate", {"url": target.url}))
        if traffic.document is None:
            return str(gone.get("errorText", "")) or "no answer", b""
        if not traffic.document.rendered:
            return "", b""
        await self._settle(cdp, traffic, until)
        press = _consent_script(self.settings.accept_consent)
        for _ in range(_MOST_PRESSES):
            pressed = not traffic.left_to and await self._evaluate_in_time(
                cdp, traffic.frame, press
            )
            if pressed is not True:
                break
            await self._settle(cdp, traffic, until)
        if traffic.left_to:
            return "", b""
        most = self.request.max_bytes + 1  # one more shows that it is too large
        text = await self._evaluate(cdp, traffic.frame, _serialise_script(most))
        return "", str(text).encode("utf-8", "replace")

    async def cookies(self, url: str) -> str:
        """Cookies that the context holds for a URL, as a Set-Cookie header lists them."""
        if self._context is None:
            return ""
        held = await self._or_crash(self._context.cookies([url]))
        return ", ".join(f"{each.get('name', '')}={each.get('value', '')}" for each in held)

    async def forget_cookies(self) -> None:
        """Clear cookies before another origin: they are not separated by port."""
        if self._context is not None:
            await self._or_crash(self._context.clear_cookies())

    async def close(self) -> None:
        """Close the context; a browser that cannot close it is killed."""
        context, self._context = self._context, None
        if context is None or not self.running.alive:
            return
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await context.close()
        except Exception:  # of any kind: nothing may stay behind
            self.running.kill()

    async def _settle(self, cdp: CDPSession, traffic: Traffic, until: float) -> None:
        """Wait until nothing loads and nothing grows any more, or time is up."""
        now = self.clock.monotonic
        last = until - (until - now()) * _LEFT_FOR_READING
        seen: tuple[int, Any] = (-1, -1)
        quiet_since = weighed = now()
        while now() < last and not traffic.left_to:
            state = (traffic.changes, await self._evaluate_in_time(cdp, traffic.frame, _COUNT))
            if state != seen or traffic.pending():
                seen, quiet_since = state, now()
            elif now() - quiet_since >= self.settings.settle_seconds:
                return
            if now() - weighed > _MEMORY_SECONDS:
                weighed = now()
                limit = self.settings.recycle_megabytes * HARD_MEMORY_FACTOR
                if await self.running.megabytes() > limit:
                    self.running.kill()
                    raise BrowserCrashed(f"the page took more than {limit} MB")
            await self._or_crash(asyncio.sleep(_LOOK_SECONDS))

    async def _evaluate_in_time(self, cdp: CDPSession, frame: str, script: str) -> Any:
        """The result of a script; None where the page is too busy to run it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_ANSWER_SECONDS):
                return await self._evaluate(cdp, frame, script)
        return None

    async def _evaluate(self, cdp: CDPSession, frame: str, script: str) -> Any:
        """Run a script in an isolated world, out of reach of the page's scripts."""
        from playwright.async_api import Error

        for left in reversed(range(_TRIES)):
            try:
                if not self._world:
                    wanted = {"frameId": frame}
                    made = await self._or_crash(cdp.send("Page.createIsolatedWorld", wanted))
                    self._world = made["executionContextId"]
                ours = {"expression": script, "contextId": self._world, "returnByValue": True}
                answer = await self._or_crash(cdp.send("Runtime.evaluate", ours))
                return answer["result"].get("value", "")
            except Error:  # the page has reloaded itself: the old world is gone
                self._world = 0
                if not left:
                    raise
                await asyncio.sleep(_LOOK_SECONDS)
        raise AssertionError("unreachable")

    async def _or_crash(self, work: Awaitable[_Given]) -> _Given:
        """The result of the work, unless the browser dies before it."""
        doing = asyncio.ensure_future(work)
        ends = [asyncio.ensure_future(e.wait()) for e in (self._crashed, self.running.ended)]
        try:
            await asyncio.wait({doing, *ends}, return_when=asyncio.FIRST_COMPLETED)
            if doing.done() and not self._crashed.is_set():
                return doing.result()
            raise BrowserCrashed
        finally:
            for task in (doing, *ends):
                task.cancel()
            await asyncio.gather(doing, *ends, return_exceptions=True)


@cache
def _consent_script(accept: bool) -> str:
    """The script that presses the refusing button of a consent wall that covers the page.

    It presses as a person would and touches nothing else; a strip at the edge of a page covers
    nothing and is left alone. With ``accept``, walls that cannot be refused are accepted.
    """
    choices = [{"makers": MAKERS_REFUSING, "phrases": REFUSING}]
    if accept:
        choices.append({"makers": MAKERS_ACCEPTING, "phrases": ACCEPTING})
    script = read_text("adapters/browser/consent.js").rstrip()
    return script % (json.dumps(SUBJECTS), json.dumps(choices))


def _serialise_script(most: int) -> str:
    """The script that gives the page as rendered, with marks on what it does not show."""
    script = read_text("adapters/browser/serialise.js").rstrip()
    given = json.dumps([most, UNSEEN_MARK, TURNED_MARK, sorted(DROPPED)])
    return f"{script}(...{given})"
