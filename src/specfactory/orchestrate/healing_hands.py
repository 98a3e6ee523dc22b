"""Remedies that lie outside the database: proxies and the browser."""

from __future__ import annotations

from specfactory.heal import Means
from specfactory.model import Remedy, RemedyKind
from specfactory.orchestrate.workbench import Workbench


def means_of(bench: Workbench) -> Means:
    """What there is to heal with."""
    proxies = bench.proxies is not None and bool(bench.proxies.pool.proxies)
    return Means(proxies=proxies, browser=bench.browser is not None)


async def act(bench: Workbench, remedy: Remedy) -> None:
    """Do what a remedy asks for beyond the care of its host."""
    if remedy.kind is RemedyKind.ROTATE_PROXY:
        await _rest_proxy(bench, str(remedy.params.get("proxy", "")), remedy.host)
    elif remedy.kind is RemedyKind.RESTART_BROWSER and bench.browser is not None:
        await bench.browser.restart()


async def _rest_proxy(bench: Workbench, place: str, host: str) -> None:
    if bench.proxies is None:
        return
    pool = bench.proxies.pool
    for proxy in pool.proxies:
        if proxy.place == place:
            await pool.rest(proxy, f"refused or silent at {host}")
