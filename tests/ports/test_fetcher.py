"""What every Fetcher does with what servers do, over real sockets on loopback."""

import asyncio
import gzip
import socket
import zlib
from collections.abc import AsyncIterator, Callable

import brotli
import pytest
import zstandard
from aiohttp.abc import AbstractResolver

from specfactory.adapters.http.fetcher import HttpFetcher
from specfactory.fetch import GatePolicy
from specfactory.fetch.addresses import policy_for_pages
from specfactory.model import Outcome
from specfactory.ports import Fetcher
from specfactory.testing import ANY_LOOPBACK
from tests.fetch_requests import request_to
from tests.raw_server import PAGE, OneAddress, answering, path_of, running, saying


def _http(policy: GatePolicy, resolver: AbstractResolver | None = None) -> Fetcher:
    return HttpFetcher(policy, resolver=resolver)


@pytest.fixture(params=["http"])
def make_fetcher(request) -> Callable[..., Fetcher]:
    return {"http": _http}[request.param]


@pytest.fixture
async def fetcher(make_fetcher) -> AsyncIterator[Fetcher]:
    made = make_fetcher(policy_for_pages(ANY_LOOPBACK))
    yield made
    await made.close()


async def test_page_comes_with_status_headers_body_and_timings(fetcher):
    async with running(answering(PAGE, Content_Type="text/html", ETag='"v1"')) as server:
        response = await fetcher.fetch(request_to(server.url + "/mouse?a=1#top"))

    assert (response.status, response.body, response.failure) == (200, PAGE, None)
    assert response.headers["etag"] == '"v1"'
    assert response.final_url == f"http://shop.localhost:{server.port}/mouse?a=1"
    assert {"dns", "tcp", "ttfb", "download"} <= set(response.timings_ms)


async def test_connection_is_used_again(fetcher):
    async with running(answering()) as server:
        for _ in range(5):
            await fetcher.fetch(request_to(server.url))

    assert server.connections == 1


async def test_cookies_are_not_kept(fetcher):
    async with running(answering(Set_Cookie="id=7; Path=/")) as server:
        await fetcher.fetch(request_to(server.url))
        await fetcher.fetch(request_to(server.url))

    assert b"cookie" not in server.requests[1].lower()


async def test_redirects_are_followed_and_told(fetcher):
    async def handle(head, writer):
        step = path_of(head)
        if step == "/c":
            await answering()(head, writer)
        else:
            await answering(b"", "302 Found", Location={"/a": "/b", "/b": "c"}[step])(head, writer)

    async with running(handle) as server:
        response = await fetcher.fetch(request_to(server.url + "/a"))

    assert response.body == PAGE
    assert response.redirects == (server.url + "/b", server.url + "/c")
    assert response.url == server.url + "/a"
    assert response.final_url == server.url + "/c"


async def test_endless_redirects_end(fetcher):
    async with running(answering(b"", "302 Found", Location="/again")) as server:
        response = await fetcher.fetch(request_to(server.url, max_redirects=4))

    assert response.failure is Outcome.NETWORK_ERROR
    assert response.failure_detail == "more than 4 redirects"
    assert len(server.requests) == 5


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("http://169.254.169.254/latest/meta-data/", "169.254.169.254 is a cloud metadata address"),
        ("http://10.0.0.1/", "10.0.0.1 is a private address"),
        ("http://[::ffff:192.168.1.1]/", "is a private address"),
        ("http://0xa9fea9fe/", "169.254.169.254 is a cloud metadata address"),
        ("file:///etc/passwd", "only http and https are fetched, not file"),
        ("gopher://127.0.0.1:6379/_", "only http and https"),
        ("http://user:secret@shop.localhost/", "user name or password"),
    ],
)
async def test_redirect_to_a_forbidden_place_is_refused(fetcher, location, reason):
    async with running(answering(b"", "302 Found", Location=location)) as server:
        response = await fetcher.fetch(request_to(server.url))

    assert response.failure is Outcome.REFUSED
    assert reason in response.failure_detail
    assert len(server.requests) == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "shop.localhost", "public.example"])
async def test_a_place_that_is_open_leads_to_no_other_on_this_machine(make_fetcher, host):
    async with running(answering()) as victim:
        redirect = answering(b"", "302 Found", Location=f"http://{host}:{victim.port}/")
        async with running(redirect) as server:
            policy = policy_for_pages([f"shop.localhost:{server.port}"])
            strict = make_fetcher(policy, OneAddress("127.0.0.1"))
            response = await strict.fetch(request_to(server.url))
            await strict.close()

    assert (response.failure, len(server.requests)) == (Outcome.REFUSED, 1)
    assert victim.requests == []


