"""The worst of the web against the real station: an end with its class, soon, and on it goes."""

import asyncio
import datetime
import gzip
import ssl
import time
import tracemalloc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random

import brotli
import pytest
import trustme
import zstandard

from specfactory.adapters.http.fetcher import HttpFetcher
from specfactory.adapters.memory.clock import SystemClock
from specfactory.adapters.memory.state import MemoryState
from specfactory.discover import Sitemaps
from specfactory.fetch import FetchStation
from specfactory.fetch.addresses import policy_for_pages
from specfactory.model import Outcome, Source, Tier
from specfactory.proof import PageViews
from specfactory.settings import FetchSettings
from specfactory.testing import ANY_LOOPBACK, DirectReaders
from tests.raw_server import Server, answering, path_of, running, saying

GOOD = b"<title>Mouse</title>" + b"<p>Weight: 54 g, and more to say about this mouse.</p>" * 60
BLANK = b"\0" * 100_000_000
MOST_MEMORY = 64_000_000  # bytes that a fetch may hold on the way
SOON = 10.0  # seconds, on a busy machine
TIMEOUT = 2.0  # good pages must come within it, too, on a busy machine


class Desk:
    """A real station, and a good page after whatever came before."""

    def __init__(self, **settings) -> None:
        clock = SystemClock()
        chosen = FetchSettings(
            allow_loopback=ANY_LOOPBACK, host_delay_seconds=0, timeout_seconds=TIMEOUT, **settings
        )
        self.fetcher = HttpFetcher(policy_for_pages(ANY_LOOPBACK))
        self.station = FetchStation(
            self.fetcher, MemoryState(clock), clock, chosen, Random(1), DirectReaders()
        )

    async def fetch(self, url: str):
        return await self.station.fetch_page(url, Tier.RETAILER)


@asynccontextmanager
async def bad_web(handler, **settings) -> AsyncIterator[tuple[Desk, Server]]:
    """A site whose page ``/bad`` does as the handler says; all its others are good."""

    async def handle(head, writer):
        if path_of(head) == "/robots.txt":
            await answering(b"", "404 Not Found")(head, writer)
        elif path_of(head).startswith("/bad"):
            await handler(head, writer)
        else:
            await answering(GOOD, Content_Type="text/html")(head, writer)

    desk = Desk(**settings)
    async with running(handle) as server:
        yield desk, server
        await desk.fetcher.close()


async def meet(handler, path: str = "/bad", **settings):
    """The bad page, met within bounds of time and memory, and a good one after it."""
    async with bad_web(handler, **settings) as (desk, server):
        await desk.fetch(server.url + "/warm")
        tracemalloc.start()
        began = time.perf_counter()
        bad = await desk.fetch(server.url + path)
        took, (_, held) = time.perf_counter() - began, tracemalloc.get_traced_memory()
        tracemalloc.stop()
        good = await desk.fetch(server.url + "/good")

    assert good.page.outcome is Outcome.OK
    assert took < SOON
    assert held < MOST_MEMORY
    return bad


def gzip_bomb() -> bytes:
    return gzip.compress(BLANK, 9, mtime=0) * 100


def zstd_bomb() -> bytes:
    return zstandard.compress(BLANK) * 100


def brotli_bomb() -> bytes:
    step = brotli.Compressor(quality=1)
    first = step.process(BLANK) + step.flush()
    again = step.process(BLANK) + step.flush()
    return first + again * 99 + step.finish()


@pytest.mark.parametrize(
    ("name", "bomb"), [("gzip", gzip_bomb), ("zstd", zstd_bomb), ("br", brotli_bomb)]
)
async def test_ten_gigabytes_out_of_a_few_megabytes_are_cut(name: str, bomb: Callable[[], bytes]):
    packed = bomb()
    bad = await meet(answering(packed, Content_Type="text/html", Content_Encoding=name))

    assert len(packed) < 12_000_000
    assert (bad.page.outcome, bad.body) == (Outcome.TOO_LARGE, b"")


async def test_bomb_whose_inner_encoding_gives_nothing_is_cut():
    nameless = b"\x1f\x8b\x08\x08" + b"\0" * 6  # gzip whose name of the file never ends
    packed = zstandard.compress(nameless + b"x" * 100_000_000)
    bad = await meet(answering(packed, Content_Type="text/html", Content_Encoding="gzip, zstd"))

    assert (bad.page.outcome, bad.body) == (Outcome.TOO_LARGE, b"")


