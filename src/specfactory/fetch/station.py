"""The fetch station: gate → robots → politeness → Fetcher → outcome → Page."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from random import Random

from specfactory.errors import AddressRefused
from specfactory.fetch.gate import GatePolicy, Target, check_url, parse_url
from specfactory.fetch.outcomes import classify, media_type, without_words
from specfactory.fetch.politeness import Politeness
from specfactory.fetch.redirects import redirect_url
from specfactory.fetch.robots import RobotsBook
from specfactory.fetch.robots_rules import MAX_ROBOTS_BYTES
from specfactory.model import Fetched, FetchRequest, FetchResponse, Outcome, Page, Tier
from specfactory.ports import Clock, Fetcher, SharedState
from specfactory.settings import FetchSettings

REDIRECTS = ":redirects"  # kept among a page's headers; no server can send such a name
FORBIDDEN = "robots.txt forbids"  # how the evidence of a forbidden page begins
_MAX_ROBOTS_REDIRECTS = 5
_PRIVATE = frozenset(
    {"set-cookie", "set-cookie2", "cookie", "authorization", "proxy-authorization",
     "proxy-authenticate", "www-authenticate", "authentication-info"}
)  # fmt: skip
_MAX_HEADERS = 100
_LARGE_BYTES = 500_000
_MAX_HEADER_LENGTH = 2_000
_BODY_DROPPED = frozenset({Outcome.TOO_LARGE, Outcome.REFUSED, Outcome.NETWORK_ERROR})


class FetchStation:
    """Fetches pages politely, and never raises for what the web does."""

    def __init__(
        self,
        fetcher: Fetcher,
        state: SharedState,
        clock: Clock,
        settings: FetchSettings,
        random: Random,
    ) -> None:
        self._fetcher, self._clock = fetcher, clock
        self._settings, self._random = settings, random
        self._policy = GatePolicy(allow_loopback=settings.allow_loopback)
        self._troubles: dict[str, FetchResponse] = {}  # host -> its last support fetch, failed
        self._politeness = Politeness(state, clock, settings)
        self._robots = RobotsBook(
            state, clock, settings.user_agent, settings.robots_hours, self._ask_robots
        )

    async def fetch_page(self, url: str, tier: Tier, previous: Page | None = None) -> Fetched:
        """Fetch one page; a refused or failed fetch is a page too, with its outcome.

        With ``previous``, the server is asked only for what changed since.
        """
        response = await self._follow(self._request(url), previous)
        outcome, evidence = await _classify(response)
        body = b"" if outcome in _BODY_DROPPED else response.body
        return Fetched(self._page(url, tier, response, outcome, evidence, body, previous), body)

    async def fetch_support(self, url: str) -> FetchResponse:
        """Fetch a sitemap or a search result: same gate, robots.txt and politeness."""
        response = await self._follow(self._request(url))
        if response.failure is None:
            self._troubles.pop(_host(url), None)
        else:
            self._troubles[_host(url)] = replace(response, body=b"")
        return response

    async def give_chance(self, host: str) -> None:
        """Something was done about a host that kept failing: let it be asked at once."""
        await self._politeness.give_chance(host)

    def trouble_of(self, host: str) -> FetchResponse | None:
        """How the last search at a host failed, without its body; None: it did not."""
        return self._troubles.get(host)

    def trouble_at(self, host: str) -> str:
        """Why nothing could be searched at a host: "robots", an outcome, or "" for no trouble."""
        response = self._troubles.get(host)
        if response is None or response.failure is None:
            return ""
        if response.failure_detail.startswith(FORBIDDEN):
            return "robots"
        return response.failure.value

    def host_of(self, url: str) -> str:
        """Host and port of a URL, as sources and pages name it; "" when it is no URL."""
        return _host(url)

    def _request(self, url: str) -> FetchRequest:
        s = self._settings
        headers = {"User-Agent": s.user_agent}
        return FetchRequest(
            url, headers, s.max_bytes, s.max_ratio, s.timeout_seconds, s.max_redirects
        )

    async def _ask_robots(self, url: str) -> FetchResponse:
        request = replace(
            self._request(url), max_bytes=MAX_ROBOTS_BYTES, max_redirects=_MAX_ROBOTS_REDIRECTS
        )
        return await self._follow(request, obey_robots=False)

    async def _follow(
        self, request: FetchRequest, previous: Page | None = None, *, obey_robots: bool = True
    ) -> FetchResponse:
        """Go from hop to hop, each with its own gate, robots.txt and turn at its host."""
        chain: list[str] = []
        hop = request
        while True:
            asked = replace(hop, headers={**hop.headers, **_conditions(hop.url, previous)})
            response = await self._hop(asked, obey_robots=obey_robots)
            location = redirect_url(response.final_url, response.status, response.headers)
            response = replace(response, url=request.url, redirects=tuple(chain))
            if location is None:
                return response
            if problem := _redirect_problem(location, chain, request):
                return _failed(response, Outcome.NETWORK_ERROR, problem)
            chain.append(location)
            left = hop.timeout_seconds - _wire_seconds(response)
            hop = replace(hop, url=location, timeout_seconds=max(left, 0.001))

    async def _hop(self, request: FetchRequest, *, obey_robots: bool) -> FetchResponse:
        nothing = FetchResponse(request.url, request.url, 0, {}, b"")
        try:
            target = check_url(request.url, self._policy)
        except AddressRefused as refused:
            return _failed(nothing, Outcome.REFUSED, f"gate: {refused.reason}")
        crawl_delay = 0.0
        if obey_robots and self._settings.respect_robots:
            answer = await self._robots.answer_for(target)
            if answer.failure is not None:
                return _failed(nothing, answer.failure, answer.evidence)
            rule = answer.robots.deciding_rule(target.url)
            if rule is not None and not rule.allow:
                return _failed(nothing, Outcome.REFUSED, f"{FORBIDDEN} it: {rule}")
            crawl_delay = answer.robots.crawl_delay_seconds
        return await self._take_turn(target, request, crawl_delay)

    async def _take_turn(
        self, target: Target, request: FetchRequest, crawl_delay: float
    ) -> FetchResponse:
        reason = await self._politeness.take_turn(target.netloc, crawl_delay)
        if reason is not None:
            return _failed(FetchResponse(request.url, request.url, 0, {}, b""), *reason)
        response = await self._fetcher.fetch(replace(request, url=target.url, max_redirects=0))
        redirected = redirect_url(response.final_url, response.status, response.headers)
        outcome = Outcome.OK if redirected else without_words(response)
        await self._politeness.report(target.netloc, outcome, response)
        return replace(response, failure=None, failure_detail="") if redirected else response

    def _page(
        self,
        url: str,
        tier: Tier,
        response: FetchResponse,
        outcome: Outcome,
        evidence: str,
        body: bytes,
        previous: Page | None,
    ) -> Page:
        kind, charset = media_type(response)
        now = self._clock.now()
        page = Page(
            id=f"page-{now:011x}{self._random.getrandbits(48):012x}",
            url=url,
            final_url=response.final_url,
            host=_host(response.final_url),
            tier=tier,
            fetched_at=now,
            outcome=outcome,
            outcome_evidence=evidence,
            status=response.status,
            headers=_kept_headers(response),
            content_hash=hashlib.sha256(body).hexdigest() if body else "",
            media_type=kind,
            charset=charset,
            size_bytes=len(body),
            timings_ms={part: round(ms, 2) for part, ms in response.timings_ms.items()},
        )
        if outcome is Outcome.NOT_MODIFIED and previous is not None:
            page = replace(
                page,
                content_hash=previous.content_hash,
                media_type=previous.media_type,
                charset=previous.charset,
                size_bytes=previous.size_bytes,
                confirmed_at=now,
            )
        return page


async def _classify(response: FetchResponse) -> tuple[Outcome, str]:
    """Large pages are looked at outside the event loop, so that nothing else waits for them."""
    if len(response.body) > _LARGE_BYTES:
        return await asyncio.to_thread(classify, response)
    return classify(response)


def _conditions(url: str, previous: Page | None) -> dict[str, str]:
    """Ask only for what changed, of the very URL whose body is stored."""
    if previous is None or not previous.content_hash or _canonical(url) != previous.final_url:
        return {}
    conditions = {}
    if etag := previous.headers.get("etag"):
        conditions["If-None-Match"] = etag
    if modified := previous.headers.get("last-modified"):
        conditions["If-Modified-Since"] = modified
    return conditions


def _canonical(url: str) -> str:
    try:
        return parse_url(url).url
    except ValueError:
        return url


def _redirect_problem(location: str, chain: list[str], request: FetchRequest) -> str:
    if len(chain) >= request.max_redirects:
        return f"more than {request.max_redirects} redirects"
    if location == request.url or location in chain:
        return f"redirects in a circle, back to {location[:200]}"
    return ""


def _wire_seconds(response: FetchResponse) -> float:
    """Time on the wire: the wait for one's turn is not held against the server."""
    return sum(response.timings_ms.values()) / 1000


def _failed(response: FetchResponse, outcome: Outcome, detail: str) -> FetchResponse:
    return replace(response, failure=outcome, failure_detail=detail, body=b"")


def _host(url: str) -> str:
    try:
        return parse_url(url).netloc
    except ValueError:
        return ""


def _kept_headers(response: FetchResponse) -> Mapping[str, str]:
    """The headers worth keeping: nothing private, nothing endless."""
    public = [(name, value) for name, value in response.headers.items() if name not in _PRIVATE]
    kept = {name: value[:_MAX_HEADER_LENGTH] for name, value in public[:_MAX_HEADERS]}
    if response.redirects:
        kept[REDIRECTS] = " ".join(response.redirects)
    return kept
