"""A server on loopback that does exactly what a test says, byte by byte, and its name server."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from aiohttp.abc import AbstractResolver

Handler = Callable[[bytes, asyncio.StreamWriter], Awaitable[None]]
PAGE = b"<html><title>Mouse</title><p>Weight: 54 g</html>"


class OneAddress(AbstractResolver):
    """A name server that answers every name with one address."""

    def __init__(self, address: str) -> None:
        self.address = address

    async def resolve(self, host, port=0, family=socket.AF_INET):
        return [{"hostname": host, "host": self.address, "port": port, "family": socket.AF_INET,
                 "proto": 0, "flags": socket.AI_NUMERICHOST}]  # fmt: skip

    async def close(self) -> None:
        pass


class Server:
    """A server that does exactly what its handler says, byte by byte."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self.requests: list[bytes] = []
        self.connections = 0
        self.port = 0
        self._serving: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        return f"http://shop.localhost:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        with suppress(asyncio.CancelledError, ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                self.requests.append(head)
                await self._handler(head, writer)
                await writer.drain()
        writer.close()

    async def stop(self) -> None:
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)


@asynccontextmanager
async def running(handler: Handler) -> AsyncIterator[Server]:
    server = Server(handler)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()
        await server.stop()


def answering(body: bytes = PAGE, status: str = "200 OK", **headers: str) -> Handler:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    lines = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{lines}\r\n".encode()

    async def handle(_: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(head + body)

    return handle


def saying(raw: bytes, *, close: bool = True) -> Handler:
    async def handle(_: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(raw)
        if close:
            await writer.drain()
            writer.close()

    return handle


def path_of(head: bytes) -> str:
    return head.split(b" ", 2)[1].decode()
