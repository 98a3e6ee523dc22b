"""The ways to the network that there are, and how a page is fetched on one rung of the ladder."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from specfactory.fetch.ladder import uses_browser, uses_proxy
from specfactory.fetch.proxies import ProxyPool
from specfactory.model import FetchRequest, FetchResponse, HostCare, Outcome, Rung
from specfactory.model.proxy import Proxy
from specfactory.ports import Fetcher

NO_BROWSER = "no browser is installed"
NO_PROXIES = "the settings name no proxies"
NONE_READY = "all proxies rest"


@cache
def _rungs_with(browser: bool, proxies: bool) -> frozenset[Rung]:
    return frozenset(
        rung
        for rung in Rung
        if (browser or not uses_browser(rung)) and (proxies or not uses_proxy(rung))
    )


@dataclass(frozen=True, slots=True)
class Ways:
    """Fetchers by what they can do; proxies are chosen from the pool."""

    http: Fetcher
    browser: Fetcher | None = None
    browser_seconds: float = 45.0  # longest time for one page in the browser
    no_browser: str = NO_BROWSER  # why there is none
    proxies: ProxyPool | None = None

    @property
    def available(self) -> frozenset[Rung]:
        """The rungs that can be used."""
        has_proxies = bool(self.proxies and self.proxies.proxies)
        return _rungs_with(self.browser is not None, has_proxies)

    def why_not(self, rung: Rung) -> str:
        """Why a rung cannot be used; "" when it can."""
        if uses_browser(rung) and self.browser is None:
            return self.no_browser
        if uses_proxy(rung) and (self.proxies is None or self.proxies.is_empty):
            return NO_PROXIES
        return ""

    async def choose(self, rung: Rung, host: str, care: HostCare) -> Way | None:
        """The way of a rung to a host; None when no proxy is ready."""
        if not uses_proxy(rung) or self.proxies is None:
            return Way(rung, self)
        proxy = await self.proxies.choose(host, care.proxy_tier)
        return Way(rung, self, proxy) if proxy is not None else None


@dataclass(frozen=True, slots=True)
class Way:
    """How one try at a page goes to the network."""

    rung: Rung
    ways: Ways
    proxy: Proxy | None = None

    def timeout(self, plain_seconds: float, care: HostCare) -> float:
        """The longest time for a page this way."""
        seconds = self.ways.browser_seconds if uses_browser(self.rung) else plain_seconds
        return seconds * max(care.timeout_factor, 0.1)

    async def fetch(self, request: FetchRequest) -> FetchResponse:
        """One request; the response says which way it came."""
        browser = self.ways.browser if uses_browser(self.rung) else None
        place = ""
        if self.proxy is not None:
            request, place = replace(request, proxy=self.proxy.url), self.proxy.place
        response = await (browser or self.ways.http).fetch(request)
        if response.rung is self.rung and response.proxy == place:
            return response
        return replace(response, rung=self.rung, proxy=place)

    async def report(self, host: str, outcome: Outcome, evidence: str, seconds: float) -> None:
        """Tell the pool how its proxy did."""
        if self.proxy is not None and self.ways.proxies is not None:
            await self.ways.proxies.report(self.proxy, host, outcome, seconds or None, evidence)
