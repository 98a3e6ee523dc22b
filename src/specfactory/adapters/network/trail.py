"""A fetch hop by hop: what is known of it so far, where it goes next, and how it failed."""

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from specfactory.adapters.network.proxy_failures import ProxyFault, place_of
from specfactory.adapters.network.resolver import NoName
from specfactory.errors import AddressRefused
from specfactory.fetch.addresses import GatePolicy, Target, check_url, over_limit, redirect_url
from specfactory.model import Cause, FetchEnd, FetchRequest, FetchResponse, Outcome, Rung


class FetchFailed(Exception):
    """There is no usable answer; ``body`` is what came of it."""

    def __init__(
        self, outcome: Outcome, detail: str, cause: Cause = Cause.NONE, body: bytes = b""
    ) -> None:
        super().__init__(outcome, detail, cause)
        self.end, self.body = FetchEnd(outcome, detail, cause), body


def end_of(problem: AddressRefused | ProxyFault | NoName) -> FetchEnd:
    """The end of a fetch that did not get as far as the server."""
    if isinstance(problem, AddressRefused):
        return FetchEnd(Outcome.REFUSED, problem.reason, Cause.ADDRESS)
    if isinstance(problem, ProxyFault):
        return FetchEnd(Outcome.NETWORK_ERROR, str(problem), Cause.PROXY)
    return FetchEnd(Outcome.DNS_FAILURE, str(problem))


def joined_headers(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Headers by their names in lower case; those of one name are joined by commas."""
    headers: dict[str, str] = {}
    for written, value in pairs:
        name = written.lower()
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


class Trail(Struct):
    """Result of a fetch so far; kept when it fails."""

    request: FetchRequest
    final_url: str
    redirects: list[str] = field(default_factory=list)
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    timings_ms: dict[str, float] = field(default_factory=dict)

    def add_time(self, name: str, seconds: float) -> None:
        """Add to one phase; the hops of a redirect chain sum up."""
        self.timings_ms[name] = self.timings_ms.get(name, 0.0) + max(seconds, 0.0) * 1000

    def next_hop(self, policy: GatePolicy) -> Target | None:
        """The target of a redirect, after the gate; None at the end of the chain."""
        location = redirect_url(self.final_url, self.status, self.headers)
        if location is None:
            return None
        if problem := over_limit(self.redirects, self.request.max_redirects):
            raise FetchFailed(Outcome.NETWORK_ERROR, problem, Cause.REDIRECT_LOOP)
        target = check_url(location, policy)
        self.redirects.append(target.url)
        return target

    def response(
        self, failed: FetchEnd | None, body: bytes, dom: bytes = b"", rung: Rung = Rung.HTTP
    ) -> FetchResponse:
        """The response to the request, whether it failed or not."""
        outcome, detail, cause, _ = failed or (None, "", Cause.NONE, 0)
        return FetchResponse(
            self.request.url, self.final_url, self.status, self.headers, body,
            tuple(self.redirects), self.timings_ms, outcome, detail, cause=cause, dom=dom,
            rung=rung, proxy=place_of(self.request.proxy),
        )  # fmt: skip
