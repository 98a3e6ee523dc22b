"""A forward proxy on loopback: plain requests, CONNECT, Basic auth, and faults to order.

As a script it is a small rotator: each connection goes through the next proxy of a file::

    python tests/proxy_server.py -a 127.0.0.1:8089 -f live_proxies.txt
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import itertools
import ssl
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

OWN = b"<html><title>Welcome to our proxy</title><h1>Buy premium access today</h1></html>"
MOST_HEAD = 64 * 1024
Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class ProxyServer:
    """A proxy that does as its fields say, which may be changed while it runs.

    ``fault`` is "" or one of: ``hang`` (never answers), ``drop`` (closes at once), ``garbage``
    (no HTTP), ``status NNN`` (answers so, whatever it is asked), ``cut`` (ends amid the body),
    ``lie`` (a page of its own, whatever it is asked for).
    """

    user: str = ""
    password: str = ""
    fault: str = ""
    upstream: Callable[[], str] | None = None  # "host:port" of the proxy to go through
    tls: ssl.SSLContext | None = None
    port: int = 0
    asked: list[str] = field(default_factory=list)  # first lines of requests that were served
    refused: list[str] = field(default_factory=list)  # first lines without the right password
    headers: list[str] = field(default_factory=list)  # the heads of all requests
    _serving: set[asyncio.Task[None]] = field(default_factory=set)
    _writers: set[asyncio.StreamWriter] = field(default_factory=set)

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """As an operator writes it, with the password where it has one."""
        login = f"{self.user}:{self.password}@" if self.user else ""
        return f"{'https' if self.tls else 'http'}://{login}{self.place}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        self._writers.add(writer)
        with contextlib.suppress(
            asyncio.CancelledError, OSError, EOFError, ValueError, asyncio.LimitOverrunError
        ):
            await self._one(reader, writer)
        self._serving.discard(task)
        self._writers.discard(writer)
        with contextlib.suppress(OSError, RuntimeError):
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        self.headers.append(head)
        line = head.partition("\r\n")[0]
        if self.fault:
            await self._misbehave(writer)
        elif not self._knows(head):
            self.refused.append(line)
            _answer(writer, 407, 'Proxy-Authenticate: Basic realm="test"\r\n')
        else:
            self.asked.append(line)
            await self._pass_on(line, head, (reader, writer))
        await writer.drain()

    async def _pass_on(self, line: str, head: str, near: Ends) -> None:
        method, target, _ = line.split(" ", 2)
        if method == "CONNECT":
            await self._tunnel(target, near)
        elif "://" not in target:
            _answer(near[1], 400)  # it is no server
        else:
            await self._forward(method, target, head, near)

    async def _misbehave(self, writer: asyncio.StreamWriter) -> None:
        kind, _, number = self.fault.partition(" ")
        if kind == "hang":
            await asyncio.Event().wait()
        elif kind == "garbage":
            writer.write(b"\x00\x01 what is HTTP?\r\n\r\n")
        elif kind == "status":
            _answer(writer, int(number))
        elif kind == "lie":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(OWN), OWN))
        elif kind == "cut":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")

    def _knows(self, head: str) -> bool:
        if not self.user:
            return True
        wanted = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        return f"proxy-authorization: basic {wanted}".lower() in head.lower()

    async def _tunnel(self, target: str, near: Ends) -> None:
        try:
            if self.upstream:
                far = await _open(self.upstream())
                far[1].write(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
                await far[0].readuntil(b"\r\n\r\n")
            else:
                far = await _open(target)
        except (OSError, EOFError):
            _answer(near[1], 502)
        else:
            near[1].write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            await _join(near, far)

    async def _forward(self, method: str, target: str, head: str, near: Ends) -> None:
        parts = urlsplit(target)
        path = target if self.upstream else target.partition(parts.netloc)[2] or "/"
        kept = [
            header
            for header in head.split("\r\n")[1:]
            if header and not header.lower().startswith(("proxy-", "connection:"))
        ]
        request = "\r\n".join([f"{method} {path} HTTP/1.1", *kept, "Connection: close", "", ""])
        try:
            far = await _open(self.upstream() if self.upstream else parts.netloc)
        except OSError:
            _answer(near[1], 502, "Proxy-Status: test; error=connection_refused\r\n")
        else:
            far[1].write(request.encode("latin-1"))
            await _join(near, far)

    def close(self) -> None:
        for task in tuple(self._serving):
            task.cancel()
        for writer in tuple(self._writers):
            with contextlib.suppress(OSError, RuntimeError):
                writer.transport.abort()


async def _open(place: str) -> Ends:
    host, _, port = place.rpartition(":") if ":" in place else (place, "", "80")
    local = host == "localhost" or host.endswith(".localhost")
    return await asyncio.open_connection("127.0.0.1" if local else host, int(port or 80))


async def _join(near: Ends, far: Ends) -> None:
    """Carry bytes both ways until the far end is done."""
    there = asyncio.create_task(_carry(near[0], far[1]))
    try:
        await _carry(far[0], near[1])
    finally:
        there.cancel()
        far[1].close()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while piece := await reader.read(MOST_HEAD):
            writer.write(piece)
            await writer.drain()


def _answer(writer: asyncio.StreamWriter, status: int, headers: str = "") -> None:
    writer.write(
        f"HTTP/1.1 {status} Said By Proxy\r\n{headers}Content-Length: 0\r\n"
        "Connection: close\r\n\r\n".encode()
    )


@asynccontextmanager
async def running(server: ProxyServer) -> AsyncIterator[ProxyServer]:
    """Serve in this event loop; a port that was given is kept."""
    listening = await asyncio.start_server(
        server.serve, "127.0.0.1", server.port, limit=MOST_HEAD, ssl=server.tls
    )
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()
        server.close()


@contextmanager
def running_in_thread(*servers: ProxyServer) -> Iterator[tuple[ProxyServer, ...]]:
    """Serve in a thread of their own, for tests that drive other processes."""
    up, loop = threading.Event(), asyncio.new_event_loop()
    ending = asyncio.Event()

    async def serve() -> None:
        async with contextlib.AsyncExitStack() as stack:
            for server in servers:
                await stack.enter_async_context(running(server))
            up.set()
            await ending.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), daemon=True)
    thread.start()
    assert up.wait(10), "the proxies did not start"
    try:
        yield servers
    finally:
        loop.call_soon_threadsafe(ending.set)
        thread.join(10)


async def rotate(place: str, lines: list[str]) -> None:
    """Be a rotator at a place, until ended."""
    turns = itertools.cycle([urlsplit(line).netloc.rpartition("@")[2] for line in lines])
    server = ProxyServer(upstream=lambda: next(turns), port=int(place.rpartition(":")[2]))
    async with running(server):
        print(f"rotating {len(lines)} proxies at {place}", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("-a", required=True)
    parser.add_argument("-f", required=True)
    given = parser.parse_args()
    asyncio.run(rotate(given.a, Path(given.f).read_text().split()))
