"""A hostile page in real Chromium: whatever it tries, nothing arrives where it must not."""

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import pytest
from aiohttp.abc import AbstractResolver

from specfactory.adapters.browser.fetcher import BrowserFetcher
from specfactory.adapters.browser.filtering_proxy import FilteringProxy
from specfactory.adapters.browser.find import find_browser
from specfactory.adapters.network.http_heads import basic
from specfactory.fetch import GatePolicy
from specfactory.fetch.addresses import policy_for_pages
from specfactory.model import Outcome
from specfactory.settings import BrowserSettings
from specfactory.testing import ANY_LOOPBACK
from tests.fetch_requests import request_to
from tests.proxy_server import ProxyServer
from tests.proxy_server import running as proxying
from tests.raw_server import PAGE, OneAddress, answering, path_of, running

METADATA = "http://169.254.169.254/latest/meta-data/"

# Everything by which a page can make a browser ask for something, at one host and port.
TRICKS = """<!doctype html><title>Mouse</title><p>Weight: 54 g</p>
<link rel=dns-prefetch href="http://HOST"><link rel=preconnect href="http://HOST">
<link rel=prefetch href="http://HOST/prefetch"><link rel=preload as=script href="http://HOST/pre">
<link rel=stylesheet href="http://HOST/style"><img src="http://HOST/img">
<script src="http://HOST/script"></script><iframe src="http://HOST/frame"></iframe>
<object data="http://HOST/object"></object><embed src="http://HOST/embed">
<video src="http://HOST/video" autoplay></video><iframe src="file:///etc/passwd"></iframe>
<iframe srcdoc="<img src='http://HOST/inner'><script>fetch('http://HOST/inner2')</script>"></iframe>
<form id=f method=post action="http://HOST/form" target=hidden></form><iframe name=hidden></iframe>
<script>
const quietly = (act) => { try { act() } catch (error) { } };
const blind = {mode: 'no-cors'};
const script = (...lines) => URL.createObjectURL(new Blob(lines));
quietly(() => fetch('http://HOST/fetch', blind));
quietly(() => fetch('https://HOST/fetch', blind));
quietly(() => fetch('/to-victim', blind));
quietly(() => fetch('file:///etc/passwd'));
quietly(() => { const x = new XMLHttpRequest(); x.open('GET', 'http://HOST/xhr'); x.send() });
quietly(() => navigator.sendBeacon('http://HOST/beacon', 'x'));
quietly(() => new EventSource('http://HOST/events'));
quietly(() => new WebSocket('ws://HOST/socket'));
quietly(() => new WebSocket('wss://HOST/socket'));
quietly(() => new WebTransport('https://HOST/transport'));
quietly(() => new Worker(script("fetch('http://HOST/worker', {mode: 'no-cors'});",
  "new WebSocket('ws://HOST/worker')")));
quietly(() => new SharedWorker(script("fetch('http://HOST/shared', {mode: 'no-cors'})")));
quietly(() => navigator.serviceWorker.register('/sw.js'));
quietly(() => window.open('http://HOST/popup'));
quietly(() => document.getElementById('f').submit());
quietly(() => {
  const peer = new RTCPeerConnection({iceServers: [
    {urls: 'stun:UDP'}, {urls: 'turn:UDP', username: 'u', credential: 'p'},
    {urls: 'turn:HOST?transport=tcp', username: 'u', credential: 'p'}]});
  peer.createDataChannel('x');
  peer.createOffer().then((offer) => peer.setLocalDescription(offer));
});
</script>"""


class Names(AbstractResolver):
    """A name server by a table; each list of addresses is gone through, the last for ever."""

    def __init__(self, **table: list[str]) -> None:
        self.table = {name.replace("_", "."): list(found) for name, found in table.items()}
        self.asked: list[str] = []

    async def resolve(self, host, port=0, family=socket.AF_INET):
        self.asked.append(host)
        found = self.table.get(host, [host])
        address = found.pop(0) if len(found) > 1 else found[0]
        kin = socket.AF_INET6 if ":" in address else socket.AF_INET
        return [{"hostname": host, "host": address, "port": port, "family": kin,
                 "proto": 0, "flags": socket.AI_NUMERICHOST}]  # fmt: skip

    async def close(self) -> None:
        pass


