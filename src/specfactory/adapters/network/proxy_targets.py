"""Addresses of the pages that proxies are asked for: resolved and checked here.

A proxy stands elsewhere and may reach what pages must not. So the gate checks each page's
address before a proxy hears of it. A tunnel is then requested by the very address that was
checked; a plain request goes by its name (proxies rewrite it by that), so all addresses of the
name must pass.
"""

from aiohttp.abc import AbstractResolver
from yarl import URL

from specfactory.errors import AddressRefused
from specfactory.fetch.addresses import GatePolicy, Target, check_address
from specfactory.ports import Clock

KNOWN_SECONDS = 60.0
MOST_NAMES = 10_000


class NoName(OSError):
    """A name that does not resolve."""


class ProxyTargets:
    """Addresses of pages that are fetched through proxies."""

    def __init__(self, resolver: AbstractResolver, clock: Clock) -> None:
        self._resolver, self._clock = resolver, clock
        self._known: dict[tuple[str, int], tuple[float, list[str]]] = {}

    async def checked(self, target: Target, policy: GatePolicy) -> str:
        """An allowed address of a page's host; raises AddressRefused or NoName."""
        passing, refused = [], AddressRefused(target.host, "it has no address")
        found = await self._addresses(target)
        for address in found:
            try:
                check_address(address, target.port, policy, target.host)
            except AddressRefused as bad:
                refused = bad
            else:
                passing.append(address)
        if not passing or (target.scheme == "http" and len(passing) < len(found)):
            raise refused
        return passing[0]

    async def _addresses(self, target: Target) -> list[str]:
        key, now = (target.host, target.port), self._clock.monotonic()
        until, addresses = self._known.get(key, (0.0, []))
        if until > now:
            return addresses
        try:
            found = await self._resolver.resolve(target.host, target.port)
        except OSError as problem:
            raise NoName(f"{target.host}: {problem.strerror or 'no such name'}") from None
        if len(self._known) >= MOST_NAMES:
            self._known.clear()
        # IPv4 first: most proxies have no IPv6
        addresses = sorted((each["host"] for each in found), key=lambda each: ":" in each)
        self._known[key] = (now + KNOWN_SECONDS, addresses)
        return addresses


def tunnel_url(target: Target, address: str) -> URL:
    """The URL of a page by an address of its host."""
    return URL(target.url, encoded=True).with_host(address)
