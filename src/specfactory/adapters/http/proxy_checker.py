"""Checks proxies: fetches the operator's check page through them, or asks them directly."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from specfactory.adapters.http.fetcher import HttpFetcher
from specfactory.adapters.network import policy_for, read_upstream
from specfactory.fetch.addresses import GatePolicy
from specfactory.fetch.proxies import PROXY_FAULT, Checked, is_same_page
from specfactory.model import FetchResponse, Outcome, Proxy
from specfactory.ports import Clock, Fetcher
from specfactory.settings import FetchSettings

_MOST_BYTES = 1_000_000
_DIRECT_SECONDS = 600.0  # lifetime of the check page as fetched without a proxy
# the check page has no address that may be asked for, so no proxy was asked
_NOT_ASKED = (Outcome.DNS_FAILURE, Outcome.REFUSED)


class ProxyChecker:
    """Makes one request behind the gate per check."""

    def __init__(
        self,
        fetcher: Fetcher,
        policy: GatePolicy,
        is_trusted: Callable[[str], bool],
        clock: Clock,
        *,
        check_url: str,
        check_seconds: float,
        user_agent: str,
    ) -> None:
        self._fetcher, self._policy, self._is_trusted = fetcher, policy, is_trusted
        self._clock, self._url = clock, check_url
        headers = {"User-Agent": user_agent}
        self._request = FetchSettings().request(
            check_url, headers, max_bytes=_MOST_BYTES, timeout_seconds=check_seconds
        )
        self._direct: FetchResponse | None = None
        self._direct_until = 0.0
        self._asking = asyncio.Lock()

    async def check(self, proxy: Proxy) -> Checked:
        """Check that a proxy works, and how fast it is."""
        if not self._url:
            return await self.ask(proxy)
        began = self._clock.monotonic()
        response = await self._fetcher.fetch(replace(self._request, proxy=proxy.url))
        if response.failure in _NOT_ASKED:
            return await self.ask(proxy)
        took = self._clock.monotonic() - began
        return _judged(took, _problem(response) or await self._lie(response))

    async def ask(self, proxy: Proxy) -> Checked:
        """Check that a proxy answers when asked as if it were a server; any answer will do."""
        began = self._clock.monotonic()
        upstream = read_upstream(proxy.url)
        trusted = self._is_trusted(proxy.place)
        fetcher = HttpFetcher(policy_for(upstream, self._policy, trusted=trusted))
        try:
            asked = replace(self._request, url=str(upstream.url), max_redirects=0)
            response = await fetcher.fetch(asked)
        finally:
            await fetcher.close()
        took = self._clock.monotonic() - began
        return _judged(took, "" if response.status else response.failure_detail)

    async def _lie(self, response: FetchResponse) -> str:
        """Say what is wrong with a page that a proxy made up; under TLS it cannot."""
        if self._url.lower().startswith("https:"):
            return ""
        async with self._asking:
            now = self._clock.monotonic()
            if self._direct is None or now >= self._direct_until:
                self._direct = await self._fetcher.fetch(self._request)
                self._direct_until = now + _DIRECT_SECONDS
            direct = self._direct
        if _problem(direct) or is_same_page(direct.body, response.body):
            return ""
        return "answers with a page of its own"


def _judged(seconds: float, problem: str) -> Checked:
    if problem:
        return Checked(None, problem.removeprefix(PROXY_FAULT))
    return Checked(seconds)


def _problem(response: FetchResponse) -> str:
    if response.failure not in (None, Outcome.TOO_LARGE):
        return response.failure_detail or str(response.failure)
    return "" if 200 <= response.status < 400 else f"the check page answered HTTP {response.status}"
