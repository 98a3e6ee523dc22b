"""``spec pages``: the stored pages – listed, shown, compared, and as web archives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.pages import archives as page_archive
from specfactory.entry.cli.terminal import (
    AsJson,
    Since,
    clean,
    hosts_meant,
    moment,
    on_terminal,
    open_factory,
    perform,
    print_heading,
    print_json,
    print_line,
    print_table,
    progress_bar,
    settings_from,
    shorten,
    since_instant,
)
from specfactory.errors import UsageError

if TYPE_CHECKING:
    from specfactory.model import Page
    from specfactory.orchestrate import Workbench
    from specfactory.settings import Settings

app = typer.Typer(help="Look at stored pages; write and read web archives.")
app.add_typer(page_archive.app)

URL_WIDTH = 70
MOST_COMPARED = 5_000

Host = Annotated[str | None, typer.Option("--host", metavar="H", help="Only pages of this host.")]


@app.command("list")
def list_pages(
    context: typer.Context,
    host: Host = None,
    since: Since = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="At most so many.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List stored pages, the newest first.

    Failed fetches are pages too; their outcome says how they ended.

    Example: spec pages list --host shop.example --since 7d
    """
    pages = perform(_newest(settings_from(context), host, since, limit))
    if as_json:
        print_json([page_json(page) for page in pages])
        return
    print_table(
        ("id", "fetched", "outcome", "status", "bytes", "url"),
        [
            (p.id, moment(p.fetched_at), p.outcome.value, p.status, p.size_bytes,
             shorten(p.url, URL_WIDTH))
            for p in pages
        ],
        empty="no page is stored" + (f" of {host}" if host else ""),
    )  # fmt: skip


@app.command("show")
def show_page(
    context: typer.Context,
    page_id: Annotated[str, typer.Argument(metavar="ID", help="The id of a stored page.")],
    body: Annotated[
        bool, typer.Option("--body", help="Write the stored bytes to stdout, nothing else.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what is known of one stored page, or its bytes.

    Of a page that a browser made, the bytes are the DOM.

    Example: spec pages show page-019ae0c3d5f00a1b2c3d4e5f
    """
    if body and on_terminal():
        raise UsageError(f"a page is not for a terminal: spec pages show {page_id} --body > FILE")
    page, content = perform(_page(settings_from(context), page_id))
    if body:
        typer.echo(content, nl=False)
    elif as_json:
        print_json({**page_json(page), "headers": dict(page.headers)})
    else:
        _print_page(page)


@app.command("duplicates")
def list_duplicates(
    context: typer.Context,
    host: Host = None,
    since: Since = None,
    least: Annotated[
        float, typer.Option(min=0.1, max=1.0, help="Share of the words that must be common.")
    ] = 0.9,
    as_json: AsJson = False,
) -> None:
    """Find stored pages of different addresses that say nearly the same.

    Of the latest 5,000 pages, the newest good one of each address is compared.

    Example: spec pages duplicates --host shop.example
    """
    found = perform(_duplicates(settings_from(context), host, since, least))
    if as_json:
        print_json([{"one": a, "other": b, "resemblance": round(s, 4)} for a, b, s in found])
        return
    print_table(
        ("resemblance", "one", "other"),
        [(share, shorten(a, URL_WIDTH), shorten(b, URL_WIDTH)) for a, b, share in found],
        empty="no two pages say nearly the same",
    )


def page_json(page: Page) -> dict[str, Any]:
    """A page as every page command prints it."""
    return {
        "id": page.id,
        "url": page.url,
        "final_url": page.final_url,
        "host": page.host,
        "tier": page.tier.value,
        "fetched_at": moment(page.fetched_at),
        "confirmed_at": moment(page.confirmed_at) if page.confirmed_at is not None else None,
        "outcome": page.outcome.value,
        "evidence": page.outcome_evidence,
        "status": page.status,
        "media_type": page.media_type,
        "size_bytes": page.size_bytes,
        "content_hash": page.content_hash,
        "rung": page.rung.value,
        "timings_ms": dict(page.timings_ms),
    }


def _print_page(page: Page) -> None:
    print_heading(page.url)
    for name, value in page_json(page).items():
        if name not in ("url", "timings_ms") and value not in ("", None):
            print_line(f"  {name:<13} {value}")
    timings = ", ".join(f"{part} {ms:g} ms" for part, ms in page.timings_ms.items())
    print_line(f"  {'timings':<13} {timings or 'none'}")
    for name, value in page.headers.items():
        print_line(f"  {clean(name)}: {shorten(value, URL_WIDTH)}")


async def _newest(
    settings: Settings, host: str | None, since: str | None, limit: int
) -> list[Page]:
    async with open_factory(settings) as factory:
        begin = since_instant(since, factory.clock.now())
        return await _newest_of(factory, host, begin, limit)


async def _newest_of(factory: Workbench, host: str | None, begin: int, limit: int) -> list[Page]:
    from specfactory.store.pages import PageLists

    lists, hosts = PageLists(factory.database), await hosts_meant(factory, host)
    found = [page for each in hosts for page in await lists.newest(each, begin, limit)]
    return sorted(found, key=lambda page: page.id, reverse=True)[:limit]


async def _page(settings: Settings, page_id: str) -> tuple[Page, bytes]:
    async with open_factory(settings) as factory:
        page = await factory.pages.get(page_id)
        return page, await factory.pages.body(page)


async def _duplicates(
    settings: Settings, host: str | None, since: str | None, least: float
) -> list[tuple[str, str, float]]:
    from specfactory.model import Outcome
    from specfactory.observe import Signature, near_duplicates, signature
    from specfactory.proof import PageViews

    signatures: dict[str, Signature] = {}
    async with open_factory(settings) as factory:
        begin = since_instant(since, factory.clock.now())
        pages = await _newest_of(factory, host, begin, MOST_COMPARED)
        with progress_bar(len(pages), "reading") as bar:
            for page in pages:
                bar.advance(bar.task_ids[0])
                if page.outcome is Outcome.OK and page.url not in signatures:
                    views = PageViews(page, await factory.pages.body(page))
                    signatures[page.url] = signature(views.text or views.pdf)
    return sorted(near_duplicates(signatures, least), key=lambda pair: -pair[2])