class Datagrams(asyncio.DatagramProtocol):
    """Counts what comes by UDP."""

    def __init__(self) -> None:
        self.received: list[bytes] = []

    def datagram_received(self, data, addr) -> None:
        self.received.append(data)


@asynccontextmanager
async def listening_to_udp() -> AsyncIterator[tuple[int, Datagrams]]:
    transport, heard = await asyncio.get_running_loop().create_datagram_endpoint(
        Datagrams, local_addr=("127.0.0.1", 0)
    )
    yield transport.get_extra_info("sockname")[1], heard
    transport.close()


@asynccontextmanager
async def browsing(policy: GatePolicy, names: AbstractResolver | None = None, pages: int = 1):
    settings = BrowserSettings(settle_seconds=1.5, pages_at_once=pages)
    fetcher = BrowserFetcher(policy, settings, find_browser(settings), resolver=names)
    try:
        yield fetcher
    finally:
        await fetcher.close()


def hostile(host: str, udp: int):
    page = TRICKS.replace("HOST", host).replace("UDP", f"127.0.0.1:{udp}").encode()
    worker = f"fetch('http://{host}/service-worker', {{mode: 'no-cors'}})".encode()

    async def handle(head, writer):
        if path_of(head) == "/to-victim":
            await answering(b"", "302 Found", Location=f"http://{host}/redirected")(head, writer)
        elif path_of(head) == "/sw.js":
            await answering(worker, Content_Type="text/javascript")(head, writer)
        else:
            await answering(page, Content_Type="text/html")(head, writer)

    return handle


@asynccontextmanager
async def attack(hosts: Sequence[str], *, loose: bool = False, seconds: float = 8):
    """Let hostile pages act side by side; gives what their victim heard, over TCP and over UDP."""
    async with (
        running(answering(b"")) as victim,
        listening_to_udp() as (udp, heard),
        AsyncExitStack() as up,
    ):
        shops = [
            await up.enter_async_context(running(hostile(host.format(victim.port), udp)))
            for host in hosts
        ]
        trusted = frozenset(("shop.example", shop.port) for shop in shops)
        names = Names(shop_example=["127.0.0.1"], inner_example=["127.0.0.1"])
        policy = replace(policy_for_pages(ANY_LOOPBACK if loose else ()), trusted=trusted)
        async with browsing(policy, names, pages=len(hosts)) as fetcher:
            urls = [f"http://shop.example:{shop.port}/" for shop in shops]
            asked = [fetcher.fetch(request_to(url, timeout_seconds=seconds)) for url in urls]
            responses = await asyncio.gather(*asked)
        yield responses, victim, heard


async def test_page_does_not_reach_this_machine_by_any_trick():
    spellings = ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "inner.example")
    hosts = [f"{spelling}:{{}}" for spelling in spellings]

    async with attack(hosts, seconds=16) as (responses, victim, heard):
        assert [b"54 g" in response.dom for response in responses] == [True] * len(hosts)
        assert (victim.connections, heard.received) == (0, [])


async def test_the_same_tricks_would_work_without_the_gate():
    async with attack(["127.0.0.1:{}"], loose=True, seconds=25) as ([response], victim, _):
        assert b"54 g" in response.dom
        paths = {path_of(head) for head in victim.requests}

    # images, icons and the like are not loaded at all; workers and frames are proven to be tried
    assert {"/fetch", "/xhr", "/script", "/frame", "/socket", "/worker", "/redirected"} <= paths


