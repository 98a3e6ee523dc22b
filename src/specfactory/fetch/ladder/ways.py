"""The ways to the network that are available, and a fetch on one rung of the ladder."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import cache

from specfactory.fetch.ladder.ladder import rung_with
from specfactory.fetch.proxies import ProxyPool
from specfactory.model import (
    FetchEnd,
    FetchRequest,
    FetchResponse,
    Frozen,
    HostPolicy,
    Proxy,
    Rung,
    field,
)
from specfactory.ports import Browser, Fetcher

NO_BROWSER = "no browser is installed"
UNUSABLE = "it cannot be used: "  # begins the reason when the browser itself fails
NO_PROXIES = "the settings name no proxies"
NONE_READY = "all proxies rest"


@cache
def _rungs_with(browser: bool, proxies: bool) -> frozenset[Rung]:
    return frozenset(
        rung
        for rung in Rung
        if (browser or not rung.uses_browser) and (proxies or not rung.uses_proxy)
    )


class Ways(Frozen):
    """Fetchers by their means; proxies are chosen from the pool."""

    http: Fetcher
    browser: Browser | None = None
    browser_seconds: float = 45.0  # longest time for one page in the browser
    no_browser: str = NO_BROWSER  # why there is none
    proxies: ProxyPool | None = None
    places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))  # for pages

    @property
    def available(self) -> frozenset[Rung]:
        """The rungs that can be used."""
        has_proxies = bool(self.proxies and self.proxies.proxies)
        return _rungs_with(self.browser is not None and not self.browser.trouble, has_proxies)

    def why_not(self, rung: Rung) -> str:
        """Say why a rung cannot be used; "" when it can."""
        if rung.uses_browser and self.browser is None:
            return self.no_browser
        if rung.uses_browser and self.browser is not None and self.browser.trouble:
            return f"{UNUSABLE}{self.browser.trouble}"
        if rung.uses_proxy and (self.proxies is None or self.proxies.is_empty):
            return NO_PROXIES
        return ""

    async def plainest(self, rung: Rung, host: str, policy: HostPolicy) -> Way:
        """The fallback for a rung that is not available: without proxy, else plain HTTP."""
        without = rung_with(browser=rung.uses_browser, proxy=False)
        return await self.choose(without, host, policy) or Way(Rung.HTTP, self)

    async def choose(self, rung: Rung, host: str, policy: HostPolicy) -> Way | None:
        """The way of a rung to a host; None when no proxy or no browser is ready."""
        if rung.uses_browser and (self.browser is None or await self.browser.prepare()):
            return None
        if not rung.uses_proxy or self.proxies is None:
            return Way(rung, self)
        proxy = await self.proxies.choose(host, policy.care.proxy_tier)
        return Way(rung, self, proxy) if proxy is not None else None


class Room:
    """One browser page slot; may be taken and left repeatedly.

    Acquired before the rate limit, never after it: turns that wait for the browser would all be
    used at the same moment when it becomes free, and the host would see no pause between them.
    """

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


class Way(Frozen):
    """One try's way to the network."""

    rung: Rung
    ways: Ways
    proxy: Proxy | None = None

    def timeout(self, plain_seconds: float, policy: HostPolicy) -> float:
        """Timeout of a page this way."""
        seconds = self.ways.browser_seconds if self.rung.uses_browser else plain_seconds
        return seconds * max(policy.care.timeout_factor, 0.1)

    def room(self) -> Room | None:
        """A browser page slot; None where none is needed."""
        if not self.rung.uses_browser or self.ways.browser is None:
            return None
        return Room(self.ways.browser, self.ways.places)

    async def fetch(self, request: FetchRequest) -> FetchResponse:
        """Send one request; the response says which way it came."""
        browser = self.ways.browser if self.rung.uses_browser else None
        place = ""
        if self.proxy is not None:
            request, place = replace(request, proxy=self.proxy.url), self.proxy.place
        response = await (browser or self.ways.http).fetch(request)
        if response.rung is self.rung and response.proxy == place:
            return response
        return replace(response, rung=self.rung, proxy=place)

    async def report(self, host: str, end: FetchEnd, seconds: float) -> None:
        """Report to the pool how its proxy did."""
        if self.proxy is not None and self.ways.proxies is not None:
            await self.ways.proxies.report(self.proxy, host, end, seconds or None)
