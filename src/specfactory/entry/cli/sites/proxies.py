"""``spec proxies``: which proxies there are, and how they are doing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import Reply, as_typed, command, out
from specfactory.errors import UnknownSubject, UsageError

if TYPE_CHECKING:
    from specfactory.model import Proxy
    from specfactory.orchestrate import Workbench
    from specfactory.orchestrate.bench import ProxyDesk

app = typer.Typer(help="See, check and rest proxies.")

Place = Annotated[str, "PLACE", "Its host and port."]
MOST_HOSTS = 3
_NONE = "no proxies; name some: proxy.urls, proxy.file, proxy.list_url or proxy.rotator_url"
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
async def show(factory: Workbench) -> Reply:
    """Show all proxies, their tiers and their health.

    Passwords are never shown. A proxy that one host blocks still serves the others.

    Example: spec proxies list --json
    """
    if factory.proxies is None:
        return Reply([], PROXIES, empty=_NONE)
    return _listed(factory, await _desk(factory))


@command(app, "check")
async def check(factory: Workbench) -> Reply:
    """Check all proxies now, resting ones included, and show them.

    Exit 1 when fewer work than a run needs (proxy.minimum).

    Example: spec proxies check
    """
    desk = await _desk(factory)
    await desk.check(desk.pool.proxies)
    await desk.publish_live()
    return _listed(factory, desk)._replace(code=1 if desk.is_short else 0)


async def _desk(factory: Workbench) -> ProxyDesk:
    if factory.proxies is None:
        raise UsageError(_NONE)
    await factory.proxies.pool.reload(at_once=True)
    return factory.proxies


def _listed(factory: Workbench, desk: ProxyDesk) -> Reply:
    from specfactory.orchestrate.bench import named_proxies

    now, of_proxy = factory.clock.now(), shapes.sites.ProxyShape.of_proxy
    listed = [of_proxy(proxy, desk.pool.health(proxy), now) for proxy in desk.pool.proxies]
    skipped = named_proxies(factory.settings.proxy).skipped

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
async def refresh(factory: Workbench) -> None:
    """Read settings, file and list anew, check what is due, write the live files.

    Workers do so by themselves, every proxy.refresh_minutes. Exit 1 when the list cannot be read,
    or when fewer proxies work than a run needs (proxy.minimum).

    Example: spec proxies refresh
    """
    desk = await _desk(factory)
    done = await desk.refresh()
    working = len(desk.pool.working())
    out.line(f"{working} of {done.total} proxies work ({done.seconds:.1f} s)")
    _print_skipped(done.skipped)
    if done.problem:
        out.note(f"spec: the list could not be read: {done.problem}")
    if desk.is_short:
        few = f"too few work: a run needs {desk.needed} (proxy.minimum)"
        none = "no proxy works; see their notes: spec proxies list"
        out.note(f"spec: {as_typed(few if working else none)}")
    if done.problem or desk.is_short:
        raise typer.Exit(1)


@command(app, "rest")
async def rest(factory: Workbench, place: Place) -> None:
    """Put a proxy aside for proxy.rest_minutes; longer each time.

    Example: spec proxies rest 203.0.113.7:3128
    """
    desk = await _desk(factory)
    for proxy in _at(desk, place):
        health = await desk.pool.rest(proxy, "put aside by hand")
        out.line(f"{proxy.place} rests until {shapes.moment(health.rests_until)}")
    await desk.publish_live()


@command(app, "forget")
async def forget(factory: Workbench, place: Place) -> None:
    """Forget all that is known of a proxy, so that it begins anew.

    One of a fetched list is gone until the list is read again; the others stay as they are named.

    Example: spec proxies forget 203.0.113.7:3128
    """
    desk = await _desk(factory)
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
