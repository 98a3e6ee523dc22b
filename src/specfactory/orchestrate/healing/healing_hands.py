"""Remedies that lie outside the database: proxies and the browser."""

from __future__ import annotations

from specfactory.heal import Means
from specfactory.model import Remedy, RemedyKind
from specfactory.orchestrate.bench import Workbench


def means_of(bench: Workbench) -> Means:
    """What there is to heal with."""
    tiers = bench.proxies.pool.tiers if bench.proxies is not None else ()
    return Means(proxies=bool(tiers), browser=_has_browser(bench), tiers=tiers)


def _has_browser(bench: Workbench) -> bool:
    return bench.browser is not None and not bench.browser.trouble


def tier_of(bench: Workbench, place: str) -> str:
    """The tier of a proxy; "" where it is not known any more, or has none."""
    if not place or bench.proxies is None:
        return ""
    known = bench.proxies.pool.proxies
    return next((proxy.tier for proxy in known if proxy.place == place), "")


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
