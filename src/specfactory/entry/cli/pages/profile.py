"""``spec profile``: where the time of pages goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import (
    DOUBLE,
    AsJson,
    clean,
    hosts_meant,
    milliseconds,
    on_terminal,
    open_factory,
    perform,
    plainly,
    print_heading,
    print_json,
    print_line,
    print_table,
    settings_from,
    waterfall,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from specfactory.model import Visit
    from specfactory.observe import AggregateStats
    from specfactory.orchestrate.pages import ProfiledPage
    from specfactory.settings import Settings

app = typer.Typer()

SLOWEST = 20
USUAL_WIDTH = 80


@app.command("profile")
def profile(
    context: typer.Context,
    url: Annotated[
        str | None, typer.Argument(metavar="URL", help="A page to fetch and time now.")
    ] = None,
    host: Annotated[
        str | None, typer.Option("--host", metavar="H", help="What was timed at this host.")
    ] = None,
    since: Annotated[
        str, typer.Option("--since", metavar="AGE", help="How far back to look: 7d, 12h, 90min.")
    ] = "7d",
    category: Annotated[
        str | None, typer.Option(help="Read the page too, by this contract.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show where the time goes: of one page, of a host, or of the slowest hosts.

    A page is fetched anew, through the gate and with all politeness, and stored; the wait for
    one's turn is not counted. Hosts are judged by the pages that were fetched before.

    Example: spec profile https://example.com/mouse --category mouse
    """
    from specfactory.errors import UsageError

    settings = settings_from(context)
    if url is not None and host is not None:
        raise UsageError("give an address to fetch, or --host for what is known; not both")
    if url is not None:
        _show_page(perform(_profiled(settings, url, category)), as_json)
    elif host is not None:
        from specfactory.fetch.addresses import typed_host

        host = typed_host(host)
        _show_host(host, perform(_timed(settings, host, since)), since, as_json)
    else:
        _show_slowest(perform(_timed(settings, None, since)), since, as_json)


async def _profiled(settings: Settings, url: str, category: str | None) -> ProfiledPage:
    from specfactory.entry.cli.records import checked_url
    from specfactory.errors import PageNotUsable
    from specfactory.orchestrate.pages import profile_page

    async with open_factory(settings) as factory:
        profiled = await profile_page(factory, checked_url(url), category)
    page = profiled.page
    if not page.timings_ms:  # refused before anything was sent
        raise PageNotUsable(url, page.outcome, page.outcome_evidence)
    return profiled


async def _timed(settings: Settings, host: str | None, since: str) -> list[Visit]:
    from specfactory.entry.cli.terminal import age_ms

    age = age_ms(since, "--since")
    async with open_factory(settings) as factory:
        begin, hosts = factory.clock.now() - age, await hosts_meant(factory, host)
        found = [visit for each in hosts for visit in await factory.visits.timings(each, begin)]
    return sorted(found, key=lambda visit: -visit.at)


def _show_page(profiled: ProfiledPage, as_json: bool) -> None:
    if as_json:
        print_json(_page_json(profiled))
        return
    from specfactory.model import Outcome

    page, profile = profiled.page, profiled.profile
    plain, width = _is_plain(), _width()
    print_heading(f"CRAWL TIMELINE {page.final_url}")
    way = f"{page.rung} through {page.proxy}" if page.proxy else page.rung.value
    print_line(f"{page.outcome}, status {page.status}, {page.size_bytes:,} bytes, {way}")
    if page.outcome is not Outcome.OK:
        print_line(page.outcome_evidence)
    rule = DOUBLE * min(width, 62)
    print_line(plainly(rule) if plain else rule)
    lines = waterfall(profile, width, plain=plain)
    longest = list(profile["phases"]).index(profile["bottleneck"]) if profile["phases"] else -1
    for number, line in enumerate(lines):
        typer.echo(_marked(clean(line)) if number == longest else clean(line))
    print_line(_bottleneck(profile["bottleneck"], profile["phases"], profile["total"]))
    if profiled.filled is not None:
        print_line(f"{profiled.filled} fields were read")