@pytest.mark.parametrize(
    "url", [METADATA, "http://10.0.0.1/", "http://[fd00::1]/", "file:///etc/passwd",
            "data:text/html,x", "gopher://x.example/", "http://u:p@shop.example/",
            "chrome://version", "javascript:alert(1)"],
)  # fmt: skip
async def test_forbidden_url_does_not_even_start_a_browser(url):
    async with browsing(GatePolicy()) as fetcher:
        response = await fetcher.fetch(request_to(url))

        assert response.failure is Outcome.REFUSED
        assert fetcher.pool.started == 0


async def test_name_that_leads_inside_is_refused_with_its_reason():
    async with browsing(GatePolicy(), OneAddress("10.1.2.3")) as fetcher:
        plain = await fetcher.fetch(request_to("http://www.example.com/"))
        secure = await fetcher.fetch(request_to("https://www.example.com/"))

    assert plain.failure is secure.failure is Outcome.REFUSED
    assert plain.failure_detail == secure.failure_detail == "10.1.2.3 is a private address"


async def test_redirect_and_scripts_that_go_inside_are_refused():
    pages = {"/redirect": answering(b"", "302 Found", Location=METADATA),
             "/script": answering(f"<script>location = '{METADATA}'</script>".encode(),
                                  Content_Type="text/html")}  # fmt: skip

    async def handle(head, writer):
        await pages[path_of(head)](head, writer)

    async with running(handle) as shop, browsing(policy_for_pages(ANY_LOOPBACK)) as fetcher:
        responses = [await fetcher.fetch(request_to(shop.url + path)) for path in pages]

    assert [r.failure for r in responses] == [Outcome.REFUSED] * 2
    assert "metadata" in responses[0].failure_detail


async def test_no_such_name_and_no_such_port_are_told_apart():
    async with running(answering()) as gone:
        pass
    async with browsing(policy_for_pages(ANY_LOOPBACK)) as fetcher:
        name = await fetcher.fetch(request_to("http://nowhere.invalid/"))
        port = await fetcher.fetch(request_to(gone.url))

    assert name.failure is Outcome.DNS_FAILURE
    assert port.failure is Outcome.NETWORK_ERROR
    assert "no connection" in port.failure_detail


class Ways:
    """A proxy and a pass, spoken to by hand."""

    def __init__(self, policy, names=None, max_bytes=1_000_000, upstream="", trusting=True):
        self.proxy = FilteringProxy(policy, resolver=names, trusts_proxy=lambda _: trusting)
        self.given = self.proxy.admit(max_bytes, 20, upstream)
        self.login = basic(self.given.username, self.given.password)

    async def __aenter__(self):
        self.port = int((await self.proxy.start()).rpartition(":")[2])
        return self

    async def __aexit__(self, *_):
        await self.proxy.close()

    async def say(self, first: str, *headers: str, login: str | None = None) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        shown = self.login if login is None else login
        lines = [first, *headers, *([f"Proxy-Authorization: {shown}"] if shown else []), "", ""]
        writer.write("\r\n".join(lines).encode())
        answer = b""
        async with asyncio.timeout(30):
            while not _complete(answer) and (more := await reader.read(1_000_000)):
                answer += more
        writer.close()
        return answer


def _complete(answer: bytes) -> bool:
    head, end, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", head)
    return bool(end) and len(body) >= int(length[1] if length else 0)


LOOSE = policy_for_pages(ANY_LOOPBACK)


async def test_nothing_goes_through_without_the_pass():
    async with running(answering()) as server, Ways(LOOSE) as ways:
        url = f"GET {server.url}/ HTTP/1.1"
        for login in (
            "",
            "Basic bm86bm8=",
            "Basic ???",
            "Bearer x",
            basic(ways.given.username, "no"),
        ):
            assert b"407" in await ways.say(url, "Connection: close", login=login)
        served = await ways.say(url)
        await ways.proxy.revoke(ways.given)
        after = await ways.say(url, "Connection: close")

    assert PAGE in served
    assert b"407" in after
    assert len(server.requests) == 1


