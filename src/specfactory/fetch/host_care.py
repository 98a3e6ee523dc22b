"""Apply the policy of a host to one request. Pure."""

import re
from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from specfactory.fetch.addresses import Target, parse_url
from specfactory.model import (
    Cause,
    FetchEnd,
    FetchRequest,
    HostCare,
    HostPolicy,
    Instant,
    Outcome,
    Problem,
)

_MOST_COOKIES = 50
_MAX_COOKIE = 4_096
_NEXT_COOKIE = re.compile(r",\s*(?=[^\s;,=]+=)")  # dates have commas, too


def refusal(policy: HostPolicy, host: str, now: Instant) -> FetchEnd | None:
    """The end of a fetch whose host must not be asked now; None when it may be."""
    care = policy.care
    if care.paused_until > now:
        named = [one.outcome for one in Problem if one == care.paused_for]
        outcome = named[0] if named else Outcome.NETWORK_ERROR
        cause, until = Cause.PAUSED, care.paused_until
        said = f"paused: {care.paused_for}; next try"
    elif policy.outlasts_patience(now):
        outcome, cause, until = Outcome.RATE_LIMITED, Cause.ASKED_TO_WAIT, policy.retry_at
        said = "the server asked to come back"
    elif policy.closed_until:
        outcome, cause, until = Outcome.REFUSED, Cause.BREAKER, policy.closed_until
        said = f"breaker: {host} kept failing; next try"
    else:
        return None
    return FetchEnd(outcome, f"{said} in {(until - now) / 1000:.0f} s", cause, until)


def asked_with_care(request: FetchRequest, care: HostCare) -> FetchRequest:
    """The request with the headers that a remedy asks for."""
    if not care.plain:
        return request
    return replace(request, headers={**request.headers, "Accept-Encoding": "identity"})


def moved_url(url: str, care: HostCare) -> str:
    """The URL to ask for when a host has moved."""
    if not care.moved_to:
        return url
    try:
        target = parse_url(url)
        moved = parse_url(f"{target.scheme}://{care.moved_to}/")
    except ValueError:
        return url
    return moved.url.rstrip("/") + target.url.removeprefix(f"{target.scheme}://{target.netloc}")


class ChainCookies(Struct):
    """Cookies of one redirect chain, each sent back to its own origin only."""

    keep: bool
    _held: dict[tuple[str, str, int], dict[str, str]] = field(default_factory=dict)

    def take(self, url: str, headers: Mapping[str, str]) -> None:
        """Remember the cookies that a hop sets, within limits of number and length."""
        given = headers.get("set-cookie", "")
        if not self.keep or not given:
            return
        held = self._held.setdefault(parse_url(url).origin, {})
        for cookie in _NEXT_COOKIE.split(given)[:_MOST_COOKIES]:
            name, equals, value = cookie.partition(";")[0].strip().partition("=")
            if equals and len(name) + len(value) <= _MAX_COOKIE and len(held) < _MOST_COOKIES:
                held[name] = value

    def give(self, target: Target) -> dict[str, str]:
        """The Cookie header for the next hop."""
        held = self._held.get(target.origin)
        return {"Cookie": "; ".join(f"{n}={v}" for n, v in held.items())} if held else {}
