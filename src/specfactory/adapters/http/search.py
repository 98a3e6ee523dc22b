"""The Search port over a web search API that answers JSON, as the operator names it."""

from urllib.parse import quote, urlsplit

import msgspec

from specfactory.adapters.http.fetcher import HttpFetcher
from specfactory.errors import SettingError
from specfactory.fetch.addresses import GatePolicy, parse_url
from specfactory.model import Json, Product, Source
from specfactory.ports import Clock, Fetcher, Hit, Search
from specfactory.redaction import HIDDEN
from specfactory.settings import FetchSettings

WAY = "web_search"
_MAX_HITS = 10
_MAX_BYTES = 2_000_000
_TIMEOUT_SECONDS = 20.0
_LISTS = (("results",), ("web", "results"), ("items",), ("organic_results",), ("webPages", "value"))


class JsonSearch(Search):
    """Asks one endpoint, which alone is trusted by host and port; never fetches pages."""

    def __init__(
        self, web_url: str, *, fetcher: Fetcher | None = None, clock: Clock | None = None
    ) -> None:
        allowed = "an http or https URL that contains {query}"
        if "{query}" not in web_url:
            raise SettingError("search.web_url", HIDDEN, allowed)
        try:
            target = parse_url(web_url.replace("{query}", "x"))
        except ValueError as problem:
            raise SettingError("search.web_url", HIDDEN, f"{allowed} ({problem})") from None
        policy = GatePolicy(trusted=frozenset({(target.host, target.port)}))
        self._url = web_url
        self._fetcher = fetcher or HttpFetcher(policy, clock=clock)

    async def search(self, product: Product, source: Source | None) -> list[Hit]:
        """Results of the web search, of one source's host when one is given; none on failure."""
        site = f" site:{source.host.partition(':')[0]}" if source is not None else ""
        query = f"{product.name} specifications{site}"
        response = await self._fetcher.fetch(
            FetchSettings().request(
                self._url.replace("{query}", quote(query, safe="")),
                {"Accept": "application/json"},
                max_bytes=_MAX_BYTES,
                timeout_seconds=_TIMEOUT_SECONDS,
            )
        )
        if response.failure is not None or response.status != 200:
            return []
        try:
            answer = msgspec.json.decode(response.body)
        except (msgspec.DecodeError, RecursionError):
            return []
        hits: dict[str, Hit] = {}
        for entry in _entries(answer):
            if not isinstance(entry, dict):
                continue
            url = entry.get("url") or entry.get("link") or entry.get("href")
            title = entry.get("title") or entry.get("name") or ""
            if not isinstance(url, str) or not url.startswith(("http://", "https://")):
                continue
            if source is None or _is_at(url, source.host):
                hits[url] = Hit(url, str(title)[:300], WAY)
        return list(hits.values())[:_MAX_HITS]

    async def close(self) -> None:
        await self._fetcher.close()


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


def _is_at(url: str, host: str) -> bool:
    try:
        found = urlsplit(url).netloc.lower()
    except ValueError:
        return False
    return found.removeprefix("www.") == host.lower().removeprefix("www.")