async def test_head_is_passed_on_without_what_was_meant_for_the_proxy():
    async with running(answering()) as server, Ways(LOOSE) as ways:
        await ways.say(f"GET {server.url}/a?b=c HTTP/1.1", "Host: shop", "Proxy-Connection: x")

    (head,) = server.requests
    assert head.startswith(b"GET /a?b=c HTTP/1.1\r\n")
    assert b"Proxy" not in head
    assert b"Connection: close" in head


async def test_name_is_resolved_once_and_the_checked_address_is_the_one_connected_to():
    async with running(answering()) as server:
        names = Names(shop_example=["127.0.0.1", "10.0.0.1"])  # it changes its mind at once
        async with Ways(LOOSE, names) as ways:
            first = await ways.say(f"CONNECT shop.example:{server.port} HTTP/1.1")
            second = await ways.say(f"CONNECT shop.example:{server.port} HTTP/1.1")

    assert b"200" in first
    assert b"403" in second
    assert names.asked == ["shop.example", "shop.example"]
    assert ways.given.troubles[f"shop.example:{server.port}"][0] is Outcome.REFUSED


@pytest.mark.parametrize(
    "first",
    ["CONNECT 169.254.169.254:80 HTTP/1.1", "CONNECT 127.0.0.1:22 HTTP/1.1",
     "CONNECT [::1]:443 HTTP/1.1", "CONNECT 0x7f000001:443 HTTP/1.1",
     "CONNECT www.example.com:25 HTTP/1.1", "CONNECT :443 HTTP/1.1", "CONNECT x HTTP/1.1 y",
     "GET http://127.0.0.1/ HTTP/1.1", "GET / HTTP/1.1", "GET ftp://x.example/ HTTP/1.1",
     "GET file:///etc/passwd HTTP/1.1", "GET http://u:p@x.example/ HTTP/1.1", "\x00\x01 garbage"],
)  # fmt: skip
async def test_what_the_gate_refuses_is_never_connected_to(first):
    names = Names(www_example_com=["93.184.215.14"], x=["10.0.0.1"])
    async with Ways(GatePolicy(), names) as ways:
        answer = await ways.say(first)

    assert b"200" not in answer


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "public.example"])
async def test_a_place_that_is_open_opens_no_other_on_this_machine(host):
    names = Names(public_example=["127.0.0.1"])
    async with (
        running(answering(b"mine")) as server,
        running(answering()) as victim,
        Ways(policy_for_pages([f"127.0.0.1:{server.port}"]), names) as ways,
    ):
        own = await ways.say(f"GET http://127.0.0.1:{server.port}/ HTTP/1.1")
        plain = await ways.say(f"GET http://{host}:{victim.port}/ HTTP/1.1")
        tunnel = await ways.say(f"CONNECT {host}:{victim.port} HTTP/1.1")

    assert b"mine" in own
    assert (b"200" in plain + tunnel, victim.requests) == (False, [])


async def test_page_that_loads_more_than_it_may_is_cut():
    ways = Ways(LOOSE, max_bytes=100_000)
    async with running(answering(b"x" * 500_000)) as server, ways:
        answer = await ways.say(f"GET {server.url}/ HTTP/1.1")

    assert len(answer) < 200_000
    assert ways.given.troubles[""][0] is Outcome.TOO_LARGE


async def test_revoking_a_pass_ends_its_connections():
    async with running(answering()) as server, Ways(LOOSE) as ways:
        reader, writer = await asyncio.open_connection("127.0.0.1", ways.port)
        lines = f"CONNECT {server.url[7:]} HTTP/1.1\r\nProxy-Authorization: {ways.login}\r\n\r\n"
        writer.write(lines.encode())
        await reader.readuntil(b"\r\n\r\n")
        await ways.proxy.revoke(ways.given)

        assert await asyncio.wait_for(reader.read(), 30) == b""
        writer.close()


