"""How a host is treated beyond the settings, as far as a fetch is concerned. Pure."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping

from msgspec import Struct, field

from specfactory.fetch.gate import Target, parse_url
from specfactory.model import HostCare, Instant, Outcome

CareOf = Callable[[str], Awaitable[HostCare]]

PAUSED = "paused:"  # how the evidence of a page of a paused host begins
USUAL = HostCare()
_BY_DIAGNOSIS = {
    "slow_host": Outcome.TIMEOUT,
    "soft_block": Outcome.BLOCKED,
    "content_block": Outcome.BLOCKED,
    "expired_login": Outcome.LOGIN_REQUIRED,
    "login_wall": Outcome.LOGIN_REQUIRED,
    "empty_pages": Outcome.EMPTY,
    "server_errors": Outcome.MAINTENANCE,
    "forbidden_redirect": Outcome.REFUSED,
    "site_gone": Outcome.NOT_FOUND,
}
_MOST_COOKIES = 50
_MAX_COOKIE = 4_096
_NEXT_COOKIE = re.compile(r",\s*(?=[^\s;,=]+=)")  # dates have commas, too


async def usual_care(_: str) -> HostCare:
    """Every host alike."""
    return USUAL


def pause_of(care: HostCare, now: Instant) -> tuple[Outcome, str] | None:
    """How a fetch from a paused host ends without a request; None when it is not paused."""
    if care.paused_until <= now:
        return None
    seconds = (care.paused_until - now) / 1000
    return outcome_of(care.paused_for), f"{PAUSED} {care.paused_for}; next try in {seconds:.0f} s"


def outcome_of(diagnosis: str) -> Outcome:
    """The outcome that stands for a diagnosis."""
    if diagnosis in set(Outcome):
        return Outcome(diagnosis)
    return _BY_DIAGNOSIS.get(diagnosis, Outcome.NETWORK_ERROR)


def moved_url(url: str, care: HostCare) -> str:
    """Where a page is asked for when its host has moved."""
    if not care.moved_to:
        return url
    try:
        target = parse_url(url)
        moved = parse_url(f"{target.scheme}://{care.moved_to}/")
    except ValueError:
        return url
    return moved.url.rstrip("/") + target.url.removeprefix(f"{target.scheme}://{target.netloc}")


class ChainCookies(Struct):
    """The cookies of one chain of redirects, each sent back to its own origin only."""

    keep: bool
    _held: dict[tuple[str, str, int], dict[str, str]] = field(default_factory=dict)

    def take(self, url: str, headers: Mapping[str, str]) -> None:
        """Remember what a hop sets; so many, and no longer than a cookie may be."""
        given = headers.get("set-cookie", "")
        if not self.keep or not given:
            return
        held = self._held.setdefault(parse_url(url).origin, {})
        for cookie in _NEXT_COOKIE.split(given)[:_MOST_COOKIES]:
            name, equals, value = cookie.partition(";")[0].strip().partition("=")
            if equals and len(name) + len(value) <= _MAX_COOKIE and len(held) < _MOST_COOKIES:
                held[name] = value

    def give(self, target: Target) -> dict[str, str]:
        """The header for the next hop."""
        held = self._held.get(target.origin)
        return {"Cookie": "; ".join(f"{n}={v}" for n, v in held.items())} if held else {}
