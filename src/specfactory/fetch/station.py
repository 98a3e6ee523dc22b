"""The fetch station: gate → robots → politeness → ladder → outcome → Page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random

from specfactory.errors import AddressRefused
from specfactory.fetch.addresses import (
    NO_LOGINS,
    GatePolicy,
    Logins,
    Target,
    check_url,
    redirect_url,
)
from specfactory.fetch.host_care import ChainCookies, moved_url, refusal
from specfactory.fetch.ladder import (
    NONE_READY,
    Way,
    Ways,
    begin_at,
    helpful_rung,
    learned,
    next_rung,
    rung_with,
)
from specfactory.fetch.outcomes import classify, without_words
from specfactory.fetch.politeness import Politeness
from specfactory.fetch.robots import MAX_ROBOTS_BYTES, RobotsBook
from specfactory.fetch.snapshots import (
    as_read,
    conditions,
    confirmed,
    host_of,
    make_page,
)
from specfactory.model import (
    Cause,
    Climb,
    Fault,
    Fetched,
    FetchEnd,
    FetchRequest,
    FetchResponse,
    Frozen,
    HostPolicy,
    Outcome,
    OutcomeFacts,
    Page,
    Rung,
    RungNeed,
    Tier,
    facts_of,
    replace,
)
from specfactory.ports import Clock, Fetcher, SharedState
from specfactory.settings import FetchSettings
from specfactory.store import HostPolicies

_MAX_ROBOTS_REDIRECTS = 5
_LARGE_BYTES = 500_000
_NEEDS = {Rung.HTTP_PROXY: "a proxy", Rung.BROWSER: "a browser",
          Rung.BROWSER_PROXY: "a browser behind a proxy"}  # fmt: skip

Judge = Callable[[FetchResponse], Awaitable[FetchEnd]]


class _Trip(Frozen):
    """One try at a page: its way to the network, the host's policy, what it obeys."""

    way: Way
    policy: HostPolicy
    previous: Page | None = None
    obey_robots: bool = True
    host: str = ""  # of the page; "" where a pause does not matter

    @property
    def keeps_cookies(self) -> bool:
        """True if the cookies of a redirect are sent back along it, as every browser does."""
        return self.policy.care.keep_cookies or self.way.rung.uses_browser


class _End(Frozen):
    """The end of one try."""

    response: FetchResponse
    end: FetchEnd

    @property
    def facts(self) -> OutcomeFacts:
        """The consequences of its outcome and cause."""
        return facts_of(self.end.outcome, self.end.cause)