async def test_tunnel_through_another_proxy_is_asked_for_by_the_checked_address():
    other, names = ProxyServer(user="u", password="s3cret"), Names(shop_example=["127.0.0.1"])
    async with proxying(other), running(answering()) as server:
        ways = Ways(LOOSE, names, upstream=other.url)
        async with ways:
            answer = await ways.say(f"CONNECT shop.example:{server.port} HTTP/1.1")

    assert b"200" in answer
    assert other.asked == [f"CONNECT 127.0.0.1:{server.port} HTTP/1.1"]


class TwoFaces(Names):
    """A name that leads inside as well as outside."""

    async def resolve(self, host, port=0, family=socket.AF_INET):
        (inside,) = await super().resolve(host, port, family)
        outside = {**inside, "host": "93.184.216.34"}
        return [outside, inside] if host == "shop.example" else [inside]


async def test_another_proxy_is_asked_for_the_checked_address_with_the_name_as_host():
    async with proxying(ProxyServer(fault="status 418")) as other:
        ways = Ways(GatePolicy(), TwoFaces(shop_example=["10.0.0.1"]), upstream=other.url)
        async with ways:
            await ways.say("GET http://shop.example/a?b=c HTTP/1.1", "Host: elsewhere.example")

    (head,) = other.headers
    assert head.startswith("GET http://93.184.216.34/a?b=c HTTP/1.1\r\n")
    assert [line for line in head.split("\r\n") if line.lower().startswith("host:")] == [
        "Host: shop.example"
    ]


async def test_no_other_proxy_is_asked_for_what_leads_inside():
    async with proxying(ProxyServer()) as other:
        ways = Ways(GatePolicy(), Names(shop_example=["10.0.0.1"]), upstream=other.url)
        async with ways:
            await ways.say("GET http://shop.example/ HTTP/1.1")

    assert other.headers == []
    ((outcome, *_),) = ways.given.troubles.values()
    assert outcome is Outcome.REFUSED


@pytest.mark.parametrize("fault", ["drop", "garbage", "status 503"])
async def test_other_proxy_that_fails_is_told_without_its_password(fault):
    other = ProxyServer(user="u", password="s3cret", fault=fault)
    async with proxying(other), running(answering()) as server:
        ways = Ways(LOOSE, upstream=other.url)
        async with ways:
            answer = await ways.say(f"CONNECT {server.url[7:]} HTTP/1.1")

    assert b"403" in answer
    ((outcome, detail, *_),) = ways.given.troubles.values()
    assert outcome is Outcome.NETWORK_ERROR
    assert detail.startswith("proxy: ")
    assert "s3cret" not in repr(ways.given) + detail


async def test_proxy_that_the_operator_did_not_name_must_not_be_inside():
    async with proxying(ProxyServer()) as other, running(answering()) as server:
        policy = GatePolicy(trusted=frozenset({("shop.example", server.port)}))
        names = Names(shop_example=["127.0.0.1"])
        ways = Ways(policy, names, upstream=other.url, trusting=False)
        async with ways:
            answer = await ways.say(f"CONNECT shop.example:{server.port} HTTP/1.1")

    assert b"403" in answer
    assert other.headers == []
    assert "loopback" in ways.given.troubles[f"shop.example:{server.port}"][1]


async def test_pages_that_come_first_together_find_one_proxy():
    proxy = FilteringProxy(LOOSE)
    try:
        assert len(set(await asyncio.gather(*(proxy.start() for _ in range(5))))) == 1
    finally:
        await proxy.close()


async def test_page_is_given_so_many_connections_and_no_more():
    async with running(answering()) as server, Ways(LOOSE) as ways:
        answers = [await ways.say(f"GET {server.url}/ HTTP/1.1") for _ in range(25)]

    assert sum(PAGE in answer for answer in answers) == len(server.requests) == 20