async def test_credentials_do_not_cross_origins(fetcher):
    async with running(answering()) as other:
        redirect = answering(b"", "302 Found", Location=other.url + "/x")
        async with running(redirect) as server:
            headers = {"Authorization": "Bearer s3cret", "Cookie": "a=b", "X-Api-Key": "k",
                       "User-Agent": "SpecFactory/0.1"}  # fmt: skip
            await fetcher.fetch(request_to(server.url, headers))

    assert b"s3cret" in server.requests[0]
    for private in (b"s3cret", b"Cookie", b"Api-Key"):
        assert private not in other.requests[0]
    assert b"SpecFactory/0.1" in other.requests[0]


async def test_credentials_stay_within_an_origin(fetcher):
    async def handle(head, writer):
        if path_of(head) == "/":
            await answering(b"", "302 Found", Location="/x")(head, writer)
        else:
            await answering()(head, writer)

    async with running(handle) as server:
        await fetcher.fetch(request_to(server.url, {"Authorization": "Bearer s3cret"}))

    assert b"s3cret" in server.requests[1]


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "127.1", "2130706433", "[::1]", "a.localhost"]
)
async def test_this_machine_is_refused_unless_allowed(make_fetcher, host):
    strict = make_fetcher(GatePolicy())
    async with running(answering()) as server:
        response = await strict.fetch(request_to(f"http://{host}:{server.port}/"))
    await strict.close()

    assert response.failure is Outcome.REFUSED
    assert server.connections == 0


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "169.254.169.254"])
async def test_name_that_leads_to_an_inner_address_is_refused(make_fetcher, address):
    rebound = make_fetcher(GatePolicy(), OneAddress(address))
    response = await rebound.fetch(request_to("http://www.example.com/"))
    await rebound.close()

    assert response.failure is Outcome.REFUSED
    assert address in response.failure_detail


async def test_other_ports_are_open_on_this_machine_only(make_fetcher):
    loose = make_fetcher(policy_for_pages(ANY_LOOPBACK), OneAddress("93.184.215.14"))
    response = await loose.fetch(request_to("http://www.example.com:2222/"))
    await loose.close()

    assert response.failure is Outcome.REFUSED
    assert "port 2222" in response.failure_detail


async def test_trusted_pair_is_reached_exactly_as_named(make_fetcher):
    async with running(answering()) as server, running(answering()) as neighbour:
        policy = GatePolicy(trusted=frozenset({("search.example", server.port)}))
        trusting = make_fetcher(policy, OneAddress("127.0.0.1"))
        named = await trusting.fetch(request_to(f"http://search.example:{server.port}/"))
        port = await trusting.fetch(request_to(f"http://search.example:{neighbour.port}/"))
        name = await trusting.fetch(request_to(f"http://other.example:{server.port}/"))
        address = await trusting.fetch(request_to(f"http://127.0.0.1:{server.port}/"))
        await trusting.close()

    assert named.status == 200
    assert {port.failure, name.failure, address.failure} == {Outcome.REFUSED}
    assert (server.connections, neighbour.connections) == (1, 0)


@pytest.mark.parametrize("name", ["nowhere.invalid", "shop.nowhere.invalid"])
async def test_unresolvable_name_is_a_dns_failure(fetcher, name):
    response = await fetcher.fetch(request_to(f"http://{name}/"))

    assert response.failure is Outcome.DNS_FAILURE
    assert name in response.failure_detail


async def test_port_where_nobody_listens_is_a_network_error(fetcher):
    async with running(answering()) as server:
        pass
    response = await fetcher.fetch(request_to(server.url))

    assert response.failure is Outcome.NETWORK_ERROR
    assert "no connection" in response.failure_detail


