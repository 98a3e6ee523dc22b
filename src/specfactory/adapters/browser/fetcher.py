"""The Fetcher port over Chromium: pages as their scripts make them, behind the gate."""

import asyncio
from collections.abc import Callable, Mapping

from aiohttp.abc import AbstractResolver

from specfactory.adapters.browser.filtering_proxy import FilteringProxy, Pass
from specfactory.adapters.browser.find import BrowserUnusable
from specfactory.adapters.browser.page import BrowserCrashed, BrowserPage
from specfactory.adapters.browser.pool import BrowserPool
from specfactory.adapters.browser.traffic import Document, Traffic
from specfactory.adapters.memory import SystemClock
from specfactory.adapters.network import FetchFailed, Trail, end_of, tls_cause
from specfactory.errors import AddressRefused, Interrupted, UsageError
from specfactory.fetch.addresses import GatePolicy, Target, check_url, headers_for, redirect_url
from specfactory.fetch.ladder import UNUSABLE
from specfactory.model import Cause, FetchEnd, FetchRequest, FetchResponse, Outcome, Rung
from specfactory.ports import Browser, Clock
from specfactory.settings import BrowserSettings

_PAGE_WEIGHT = 5  # a page with everything it loads may be this many times its own limit
_GONE = "the browser was gone before its page"
_FOUND = 302  # status reported when a page's own script goes elsewhere
_NET = "net::ERR_"
_CUT_OFF = FetchEnd(Outcome.NETWORK_ERROR, "the body ended before its announced end", Cause.CUT_OFF)
_PROBLEMS: tuple[tuple[str, FetchEnd], ...] = (
    ("TOO_MANY_REDIRECTS", FetchEnd(Outcome.NETWORK_ERROR, "{}", Cause.REDIRECT_LOOP)),
    ("RESPONSE_HEADERS_TOO_BIG", FetchEnd(Outcome.TOO_LARGE, "the headers are too large")),
    ("CONTENT_DECODING",
     FetchEnd(Outcome.NETWORK_ERROR, "broken encoding: {}", Cause.BROKEN_ENCODING)),
    ("CONTENT_LENGTH", _CUT_OFF),
    ("INCOMPLETE_CHUNKED", _CUT_OFF),
    ("INVALID_HTTP", FetchEnd(Outcome.NETWORK_ERROR, "the answer is not HTTP", Cause.NOT_HTTP)),
    ("EMPTY_RESPONSE", FetchEnd(Outcome.NETWORK_ERROR,
                                "the server closed the connection without an answer",
                                Cause.NO_CONNECTION)),
    ("TIMED_OUT", FetchEnd(Outcome.TIMEOUT, "no connection in time", Cause.NO_CONNECTION)),
    ("NAME_NOT_RESOLVED", FetchEnd(Outcome.DNS_FAILURE, "no such name")),
)  # fmt: skip
"""Chromium's errors, by a part of their name; those of TLS are in ``tls_cause``."""


class _Trail(Trail):
    """What is known of a fetch so far, with the page itself."""

    document: Document | None = None
    dom: bytes = b""

    def answer(self, failed: FetchEnd | None) -> FetchResponse:
        """The response, failed or not; a failed one has no DOM."""
        body = self.document.body if self.document is not None else b""
        rung = Rung.BROWSER_PROXY if self.request.proxy else Rung.BROWSER
        return self.response(failed, body, self.dom if failed is None else b"", rung)


