"""The demo web in a process of its own, and a hand on its switches."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from multiprocessing.connection import Connection
from random import Random
from typing import Any

import aiohttp

from specfactory.demo import World, build_world, serve
from specfactory.demo.values import Site
from specfactory.demo.world import build_at

UP_SECONDS = 60.0
PRODUCTS = 64
RELAUNCHED = ("table", "definitions", "lines", "columns")  # layouts that have another markup


class Web:
    """A demo web that is being served; sites answer to every name before ``.localhost``."""

    def __init__(self, world: World, client: aiohttp.ClientSession) -> None:
        self.world, self._client = world, client
        self._faults = f"http://127.0.0.1:{world.sites[0].port}/faults"

    async def switch(self, alias: str, fault: str, after: int) -> None:
        """Let a fault begin after so many pages of the site called so."""
        async with self._client.post(f"{self._faults}/{alias}/{fault}?after={after}") as answer:
            assert answer.status == 200, await answer.text()

    async def state(self) -> dict[str, dict[str, Any]]:
        """Per alias: its fault, whether it has begun, how many requests met it."""
        async with self._client.get(self._faults) as answer:
            found: dict[str, dict[str, Any]] = await answer.json()
            return found

    def choose(self, draw: Random, rebuilt: bool = False) -> Site:
        """A site whose pages may be read by a plain client; one with another markup to show."""
        return draw.choice(
            [
                site
                for site in self.world.sites
                if site.tier is not None
                and site.readable
                and site.robots == "open"
                and (site.layout in RELAUNCHED if rebuilt else not site.brand)
            ]
        )

    def paths(self, site: Site, draw: Random, count: int) -> list[str]:
        """So many of its product pages, in an order of the draw."""
        shelf = next(shelf for shelf in self.world.shelves if shelf.site.name == site.name)
        paths = [shelf.path(mouse) for mouse in shelf.mice]
        return draw.sample(paths, min(count, len(paths)))


@asynccontextmanager
async def serving(seed: int, slow_seconds: float) -> AsyncIterator[Web]:
    """The demo web of a seed on free ports."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(seed, slow_seconds, theirs), daemon=True)
    process.start()
    try:
        assert await asyncio.to_thread(ours.poll, UP_SECONDS), "the demo web is not up"
        world = build_at(seed, ours.recv(), PRODUCTS)
        async with aiohttp.ClientSession() as client:
            yield Web(world, client)
    finally:
        ours.send("done")
        await asyncio.to_thread(process.join, 5)
        if process.is_alive():
            process.kill()


def _serve(seed: int, slow_seconds: float, told: Connection) -> None:
    asyncio.run(_serve_until_told(seed, slow_seconds, told))


async def _serve_until_told(seed: int, slow_seconds: float, told: Connection) -> None:
    async with serve(build_world(seed, 0, PRODUCTS), slow_seconds=slow_seconds) as running:
        told.send([site.port for site in running.world.sites])
        await asyncio.to_thread(told.recv)
