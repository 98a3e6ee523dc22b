"""Names to addresses, for the HTTP fetcher and the browser's proxy; and the gate's word on them.

A proxy stands elsewhere and may reach what pages must not. So the gate checks each page's
address before a proxy hears of it. It is then asked for the very address that was checked, by a
tunnel or a plain request, and never looks up a name.
"""

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult

from specfactory.errors import AddressRefused
from specfactory.fetch.addresses import GatePolicy, Target, check_address, is_local_name
from specfactory.ports import Clock

_DNS_THREADS = 8
KNOWN_SECONDS = 60.0
MOST_NAMES = 10_000


class NameResolver(AbstractResolver):
    """Resolves names; those that RFC 6761 settles are answered without a look-up."""

    def __init__(self) -> None:
        self._threads: ThreadPoolExecutor | None = None

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """All addresses of a name; OSError when there are none."""
        name = host.rstrip(".").lower()
        if is_local_name(name):
            return [_resolved(host, "127.0.0.1", port, socket.AF_INET)]
        if name == "invalid" or name.endswith(".invalid"):
            raise OSError(socket.EAI_NONAME, "the name does not exist")
        self._threads = self._threads or ThreadPoolExecutor(_DNS_THREADS, "dns")
        look_up = partial(
            socket.getaddrinfo, host, port, family, socket.SOCK_STREAM, 0, socket.AI_ADDRCONFIG
        )
        found: Any = await asyncio.get_running_loop().run_in_executor(self._threads, look_up)
        return [_resolved(host, where[0], port, kin) for kin, _, _, _, where in found]

    async def close(self) -> None:
        """Stop the threads; one that waits for an answer ends on its own."""
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._threads = None


def _resolved(name: str, address: str, port: int, family: int) -> ResolveResult:
    return ResolveResult(
        hostname=name, host=address, port=port, family=family, proto=0,
        flags=socket.AI_NUMERICHOST,
    )  # fmt: skip


class NoName(OSError):
    """A name that does not resolve."""


async def allowed_addresses(
    resolver: AbstractResolver, host: str, port: int, policy: GatePolicy
) -> list[str]:
    """Addresses of a name that the gate allows; at least one."""
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
        found = await allowed_addresses(self._resolver, target.host, target.port, policy)
        if len(self._known) >= MOST_NAMES:
            self._known.clear()
        address = min(found, key=lambda each: ":" in each)  # most proxies have no IPv6
        self._known[target.origin] = (now + KNOWN_SECONDS, address)
        return address