async def test_tls_with_a_server_that_has_none_is_a_network_error(fetcher):
    async def talk_at_once(_, writer):
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()
        writer.close()

    listening = await asyncio.start_server(talk_at_once, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    response = await fetcher.fetch(request_to(f"https://shop.localhost:{port}/"))
    listening.close()

    assert response.failure is Outcome.NETWORK_ERROR
    assert response.failure_detail.startswith("TLS:")


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("gzip", gzip.compress(PAGE, mtime=0)),
        ("x-gzip", gzip.compress(PAGE, mtime=0)),
        ("gzip", gzip.compress(PAGE[:20], mtime=0) + gzip.compress(PAGE[20:], mtime=0)),
        ("gzip", gzip.compress(PAGE, mtime=0) + b"\0" * 20),
        ("deflate", zlib.compress(PAGE)),
        ("deflate", zlib.compress(PAGE)[2:-4]),
        ("br", brotli.compress(PAGE)),
        ("zstd", zstandard.compress(PAGE)),
        ("gzip, br", brotli.compress(gzip.compress(PAGE, mtime=0))),
        ("identity", PAGE),
    ],
)
async def test_compressed_body_is_read(fetcher, name, body):
    async with running(answering(body, Content_Encoding=name)) as server:
        response = await fetcher.fetch(request_to(server.url))

    assert (response.body, response.failure) == (PAGE, None)


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("gzip", b"this is no gzip at all"),
        ("gzip", gzip.compress(PAGE, mtime=0)[:-12]),
        ("br", brotli.compress(PAGE)[:-5]),
        ("zstd", zstandard.compress(PAGE * 50)[:-6]),
        ("deflate", b"\xff\xff\xff\xff"),
        ("rot13", PAGE),
        ("gzip, gzip, gzip", PAGE),
    ],
)
async def test_broken_compression_is_a_network_error_with_its_name(fetcher, name, body):
    async with running(answering(body, Content_Encoding=name)) as server:
        response = await fetcher.fetch(request_to(server.url))

    assert response.failure is Outcome.NETWORK_ERROR
    assert name.split(",")[0] in response.failure_detail or "layers" in response.failure_detail
    assert response.body == b""


def _gzip_bomb() -> bytes:
    return gzip.compress(b"\0" * 60_000_000, 9)


@pytest.mark.parametrize(
    ("name", "bomb"),
    [
        ("gzip", _gzip_bomb),
        ("deflate", lambda: zlib.compress(b"\0" * 60_000_000, 9)),
        ("br", lambda: brotli.compress(b"\0" * 60_000_000, quality=5)),
        ("zstd", lambda: zstandard.compress(b"\0" * 60_000_000)),
        ("gzip, gzip", lambda: gzip.compress(_gzip_bomb())),
    ],
)
async def test_decompression_bomb_is_cut(fetcher, name, bomb):
    async with running(answering(bomb(), Content_Encoding=name)) as server:
        response = await fetcher.fetch(request_to(server.url))

    assert response.failure is Outcome.TOO_LARGE
    assert len(response.body) <= 10_000_000


async def test_body_that_grows_too_much_is_cut_before_it_is_too_large(fetcher):
    blanks = gzip.compress(b" " * 3_000_000, 9)
    async with running(answering(blanks, Content_Encoding="gzip")) as server:
        cut = await fetcher.fetch(request_to(server.url, max_ratio=200))
        read = await fetcher.fetch(request_to(server.url, max_ratio=2000))

    assert cut.failure is Outcome.TOO_LARGE
    assert "decompress" in cut.failure_detail
    assert len(read.body) == 3_000_000


async def test_small_page_may_grow_as_it_likes(fetcher):
    blanks = gzip.compress(b" " * 200_000, 9)
    async with running(answering(blanks, Content_Encoding="gzip")) as server:
        response = await fetcher.fetch(request_to(server.url, max_ratio=10))

    assert response.failure is None


async def test_page_announced_as_50_mb_is_not_even_read(fetcher):
    sent = 0

    async def handle(_, writer):
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 50000000\r\n\r\n")
        for _ in range(500):
            writer.write(b"x" * 100_000)
            await writer.drain()
            sent += 100_000

    async with running(handle) as server:
        response = await fetcher.fetch(request_to(server.url))

    assert response.failure is Outcome.TOO_LARGE
    assert "50000000" in response.failure_detail
    assert sent < 20_000_000


async def test_endless_chunks_are_cut_and_the_beginning_is_kept(fetcher):
    async def handle(_, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"3e8\r\n" + b"x" * 1000 + b"\r\n")
            await writer.drain()

    async with running(handle) as server:
        response = await fetcher.fetch(request_to(server.url, max_bytes=300_000))

    assert response.failure is Outcome.TOO_LARGE
    assert response.body == b"x" * 300_000