async def test_bomb_within_the_ratio_is_cut_at_the_size():
    packed = gzip.compress(bytes(range(256)) * 200_000, 1)
    bad = await meet(answering(packed, Content_Type="text/html", Content_Encoding="gzip"))

    assert (bad.page.outcome, bad.body) == (Outcome.TOO_LARGE, b"")


async def test_body_that_drips_byte_by_byte_ends_at_the_deadline():
    async def drip(_, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(TIMEOUT / 4)

    bad = await meet(drip)

    assert bad.page.outcome is Outcome.TIMEOUT


async def test_head_that_drips_byte_by_byte_ends_at_the_deadline():
    async def drip(_, writer):
        for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 1000:
            writer.write(bytes((byte,)))
            await writer.drain()
            await asyncio.sleep(TIMEOUT / 4)

    bad = await meet(drip)

    assert bad.page.outcome is Outcome.TIMEOUT


async def test_endless_chunks_are_cut():
    async def pour(_, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"fa00\r\n" + b"x" * 64_000 + b"\r\n")
            await writer.drain()

    bad = await meet(pour)

    assert (bad.page.outcome, bad.body) == (Outcome.TOO_LARGE, b"")


async def test_endless_tiny_chunks_end():
    async def pour(_, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"1\r\nx\r\n" * 1000)
            await writer.drain()

    bad = await meet(pour)

    assert bad.page.outcome in (Outcome.TOO_LARGE, Outcome.TIMEOUT)


async def test_endless_redirects_end():
    async def onwards(head, writer):
        number = int(path_of(head).rpartition("/")[2] or 0)
        await answering(b"", "302 Found", Location=f"/bad/{number + 1}")(head, writer)

    bad = await meet(onwards, "/bad/0")

    assert bad.page.outcome is Outcome.NETWORK_ERROR
    assert bad.page.outcome_evidence == "more than 5 redirects"


@pytest.mark.parametrize("encoding", ["identity", "gzip", "br"])
async def test_robots_of_megabytes_is_obeyed_as_far_as_it_was_read(encoding: str):
    rules = b"User-agent: *\nDisallow: /shut\n" + b"Allow: /another\n" * 200_000
    packed = {"identity": bytes, "gzip": gzip.compress, "br": brotli.compress}[encoding](rules)

    async def handle(head, writer):
        robots = path_of(head) == "/robots.txt"
        sent = answering(packed, Content_Encoding=encoding) if robots else answering(GOOD)
        await sent(head, writer)

    desk = Desk()
    async with running(handle) as server:
        shut, good = [await desk.fetch(server.url + path) for path in ("/shut", "/good")]
        await desk.fetcher.close()

    assert (shut.page.outcome, good.page.outcome) == (Outcome.REFUSED, Outcome.OK)


async def test_header_of_a_megabyte_is_too_large():
    bad = await meet(saying(b"HTTP/1.1 200 OK\r\nX-Big: " + b"x" * 1_000_000 + b"\r\n\r\n"))

    assert bad.page.outcome is Outcome.TOO_LARGE
    assert "header" in bad.page.outcome_evidence


async def test_ten_thousand_cookies_are_not_taken_and_headers_have_an_end():
    cookies = b"".join(b"Set-Cookie: c%d=%d; Path=/\r\n" % (n, n) for n in range(10_000))
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + cookies
    bad = await meet(saying(head + b"Content-Length: %d\r\n\r\n" % len(GOOD) + GOOD))

    assert bad.page.outcome is Outcome.TOO_LARGE
    assert bad.page.outcome_evidence == "more than 500 headers"


async def test_hundred_cookies_are_no_trouble_and_none_is_kept_or_sent():
    cookies = b"".join(b"Set-Cookie: c%d=%d; Path=/\r\n" % (n, n) for n in range(100))
    raw = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + cookies
    raw += b"Content-Length: %d\r\n\r\n" % len(GOOD) + GOOD
    async with bad_web(saying(raw)) as (desk, server):
        page = (await desk.fetch(server.url + "/bad")).page
        await desk.fetch(server.url + "/good")

    assert page.outcome is Outcome.OK
    assert "set-cookie" not in page.headers
    assert not any(b"cookie" in head.lower() for head in server.requests)


@pytest.mark.parametrize(
    "raw", [b"<html>HTTP/0.9 has no head</html>", b"\x00\x01\x02" * 1000, b"220 mail.example\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", b"HTTP/9.9 200 OK\r\n\r\n", b""],
)  # fmt: skip
async def test_what_is_not_http_is_a_network_error(raw):
    bad = await meet(saying(raw))

    assert bad.page.outcome is Outcome.NETWORK_ERROR
    assert bad.page.outcome_evidence


async def test_expired_certificate_is_a_network_error_that_says_so(monkeypatch, tmp_path):
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    yesterday = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
    desk = Desk()
    ends = []
    for expiry in (yesterday, None):
        own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        given = {"not_after": expiry, "not_before": yesterday - datetime.timedelta(days=9)}
        names = ("shop.localhost",)
        issued = authority.issue_cert(*names, **given) if expiry else authority.issue_cert(*names)
        issued.configure_cert(own)
        server = Server(answering(GOOD, Content_Type="text/html"))
        listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=own)
        port = listening.sockets[0].getsockname()[1]
        ends.append((await desk.fetch(f"https://shop.localhost:{port}/")).page)
        listening.close()
        await server.stop()
    await desk.fetcher.close()

    assert [page.outcome for page in ends] == [Outcome.NETWORK_ERROR, Outcome.OK]
    assert "TLS: " in ends[0].outcome_evidence
    assert "expired" in ends[0].outcome_evidence


