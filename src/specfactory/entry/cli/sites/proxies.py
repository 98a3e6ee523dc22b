"""``spec proxies``: which proxies there are, and how they are doing."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry.cli.terminal import (
    AsJson,
    as_typed,
    moment,
    open_factory,
    perform,
    print_json,
    print_line,
    print_table,
    settings_from,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from specfactory.model import Instant, Json, Proxy, ProxyHealth
    from specfactory.orchestrate.bench import ProxyDesk
    from specfactory.settings import Settings

app = typer.Typer(help="See, check and rest proxies.")

Place = Annotated[str, typer.Argument(metavar="PLACE", help="Its host and port.")]
MOST_HOSTS = 3
_NONE = "no proxies; name some: proxy.urls, proxy.file, proxy.list_url or proxy.rotator_url"


@app.command("list")
def show(context: typer.Context, as_json: AsJson = False) -> None:
    """Show all proxies, their tiers and their health.

    Passwords are never shown. A proxy that one host blocks still serves the others.

    Example: spec proxies list --json
    """
    perform(_show(settings_from(context), as_json, check=False))


@app.command("check")
def check(context: typer.Context, as_json: AsJson = False) -> None:
    """Check all proxies now, resting ones included, and show them.

    Exit 1 when fewer work than a run needs (proxy.minimum).

    Example: spec proxies check
    """
    if not perform(_show(settings_from(context), as_json, check=True)):
        raise typer.Exit(1)


@app.command("refresh")
def refresh(context: typer.Context) -> None:
    """Read settings, file and list anew, check what is due, write the live files.

    Workers do so by themselves, every proxy.refresh_minutes. Exit 1 when the list cannot be read,
    or when fewer proxies work than a run needs (proxy.minimum).

    Example: spec proxies refresh
    """
    perform(_refresh(settings_from(context)))


@app.command("rest")
def rest(context: typer.Context, place: Place) -> None:
    """Put a proxy aside for proxy.rest_minutes; longer each time.

    Example: spec proxies rest 203.0.113.7:3128
    """
    perform(_rest(settings_from(context), place))


@app.command("forget")
def forget(context: typer.Context, place: Place) -> None:
    """Forget all that is known of a proxy, so that it begins anew.

    One of a fetched list is gone until the list is read again; the others stay as they are named.

    Example: spec proxies forget 203.0.113.7:3128
    """
    perform(_forget(settings_from(context), place))


@asynccontextmanager
async def _desk(settings: Settings) -> AsyncIterator[tuple[ProxyDesk, Instant]]:
    from specfactory.errors import UsageError

    async with open_factory(settings) as factory:
        if factory.proxies is None:
            raise UsageError(_NONE)
        await factory.proxies.pool.reload(at_once=True)
        yield factory.proxies, factory.clock.now()


async def _show(settings: Settings, as_json: bool, *, check: bool) -> bool:
    """Print all proxies; whether enough of them work."""
    from specfactory.orchestrate.bench import named_proxies, uses_proxies

    if not uses_proxies(settings.proxy) and not check:
        return _print([], as_json)
    async with _desk(settings) as (desk, now):
        if check:
            await desk.check(desk.pool.proxies)
            await desk.publish_live()
        known = [(proxy, desk.pool.health(proxy)) for proxy in desk.pool.proxies]
        _print([_json(proxy, health, now) for proxy, health in known], as_json)
        if not as_json:
            _print_skipped(named_proxies(settings.proxy).skipped)
        return not desk.is_short


def _print(found: list[dict[str, Json]], as_json: bool) -> bool:
    if as_json:
        print_json(found)
        return True
    columns = ("place", "tier", "from", "state", "score", "ms", "rests until", "shunned by", "note")
    print_table(columns, [_row(each) for each in found], empty=_NONE)
    return True


def _print_skipped(skipped: int) -> None:
    """How many lines are of no use; they are not quoted, for they may hold a password."""
    if skipped:
        noun = "entry is no proxy" if skipped == 1 else "entries are no proxies"
        print_line(f"{skipped} {noun} that can be used")


def _row(found: dict[str, Json]) -> tuple[object, ...]:
    hosts = list(found["hosts"])
    shunned = ", ".join(hosts[:MOST_HOSTS]) + (" …" if len(hosts) > MOST_HOSTS else "")
    latency = found["latency_ms"]
    return (
        found["place"], found["tier"], found["origin"], found["state"], found["score"],
        None if latency is None else round(latency), found["rests_until"] or "", shunned,
        found["note"],
    )  # fmt: skip


def _json(proxy: Proxy, health: ProxyHealth, now: Instant) -> dict[str, Json]:
    resting = health.is_resting(now)
    return {
        "place": proxy.place,
        "tier": proxy.tier,
        "origin": proxy.origin.value,
        "state": _state(health, resting=resting),
        "score": round(health.score, 2),
        "failures": health.failures,
        "latency_ms": None if health.latency_ms is None else round(health.latency_ms, 1),
        "checked_at": health.checked_at and moment(health.checked_at),
        "rests_until": moment(health.rests_until) if resting else None,
        "note": health.note,
        "hosts": {
            host: {
                "failures": cooldown.failures,
                "rests_until": moment(cooldown.rests_until) if cooldown.rests_until > now else None,
            }
            for host, cooldown in health.cooldowns.items()
        },
    }


def _state(health: ProxyHealth, *, resting: bool) -> str:
    if resting:
        return "rests"
    if health.checked_at is None:
        return "unchecked"
    return "on trial" if health.rests else "works"


async def _refresh(settings: Settings) -> None:
    async with _desk(settings) as (desk, _):
        done = await desk.refresh()
        working = len(desk.pool.working())
        print_line(f"{working} of {done.total} proxies work ({done.seconds:.1f} s)")
        _print_skipped(done.skipped)
        if done.problem:
            typer.echo(f"spec: the list could not be read: {done.problem}", err=True)
        if desk.is_short:
            typer.echo(f"spec: {as_typed(_too_few(working, desk.needed))}", err=True)
        if done.problem or desk.is_short:
            raise typer.Exit(1)


def _too_few(working: int, needed: int) -> str:
    if not working:
        return "no proxy works; see their notes: spec proxies list"
    return f"too few work: a run needs {needed} (proxy.minimum)"


async def _rest(settings: Settings, place: str) -> None:
    async with _desk(settings) as (desk, _):
        for proxy in _at(desk, place):
            health = await desk.pool.rest(proxy, "put aside by hand")
            print_line(f"{proxy.place} rests until {moment(health.rests_until)}")
        await desk.publish_live()


async def _forget(settings: Settings, place: str) -> None:
    async with _desk(settings) as (desk, _):
        for proxy in _at(desk, place):
            await desk.pool.forget(proxy)
            print_line(f"{proxy.place} is forgotten")
        await desk.publish_live()


def _at(desk: ProxyDesk, place: str) -> list[Proxy]:
    """The proxies at a place: there may be several, with different passwords."""
    from specfactory.errors import UnknownSubject

    found = [proxy for proxy in desk.pool.proxies if proxy.place == place]
    if not found:
        raise UnknownSubject("proxy", place, "see: spec proxies list")
    return found
