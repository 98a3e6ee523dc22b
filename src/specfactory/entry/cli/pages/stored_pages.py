"""``spec pages``: the stored pages – listed, shown, compared, and as web archives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry.cli.pages import archives as page_archive
from specfactory.entry.cli.terminal import (
    Reply,
    Since,
    clean,
    command,
    hosts_meant,
    on_terminal,
    print_heading,
    print_line,
    progress_bar,
    shorten,
    since_instant,
)
from specfactory.errors import UsageError

if TYPE_CHECKING:
    from specfactory.entry.shapes import PageWithHeaders
    from specfactory.model import Page
    from specfactory.orchestrate import Workbench

app = typer.Typer(help="Look at stored pages; write and read web archives.")
app.add_typer(page_archive.app)

URL_WIDTH = 70
MOST_COMPARED = 5_000
PAGES = (
    "id",
    ("fetched", "fetched_at"),
    "outcome",
    "status",
    ("bytes", "size_bytes"),
    ("url", lambda p: shorten(p.url, URL_WIDTH)),
)
DUPLICATES = (
    "resemblance",
    ("one", lambda d: shorten(d.one, URL_WIDTH)),
    ("other", lambda d: shorten(d.other, URL_WIDTH)),
)

Host = Annotated[str | None, typer.Option("--host", metavar="H", help="Only pages of this host.")]


@command(app, "list")
async def list_pages(
    factory: Workbench,
    host: Host = None,
    since: Since = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="At most so many.")] = 50,
) -> Reply:
    """List stored pages, the newest first.

    Failed fetches are pages too; their outcome says how they ended.

    Example: spec pages list --host shop.example --since 7d
    """
    from specfactory.entry.shapes import PageShape

    pages = await _newest(factory, host, since, limit)
    empty = "no page is stored" + (f" of {host}" if host else "")
    return Reply(PageShape.all_of(pages), PAGES, empty=empty)


async def _newest(
    factory: Workbench, host: str | None, since: str | None, limit: int
) -> list[Page]:
    from specfactory.store.pages import PageLists

    begin = since_instant(since, factory.clock.now())
    lists, hosts = PageLists(factory.database), await hosts_meant(factory, host)
    found = [page for each in hosts for page in await lists.newest(each, begin, limit)]
    return sorted(found, key=lambda page: page.id, reverse=True)[:limit]


@command(app, "show")
async def show_page(
    factory: Workbench,
    page_id: Annotated[str, typer.Argument(metavar="ID", help="The id of a stored page.")],
    body: Annotated[
        bool, typer.Option("--body", help="Write the stored bytes to stdout, nothing else.")
    ] = False,
) -> Reply:
    """Show what is known of one stored page, or its bytes.

    Of a page that a browser made, the bytes are the DOM.

    Example: spec pages show page-019ae0c3d5f00a1b2c3d4e5f
    """
    from specfactory.entry.shapes import PageWithHeaders

    if body and on_terminal():
        raise UsageError(f"a page is not for a terminal: spec pages show {page_id} --body > FILE")
    page = await factory.pages.get(page_id)
    content = await factory.pages.body(page)
    if body:
        typer.echo(content, nl=False)
        raise typer.Exit

    def show(page: PageWithHeaders) -> None:
        print_heading(page.url)
        for name in page.__struct_fields__:
            value = getattr(page, name)
            if name not in ("url", "timings_ms", "headers") and value not in ("", None):
                print_line(f"  {name:<13} {value}")
        timings = ", ".join(f"{part} {ms:g} ms" for part, ms in page.timings_ms.items())
        print_line(f"  {'timings':<13} {timings or 'none'}")
        for name, value in page.headers.items():
            print_line(f"  {clean(name)}: {shorten(value, URL_WIDTH)}")

    return Reply(PageWithHeaders.of(page), show)


@command(app, "duplicates")
async def list_duplicates(
    factory: Workbench,
    host: Host = None,
    since: Since = None,
    least: Annotated[
        float, typer.Option(min=0.1, max=1.0, help="Share of the words that must be common.")
    ] = 0.9,
) -> Reply:
    """Find stored pages of different addresses that say nearly the same.

    Of the latest 5,000 pages, the newest good one of each address is compared.

    Example: spec pages duplicates --host shop.example
    """
    from specfactory.entry.shapes import Duplicate
    from specfactory.model import Outcome
    from specfactory.observe import Signature, near_duplicates, signature
    from specfactory.proof import PageViews

    signatures: dict[str, Signature] = {}
    pages = await _newest(factory, host, since, MOST_COMPARED)
    with progress_bar(len(pages), "reading") as bar:
        for page in pages:
            bar.advance(bar.task_ids[0])
            if page.outcome is Outcome.OK and page.url not in signatures:
                views = PageViews(page, await factory.pages.body(page))
                signatures[page.url] = signature(views.text or views.pdf)
    pairs = sorted(near_duplicates(signatures, least), key=lambda pair: -pair[2])
    found = [Duplicate(one=a, other=b, resemblance=round(share, 4)) for a, b, share in pairs]
    return Reply(found, DUPLICATES, empty="no two pages say nearly the same")