async def test_endless_gzip_that_gives_nothing_is_cut(fetcher):
    empty_member = gzip.compress(b"")

    async def handle(_, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
        while True:
            writer.write(empty_member * 500)
            await writer.drain()

    async with running(handle) as server:
        response = await fetcher.fetch(request_to(server.url, max_bytes=100_000))

    assert response.failure is Outcome.TOO_LARGE


async def test_body_that_drips_is_cut_at_the_deadline(fetcher):
    async def handle(_, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.05)

    async with running(handle) as server:
        response = await fetcher.fetch(request_to(server.url, timeout_seconds=1.5))

    assert response.failure is Outcome.TIMEOUT
    assert response.status == 200
    assert "1.5 s" in response.failure_detail


async def test_server_that_says_nothing_is_cut_at_the_deadline(fetcher):
    async def handle(_, writer):
        await asyncio.sleep(5)

    async with running(handle) as server:
        response = await fetcher.fetch(request_to(server.url, timeout_seconds=0.2))

    assert (response.failure, response.status) == (Outcome.TIMEOUT, 0)


async def test_deadline_covers_the_redirects_too(fetcher):
    async def handle(head, writer):
        await asyncio.sleep(0.15)
        await answering(b"", "302 Found", Location="/again")(head, writer)

    async with running(handle) as server:
        request = request_to(server.url, timeout_seconds=0.4, max_redirects=20)
        response = await fetcher.fetch(request)

    assert response.failure is Outcome.TIMEOUT
    assert len(server.requests) < 5


async def test_header_of_one_megabyte_is_too_large(fetcher):
    head = b"HTTP/1.1 200 OK\r\nX-Big: " + b"x" * 1_000_000 + b"\r\n\r\n"
    async with running(saying(head)) as server:
        response = await fetcher.fetch(request_to(server.url))

    assert response.failure is Outcome.TOO_LARGE
    assert "header" in response.failure_detail


@pytest.mark.parametrize(
    "raw",
    [
        b"<html>HTTP/0.9 has no head</html>",
        b"\x00\x01\x02\x03" * 100,
        b"HTTP/1.1 abc Nonsense\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon here\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"",
    ],
)
async def test_what_is_not_http_is_a_network_error(fetcher, raw):
    async with running(saying(raw)) as server:
        response = await fetcher.fetch(request_to(server.url))

    assert response.failure is Outcome.NETWORK_ERROR
    assert response.failure_detail


async def test_connection_reset_is_a_network_error(fetcher):
    async def handle(_, writer):
        linger = b"\x01\0\0\0\0\0\0\0"
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        writer.transport.abort()

    async with running(handle) as server:
        response = await fetcher.fetch(request_to(server.url))

    assert response.failure is Outcome.NETWORK_ERROR


async def test_body_shorter_than_announced_is_a_network_error(fetcher):
    async with running(saying(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")) as server:
        response = await fetcher.fetch(request_to(server.url))

    assert response.failure is Outcome.NETWORK_ERROR
    assert "ended before" in response.failure_detail


async def test_chunks_that_are_no_chunks_are_a_network_error(fetcher):
    raw = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n"
    async with running(saying(raw)) as server:
        response = await fetcher.fetch(request_to(server.url))

    assert response.failure is Outcome.NETWORK_ERROR


@pytest.mark.parametrize("body", [b"", b"\x89PNG\r\n\x1a\n\0\0\0", "Größe: 12 cm".encode("cp1252")])
async def test_odd_bodies_are_given_as_they_are(fetcher, body):
    async with running(answering(body, Content_Type="text/html; charset=utf-8")) as server:
        response = await fetcher.fetch(request_to(server.url))

    assert (response.body, response.status, response.failure) == (body, 200, None)


@pytest.mark.parametrize(
    "url",
    ["", "nonsense", "http://", "http://[::1", "http://a b/", "ftp://x/",
     "http://" + "a" * 64 + ".example/", "http://x/" + "y" * 5000],
)  # fmt: skip
async def test_what_is_no_url_is_refused(fetcher, url):
    response = await fetcher.fetch(request_to(url))

    assert response.failure is Outcome.REFUSED
    assert response.failure_detail


async def test_many_fetches_at_once_all_arrive(fetcher):
    async with running(answering()) as server:
        requests = [request_to(f"{server.url}/{number}") for number in range(50)]
        responses = await asyncio.gather(*map(fetcher.fetch, requests))

    assert {response.status for response in responses} == {200}
    assert len(server.requests) == 50


async def test_cancelled_fetch_is_cancelled(fetcher):
    asked = asyncio.Event()

    async def handle(_, writer):
        asked.set()
        await asyncio.sleep(5)

    async with running(handle) as server:
        fetching = asyncio.ensure_future(fetcher.fetch(request_to(server.url)))
        await asyncio.wait_for(asked.wait(), 30)
        fetching.cancel()

        with pytest.raises(asyncio.CancelledError):
            await fetching


async def test_closing_twice_is_harmless(make_fetcher):
    fetcher = make_fetcher(policy_for_pages(ANY_LOOPBACK))
    async with running(answering()) as server:
        await fetcher.fetch(request_to(server.url))

    await fetcher.close()
    await fetcher.close()
