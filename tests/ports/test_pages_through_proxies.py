"""A host that refuses us is fetched through a proxy: the ladder and the pool, on real sockets."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest

from specfactory.adapters.memory.state import MemoryState
from specfactory.adapters.redis.state import RedisState
from specfactory.assembly import open_factory
from specfactory.fetch.proxies.list_formats import make_proxy
from specfactory.fetch.proxies.pool import ProxyPool
from specfactory.model import FetchEnd, Outcome, ProxyOrigin, Rung, Tier
from specfactory.settings import BrowserSettings, FetchSettings, ProxySettings, Settings
from specfactory.testing import ANY_LOOPBACK, ManualClock
from tests.proxy_server import ProxyServer, running

PROSE = "The sensor tracks well on every surface that we tried. " * 60


@asynccontextmanager
async def wary_host() -> AsyncIterator[str]:
    """Gives its pages only to those who come through a proxy (which closes connections)."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            welcome = b"connection: close" in head.lower()
            body = f"<title>Mouse</title><p>{PROSE}</p>".encode() if welcome else b"Forbidden"
            status = b"200 OK" if welcome else b"403 Forbidden"
            writer.write(
                b"HTTP/1.1 %s\r\nContent-Type: text/html\r\nContent-Length: %d\r\n"
                b"Connection: close\r\n\r\n%s" % (status, len(body), body)
            )
            await writer.drain()
        except (OSError, EOFError):
            pass
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://shop.localhost:{server.sockets[0].getsockname()[1]}"


def settings(*urls: str) -> Settings:
    return Settings(
        database_url="sqlite:///:memory:",
        fetch=FetchSettings(
            allow_loopback=ANY_LOOPBACK, respect_robots=False, host_delay_seconds=0
        ),
        browser=BrowserSettings(enabled=False),
        proxy=ProxySettings(urls=urls),
    )


async def test_a_page_that_is_refused_comes_through_a_proxy_and_says_so():
    async with (
        wary_host() as site,
        running(ProxyServer("ann", "hidden")) as proxy,
        open_factory(settings(proxy.url)) as bench,
    ):
        got = await bench.fetch.fetch_page(f"{site}/mouse", Tier.RETAILER)
        health = bench.proxies.pool.health(bench.proxies.pool.proxies[0])

    assert (got.page.outcome, got.page.rung) == (Outcome.OK, Rung.HTTP_PROXY)
    assert got.page.proxy == proxy.place
    assert "hidden" not in repr(got.page)
    assert (health.score, health.failures) == (1.0, 0)
    assert health.latency_ms > 0


async def test_a_dead_proxy_is_replaced_by_another_and_the_pool_learns_it():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        dead = f"http://127.0.0.1:{taken.getsockname()[1]}"
    async with (
        wary_host() as site,
        running(ProxyServer()) as proxy,
        open_factory(settings(dead, proxy.url), random=Random(2)) as bench,
    ):
        urls = [f"{site}/{number}" for number in range(12)]
        pages = [(await bench.fetch.fetch_page(url, Tier.RETAILER)).page for url in urls]
        pool = bench.proxies.pool
        sick = next(each for each in pool.proxies if each.url == dead)

        assert {page.outcome for page in pages} == {Outcome.OK}
        assert {page.proxy for page in pages} == {proxy.place}
        assert pool.health(sick).failures > 0


@pytest.mark.parametrize("kind", ["memory", "redis"])
async def test_workers_learn_from_one_another_through_the_shared_state(kind, request):
    clock = ManualClock()
    state = (
        MemoryState(clock)
        if kind == "memory"
        else RedisState(f"{request.getfixturevalue('redis').url}?namespace=proxies", clock)
    )
    proxy = make_proxy("http://ann:hidden@10.0.0.1:80", ProxyOrigin.SETTINGS)
    first, second = (ProxyPool([proxy], state, clock, Random(1)) for _ in range(2))

    await first.report(proxy, "a.example", FetchEnd(Outcome.BLOCKED, ""), 0.5)

    assert await second.choose("a.example") is None
    assert await second.choose("b.example") == proxy
    assert second.health(proxy) == first.health(proxy)
    await state.close()
