"""``spec profile``: where the time of pages goes."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from specfactory import observe
from specfactory.entry import shapes
from specfactory.entry.cli.terminal import (
    Reply,
    age_ms,
    checked_url,
    command,
    hosts_meant,
    open_factory,
    out,
)
from specfactory.errors import PageNotUsable, UsageError

if TYPE_CHECKING:
    from specfactory.model import Page
    from specfactory.settings import Settings

app = typer.Typer()

SLOWEST = 20
FILLED, EMPTY, RULE, DOUBLE = "▓", "░", "─", "═"
_PLAIN = str.maketrans({FILLED: "#", EMPTY: ".", RULE: "-", DOUBLE: "="})
WIDEST_BAR, NARROWEST_BAR = 40, 8


@command(app, "profile")
async def profile(
    settings: Settings,
    url: Annotated[str | None, "URL", "A page to fetch and time now."] = None,
    host: Annotated[str | None, "--host H", "What was timed at this host."] = None,
    since: Annotated[str, "--since AGE", "How far back to look: 7d, 12h, 90min."] = "7d",
    category: Annotated[str | None, "--category", "Read the page too, by this contract."] = None,
) -> Reply:
    """Show where the time goes: of one page, of a host, or of the slowest hosts.

    A page is fetched anew, through the gate and with all politeness, and stored; the wait for
    one's turn is not counted. Hosts are judged by the pages that were fetched before.

    Example: spec profile https://example.com/mouse --category mouse
    """
    from specfactory.fetch.addresses import typed_host

    if url is not None and host is not None:
        raise UsageError("give an address to fetch, or --host for what is known; not both")
    if url is not None:
        return await _profile_page(settings, checked_url(url), category)
    age, host = age_ms(since, "--since"), host and typed_host(host)
    async with open_factory(settings) as factory:
        begin, hosts = factory.clock.now() - age, await hosts_meant(factory, host)
        visits = [visit for each in hosts for visit in await factory.visits.timings(each, begin)]
    visits.sort(key=lambda visit: -visit.at)
    timings: dict[str, list[Mapping[str, float]]] = {host: []} if host else {}
    for visit in visits:
        timings.setdefault(host or visit.host, []).append(visit.timings_ms)
    found = [
        shapes.pages.HostProfile(host=each, since=since, **observe.aggregate(some))  # type: ignore[arg-type]
        for each, some in timings.items()
    ]
    if host:
        return Reply(found[0], _print_host)
    slowest = sorted(found, key=lambda each: -each.avg_total)[:SLOWEST]
    return Reply(slowest, HOSTS, empty=_nothing("no page was timed", since))


async def _profile_page(settings: Settings, url: str, category: str | None) -> Reply:
    from specfactory.orchestrate.pages import profile_page

    async with open_factory(settings) as factory:
        profiled = await profile_page(factory, url, category)
    page = profiled.page
    if not page.timings_ms:  # refused before anything was sent
        raise PageNotUsable(url, page.outcome, page.outcome_evidence)
    shape = shapes.pages.PageProfile.of(page, **profiled.profile, filled=profiled.filled)
    return Reply(shape, partial(_print_page, page))


def _print_page(page: Page, found: shapes.pages.PageProfile) -> None:
    from specfactory.model import Outcome

    try:
        DOUBLE.encode(sys.stdout.encoding or "ascii")
        plain = False
    except (UnicodeEncodeError, LookupError):  # no blocks for the bars, as in LANG=C
        plain = True
    out.heading(f"CRAWL TIMELINE {page.final_url}")
    way = f"{page.rung} through {page.proxy}" if page.proxy else page.rung.value
    out.line(f"{page.outcome}, status {page.status}, {page.size_bytes:,} bytes, {way}")
    if page.outcome is not Outcome.OK:
        out.line(page.outcome_evidence)
    width = out.terminal_width()
    rule = DOUBLE * min(width, 62)
    out.line(plainly(rule) if plain else rule)
    longest = list(found.phases).index(found.bottleneck) if found.phases else -1
    profile: observe.Profile = {
        "phases": found.phases, "total": found.total, "bottleneck": found.bottleneck
    }  # fmt: skip
    coloured = out.on_terminal() and not os.environ.get("NO_COLOR")
    for number, line in enumerate(waterfall(profile, width, plain=plain)):
        marked = number == longest and coloured
        out.line(line, **({"fg": "yellow", "bold": True} if marked else {}))
    out.line(_bottleneck(found.bottleneck, found.phases, found.total))
    if found.filled is not None:
        out.line(f"{found.filled} fields were read")


def _print_host(found: shapes.pages.HostProfile) -> None:
    if not found.pages:
        out.line(_nothing(f"no page of {found.host} was timed", found.since))
        return
    out.heading(f"{found.host}: {out.quantity(found.pages, 'page')} in {found.since}")
    rows = [
        (_phase(name), *(milliseconds(spread[of]) for of in ("avg", "p50", "p95")),
         _share(name, found))
        for name, spread in found.phases.items()
    ]  # fmt: skip
    total = map(milliseconds, (found.avg_total, found.p50, found.p95))
    out.table(("phase", "average", "p50", "p95", "longest in"), [*rows, ("total", *total, "")])
    averages = {name: spread["avg"] for name, spread in found.phases.items()}
    out.line(_bottleneck(next(iter(found.bottlenecks), ""), averages, found.avg_total))


def _slow_phase(found: shapes.pages.HostProfile) -> str:
    longest = next(iter(found.bottlenecks), "")
    return f"{_phase(longest)} ({_share(longest, found)})"


def _phase(name: str) -> str:
    return observe.PHASES.get(name, name)


HOSTS = (
    "host",
    "pages",
    ("average", lambda each: milliseconds(each.avg_total)),
    ("p50", lambda each: milliseconds(each.p50)),
    ("p95", lambda each: milliseconds(each.p95)),
    ("bottleneck", _slow_phase),
)


def _share(phase: str, found: shapes.pages.HostProfile) -> str:
    share = found.bottlenecks.get(phase, 0.0)
    return f"{share:.0%}" if share else ""


def _bottleneck(phase: str, phases: Mapping[str, float], total: float) -> str:
    share = phases.get(phase, 0.0) / total if total else 0.0
    return f"bottleneck: {_phase(phase)} ({share:.0%} of the time)" if phase else ""


def _nothing(what: str, since: str) -> str:
    return f"{what} in {since}; fetch some, and see that profile.sample is over 0"


def milliseconds(ms: float) -> str:
    """A duration in the unit that suits it: 0.42 ms, 45 ms, 1.23 s."""
    if ms >= 1000:
        return f"{ms / 1000:.2f} s"
    return f"{ms:.2f} ms" if ms < 10 else f"{ms:.0f} ms"


def plainly(line: str) -> str:
    """A drawn line in ASCII."""
    return line.translate(_PLAIN)


def waterfall(profile: observe.Profile, width: int, *, plain: bool = False) -> list[str]:
    """The lines of the drawing: a bar a phase, then the total; ``plain`` keeps to ASCII."""
    phases, total = profile["phases"], profile["total"]
    names = {phase: _phase(phase) for phase in phases}
    times = {phase: milliseconds(ms) for phase, ms in phases.items()}
    label = max(map(len, names.values()), default=0)
    right = max(map(len, [*times.values(), milliseconds(total)]))
    bar = min(width - label - right - 4, WIDEST_BAR)
    lines, began = list[str](), 0.0
    for phase, ms in phases.items():
        drawn = f" {_bar(began, ms, total, bar)} " if bar >= NARROWEST_BAR else " "
        lines.append(f" {names[phase]:<{label}}{drawn}{times[phase]:>{right}}")
        began += ms
    indent = " " * (label + 2 + (bar + 1 if bar >= NARROWEST_BAR else 0))
    lines += [indent + RULE * right, f"{indent}{milliseconds(total):>{right}} total"]
    return list(map(plainly, lines)) if plain else lines


def _bar(began: float, ms: float, total: float, width: int) -> str:
    """Draw the time before a phase, then the phase; one that took any time is never invisible."""
    if total <= 0:
        return EMPTY * width
    first = min(int(began / total * width), width - 1)
    length = max(round((began + ms) / total * width) - first, 1) if ms > 0 else 0
    length = min(length, width - first)
    return EMPTY * first + FILLED * length + EMPTY * (width - first - length)
