"""The servers: one port per site, all in one process."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from aiohttp import web

from specfactory.demo.faults import Handler, with_faults
from specfactory.demo.nouns import Answer
from specfactory.demo.world import World, build_at


@dataclass(frozen=True, slots=True)
class Running:
    """A demo web that is being served."""

    world: World
    urls: Mapping[str, str]  # site name -> its root

    @property
    def index_url(self) -> str:
        """Where a person begins."""
        return self.urls["index"]


@asynccontextmanager
async def serve(world: World, faults: bool = False) -> AsyncIterator[Running]:
    """Serve all sites until the block is left; free ports when the world was built for port 0."""
    sockets = _bind_all([site.port for site in world.sites])
    ports = [bound.getsockname()[1] for bound in sockets]
    if ports != [site.port for site in world.sites]:
        world = build_at(world.seed, ports, len(world.products), world.relaunched)
    handler = _handler(world)
    if faults:
        handler = with_faults(handler, world.seed, _host_of(world))
    runner = web.ServerRunner(web.Server(handler))
    try:
        await _start(runner, sockets)
        yield Running(world, {site.name: site.origin for site in world.sites})
    finally:
        await runner.cleanup()
        for bound in sockets:
            bound.close()


async def _start(runner: web.ServerRunner, sockets: Sequence[socket.socket]) -> None:
    await runner.setup()
    for bound in sockets:
        await web.SockSite(runner, bound).start()


def _bind_all(ports: Sequence[int]) -> list[socket.socket]:
    """A socket per port, or none at all when one of them is taken."""
    with ExitStack() as undo:
        sockets = [undo.enter_context(_bind(port)) for port in ports]
        undo.pop_all()
    return sockets


def _bind(port: int) -> socket.socket:
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(("127.0.0.1", port))
    except OSError:
        bound.close()
        raise
    return bound


def _host_of(world: World) -> Callable[[web.BaseRequest], str]:
    """The site that a request came to, by its port: clients may name it as they like."""
    hosts = {site.port: site.host for site in world.sites}

    def host_of(request: web.BaseRequest) -> str:
        assert request.transport is not None
        return hosts[request.transport.get_extra_info("sockname")[1]]

    return host_of


def _handler(world: World) -> Handler:
    host_of = _host_of(world)

    async def handle(request: web.BaseRequest) -> web.StreamResponse:
        if request.method not in ("GET", "HEAD"):
            return web.Response(status=405, text="GET only")
        answer = world.page(host_of(request), request.path_qs)
        if _unchanged(request.headers, answer):
            kept = {k: v for k, v in answer.headers.items() if k in ("ETag", "Last-Modified")}
            return web.Response(status=304, headers=kept)
        return web.Response(status=answer.status, headers=dict(answer.headers), body=answer.body)

    return handle


def _unchanged(asked: Mapping[str, str], answer: Answer) -> bool:
    """Whether the client has this very answer already."""
    if answer.status != 200 or "ETag" not in answer.headers:
        return False
    if known := asked.get("If-None-Match"):
        return answer.headers["ETag"] in (tag.strip() for tag in known.split(","))
    since = asked.get("If-Modified-Since")
    return since is not None and _not_after(answer.headers["Last-Modified"], since)


def _not_after(modified: str, since: str) -> bool:
    try:
        return parsedate_to_datetime(modified) <= parsedate_to_datetime(since)
    except (TypeError, ValueError):
        return False
