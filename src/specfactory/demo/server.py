"""The servers: one port per site, all in one process."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Protocol, Self, TypeVar

from aiohttp import web

from specfactory.demo.faults import Switchboard, control
from specfactory.demo.values import Answer, Site
from specfactory.demo.world import World
from specfactory.model import Frozen

Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


class Web(Protocol):
    """Sites with their pages: what can be served."""

    seed: int

    @property
    def sites(self) -> tuple[Site, ...]: ...
    def page(self, host: str, path: str) -> Answer:
        """What a host answers for a path with its query."""

    def redrawn(self, host: str, path: str) -> Answer:
        """The same after a relaunch."""

    def at(self, ports: Sequence[int]) -> Self:
        """The same web on other ports."""


W = TypeVar("W", bound=Web)


class Running(Frozen):
    """A demo web that is being served."""

    world: World
    urls: Mapping[str, str]  # site name -> its root
    faults: Switchboard

    @property
    def index_url(self) -> str:
        """Where a person begins."""
        return self.urls["index"]

    def switch(self, site: str, fault: str, on: bool = True, after: int = 0) -> None:
        """Let a fault begin at a site, after so many more pages, or end it."""
        self.faults.switch(site, fault, on, after)


@asynccontextmanager
async def serve(
    world: World, faults: bool = False, slow_seconds: float = 8.0
) -> AsyncIterator[Running]:
    """Serve all sites until the block is left; free ports when the world was built for port 0.

    With ``faults``, single pages fail as the seed says; a site fails when it is switched.
    """
    board = Switchboard(world.seed, faults, slow_seconds)
    async with listening(world, board) as placed:
        yield Running(placed, {site.name: site.origin for site in placed.sites}, board)


@asynccontextmanager
async def listening(web_of: W, board: Switchboard) -> AsyncIterator[W]:
    """Listen for every site of a web; gives the web on the ports that it has."""
    sockets = _bind_all([site.port for site in web_of.sites])
    ports = [bound.getsockname()[1] for bound in sockets]
    if ports != [site.port for site in web_of.sites]:
        web_of = web_of.at(ports)
    runner = web.ServerRunner(web.Server(_handler(web_of, board)), shutdown_timeout=1.0)
    try:
        await _start(runner, sockets)
        yield web_of
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


def _handler(world: Web, board: Switchboard) -> Handler:
    sites = {site.port: site for site in world.sites}

    async def handle(request: web.BaseRequest) -> web.StreamResponse:
        assert request.transport is not None
        site = sites[request.transport.get_extra_info("sockname")[1]]
        if site.layout == "index" and (told := await control(request, board)) is not None:
            return told
        if request.method not in ("GET", "HEAD"):
            return web.Response(status=405, text="GET only")
        asked = _asked(request, site)
        page = partial(world.page, site.host)
        struck = await board.meet(request, asked, page, partial(world.redrawn, site.host))
        return struck or _answer(request, page(request.path_qs))

    return handle


def _asked(request: web.BaseRequest, site: Site) -> str:
    """The name that a client asked for: the site's, or another that leads to its port."""
    name = request.host.partition(":")[0].lower()
    return name.removesuffix(".localhost") if name.endswith(".localhost") else site.name


def _answer(request: web.BaseRequest, answer: Answer) -> web.Response:
    if _unchanged(request.headers, answer):
        kept = {k: v for k, v in answer.headers.items() if k in ("ETag", "Last-Modified")}
        return web.Response(status=304, headers=kept)
    return web.Response(status=answer.status, headers=dict(answer.headers), body=answer.body)


def _unchanged(asked: Mapping[str, str], answer: Answer) -> bool:
    """Whether the client has this very answer already."""
    if answer.status != 200 or "ETag" not in answer.headers:
        return False
    if known := asked.get("If-None-Match"):
        return answer.headers["ETag"] in (tag.strip() for tag in known.split(","))
    since = asked.get("If-Modified-Since")
    changed = answer.headers.get("Last-Modified")
    return since is not None and changed is not None and _not_after(changed, since)


def _not_after(modified: str, since: str) -> bool:
    try:
        return parsedate_to_datetime(modified) <= parsedate_to_datetime(since)
    except (TypeError, ValueError):
        return False
