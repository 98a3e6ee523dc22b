"""The web search over real sockets: one endpoint is trusted, and nothing beside it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from specfactory.adapters.http.search import JsonSearch
from specfactory.model import Product

VIPER = Product("mouse", "Razer", "Viper V3 Pro")
HIT = {"url": "https://shop.example/viper", "title": "Viper"}


@asynccontextmanager
async def endpoint(handler) -> AsyncIterator[int]:
    runner = web.ServerRunner(web.Server(handler))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


async def ask(port: int) -> list[str]:
    search = JsonSearch(f"http://127.0.0.1:{port}/search?q={{query}}")
    try:
        return [hit.url for hit in await search.search(VIPER, None)]
    finally:
        await search.close()


async def test_endpoint_on_an_inner_address_is_reached_when_the_operator_names_it():
    async def handler(request):
        assert request.query["q"] == "Razer Viper V3 Pro specifications"
        return web.json_response({"results": [HIT]})

    async with endpoint(handler) as port:
        assert await ask(port) == ["https://shop.example/viper"]


async def test_endpoint_cannot_lead_to_its_neighbours():
    asked = []

    async def neighbour(request):
        asked.append(request.url)
        return web.json_response({"results": [HIT]})

    async with endpoint(neighbour) as other:

        async def handler(request):
            raise web.HTTPFound(f"http://127.0.0.1:{other}/")

        async with endpoint(handler) as port:
            assert await ask(port) == []
    assert asked == []