async def test_page_of_a_hundred_thousand_nested_tags_is_read_as_far_as_it_goes():
    nested = GOOD + b"<div>" * 100_000 + b"54 g" + b"</div>" * 100_000
    bad = await meet(answering(nested, Content_Type="text/html"))
    began = time.perf_counter()
    views = PageViews(bad.page, bad.body)

    assert bad.page.outcome is Outcome.OK
    assert "Weight: 54 g" in views.text
    assert time.perf_counter() - began < SOON


@pytest.mark.parametrize(
    "url",
    ["http://user:secret@shop.localhost/", "file:///etc/passwd", "data:text/html,<p>54 g</p>",
     "gopher://shop.localhost/1", "ftp://shop.localhost/", "javascript:alert(1)", "//x/",
     "http://169.254.169.254/", "http://①⓪.0.0.1/", "http://[::ffff:10.0.0.1]/"],
)  # fmt: skip
async def test_what_is_not_to_be_fetched_is_refused_by_the_gate(url):
    async with bad_web(answering(GOOD)) as (desk, server):
        bad = await desk.fetch(url)
        redirected = await desk.fetch(server.url + "/good")

    assert (bad.page.outcome, bad.page.status) == (Outcome.REFUSED, 0)
    assert bad.page.outcome_evidence.startswith("gate: ")
    assert "secret" not in bad.page.outcome_evidence
    assert redirected.page.outcome is Outcome.OK


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
LAUGHING = (
    f'<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY l0 "ha">{LAUGHS}]>'
    "<urlset><url><loc>&l9;</loc></url></urlset>"
)


@pytest.mark.parametrize(
    "sitemap",
    [
        LAUGHING.encode(),
        LAUGHING.replace('"ha"', 'SYSTEM "file:///etc/passwd"').encode(),
        LAUGHING.encode("utf-16"),
        LAUGHING.encode("utf-16-le"),
        b"<urlset>" + b"<url>" * 1_000_000,
        gzip.compress(BLANK, 9) * 10,
        b"\xff\xfe\x00garbage" * 1000,
    ],
    ids=["laughs", "file", "utf-16", "utf-16-le", "nested", "gzip", "garbage"],
)  # fmt: skip
async def test_hostile_sitemap_gives_nothing_and_takes_no_time(sitemap):
    async def handle(head, writer):
        body = sitemap if path_of(head) == "/sitemap.xml" else b""
        status = "200 OK" if body else "404 Not Found"
        await answering(body, status, Content_Type="application/xml")(head, writer)

    desk = Desk()
    async with running(handle) as server:
        host = server.url.removeprefix("http://")
        source = Source(host, Tier.RETAILER, "http")
        began = time.perf_counter()
        pages = await Sitemaps(desk.station.fetch_support, DirectReaders()).pages(source)
        took = time.perf_counter() - began
        await desk.fetcher.close()

    assert pages == ()
    assert took < SOON
    assert any(b"/sitemap.xml" in head for head in server.requests)
