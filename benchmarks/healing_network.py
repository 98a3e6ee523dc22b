"""What lies between the factory and the sites, and can be broken: names, TLS and proxies."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import trustme
from aiohttp.abc import ResolveResult

from specfactory.adapters.http import fetcher as http_fetcher
from specfactory.adapters.network.resolver import NameResolver

HEAD_SECONDS = 10.0
CHUNK = 65_536
PLAIN_TEXT = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
NO_ANSWER = b"HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
REFUSAL = b"HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Names:
    """The names that do not resolve just now."""

    def __init__(self) -> None:
        self.gone: set[str] = set()

    @contextmanager
    def ruling(self) -> Iterator[None]:
        """Let the factory ask us first; nothing is remembered from before."""
        resolve = NameResolver.resolve

        async def ask(
            resolver: NameResolver, host: str, port: int = 0, family: int = socket.AF_UNSPEC
        ) -> list[ResolveResult]:
            if host in self.gone:
                raise OSError(socket.EAI_NONAME, "the name does not exist")
            return await resolve(resolver, host, port, socket.AddressFamily(family))

        with patch.object(NameResolver, "resolve", ask), patch.object(
            http_fetcher, "_DNS_SECONDS", 0
        ):  # fmt: skip
            yield


@dataclass
class Front:
    """A door before a site: one request a connection, so that each meets what has changed."""

    site_port: int
    tls: Certificates | None = None
    port: int = 0
    manner: str = "well"  # well | expired | plain
    spare: int = 0  # requests that are still well
    on_strike: Callable[[], None] = lambda: None
    began: float | None = None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        with contextlib.suppress(OSError, EOFError, ssl.SSLError, asyncio.LimitOverrunError):
            if self.manner == "plain":
                writer.write(PLAIN_TEXT)
            else:
                if self.tls is not None:
                    await writer.start_tls(self.tls.context(self.manner))
                await self._pass_on(reader, writer)
        writer.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HEAD_SECONDS)
        site = await asyncio.open_connection("127.0.0.1", self.site_port)
        site[1].write(closing(head))
        self._count(head)
        await pump((reader, writer), site)

    def _count(self, head: bytes) -> None:
        if self.began is not None or head.startswith(b"GET /robots.txt"):
            return
        self.spare -= 1
        if self.spare <= 0:
            self.began = time.monotonic()
            self.on_strike()


class Certificates:
    """An authority that the factory trusts, with a good certificate and an expired one."""

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        authority = trustme.CA()
        self.file = folder / "authority.pem"
        authority.cert_pem.write_to_path(self.file)
        past = datetime.now(UTC) - timedelta(days=1)
        self._contexts = {
            "well": _context(authority.issue_cert(*names)),
            "expired": _context(authority.issue_cert(*names, not_after=past)),
        }

    def context(self, manner: str) -> ssl.SSLContext:
        """The server's side of TLS."""
        return self._contexts[manner]


def _context(certificate: trustme.LeafCert) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    return context


@dataclass
class Proxy:
    """A real proxy whose visits come from an address of its own."""

    address: str
    port: int = 0
    manner: str = "well"  # well | dead | refusing
    visits: int = 0

    @property
    def url(self) -> str:
        """As settings have it."""
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection: a tunnel, or one request."""
        with contextlib.suppress(OSError, EOFError, asyncio.LimitOverrunError):
            if self.manner == "dead":
                writer.transport.abort()
            else:
                await self._answer(reader, writer)
        writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HEAD_SECONDS)
        self.visits += 1
        if self.manner == "refusing" or not _is_for_proxy(head):
            writer.write(REFUSAL)
        else:
            await self._pass_on(head, (reader, writer))

    async def _pass_on(self, head: bytes, client: Stream) -> None:
        method, target, rest = head.split(b" ", 2)
        tunnel = method == b"CONNECT"
        place = target if tunnel else target.split(b"/", 3)[2]
        name, _, port = place.decode().partition(":")
        here = (self.address, 0)
        host = "127.0.0.1" if name.endswith("localhost") else name
        try:
            site = await asyncio.open_connection(host, int(port or 80), local_addr=here)
        except OSError:
            return client[1].write(NO_ANSWER)
        if tunnel:
            client[1].write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            return await pump(client, site)
        path = b"/" + b"".join(target.split(b"/", 3)[3:])
        site[1].write(closing(b" ".join((method, path, rest)), b"Via: 1.1 proxy\r\n"))
        first = b""
        with contextlib.suppress(OSError):
            first = await site[0].read(CHUNK)
        client[1].write(first or NO_ANSWER)
        return await pump(client, site) if first else site[1].close()


def _is_for_proxy(head: bytes) -> bool:
    """Whether a request is for somebody behind a proxy, and not for the proxy itself."""
    method, _, target = head.partition(b" ")
    return method == b"CONNECT" or target.startswith(b"http://")


def closing(head: bytes, more: bytes = b"") -> bytes:
    """A request's head, after which the connection ends."""
    lines = head[:-4].split(b"\r\n")
    dropped = (b"connection:", b"proxy-", b"keep-alive:")
    kept = [line for line in lines if not line.lower().startswith(dropped)]
    return b"\r\n".join(kept) + b"\r\n" + more + b"Connection: close\r\n\r\n"


async def pump(one: Stream, other: Stream) -> None:
    """Carry bytes both ways until one side has said all."""
    ways = [asyncio.create_task(_carry(*way)) for way in ((one[0], other[1]), (other[0], one[1]))]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        other[1].close()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError, ssl.SSLError):
        while chunk := await reader.read(CHUNK):
            writer.write(chunk)
            await writer.drain()


@asynccontextmanager
async def listening(*servers: Front | Proxy) -> AsyncIterator[None]:
    """Let them listen on free ports of loopback."""
    async with AsyncExitStack() as stack:
        for server in servers:
            bound = await asyncio.start_server(server.serve, "127.0.0.1", server.port)
            stack.push_async_callback(_end, bound)
            server.port = bound.sockets[0].getsockname()[1]
        yield


async def _end(bound: asyncio.Server) -> None:
    bound.close()
