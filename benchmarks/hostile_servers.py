"""Servers that do what no server should, each on a port of its own, in a process of their own.

Run as ``python -m benchmarks.hostile_servers NAME…``: prints the address of each as JSON, and
serves until its input is closed.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import subprocess
import sys
import zlib
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

import brotli  # type: ignore[import-untyped]
import zstandard

from benchmarks.hostile_files import FILES, HostileFile, pdf_file, repeated
from benchmarks.hostile_growth import PAGES

Handler = Callable[[str, asyncio.StreamWriter], Awaitable[None]]

GOOD = (
    b"<!doctype html><html lang=en><title>Acme Thing</title><h1>Acme Thing</h1>"
    b"<table><tr><th>Weight<td>54 g<tr><th>Brand<td>Acme</table>"
    + b"<p>More words about this thing, so that the page is one.</p>"
    * 20
)
_HTML = "text/html"


def _nothing() -> bytes:
    return b"\0" * 50_000_000


def answering(body: bytes, kind: str = _HTML, status: str = "200 OK", **headers: str) -> Handler:
    """An ordinary answer."""
    named = {"Content-Type": kind, "Content-Length": str(len(body)), **headers}
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in named.items())
    return saying(f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body)


def saying(raw: bytes, *, close: bool = False) -> Handler:
    """These very bytes."""

    async def handle(_: str, writer: asyncio.StreamWriter) -> None:
        writer.write(raw)
        await writer.drain()
        if close:
            writer.close()

    return handle


def dripping(head: bytes, piece: bytes, seconds: float) -> Handler:
    """A head, and then a piece again and again, without an end."""

    async def handle(_: str, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while not writer.is_closing():
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(seconds)

    return handle


async def _silence(_: str, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(3_600)


async def _onwards(path: str, writer: asyncio.StreamWriter) -> None:
    await answering(b"", status="302 Found", Location=f"{path}x")(path, writer)


def at_robots(handler: Handler) -> Handler:
    """Something at robots.txt, and good pages beside it."""

    async def handle(path: str, writer: asyncio.StreamWriter) -> None:
        await (handler if path == "/robots.txt" else answering(GOOD))(path, writer)

    return handle


def nested_forms(depth: int = 7, wide: int = 10) -> bytes:
    """A PDF of 2 KB whose forms draw each other: ten of ten of ten."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R"
        b"/Resources<</XObject<</X 5 0 R>>>>>>",
        b"<</Length %d>>\nstream\n%s\nendstream" % (6 * wide, b"/X Do " * wide),
    ]
    for level in range(depth):
        last = level == depth - 1
        drawn = b"BT /F 9 Tf (Weight) Tj ET" if last else b"/X Do " * wide
        uses = (
            b"/Font<</F %d 0 R>>" % (5 + depth) if last else b"/XObject<</X %d 0 R>>" % (6 + level)
        )
        objects.append(
            b"<</Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<<%s>>/Length %d>>\n"
            b"stream\n%s\nendstream" % (uses, len(drawn), drawn)
        )
    objects.append(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    return pdf_file(tuple(objects))


def _encoded(body: bytes, encoding: str) -> Handler:
    return answering(body, Content_Encoding=encoding)


_OK = b"HTTP/1.1 200 OK\r\n"
_CHUNKED = _OK + b"Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
_RULE = b"User-agent: *\nDisallow: /" + b"a*" * 800 + b"$\n"

SERVERS: Mapping[str, Callable[[], Handler]] = {
    "silence": lambda: _silence,
    "silence-after-head": lambda: saying(_OK + b"Content-Length: 9\r\n\r\n"),
    "hangs-up": lambda: saying(b"", close=True),
    "no-http": lambda: saying(b"\x00\x01\x02" * 1_000, close=True),
    "slow-head": lambda: dripping(_OK + b"X-Slow: ", b"x", 0.05),
    "endless-headers": lambda: dripping(_OK, b"X-More: yes\r\n" * 100, 0.0),
    "long-header": lambda: saying(_OK + b"X-Big: " + b"x" * 1_000_000 + b"\r\n\r\n"),
    "many-cookies": lambda: saying(_OK + b"Set-Cookie: a=b\r\n" * 10_000 + b"\r\n"),
    "slow-body": lambda: dripping(_OK + b"Content-Length: 99999\r\n\r\n", b"x", 0.05),
    "tiny-chunks": lambda: dripping(_CHUNKED, b"1\r\nx\r\n" * 1_000, 0.0),
    "endless-body": lambda: dripping(_CHUNKED, b"fa00\r\n" + b"x" * 64_000 + b"\r\n", 0.0),
    "too-long": lambda: saying(_OK + b"Content-Length: 5\r\n\r\n" + GOOD, close=True),
    "too-short": lambda: saying(_OK + b"Content-Length: 99999\r\n\r\n" + GOOD, close=True),
    "negative-length": lambda: saying(_OK + b"Content-Length: -5\r\n\r\n", close=True),
    "redirects": lambda: _onwards,
    "redirect-to-itself": lambda: answering(b"", status="302 Found", Location="/"),
    "redirect-inside": lambda: answering(b"", status="302 Found", Location="http://169.254.169.254/"),
    "gzip-bomb": lambda: _encoded(gzip.compress(_nothing(), 9) * 20, "gzip"),
    "gzip-of-gzip": lambda: _encoded(gzip.compress(gzip.compress(_nothing(), 9), 9), "gzip, gzip"),
    "brotli-bomb": lambda: _encoded(brotli.compress(_nothing(), quality=1), "br"),
    "zstd-bomb": lambda: _encoded(zstandard.compress(_nothing()) * 20, "zstd"),
    "deflate-bomb": lambda: _encoded(zlib.compress(_nothing(), 9), "deflate"),
    "empty-members": lambda: _encoded(brotli.compress(gzip.compress(b"") * 200_000), "gzip, br"),
    "empty-frames": lambda: _encoded(zstandard.compress(b"") * 100_000, "zstd"),
    "broken-gzip": lambda: _encoded(gzip.compress(GOOD)[:-20], "gzip"),
    "many-layers": lambda: _encoded(GOOD, ", ".join(["gzip"] * 100)),
    "no-charset": lambda: _encoded(gzip.compress(b"<p>\xff " + b"a" * 9_000_000, 9), "gzip"),
    "no-charset-small": lambda: answering(b"<p>" + b"\xe9caf\xe9 " * 10_000),
    "wrong-charset": lambda: answering(GOOD * 40, "text/html; charset=utf-32"),
    "many-declarations": lambda: answering(b"\xff" + b"<meta charset=x>" * 60_000),
    "lying-type": lambda: answering(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 2_000),
    "pdf-as-page": lambda: answering(nested_forms(), _HTML),
    "nested-pdf": lambda: answering(nested_forms(), "application/pdf"),
    "broken-pdf": lambda: answering(b"%PDF-1.4\n1 0 obj\n" + b"<<" * 200_000, "application/pdf"),
    "endless-robots": lambda: at_robots(dripping(_CHUNKED, b"8\r\nAllow: /\r\n" * 100, 0.0)),
    "robots-of-line-ends": lambda: at_robots(answering(b"\n" * 500_000, "text/plain")),
    "robots-of-segments": lambda: at_robots(answering(_RULE * 300, "text/plain")),
    "robots-of-redirects": lambda: at_robots(_onwards),
    "deep-page": lambda: answering(GOOD + b"<div>" * 300_000),
    "page-of-options": lambda: answering(GOOD + b"<select>" + b"<option selected>a" * 200_000),
    "page-of-spans": lambda: answering(GOOD + repeated(b"<tr><td rowspan=65535 colspan=65535>#",
                                               b"<table>")(400_000)),
    "page-of-attributes": lambda: answering(GOOD + repeated(b"<p a#=1>Weight</p>")(900_000)),
}  # fmt: skip
"""What each server does with every request; bombs are made where they are served."""


SMALL_BYTES = 60_000  # looked at by the worker itself, where nothing speaks against it
LARGE_BYTES = 300_000  # of pages about a product
_TYPES = {
    "html": _HTML, "text": "text/plain", "json": "application/json", "pdf": "application/pdf",
}  # fmt: skip
GROWN: Mapping[str, HostileFile] = {
    **{name: HostileFile("html", make) for name, make in PAGES.items()},
    **{name: file for name, file in FILES.items() if file.kind in _TYPES},
}
"""Pages that are grown elsewhere; here they have one size."""


def product_page(good: str, name: str) -> str:
    """Address of a hostile page that is about the product of brand "Acme" with this name."""
    return good.replace("/thing", f"/{name}/about")


async def _good(path: str, writer: asyncio.StreamWriter) -> None:
    """A good page, one of the small hostile ones, or a large one that begins as a good one does."""
    name, _, about = path[1:].partition("/")
    file, body, kind = GROWN.get(name), GOOD, _HTML
    if file:
        body, kind = file.make(LARGE_BYTES if about else SMALL_BYTES), _TYPES[file.kind]
    if about and kind == _HTML:
        body = GOOD.replace(b"Acme Thing", f"Acme {name}".encode()) + body
    await answering(body, kind)(path, writer)


@contextmanager
def hostile_web(names: Iterable[str] = SERVERS) -> Iterator[Mapping[str, str]]:
    """These servers at work; ``good`` has a good page, and all hostile ones that are small."""
    command = [sys.executable, "-m", "benchmarks.hostile_servers", *names]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())
        process.kill()


async def serve(names: Sequence[str]) -> None:
    """Serve until the input is closed."""
    places = {}
    for name in (*names, "good"):
        handler = SERVERS[name]() if name in SERVERS else _good
        server = await asyncio.start_server(_serving(handler), "127.0.0.1", 0)
        places[name] = f"http://{name}.localhost:{server.sockets[0].getsockname()[1]}/thing"
    print(json.dumps(places), flush=True)
    await asyncio.to_thread(sys.stdin.read)


def _serving(
    handler: Handler,
) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            while not writer.is_closing():
                head = await reader.readuntil(b"\r\n\r\n")
                await handler(head.split(b" ", 2)[1].decode("latin-1"), writer)
                await writer.drain()
        writer.close()

    return serve


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(sys.argv[1:]))
