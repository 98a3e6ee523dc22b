"""Pages through real proxies on loopback: what passes, what is refused, and who is to blame."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trustme

from specfactory.adapters.http.fetcher import HttpFetcher
from specfactory.fetch.addresses import policy_for_pages
from specfactory.model import FetchResponse, Outcome
from specfactory.testing import ANY_LOOPBACK
from tests.fetch_requests import request_to
from tests.proxy_server import ProxyServer, running
from tests.raw_server import OneAddress

PAGE = b"<html><title>Mouse</title><p>Weight: 54 g</html>"
SECRET = "s3cret:with@signs"


def trusts_all(place: str) -> bool:
    return True


@asynccontextmanager
async def page_server(
    answer: bytes = b"", tls: ssl.SSLContext | None = None
) -> AsyncIterator[tuple[int, list[bytes]]]:
    heads: list[bytes] = []
    whole = answer or b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s"
    reply = answer or whole % (len(PAGE), PAGE)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            heads.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(reply)
            await writer.drain()
        except (OSError, EOFError):
            pass
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    async with server:
        yield server.sockets[0].getsockname()[1], heads


async def fetch(
    url: str, proxy: str, *, loopback: bool = True, trust=trusts_all, resolver=None
) -> FetchResponse:
    policy = policy_for_pages(ANY_LOOPBACK if loopback else ())
    fetcher = HttpFetcher(policy, trusts_proxy=trust, resolver=resolver)
    try:
        return await fetcher.fetch(request_to(url, proxy=proxy, timeout_seconds=3))
    finally:
        await fetcher.close()


@pytest.fixture
def authority(monkeypatch, tmp_path) -> trustme.CA:
    made = trustme.CA()
    made.cert_pem.write_to_path(tmp_path / "ca.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    return made


def certificate(authority: trustme.CA, *names: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names).configure_cert(context)
    return context


async def test_a_page_comes_through_the_proxy_with_its_password():
    async with page_server() as (port, heads), running(ProxyServer("ann", SECRET)) as proxy:
        url = f"http://127.0.0.1:{port}/mouse"
        written = f"http://ann:s3cret%3Awith%40signs@{proxy.place}"

        response = await fetch(url, written)

    assert (response.status, response.body, response.proxy) == (200, PAGE, proxy.place)
    assert proxy.asked == [f"GET {url} HTTP/1.1"]
    assert b"roxy-" not in heads[0]  # the server never sees the password
    assert "s3cret" not in repr(response)


async def test_a_page_over_tls_comes_through_a_tunnel(authority):
    tls = certificate(authority, "shop.localhost")
    async with page_server(tls=tls) as (port, _), running(ProxyServer("ann", "pw")) as proxy:
        response = await fetch(f"https://shop.localhost:{port}/mouse", proxy.url)

    assert (response.status, response.body) == (200, PAGE)
    assert proxy.asked == [f"CONNECT 127.0.0.1:{port} HTTP/1.1"]


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_proxy_may_speak_tls_itself(authority, scheme):
    tls = certificate(authority, "shop.localhost", "127.0.0.1")
    async with (
        page_server(tls=tls if scheme == "https" else None) as (port, _),
        running(ProxyServer(tls=tls)) as proxy,
    ):
        response = await fetch(f"{scheme}://shop.localhost:{port}/mouse", proxy.url)

    assert (response.status, response.body, response.failure_detail) == (200, PAGE, "")


async def test_a_wrong_password_is_the_proxys_trouble_not_the_pages():
    async with page_server() as (port, heads), running(ProxyServer("ann", "right")) as proxy:
        wrong = proxy.url.replace("right", "wrong")
        plain = await fetch(f"http://127.0.0.1:{port}/mouse", wrong)
        tunnel = await fetch(f"https://127.0.0.1:{port}/mouse", wrong)

    assert plain.failure is tunnel.failure is Outcome.NETWORK_ERROR
    assert plain.failure_detail == "proxy: asks for a password, HTTP 407"
    assert tunnel.failure_detail == "proxy: no tunnel, HTTP 407"
    assert (plain.status, heads) == (0, [])


@pytest.mark.parametrize(
    ("fault", "scheme", "detail"),
    [
        ("status 502", "https", "proxy: no tunnel, HTTP 502"),
        ("status 403", "https", "proxy: no tunnel, HTTP 403"),
        ("drop", "http", "proxy: closed the connection without an answer"),
        ("drop", "https", "proxy: closed the connection without an answer"),
        ("garbage", "http", "proxy: its answer is not HTTP"),
        ("garbage", "https", "proxy: its answer is not HTTP"),
    ],
)
async def test_what_the_proxy_does_wrong_is_told_as_its_fault(fault, scheme, detail):
    async with page_server() as (port, _), running(ProxyServer(fault=fault)) as proxy:
        response = await fetch(f"{scheme}://127.0.0.1:{port}/mouse", proxy.url)

    assert (response.failure, response.failure_detail) == (Outcome.NETWORK_ERROR, detail)


async def test_a_proxy_that_is_not_there_is_told_as_its_fault():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

    refused = await fetch("http://127.0.0.1:80/", f"http://ann:hidden@127.0.0.1:{port}")
    unknown = await fetch("http://127.0.0.1:80/", "http://ann:hidden@proxy.invalid:3128")

    assert refused.failure is unknown.failure is Outcome.NETWORK_ERROR
    assert refused.failure_detail.startswith("proxy: no connection")
    assert unknown.failure_detail == "proxy: its name is not known"
    assert "hidden" not in repr(refused) + repr(unknown)


async def test_a_server_that_the_proxy_cannot_reach_is_told_as_the_proxy_says():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    async with running(ProxyServer()) as proxy:
        response = await fetch(f"http://127.0.0.1:{port}/", proxy.url)

    assert response.failure_detail == "proxy: cannot reach the server, HTTP 502"


async def test_the_servers_own_refusals_are_not_blamed_on_the_proxy(authority):
    own = b"HTTP/1.1 502 Bad Gateway\r\nServer: nginx\r\nContent-Length: 0\r\n\r\n"
    bad_name = certificate(authority, "other.localhost")
    async with (
        page_server(own) as (port, _),
        page_server(tls=bad_name) as (secure, _),
        running(ProxyServer()) as proxy,
    ):
        answered = await fetch(f"http://127.0.0.1:{port}/", proxy.url)
        untrusted = await fetch(f"https://shop.localhost:{secure}/", proxy.url)

    assert (answered.status, answered.failure) == (502, None)
    assert untrusted.failure_detail.startswith("TLS: ")


async def test_a_proxy_that_hangs_is_a_timeout():
    async with running(ProxyServer(fault="hang")) as proxy:
        fetcher = HttpFetcher(policy_for_pages(ANY_LOOPBACK), trusts_proxy=trusts_all)
        request = request_to("http://127.0.0.1:80/", proxy=proxy.url, timeout_seconds=0.2)
        response = await fetcher.fetch(request)
        await fetcher.close()

    assert response.failure is Outcome.TIMEOUT


async def test_only_a_proxy_that_the_operator_named_may_be_at_a_private_address():
    async with running(ProxyServer(fault="status 418")) as proxy:
        public = "http://93.184.216.34/"
        listed = await fetch(public, proxy.url, loopback=False, trust=lambda place: False)
        refused_at = list(proxy.headers)
        named = await fetch(public, proxy.url, loopback=False, trust=lambda p: p == proxy.place)

    assert (listed.failure, refused_at) == (Outcome.NETWORK_ERROR, [])
    assert listed.failure_detail == "proxy: refused: 127.0.0.1 is a loopback address"
    assert named.status == 418


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:80/", "http://10.0.0.1/", "http://0x7f000001/", "http://localhost/"]
)
async def test_no_proxy_is_asked_for_a_page_that_the_gate_refuses(url):
    async with running(ProxyServer()) as proxy:
        response = await fetch(url, proxy.url, loopback=False)

    assert (response.failure, proxy.asked) == (Outcome.REFUSED, [])


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("inside", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1"])
async def test_no_proxy_is_asked_for_a_name_that_leads_inside(scheme, inside):
    async with running(ProxyServer()) as proxy:
        response = await fetch(
            f"{scheme}://innocent.example/", proxy.url, loopback=False, resolver=OneAddress(inside)
        )

    assert (response.failure, proxy.headers) == (Outcome.REFUSED, [])
    assert inside in response.failure_detail


async def test_a_tunnel_leads_to_the_address_that_was_checked(authority):
    tls = certificate(authority, "shop.example")
    async with page_server(tls=tls) as (port, heads), running(ProxyServer()) as proxy:
        url = f"https://shop.example:{port}/mouse"
        response = await fetch(url, proxy.url, resolver=OneAddress("127.0.0.1"))
        other = url.replace("shop", "other")
        mistaken = await fetch(other, proxy.url, resolver=OneAddress("127.0.0.1"))

    assert (response.body, response.final_url) == (PAGE, url)
    assert proxy.asked[0] == f"CONNECT 127.0.0.1:{port} HTTP/1.1"
    assert f"Host: shop.example:{port}\r\n".encode() in heads[0]
    assert "TLS" in mistaken.failure_detail  # the certificate is still that of the name


class _Both(OneAddress):
    """A name that leads inside as well as outside."""

    async def resolve(self, host, port=0, family=socket.AF_INET):
        inside = await super().resolve(host, port)
        return [{**inside[0], "host": "93.184.216.34"}, *inside]


async def test_a_plain_request_names_the_address_that_was_checked():
    async with page_server() as (port, heads), running(ProxyServer()) as proxy:
        url = f"http://shop.example:{port}/mouse?a=b"
        response = await fetch(url, proxy.url, resolver=OneAddress("127.0.0.1"))

    assert (response.body, response.final_url) == (PAGE, url)
    assert proxy.asked == [f"GET http://127.0.0.1:{port}/mouse?a=b HTTP/1.1"]
    assert heads[0].lower().count(b"host:") == 1
    assert f"Host: shop.example:{port}\r\n".encode() in heads[0]


async def test_of_several_addresses_the_proxy_is_asked_for_one_that_passes():
    async with running(ProxyServer(fault="status 418")) as proxy:
        both = {"loopback": False, "resolver": _Both("10.0.0.1")}
        plain = await fetch("http://two.example/", proxy.url, **both)
        await fetch("https://two.example/", proxy.url, **both)

    assert plain.status == 418
    assert proxy.headers[0].startswith("GET http://93.184.216.34/ ")
    assert "Host: two.example\r\n" in proxy.headers[0]
    assert proxy.headers[1].startswith("CONNECT 93.184.216.34:443 ")


async def test_a_name_that_leads_nowhere_is_not_the_proxys_fault():
    async with running(ProxyServer()) as proxy:
        response = await fetch("http://nowhere.invalid/", proxy.url)

    assert (response.failure, proxy.headers) == (Outcome.DNS_FAILURE, [])
    assert "nowhere.invalid" in response.failure_detail


async def test_a_page_cannot_reach_a_trusted_proxy_as_a_server():
    async with running(ProxyServer()) as proxy:
        response = await fetch(f"http://{proxy.place}/", "", loopback=False)

    assert (response.failure, proxy.headers) == (Outcome.REFUSED, [])


@pytest.mark.parametrize("written", ["what is this", "http://host", "socks5://1.2.3.4:1080"])
async def test_what_is_no_proxy_is_refused_without_quoting_it(written):
    response = await fetch("http://93.184.216.34/", written, loopback=False)

    assert response.failure is Outcome.NETWORK_ERROR
    assert response.failure_detail.startswith("proxy: ")
    assert written not in response.failure_detail