class BrowserFetcher(Browser):
    """GET by a browser that reaches the network only through our own proxy; one event loop."""

    def __init__(
        self,
        policy: GatePolicy,
        settings: BrowserSettings,
        executable: str,
        *,
        clock: Clock | None = None,
        resolver: AbstractResolver | None = None,
        trusts_proxy: Callable[[str], bool] = lambda place: False,
    ) -> None:
        """Take the gate's policy for pages, and a test for proxies that the operator named."""
        self._policy, self._settings = policy, settings
        self._clock = clock or SystemClock()
        self._proxy = FilteringProxy(policy, resolver=resolver, trusts_proxy=trusts_proxy)
        self.pool = BrowserPool(settings, executable, self._clock)
        self._draining = False

    @property
    def trouble(self) -> str:
        """Why no browser can be used now; "" when one can, as far as is known."""
        return self.pool.trouble

    @property
    def works(self) -> bool:
        """True while a browser is running."""
        return self.pool.works

    async def prepare(self) -> str:
        """Start a browser if none runs; returns why that failed, or ""."""
        why = await self.pool.prepare(await self._proxy.start())
        if why and self._draining:
            raise Interrupted(f"{_GONE}: {why}")
        return why

    async def fetch(self, request: FetchRequest) -> FetchResponse:
        """Open one URL and wait for what its scripts make of it, within the caps."""
        trail = _Trail(request, request.url)
        try:
            await self._visit(request, check_url(request.url, self._policy), trail)
        except AddressRefused as refused:
            return trail.answer(end_of(refused))
        except FetchFailed as failed:
            return trail.answer(failed.end)
        except (BrowserUnusable, BrowserCrashed) as gone:
            if self._draining:
                raise Interrupted(f"{_GONE}: {gone}") from None
            end = FetchEnd(Outcome.NETWORK_ERROR, str(gone), Cause.BROWSER_CRASHED)
            if isinstance(gone, BrowserUnusable):
                end = FetchEnd(Outcome.JS_REQUIRED, f"{UNUSABLE}{gone}", Cause.BROWSER_UNUSABLE)
            return trail.answer(end)
        return trail.answer(None)

    async def restart(self) -> None:
        """Use a new browser for the next pages."""
        await self.pool.restart()

    def drain(self) -> None:
        """We are stopping, and the browser may be, too: its end is no page's fault."""
        self._draining = True

    async def close(self) -> None:
        """End the browsers and the proxy; harmless twice."""
        await self.pool.close()
        await self._proxy.close()

    async def _visit(self, request: FetchRequest, target: Target, trail: _Trail) -> None:
        address = await self._proxy.start()
        weight, requests = request.max_bytes * _PAGE_WEIGHT, self._settings.max_requests
        given = self._proxy.admit(weight, requests, request.proxy)
        try:
            async with self.pool.borrow(address) as running:
                page = BrowserPage(running, self._settings, self._clock, request, given)
                try:
                    async with asyncio.timeout(request.timeout_seconds):
                        await self._follow(page, request, target, trail, address)
                except TimeoutError:
                    detail = f"no complete page within {request.timeout_seconds:g} s"
                    raise FetchFailed(Outcome.TIMEOUT, detail) from None
                finally:
                    await page.close()
        except (FetchFailed, AddressRefused, BrowserCrashed, BrowserUnusable, UsageError):
            raise
        except Exception as problem:  # the driver raises many kinds: start a new browser next
            await self.pool.restart()
            raise BrowserCrashed(str(problem).partition("\n")[0][:200]) from None
        finally:
            await self._proxy.revoke(given)

    async def _follow(
        self, page: BrowserPage, request: FetchRequest, target: Target, trail: _Trail, address: str
    ) -> None:
        until = self._clock.monotonic() + request.timeout_seconds
        headers: Mapping[str, str] = request.headers
        while True:
            trail.final_url = target.url
            seen = await page.visit(target, headers, until, address)
            self._note(trail, page.given, target, *seen)
            if redirect_url(target.url, trail.status, trail.headers):
                trail.headers = {**trail.headers, "set-cookie": await page.cookies(target.url)}
            if (following := trail.next_hop(self._policy)) is None:
                return
            if target.origin != following.origin:
                await page.forget_cookies()
            headers = headers_for(headers, target, following)
            target = following

    def _note(
        self, trail: _Trail, given: Pass, target: Target, traffic: Traffic, why: str, dom: bytes
    ) -> None:
        """Take over what a visit gave, or raise why it gave nothing usable."""
        document, marks = traffic.document, traffic.marks
        if document is None:
            # our own proxy knows better why a place was not reached than the browser
            known = given.troubles.get(f"{target.host}:{target.port}") or given.troubles.get("")
            raise FetchFailed(*known[:3]) if known else _explain(why)
        trail.status, trail.headers, trail.document = document.status, document.headers, document
        trail.dom = dom
        asked, answered = marks.get("asked", 0.0), marks.get("answered", 0.0)
        trail.add_time("ttfb", answered - asked)
        trail.add_time("download", marks["read"] - answered)
        if traffic.left_to:
            trail.status, trail.headers = _FOUND, {"location": traffic.left_to}
        if document.rendered:
            trail.add_time("render", self._clock.monotonic() - marks["read"])
        if document.cut:
            raise FetchFailed(Outcome.TOO_LARGE, document.cut)
        if document.broken:
            raise FetchFailed(Outcome.NETWORK_ERROR, document.broken, document.broken_by)
        if document.rendered and not dom and not traffic.left_to:
            raise FetchFailed(Outcome.NETWORK_ERROR, "the page was lost while it was loaded again")
        if len(dom) > traffic.request.max_bytes:
            raise FetchFailed(
                Outcome.TOO_LARGE, f"it grows to over {traffic.request.max_bytes} bytes"
            )


def _explain(why: str) -> FetchFailed:
    """Translate the browser's error code."""
    name = why.removeprefix(_NET)
    said = name.lower().replace("_", " ")
    if cause := tls_cause(name):
        evidence = said if said.startswith("tls") else f"TLS: {said}"
        return FetchFailed(Outcome.NETWORK_ERROR, evidence, cause)
    for mark, end in _PROBLEMS:
        if mark in name:
            return FetchFailed(end.outcome, end.evidence.format(said), end.cause)
    return FetchFailed(Outcome.NETWORK_ERROR, said[:200] or "no answer")
