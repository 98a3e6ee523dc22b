"""Serving the demo shops: one port each, and an index where faults are switched."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from specfactory.demo.faults import Switchboard
from specfactory.demo.server import listening
from specfactory.demo.shops.mall import Mall
from specfactory.model import Frozen

RELAUNCH = "layout_change"  # the fault that is a relaunch


class RunningShops(Frozen):
    """Demo shops that are being served."""

    mall: Mall
    urls: Mapping[str, str]  # site name -> its root
    faults: Switchboard

    def switch(self, site: str, fault: str, on: bool = True, after: int = 0) -> None:
        """Let a fault begin at a shop, after so many more pages, or end it."""
        self.faults.switch(site, fault, on, after)

    def relaunch(self, site: str, after: int = 0) -> None:
        """Relaunch a shop after so many more pages."""
        self.switch(site, RELAUNCH, after=after)


@asynccontextmanager
async def serve_shops(
    mall: Mall, faults: bool = False, slow_seconds: float = 8.0
) -> AsyncIterator[RunningShops]:
    """Serve the shops until the block is left; free ports when they were built for port 0."""
    board = Switchboard(mall.seed, faults, slow_seconds)
    async with listening(mall, board) as placed:
        yield RunningShops(placed, {site.name: site.origin for site in placed.sites}, board)
