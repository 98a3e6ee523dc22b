"""``spec proxies``: which proxies there are, and how they are doing."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import Reply, as_typed, command, open_factory, out
from specfactory.errors import UnknownSubject, UsageError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from specfactory.model import Instant, Proxy
    from specfactory.orchestrate.bench import ProxyDesk
    from specfactory.settings import Settings

app = typer.Typer(help="See, check and rest proxies.")

Place = Annotated[str, "PLACE", "Its host and port."]
MOST_HOSTS = 3
_NONE = "no proxies; name some: proxy.urls, proxy.file, proxy.list_url or proxy.rotator_url"


def _some(hosts: list[str]) -> str:
    return ", ".join(hosts[:MOST_HOSTS]) + (" …" if len(hosts) > MOST_HOSTS else "")


PROXIES = (
    "place",
    "tier",
    ("from", "origin"),
    "state",
    "score",
    ("ms", lambda p: None if p.latency_ms is None else round(p.latency_ms)),
    ("rests until", lambda p: p.rests_until or ""),
    (
        "shunned by",
        lambda p: ", ".join([*p.hosts][:MOST_HOSTS]) + " …" * (len(p.hosts) > MOST_HOSTS),
    ),
    "note",
)


@command(app, "list")
async def show(settings: Settings) -> Reply:
    """Show all proxies, their tiers and their health.

    Passwords are never shown. A proxy that one host blocks still serves the others.

    Example: spec proxies list --json
    """
    from specfactory.orchestrate.bench import uses_proxies

    if not uses_proxies(settings.proxy):
        return Reply([], PROXIES, empty=_NONE)
    async with _desk(settings) as (desk, now):
        return _listed(settings, desk, now)


@command(app, "check")
async def check(settings: Settings) -> Reply:
    """Check all proxies now, resting ones included, and show them.

    Exit 1 when fewer work than a run needs (proxy.minimum).

    Example: spec proxies check
    """
    async with _desk(settings) as (desk, now):
        await desk.check(desk.pool.proxies)
        await desk.publish_live()
        return _listed(settings, desk, now)._replace(code=1 if desk.is_short else 0)


@asynccontextmanager
async def _desk(settings: Settings) -> AsyncIterator[tuple[ProxyDesk, Instant]]:
    async with open_factory(settings) as factory:
        if factory.proxies is None:
            raise UsageError(_NONE)
        await factory.proxies.pool.reload(at_once=True)
        yield factory.proxies, factory.clock.now()


def _listed(settings: Settings, desk: ProxyDesk, now: Instant) -> Reply:
    from specfactory.orchestrate.bench import named_proxies

    listed = [
        shapes.sites.ProxyShape.of_proxy(proxy, desk.pool.health(proxy), now)
        for proxy in desk.pool.proxies
    ]
    skipped = named_proxies(settings.proxy).skipped

    def show(proxies: list[shapes.sites.ProxyShape]) -> None:
        out.table(PROXIES, proxies, empty=_NONE)
        _print_skipped(skipped)

    return Reply(listed, show)


def _print_skipped(skipped: int) -> None:
    """Print how many lines are of no use; they are not quoted, for they may hold a password."""
    if skipped:
        noun = "entry is no proxy" if skipped == 1 else "entries are no proxies"
        out.line(f"{skipped} {noun} that can be used")


@command(app, "refresh")
async def refresh(settings: Settings) -> None:
    """Read settings, file and list anew, check what is due, write the live files.

    Workers do so by themselves, every proxy.refresh_minutes. Exit 1 when the list cannot be read,
    or when fewer proxies work than a run needs (proxy.minimum).

    Example: spec proxies refresh
    """
    async with _desk(settings) as (desk, _):
        done = await desk.refresh()
        working = len(desk.pool.working())
        out.line(f"{working} of {done.total} proxies work ({done.seconds:.1f} s)")
        _print_skipped(done.skipped)
        if done.problem:
            typer.echo(f"spec: the list could not be read: {done.problem}", err=True)
        if desk.is_short:
            few = f"too few work: a run needs {desk.needed} (proxy.minimum)"
            none = "no proxy works; see their notes: spec proxies list"
            typer.echo(f"spec: {as_typed(few if working else none)}", err=True)
        if done.problem or desk.is_short:
            raise typer.Exit(1)


@command(app, "rest")
async def rest(settings: Settings, place: Place) -> None:
    """Put a proxy aside for proxy.rest_minutes; longer each time.

    Example: spec proxies rest 203.0.113.7:3128
    """
    async with _desk(settings) as (desk, _):
        for proxy in _at(desk, place):
            health = await desk.pool.rest(proxy, "put aside by hand")
            out.line(f"{proxy.place} rests until {shapes.moment(health.rests_until)}")
        await desk.publish_live()


@command(app, "forget")
async def forget(settings: Settings, place: Place) -> None:
    """Forget all that is known of a proxy, so that it begins anew.

    One of a fetched list is gone until the list is read again; the others stay as they are named.

    Example: spec proxies forget 203.0.113.7:3128
    """
    async with _desk(settings) as (desk, _):
        for proxy in _at(desk, place):
            await desk.pool.forget(proxy)
            out.line(f"{proxy.place} is forgotten")
        await desk.publish_live()


def _at(desk: ProxyDesk, place: str) -> list[Proxy]:
    """The proxies at a place: there may be several, with different passwords."""
    found = [proxy for proxy in desk.pool.proxies if proxy.place == place]
    if not found:
        raise UnknownSubject("proxy", place, "see: spec proxies list")
    return found
