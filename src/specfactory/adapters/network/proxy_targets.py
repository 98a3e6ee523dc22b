"""Addresses of the pages that proxies are asked for: resolved and checked here.

A proxy stands elsewhere and may reach what pages must not. So the gate checks each page's
address before a proxy hears of it. A tunnel is then requested by the very address that was
checked; a plain request goes by its name (proxies rewrite it by that), so all addresses of the
name must pass.
"""

from aiohttp.abc import AbstractResolver

from specfactory.errors import AddressRefused
from specfactory.fetch.addresses import GatePolicy, Target, check_address
from specfactory.ports import Clock

KNOWN_SECONDS = 60.0
MOST_NAMES = 10_000


class NoName(OSError):
    """A name that does not resolve."""


async def allowed_addresses(
    resolver: AbstractResolver, host: str, port: int, policy: GatePolicy, *, every: bool = False
) -> list[str]:
    """Addresses of a name that the gate allows; with ``every``, all of them must be allowed."""
    try:
        found = await resolver.resolve(host, port)
    except OSError as problem:
        raise NoName(f"{host}: {problem.strerror or 'no such name'}") from None
    passing, refused = [], AddressRefused(host, "it has no address")
    for each in found:
        try:
            check_address(each["host"], port, policy, host)
        except AddressRefused as bad:
            refused = bad
        else:
            passing.append(each["host"])
    if not passing:
        raise refused
    if every and len(passing) < len(found):
        raise AddressRefused(host, f"one of its addresses is not open to pages: {refused.reason}")
    return passing


class ProxyTargets:
    """Addresses of pages that are fetched through proxies."""

    def __init__(self, resolver: AbstractResolver, clock: Clock) -> None:
        self._resolver, self._clock = resolver, clock
        self._known: dict[tuple[str, str, int], tuple[float, str]] = {}

    async def checked(self, target: Target, policy: GatePolicy) -> str:
        """An allowed address of a page's host; raises AddressRefused or NoName."""
        now = self._clock.monotonic()
        until, address = self._known.get(target.origin, (0.0, ""))
        if until > now:
            return address
        by_name = target.scheme == "http"
        found = await allowed_addresses(
            self._resolver, target.host, target.port, policy, every=by_name
        )
        if len(self._known) >= MOST_NAMES:
            self._known.clear()
        address = min(found, key=lambda each: ":" in each)  # most proxies have no IPv6
        self._known[target.origin] = (now + KNOWN_SECONDS, address)
        return address
