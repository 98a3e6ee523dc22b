"""The fetch station: gate → robots → politeness → ladder → outcome → Page."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random

from specfactory.errors import AddressRefused, Unreadable
from specfactory.fetch.addresses import (
    NO_LOGINS,
    Logins,
    Target,
    check_url,
    over_limit,
    policy_for_pages,
    redirect_url,
)
from specfactory.fetch.host_care import ChainCookies, asked_with_care, moved_url, refusal
from specfactory.fetch.ladder import NONE_READY, Way, Ways, begin_at, learned, next_rung, rung_with
from specfactory.fetch.outcomes import Judged, judge_body, without_words
from specfactory.fetch.politeness import Politeness
from specfactory.fetch.robots import MAX_ROBOTS_BYTES, RobotsBook
from specfactory.fetch.snapshots import (
    as_read,
    charset_of,
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
from specfactory.ports import Clock, Fetcher, Readers, Shared, SharedState
from specfactory.settings import FetchSettings
from specfactory.store import HostPolicies
from specfactory.store.base import body_hash

_MAX_ROBOTS_REDIRECTS = 5
_NEEDS = {Rung.HTTP_PROXY: "a proxy", Rung.BROWSER: "a browser",
          Rung.BROWSER_PROXY: "a browser behind a proxy"}  # fmt: skip

Judge = Callable[[FetchResponse], Awaitable[Judged]]


class _Trip(Frozen):
    """One try at a page: its way, the policy it is under, the robots.txt it obeys."""

    way: Way
    policy: HostPolicy
    previous: Page | None = None
    obey_robots: bool = True
    host: str = ""  # the page's host, whose pause ends the try; "" where none does

    @property
    def keeps_cookies(self) -> bool:
        """True when cookies of a redirect are sent back along it, as browsers do."""
        return self.policy.care.keep_cookies or self.way.rung.uses_browser


class _End(Frozen):
    """The end of a try."""

    response: FetchResponse
    end: FetchEnd
    is_foreign: bool = False  # its charset has to be guessed

    @property
    def facts(self) -> OutcomeFacts:
        """Consequences of the end."""
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
        readers: Readers,
        *,
        policies: HostPolicies | None = None,
        logins: Logins = NO_LOGINS,
    ) -> None:
        """Take the ways to the network (a bare fetcher: plain HTTP) and the policies of hosts."""
        self._ways = fetcher if isinstance(fetcher, Ways) else Ways(fetcher)
        self._clock, self._settings, self._random = clock, settings, random
        self._readers = readers
        self._policies, self._logins = policies or HostPolicies(state, clock), logins
        self._gate = policy_for_pages(settings.allow_loopback)
        self._failed_searches: dict[str, FetchResponse] = {}  # by host, until one succeeds
        self._politeness = Politeness(state, clock, settings, self._policies)
        self._robots = RobotsBook(
            state, clock, settings.user_agent, settings.robots_hours, self._ask_robots, readers
        )

    async def fetch_page(self, url: str, tier: Tier, previous: Page | None = None) -> Fetched:
        """Fetch one page; a refused or failed fetch is a page, too, with its outcome.

        With ``previous``, the server is asked only for what changed since.
        """
        host = host_of(url)
        policy = await self._policies.of(host)
        end = await self._fetch_under(policy, url, previous)
        latest = await self._policies.of(host)
        is_treated_anew = latest.care != policy.care and self._refusal(latest, host) is None
        if is_treated_anew and not end.facts.is_good:
            # it failed under a policy that has been replaced: that says nothing of the new one
            end = await self._fetch_under(latest, url, previous)
        response, now = end.response, self._clock.now()
        body = as_read(response).body if end.facts.keeps_body else b""
        charset, judged = latest.care.charset, end.end
        if end.is_foreign and body:
            charset, judged = await self._guess_charset(response, charset, judged)
        page = make_page(
            f"page-{now:011x}{self._random.getrandbits(48):012x}", url, tier, response,
            judged, body, now, charset,
        )  # fmt: skip
        if page.outcome is Outcome.NOT_MODIFIED and previous is not None:
            page = confirmed(page, previous)
        return Fetched(page, body, response.body if page.response_hash else b"")

    async def fetch_support(self, url: str) -> FetchResponse:
        """Fetch a sitemap or a search result: same gate, robots.txt and politeness."""
        response = await self._fetch_plainly(self._request(url))
        if response.failure is None:
            self._failed_searches.pop(host_of(url), None)
        else:
            self._failed_searches[host_of(url)] = replace(response, body=b"")
        return response

    async def start_afresh(self, url: str) -> None:
        """Read robots.txt and close all connections, so that a page is timed from the start."""
        with suppress(AddressRefused):
            target = check_url(url, self._gate)
            if self._settings.respect_robots:
                await self._robots.answer_for(target)
        await self._ways.http.close()

    def failed_search(self, host: str) -> FetchResponse | None:
        """The failure of the last search at a host, without its body; None when it succeeded."""
        return self._failed_searches.get(host)

    def next_turn(self, host: str) -> tuple[float, float]:
        """Seconds until a host may be asked again, and between two of its turns, as known here."""
        return self._politeness.next_turn(host)

    def host_of(self, url: str) -> str:
        """Host and port of a URL, as sources and pages name it; "" when it is no URL."""
        return host_of(url)

    def _request(self, url: str) -> FetchRequest:
        return self._settings.request(url, {"User-Agent": self._settings.user_agent})

    async def _ask_robots(self, url: str) -> FetchResponse:
        request = replace(
            self._request(url), max_bytes=MAX_ROBOTS_BYTES, max_redirects=_MAX_ROBOTS_REDIRECTS
        )
        return await self._fetch_plainly(request, obey_robots=False)

    async def _fetch_plainly(
        self, request: FetchRequest, *, obey_robots: bool = True
    ) -> FetchResponse:
        """Fetch something that needs no browser; through a proxy, where the host wants one."""
        host = host_of(request.url)
        policy = await self._policies.of(host)
        if (refused := self._refusal(policy, host)) is not None:
            return _failed(_nothing(request.url), refused)
        rung = rung_with(browser=False, proxy=policy.care.rung.uses_proxy)
        way = await self._ways.choose(rung, host, policy) or Way(Rung.HTTP, self._ways)
        trip = _Trip(way, policy, obey_robots=obey_robots)
        return (await self._try(request, trip, _as_answered)).response

    async def _fetch_under(self, policy: HostPolicy, url: str, previous: Page | None) -> _End:
        """Try rung by rung, each once, until the page comes or nothing that is left would help."""
        if (refused := self._refusal(policy, host_of(url))) is not None:
            return _End(_failed(_nothing(url), refused), refused)
        url = moved_url(url, policy.care)
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
                latest = await self._try(self._request(url), trip, self._judge)
                # a later try without a request (open breaker, Retry-After) or with a broken proxy
                # says nothing of the page: what the server said before stands
                is_void = latest.response.rung is not way.rung or latest.facts.fault is Fault.PROXY
                if end is not None and is_void:
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

    async def _judge(self, response: FetchResponse) -> Judged:
        """Classify a response by its status and its words."""
        try:
            return await self._readers.run(judge_body, *_apart(response), quick=True)
        except Unreadable as problem:
            return Judged(_unreadable(problem))

    async def _guess_charset(
        self, response: FetchResponse, known: str, end: FetchEnd
    ) -> tuple[str, FetchEnd]:
        """The charset of a page, and its end, which that may change."""
        try:
            return await self._readers.run(charset_of, *_apart(response), known), end
        except Unreadable as problem:
            return known, _unreadable(problem)

    def _refusal(self, policy: HostPolicy, host: str) -> FetchEnd | None:
        return refusal(policy, host, self._clock.now())

    async def _try(self, request: FetchRequest, trip: _Trip, judge: Judge) -> _End:
        """Try once on one rung; a broken proxy is replaced once."""
        host, way = host_of(request.url), trip.way
        end = await self._one_try(request, trip, judge)
        if way.proxy is None or end.facts.fault is not Fault.PROXY:
            return end
        other = await self._ways.choose(way.rung, host, trip.policy)
        return await self._one_try(request, replace(trip, way=other), judge) if other else end

    async def _one_try(self, request: FetchRequest, trip: _Trip, judge: Judge) -> _End:
        seconds = trip.way.timeout(request.timeout_seconds, trip.policy)
        asked = asked_with_care(replace(request, timeout_seconds=seconds), trip.policy.care)
        response = await self._follow(asked, trip)
        end, is_foreign = await judge(as_read(response))
        # a response that did not come through the proxy says nothing of it
        said = end if response.proxy else FetchEnd(Outcome.REFUSED, "")
        await trip.way.report(host_of(request.url), said, _wire_seconds(response))
        return _End(response, end, is_foreign)

    def _with_need(self, end: _End, rung: Rung) -> _End:
        """Add what would be needed for a page that did not come, and why it is missing."""
        wanted = next_rung(rung, end.facts)
        if wanted is None:
            return end
        why = self._ways.why_not(wanted) or (NONE_READY if wanted.uses_proxy else "")
        if not why:
            return end
        said = f"{end.end.evidence}; {_NEEDS[wanted]} might help, but {why}"
        # where a page needs scripts, a browser that does not start is our fault, not the host's
        broken = self._ways.browser is not None and bool(self._ways.browser.trouble)
        ours = end.facts.needs is RungNeed.BROWSER and broken
        cause = Cause.BROWSER_UNUSABLE if ours else end.end.cause
        return replace(end, end=end.end._replace(evidence=said, cause=cause))

    async def _follow(self, request: FetchRequest, trip: _Trip) -> FetchResponse:
        """Go from hop to hop, each with its own gate, robots.txt and turn at its host."""
        chain: list[str] = []
        hop, cookies = request, ChainCookies(trip.keeps_cookies)
        while True:
            response = await self._hop(hop, trip, cookies)
            location = redirect_url(response.final_url, response.status, response.headers)
            if chain or response.url != request.url:
                response = replace(response, url=request.url, redirects=tuple(chain))
            if location is None:
                return response
            problem = over_limit(chain, request.max_redirects)
            if (
                not problem
                and chain.count(location) + (location == request.url) > trip.keeps_cookies
            ):
                # with cookies, a page may well be asked for a second time
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
            if reason is None and target.netloc == trip.host:  # paused while we waited?
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


async def _as_answered(response: FetchResponse) -> Judged:
    """Accept any answer: a sitemap that does not exist is no failure."""
    outcome = response.failure or Outcome.OK
    end = FetchEnd(outcome, response.failure_detail, response.cause, response.retry_at)
    return Judged(end)


def _apart(response: FetchResponse) -> tuple[FetchResponse, Shared]:
    """A response without its body, and the body, which several looks at it share."""
    body = response.body
    return replace(response, body=b"", dom=b""), Shared(body_hash(body), body)


def _unreadable(problem: Unreadable) -> FetchEnd:
    return FetchEnd(Outcome.UNREADABLE, problem.detail, Cause(problem.cause))


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