def _show_host(host: str, visits: Sequence[Visit], since: str, as_json: bool) -> None:
    from specfactory.observe import PHASES, aggregate

    stats = aggregate([visit.timings_ms for visit in visits])
    if as_json:
        print_json({"host": host, "since": since, **stats})
        return
    if not visits:
        print_line(_nothing(f"no page of {host} was timed", since))
        return
    noun = "page" if len(visits) == 1 else "pages"
    print_heading(f"{host}: {len(visits)} {noun} in {since}")
    rows: list[tuple[object, ...]] = [
        (PHASES.get(name, name), *map(milliseconds, _figures(spread)), _share(name, stats))
        for name, spread in stats["phases"].items()
    ]
    rows.append(("total", *map(milliseconds, (stats["avg_total"], stats["p50"], stats["p95"])), ""))
    print_table(("phase", "average", "p50", "p95", "longest in"), rows)
    longest = next(iter(stats["bottlenecks"]), "")
    averages = {name: spread["avg"] for name, spread in stats["phases"].items()}
    print_line(_bottleneck(longest, averages, stats["avg_total"]))


def _show_slowest(visits: Sequence[Visit], since: str, as_json: bool) -> None:
    hosts = _by_host(visits)
    slowest = sorted(hosts.items(), key=lambda item: -item[1]["avg_total"])[:SLOWEST]
    if as_json:
        print_json([{"host": host, "since": since, **stats} for host, stats in slowest])
        return
    from specfactory.observe import PHASES

    rows = []
    for host, stats in slowest:
        longest = next(iter(stats["bottlenecks"]), "")
        times = map(milliseconds, (stats["avg_total"], stats["p50"], stats["p95"]))
        words = f"{PHASES.get(longest, longest)} ({_share(longest, stats)})"
        rows.append((host, stats["pages"], *times, words))
    empty = _nothing("no page was timed", since)
    print_table(("host", "pages", "average", "p50", "p95", "bottleneck"), rows, empty=empty)


def _by_host(visits: Sequence[Visit]) -> dict[str, AggregateStats]:
    from specfactory.observe import aggregate

    timings: dict[str, list[Mapping[str, float]]] = {}
    for visit in visits:
        timings.setdefault(visit.host, []).append(visit.timings_ms)
    return {host: aggregate(some) for host, some in timings.items()}


def _page_json(profiled: ProfiledPage) -> dict[str, Any]:
    page = profiled.page
    return {
        "url": page.url,
        "final_url": page.final_url,
        "page_id": page.id,
        "outcome": page.outcome.value,
        "evidence": page.outcome_evidence,
        "status": page.status,
        "size_bytes": page.size_bytes,
        "rung": page.rung.value,
        **profiled.profile,
        "filled": profiled.filled,
    }


def _figures(spread: Any) -> tuple[float, float, float]:
    return spread["avg"], spread["p50"], spread["p95"]


def _share(phase: str, stats: AggregateStats) -> str:
    share = stats["bottlenecks"].get(phase, 0.0)
    return f"{share:.0%}" if share else ""


def _bottleneck(phase: str, phases: Mapping[str, float], total: float) -> str:
    from specfactory.observe import PHASES

    share = phases.get(phase, 0.0) / total if total else 0.0
    return f"bottleneck: {PHASES.get(phase, phase)} ({share:.0%} of the time)" if phase else ""


def _nothing(what: str, since: str) -> str:
    return f"{what} in {since}; fetch some, and see that profile.sample is over 0"


def _width() -> int:
    import shutil

    return shutil.get_terminal_size((USUAL_WIDTH, 24)).columns


def _is_plain() -> bool:
    """Whether the output cannot show the blocks of the bars."""
    import sys

    try:
        DOUBLE.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def _marked(line: str) -> str:
    import os

    coloured = on_terminal() and not os.environ.get("NO_COLOR")
    return typer.style(line, fg="yellow", bold=True) if coloured else line