class FetchStation:
    """Fetches pages politely, and never raises for what the web does."""

    def __init__(
        self,
        fetcher: Fetcher | Ways,
        state: SharedState,
        clock: Clock,
        settings: FetchSettings,
        random: Random,
        *,
        policies: HostPolicies | None = None,
        logins: Logins = NO_LOGINS,
    ) -> None:
        """Takes the ways to the network (a bare fetcher: plain HTTP) and the policies of hosts."""
        self._ways = fetcher if isinstance(fetcher, Ways) else Ways(fetcher)
        self._clock, self._settings, self._random = clock, settings, random
        self._policies, self._logins = policies or HostPolicies(state, clock), logins
        self._gate = GatePolicy(allow_loopback=settings.allow_loopback)
        self._troubles: dict[str, FetchResponse] = {}  # host -> its last support fetch, failed
        self._politeness = Politeness(state, clock, settings, self._policies)
        self._robots = RobotsBook(
            state, clock, settings.user_agent, settings.robots_hours, self._ask_robots
        )

    async def fetch_page(self, url: str, tier: Tier, previous: Page | None = None) -> Fetched:
        """Fetch one page; a refused or failed fetch is a page too, with its outcome.

        With ``previous``, the server is asked only for what changed since.
        """
        host = host_of(url)
        policy = await self._policies.of(host)
        end = await self._under(policy, url, previous)
        latest = await self._policies.of(host)
        is_changed = latest.care != policy.care and self._refusal(latest, host) is None
        if is_changed and not end.facts.is_good:
            # it failed under a policy that was given up meanwhile; the new one may do better
            end = await self._under(latest, url, previous)
        return self._fetched(url, tier, end, previous, latest)

    async def fetch_support(self, url: str) -> FetchResponse:
        """Fetch a sitemap or a search result: same gate, robots.txt and politeness."""
        response = await self._fetch_plainly(self._request(url))
        if response.failure is None:
            self._troubles.pop(host_of(url), None)
        else:
            self._troubles[host_of(url)] = replace(response, body=b"")
        return response

    async def start_afresh(self, url: str) -> None:
        """Load robots.txt and close connections, so that a page is timed from its start."""
        with suppress(AddressRefused):
            target = check_url(url, self._gate)
            if self._settings.respect_robots:
                await self._robots.answer_for(target)
        await self._ways.http.close()

    def trouble_of(self, host: str) -> FetchResponse | None:
        """The failed response of the last search at a host, without its body; None: it worked."""
        return self._troubles.get(host)

    def trouble_at(self, host: str) -> str:
        """The reason why a host could not be searched: "robots", an outcome, or "" for none."""
        response = self._troubles.get(host)
        if response is None or response.failure is None:
            return ""
        return (Cause.ROBOTS if response.cause is Cause.ROBOTS else response.failure).value

    def host_of(self, url: str) -> str:
        """Host and port of a URL, as sources and pages name it; "" when it is no URL."""
        return host_of(url)

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
        return await self._fetch_plainly(request, obey_robots=False)

    async def _fetch_plainly(
        self, request: FetchRequest, *, obey_robots: bool = True
    ) -> FetchResponse:
        """Fetch what no browser is needed for; through a proxy, where the host wants one."""
        host = host_of(request.url)
        policy = await self._policies.of(host)
        if (refused := self._refusal(policy, host)) is not None:
            return _failed(_nothing(request.url), refused)
        rung = rung_with(browser=False, proxy=policy.care.rung.uses_proxy)
        way = await self._ways.choose(rung, host, policy) or Way(Rung.HTTP, self._ways)
        trip = _Trip(way, policy, obey_robots=obey_robots)
        return (await self._try(request, trip, _as_answered)).response

    async def _under(self, policy: HostPolicy, url: str, previous: Page | None) -> _End:
        """Fetch a page under this policy; no request goes out while the host is paused."""
        if (refused := self._refusal(policy, host_of(url))) is not None:
            return _End(_failed(_nothing(url), refused), refused)
        return await self._climb(moved_url(url, policy.care), policy, previous)

    def _refusal(self, policy: HostPolicy, host: str) -> FetchEnd | None:
        return refusal(policy, host, self._clock.now())

    async def _climb(self, url: str, policy: HostPolicy, previous: Page | None) -> _End:
        """Try rung by rung, each once, until the page comes or nothing that is left would help."""
        host, left = host_of(url), set(self._ways.available)
        began_at, end, first = self._clock.now(), None, None
        memory = await self._policies.memory(host)  # the page may have moved to another host
        rung: Rung | None = begin_at(memory, left, policy.care.rung, began_at)
        tries: list[tuple[Rung, float]] = []
        while rung is not None:
            left.discard(rung)
            way = await self._ways.choose(rung, host, policy)
            if way is None and end is None:
                way = await self._ways.plainest(rung, host, policy)
            if way is not None:
                trip = _Trip(way, policy, previous, host=host)
                latest = await self._try(self._request(url), trip, _classify)
                # Where no request went out (the breaker opened, or a Retry-After came), or the
                # proxy itself failed, the page's end is what the server said before.
                no_answer = latest.response.rung is not way.rung
                if end is not None and (no_answer or latest.facts.fault is Fault.PROXY):
                    break
                first, end = first or latest, latest
                tries.append((way.rung, _wire_seconds(end.response)))
            assert end is not None
            rung = next_rung(tries[-1][0], end.facts, left)
        assert end is not None
        if end.facts.teaches:
            after = learned(await self._policies.memory(host), tries, self._clock.now())
            if after is not None:
                if first is not None and first is not end:
                    climb = Climb(
                        tries[0][0], tries[-1][0], began_at, first.end.outcome, first.end.evidence,
                        first.response.status, url, first.end.cause,
                    )  # fmt: skip
                    after = replace(after, climb=climb)
                await self._policies.learn(host, after)
        return self._with_need(end, tries[-1][0])

    async def _try(self, request: FetchRequest, trip: _Trip, judge: Judge) -> _End:
        """One try on one rung; a proxy that itself fails is replaced once."""
        host, way = host_of(request.url), trip.way
        end = await self._one_try(request, trip, judge)
        if way.proxy is None or end.facts.fault is not Fault.PROXY:
            return end
        other = await self._ways.choose(way.rung, host, trip.policy)
        return await self._one_try(request, replace(trip, way=other), judge) if other else end

    async def _one_try(self, request: FetchRequest, trip: _Trip, judge: Judge) -> _End:
        seconds = trip.way.timeout(request.timeout_seconds, trip.policy)
        asked = replace(request, timeout_seconds=seconds)
        if trip.policy.care.plain:
            asked = replace(asked, headers={**request.headers, "Accept-Encoding": "identity"})
        response = await self._follow(asked, trip)
        end = await judge(as_read(response))
        # what never went through the proxy says nothing of it
        said = end if response.proxy else FetchEnd(Outcome.REFUSED, "")
        await trip.way.report(host_of(request.url), said, _wire_seconds(response))
        return _End(response, end)

    def _with_need(self, end: _End, rung: Rung) -> _End:
        """Add to the evidence what would be needed for a page, where that is missing."""
        wanted = helpful_rung(rung, end.facts)
        if wanted is None:
            return end
        why = self._ways.why_not(wanted) or (NONE_READY if wanted.uses_proxy else "")
        if not why:
            return end
        said = f"{end.end.evidence}; {_NEEDS[wanted]} might help, but {why}"
        # Where a page wants scripts, a browser that does not start is our fault, not its host's.
        ours = end.facts.needs is RungNeed.BROWSER and self._ways.has_broken_browser
        cause = Cause.BROWSER_UNUSABLE if ours else end.end.cause
        return replace(end, end=end.end._replace(evidence=said, cause=cause))

    async def _follow(self, request: FetchRequest, trip: _Trip) -> FetchResponse:
        """Follow redirects; each hop has its own gate, robots.txt and turn at its host."""
        chain: list[str] = []
        hop, cookies = request, ChainCookies(trip.keeps_cookies)
        while True:
            response = await self._hop(hop, trip, cookies)
            location = redirect_url(response.final_url, response.status, response.headers)
            if chain or response.url != request.url:
                response = replace(response, url=request.url, redirects=tuple(chain))
            if location is None:
                return response
            problem = ""
            # with its cookies, a page may well be asked for a second time
            seen = chain.count(location) + (location == request.url)
            if len(chain) >= request.max_redirects:
                problem = f"more than {request.max_redirects} redirects"
            elif seen > trip.keeps_cookies:
                problem = f"redirects in a circle, back to {location[:200]}"
            if problem:
                end = FetchEnd(Outcome.NETWORK_ERROR, problem, Cause.REDIRECT_LOOP)
                return _failed(response, end)
            chain.append(location)
            cookies.take(response.final_url, response.headers)
            left = hop.timeout_seconds - _wire_seconds(response)
            hop = replace(hop, url=location, timeout_seconds=max(left, 0.001))

    async def _hop(
        self, request: FetchRequest, trip: _Trip, cookies: ChainCookies
    ) -> FetchResponse:
        try:
            target = check_url(request.url, self._gate)
        except AddressRefused as refused:
            end = FetchEnd(Outcome.REFUSED, f"gate: {refused.reason}", Cause.GATE)
            return _failed(_nothing(request.url), end)
        crawl_delay = trip.policy.care.delay_seconds
        if trip.obey_robots and self._settings.respect_robots:
            answer = await self._robots.answer_for(target)
            if answer.failure is not None:
                return _failed(_nothing(request.url), answer.failure)
            rule = answer.robots.deciding_rule(target.url)
            if rule is not None and not rule.allow:
                said = f"robots.txt forbids it: {rule}"
                end = FetchEnd(Outcome.REFUSED, said, Cause.ROBOTS)
                return _failed(_nothing(request.url), end)
            crawl_delay = max(crawl_delay, answer.robots.crawl_delay_seconds)
        headers = {**request.headers, **cookies.give(target)}
        if not trip.way.rung.uses_browser:
            headers.update(conditions(target.url, trip.previous))
        asked = replace(request, url=target.url, headers=headers, max_redirects=0)
        if trip.obey_robots:
            asked = self._logins.applied_to(asked, target)  # for this hop alone
        return await self._take_turn(target, asked, crawl_delay, trip)

    async def _take_turn(
        self, target: Target, request: FetchRequest, crawl_delay: float, trip: _Trip
    ) -> FetchResponse:
        room = trip.way.room()
        try:
            reason = await self._politeness.take_turn(target.netloc, crawl_delay, room)
            if reason is None and target.netloc == trip.host:  # it may be paused meanwhile
                reason = self._refusal(await self._policies.of(trip.host), trip.host)
            if reason is not None:
                return _failed(_nothing(request.url), reason)
            response = await trip.way.fetch(request)
        finally:
            if room is not None:
                room.leave()
        redirected = redirect_url(response.final_url, response.status, response.headers)
        outcome = Outcome.OK if redirected else without_words(response)
        retry_at = await self._politeness.report(target.netloc, outcome, response)
        if redirected:
            return replace(response, failure=None, failure_detail="", cause=Cause.NONE)
        return replace(response, retry_at=retry_at) if retry_at else response

    def _fetched(
        self, url: str, tier: Tier, end: _End, previous: Page | None, policy: HostPolicy
    ) -> Fetched:
        response, now = end.response, self._clock.now()
        body = as_read(response).body if end.facts.keeps_body else b""
        page = make_page(
            f"page-{now:011x}{self._random.getrandbits(48):012x}", url, tier, response,
            end.end, body, now, policy.care.charset,
        )  # fmt: skip
        if page.outcome is Outcome.NOT_MODIFIED and previous is not None:
            page = confirmed(page, previous)
        return Fetched(page, body, response.body if page.response_hash else b"")


async def _classify(response: FetchResponse) -> FetchEnd:
    """Classify; large pages outside the event loop, so that nothing else waits for them."""
    if len(response.body) > _LARGE_BYTES:
        return await asyncio.to_thread(classify, response)
    return classify(response)


async def _as_answered(response: FetchResponse) -> FetchEnd:
    """Any answer is good: a missing sitemap is no failure."""
    outcome = response.failure or Outcome.OK
    return FetchEnd(outcome, response.failure_detail, response.cause, response.retry_at)


def _wire_seconds(response: FetchResponse) -> float:
    """Time on the wire, without the wait for a turn."""
    return sum(response.timings_ms.values()) / 1000


def _nothing(url: str) -> FetchResponse:
    return FetchResponse(url, url, 0, {}, b"")


def _failed(response: FetchResponse, end: FetchEnd) -> FetchResponse:
    return replace(
        response, failure=end.outcome, failure_detail=end.evidence, cause=end.cause,
        retry_at=end.retry_at, body=b"", dom=b"",
    )  # fmt: skip
