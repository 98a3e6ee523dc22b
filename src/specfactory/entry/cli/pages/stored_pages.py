"""``spec pages``: the stored pages – listed, shown, compared, and as web archives."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import (
    Reply,
    Since,
    command,
    find_product,
    hosts_meant,
    out,
    since_instant,
)
from specfactory.errors import UnknownSubject, UsageError
from specfactory.private_files import replacing

if TYPE_CHECKING:
    from specfactory.model import Page
    from specfactory.orchestrate import Workbench

app = typer.Typer(help="Look at stored pages; write and read web archives.")

URL_WIDTH = 70
MEGABYTE = 1_000_000
MOST_COMPARED = 5_000
PAGES = (
    "id",
    ("fetched", "fetched_at"),
    "outcome",
    "status",
    ("bytes", "size_bytes"),
    ("url", lambda p: out.shorten(p.url, URL_WIDTH)),
)
DUPLICATES = (
    "resemblance",
    ("one", lambda d: out.shorten(d.one, URL_WIDTH)),
    ("other", lambda d: out.shorten(d.other, URL_WIDTH)),
)

Host = Annotated[str | None, "--host H", "Only pages of this host."]


@command(app, "list")
async def list_pages(
    factory: Workbench,
    host: Host = None,
    since: Since = None,
    limit: Annotated[int, "--limit", "At most so many.", {"min": 1, "max": 100_000}] = 50,
) -> Reply:
    """List stored pages, the newest first.

    Failed fetches are pages too; their outcome says how they ended.

    Example: spec pages list --host shop.example --since 7d
    """
    pages = await _newest(factory, host, since, limit)
    empty = "no page is stored" + (f" of {host}" if host else "")
    return Reply(shapes.pages.PageShape.all_of(pages), PAGES, empty=empty)


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
    page_id: Annotated[str, "ID", "The id of a stored page."],
    body: Annotated[bool, "--body", "Write the stored bytes to stdout, nothing else."] = False,
) -> Reply:
    """Show what is known of one stored page, or its bytes.

    Of a page that a browser made, the bytes are the DOM.

    Example: spec pages show page-019ae0c3d5f00a1b2c3d4e5f
    """
    if body and out.on_terminal():
        raise UsageError(f"a page is not for a terminal: spec pages show {page_id} --body > FILE")
    page = await factory.pages.get(page_id)
    content = await factory.pages.body(page)
    if body:
        typer.echo(content, nl=False)
        raise typer.Exit

    def show(page: shapes.pages.PageWithHeaders) -> None:
        out.heading(page.url)
        for name in page.__struct_fields__:
            value = getattr(page, name)
            if name not in ("url", "timings_ms", "headers") and value not in ("", None):
                out.line(f"  {name:<13} {value}")
        timings = ", ".join(f"{part} {ms:g} ms" for part, ms in page.timings_ms.items())
        out.line(f"  {'timings':<13} {timings or 'none'}")
        for name, value in page.headers.items():
            out.line(f"  {out.clean(name)}: {out.shorten(value, URL_WIDTH)}")

    return Reply(shapes.pages.PageWithHeaders.of(page), show)


@command(app, "duplicates")
async def list_duplicates(
    factory: Workbench,
    host: Host = None,
    since: Since = None,
    least: Annotated[
        float, "--least", "Share of the words that must be common.", {"min": 0.1, "max": 1.0}
    ] = 0.9,
) -> Reply:
    """Find stored pages of different addresses that say nearly the same.

    Of the latest 5,000 pages, the newest good one of each address is compared.

    Example: spec pages duplicates --host shop.example
    """
    from specfactory.model import Outcome
    from specfactory.observe import Signature, near_duplicates, signature
    from specfactory.proof import PageViews

    signatures: dict[str, Signature] = {}
    pages = await _newest(factory, host, since, MOST_COMPARED)
    with out.progress_bar(len(pages), "reading") as bar:
        for page in pages:
            bar.advance(bar.task_ids[0])
            if page.outcome is Outcome.OK and page.url not in signatures:
                views = PageViews(page, await factory.pages.body(page))
                signatures[page.url] = signature(views.text or views.pdf)
    pairs = sorted(near_duplicates(signatures, least), key=lambda pair: -pair[2])
    found = [
        shapes.pages.Duplicate(one=a, other=b, resemblance=round(share, 4)) for a, b, share in pairs
    ]
    return Reply(found, DUPLICATES, empty="no two pages say nearly the same")


@command(app, "export")
async def export_archive(
    factory: Workbench,
    warc: Annotated[Path, "--warc FILE", "The archive; .gz packs every record."],
    host: Host = None,
    since: Since = None,
    product: Annotated[
        str | None, "--product P", "Only pages that were read for this product."
    ] = None,
) -> Reply:
    """Write stored pages as a web archive (WARC 1.1) that others' tools can read.

    The file is written whole or not at all; with no page to write it is not made, and the exit
    code is 2. An import gives back the very pages.

    Example: spec pages export --warc evidence.warc.gz --host shop.example
    """
    from specfactory.orchestrate.pages import export_pages
    from specfactory.store.pages import PageLists

    lists = PageLists(factory.database)
    begin = since_instant(since, factory.clock.now())
    chosen = (await find_product(factory, product)).id if product else None
    hosts = await hosts_meant(factory, host)
    total = sum([await lists.count(each, begin) for each in hosts])

    async def pages() -> AsyncIterator[Page]:
        for each in hosts:
            async for page in lists.walk(each, begin, chosen):
                yield page

    with _written_whole(warc) as file, out.progress_bar(total, "writing") as bar:
        exported = await export_pages(
            factory,
            file,
            pages(),
            gzip=warc.suffix == ".gz",
            on_page=lambda: bar.advance(bar.task_ids[0]),
        )
        if not exported.pages:
            asked = {"host": host, "since": since, "product": product}
            given = " ".join(f"--{name} {value}" for name, value in asked.items() if value)
            which = f"no stored page for {given}" if given else "no page is stored yet"
            raise UsageError(f"{which}; {warc} was not written; see: spec pages list")
    size = warc.stat().st_size
    said = f"{out.quantity(exported.pages, 'page')} in {warc}, {size / MEGABYTE:.1f} MB"
    shape = shapes.pages.PagesExported.of(exported, file=str(warc), size_bytes=size)
    return Reply(shape, said)


@contextlib.contextmanager
def _written_whole(place: Path) -> Iterator[BinaryIO]:
    """A file that takes its name only when all of it is written."""
    if not place.parent.is_dir():
        raise UsageError(f"there is no folder {place.parent} to write {place.name} in")
    if place.is_dir():
        raise UsageError(f"{place} is a folder; name a file in it, such as {place}/pages.warc.gz")
    with contextlib.ExitStack() as stack:
        try:  # pages may have been behind a login
            part = stack.enter_context(replacing(place, private=True))
            file = stack.enter_context(part.open("wb"))
        except OSError as problem:
            why = (problem.strerror or str(problem)).lower()
            raise UsageError(f"cannot write {place}: {why}") from None
        yield file


@command(app, "import")
async def import_archive(
    factory: Workbench,
    files: Annotated[list[Path], "FILE", "Web archives: .warc or .warc.gz."],
    tier: Annotated[
        str, "--tier T", "How far pages of unknown hosts are trusted, at most."
    ] = "tier3_retailer",
) -> Reply:
    """Take the pages of web archives into the store.

    Pages that are there already are left alone; what cannot be read is counted, not fatal.
    Pages of an archive of ours come back as they were; their tier only as far as your own
    sources (settings, contracts) give it to their hosts, or --tier does.

    Example: spec pages import evidence.warc.gz
    """
    from specfactory.model import Tier
    from specfactory.orchestrate.pages import PageImporter

    if tier not in set(Tier):
        raise UsageError(f"--tier is {tier!r}; allowed: {', '.join(Tier)}")
    for place in files:
        if not place.is_file():
            raise UnknownSubject("archive", str(place), "give a .warc or .warc.gz file")
    importer = PageImporter(factory, Tier(tier))
    for place in files:
        total = place.stat().st_size // MEGABYTE
        with place.open("rb") as file, out.progress_bar(total, place.name) as bar:

            def move(file: BinaryIO = file, bar: Any = bar) -> None:
                bar.update(bar.task_ids[0], completed=file.tell() // MEGABYTE)

            await importer.take(file, move)

    def show(imported: shapes.pages.PagesImported) -> None:
        words = (
            f"{out.quantity(imported.pages, 'page')} taken in, {imported.duplicates} known already"
        )
        out.line(f"{words}; {imported.records} records read")
        if imported.lowered:
            said = (
                "get a lower tier than the archive says: no source of yours gives it to their hosts"
            )
            out.line(f"  {out.quantity(imported.lowered, 'page')} {said}")
        for name, count in Counter(imported.by_outcome).most_common():
            out.line(f"  {name}: {count}")
        for reason, count in Counter(imported.skipped).most_common():
            out.line(f"  left out: {reason}: {count}")

    return Reply(shapes.pages.PagesImported.of(importer.found), show)
