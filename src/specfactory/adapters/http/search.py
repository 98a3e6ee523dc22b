"""The Search port over a web search API that answers JSON, as the operator names it."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote, urlsplit

import msgspec

from specfactory.adapters.http.fetcher import HttpFetcher
from specfactory.errors import SettingError
from specfactory.fetch.addresses import GatePolicy, Target, parse_url
from specfactory.model import FetchRequest, Json, Product, Source
from specfactory.ports import Clock, Fetcher, Hit

WAY = "web_search"
_MAX_HITS = 10
_MAX_BYTES = 2_000_000
_TIMEOUT_SECONDS = 20.0
_LISTS = (("results",), ("web", "results"), ("items",), ("organic_results",), ("webPages", "value"))


class JsonSearch:
    """Asks one endpoint, which alone is trusted by host and port; pages never come this way."""

    def __init__(
        self, web_url: str, *, fetcher: Fetcher | None = None, clock: Clock | None = None
    ) -> None:
        target = _endpoint(web_url)
        policy = GatePolicy(trusted=frozenset({(target.host, target.port)}))
        self._url = web_url
        self._fetcher = fetcher or HttpFetcher(policy, clock=clock)

    async def search(self, product: Product, source: Source | None) -> list[Hit]:
        """Results of the web search, of one source's host when one is given; none on failure."""
        response = await self._fetcher.fetch(
            FetchRequest(
                self._url.replace("{query}", quote(_query(product, source), safe="")),
                {"Accept": "application/json"},
                max_bytes=_MAX_BYTES,
                timeout_seconds=_TIMEOUT_SECONDS,
            )
        )
        if response.failure is not None or response.status != 200:
            return []
        hits = {hit.url: hit for hit in _hits(response.body) if _fits(hit, source)}
        return list(hits.values())[:_MAX_HITS]

    async def close(self) -> None:
        """Let go of connections."""
        await self._fetcher.close()


def _endpoint(web_url: str) -> Target:
    allowed = "an http or https URL that contains {query}"
    if "{query}" not in web_url:
        raise SettingError("search.web_url", web_url, allowed)
    try:
        return parse_url(web_url.replace("{query}", "x"))
    except ValueError as problem:
        raise SettingError("search.web_url", web_url, f"{allowed} ({problem})") from None


def _query(product: Product, source: Source | None) -> str:
    site = f" site:{source.host.partition(':')[0]}" if source is not None else ""
    return f"{product.name} specifications{site}"


def _hits(body: bytes) -> Iterator[Hit]:
    try:
        answer = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return
    for entry in _entries(answer):
        if not isinstance(entry, dict):
            continue
        url = entry.get("url") or entry.get("link") or entry.get("href")
        title = entry.get("title") or entry.get("name") or ""
        if isinstance(url, str) and url.startswith(("http://", "https://")):
            yield Hit(url, str(title)[:300], WAY)


def _entries(answer: Json) -> list[Json]:
    """The list of results, wherever the API puts it."""
    if isinstance(answer, list):
        return answer
    for path in _LISTS:
        found = answer
        for key in path:
            found = found.get(key) if isinstance(found, dict) else None
        if isinstance(found, list):
            return found
    return []


def _fits(hit: Hit, source: Source | None) -> bool:
    if source is None:
        return True
    try:
        host = urlsplit(hit.url).netloc.lower()
    except ValueError:
        return False
    return host.removeprefix("www.") == source.host.lower().removeprefix("www.")
