"""A server that notes when each request came: python -m benchmarks.politeness_server PORT_FILE.

It answers nothing but small pages, so that it is never the one who is late. ``/times`` gives
the moments of all other requests so far.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import time
from pathlib import Path

TIMES = "/times"
TEXT = "<p>A page about nothing in particular, which is long enough to be one. </p>" * 30


class Noting(asyncio.Protocol):
    """One connection; the moment counts at which a request's first bytes came."""

    def __init__(self, times: list[float]) -> None:
        self._times, self._waiting = times, b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client is here."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Note the time of a request, and answer it when it is complete."""
        moment = time.monotonic()
        path = (self._waiting + data).split(b" ", 2)[1:2]
        if not self._waiting and path != [TIMES.encode()]:
            self._times.append(moment)
        self._waiting += data
        if b"\r\n\r\n" in self._waiting and self._transport is not None:
            self._waiting = b""
            self._transport.write(self._answer(path[0].decode("latin-1") if path else "/"))

    def _answer(self, path: str) -> bytes:
        kind, status, body = "text/html", "200 OK", f"<title>{path}</title><h1>{path}</h1>{TEXT}"
        if path == TIMES:
            kind, body = "application/json", json.dumps(self._times)
        elif path == "/robots.txt":
            status = "404 Not Found"
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        return (head + body).encode("latin-1")


async def serve(listening: socket.socket) -> None:
    """Serve until killed."""
    times: list[float] = []
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Noting(times), sock=listening)
    await server.serve_forever()


if __name__ == "__main__":
    with socket.create_server(("127.0.0.1", 0)) as place:
        Path(sys.argv[1]).write_text(str(place.getsockname()[1]))
        asyncio.run(serve(place))
