"""Names to addresses, for the HTTP fetcher and the browser's proxy."""

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult

from specfactory.fetch.addresses import is_local_name

_DNS_THREADS = 8


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
