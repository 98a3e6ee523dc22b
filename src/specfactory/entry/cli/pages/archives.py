"""``spec pages export`` and ``import``: stored pages as web archives, and back."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from specfactory.entry.cli.terminal import (
    AsJson,
    Since,
    find_product,
    hosts_meant,
    open_factory,
    perform,
    print_json,
    print_line,
    progress_bar,
    settings_from,
    since_instant,
)
from specfactory.errors import UsageError

if TYPE_CHECKING:
    from specfactory.model import Page
    from specfactory.orchestrate.archives import Exported, Imported
    from specfactory.settings import Settings
    from specfactory.store.pages import PageLists

app = typer.Typer()

MEGABYTE = 1_000_000
TIER = "tier3_retailer"


@app.command("export")
def export_archive(
    context: typer.Context,
    warc: Annotated[
        Path,
        typer.Option("--warc", metavar="FILE", help="The archive; .gz packs every record."),
    ],
    host: Annotated[
        str | None, typer.Option("--host", metavar="H", help="Only pages of this host.")
    ] = None,
    since: Since = None,
    product: Annotated[
        str | None,
        typer.Option("--product", metavar="P", help="Only pages that were read for this product."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write stored pages as a web archive (WARC 1.1) that others' tools can read.

    The file is written whole or not at all; with no page to write it is not made, and the exit
    code is 2. An import gives back the very pages.

    Example: spec pages export --warc evidence.warc.gz --host shop.example
    """
    exported = perform(_export(settings_from(context), warc, host, since, product))
    if as_json:
        print_json({
            "file": str(warc), "pages": exported.pages, "records": exported.records,
            "without_body": exported.without_body, "size_bytes": warc.stat().st_size,
        })  # fmt: skip
    else:
        size = warc.stat().st_size / MEGABYTE
        print_line(f"{_count(exported.pages, 'page')} in {warc}, {size:.1f} MB")


@app.command("import")
def import_archive(
    context: typer.Context,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="Web archives: .warc or .warc.gz.")
    ],
    tier: Annotated[
        str, typer.Option(metavar="T", help="How far pages of unknown hosts are trusted, at most.")
    ] = TIER,
    as_json: AsJson = False,
) -> None:
    """Take the pages of web archives into the store.

    Pages that are there already are left alone; what cannot be read is counted, not fatal.
    Pages of an archive of ours come back as they were; their tier only as far as your own
    sources (settings, contracts) give it to their hosts, or --tier does.

    Example: spec pages import evidence.warc.gz
    """
    imported = perform(_import(settings_from(context), files, tier))
    if as_json:
        print_json(_imported_json(imported))
        return
    words = f"{_count(imported.pages, 'page')} taken in, {imported.duplicates} known already"
    print_line(f"{words}; {imported.records} records read")
    if imported.lowered:
        said = "get a lower tier than the archive says: no source of yours gives it to their hosts"
        print_line(f"  {_count(imported.lowered, 'page')} {said}")
    for name, count in imported.by_outcome.most_common():
        print_line(f"  {name}: {count}")
    for reason, count in imported.skipped.most_common():
        print_line(f"  left out: {reason}: {count}")


async def _export(
    settings: Settings, place: Path, host: str | None, since: str | None, product: str | None
) -> Exported:
    from specfactory.orchestrate.archives import export_pages
    from specfactory.store.pages import PageLists

    async with open_factory(settings) as factory:
        lists = PageLists(factory.database)
        begin = since_instant(since, factory.clock.now())
        chosen = (await find_product(factory, product)).id if product else None
        hosts = await hosts_meant(factory, host)
        total = sum([await lists.count(each, begin) for each in hosts])
        with _written_whole(place) as out, progress_bar(total, "writing") as bar:
            exported = await export_pages(
                factory,
                out,
                _pages(lists, hosts, begin, chosen),
                gzip=place.suffix == ".gz",
                on_page=lambda: bar.advance(bar.task_ids[0]),
            )
            if not exported.pages:
                raise _nothing(place, host=host, since=since, product=product)
    return exported


def _nothing(place: Path, **asked: str | None) -> UsageError:
    """That no page is to be written, and which ones were asked for."""
    given = " ".join(f"--{name} {value}" for name, value in asked.items() if value)
    which = f"no stored page for {given}" if given else "no page is stored yet"
    return UsageError(f"{which}; {place} was not written; see: spec pages list")


async def _pages(
    lists: PageLists, hosts: list[str | None], begin: int, product: str | None
) -> AsyncIterator[Page]:
    for host in hosts:
        async for page in lists.walk(host, begin, product):
            yield page


async def _import(settings: Settings, files: list[Path], tier: str) -> Imported:
    from specfactory.errors import UnknownSubject
    from specfactory.model import Tier
    from specfactory.orchestrate.archives import PageImporter

    if tier not in set(Tier):
        raise UsageError(f"--tier is {tier!r}; allowed: {', '.join(Tier)}")
    for place in files:
        if not place.is_file():
            raise UnknownSubject("archive", str(place), "give a .warc or .warc.gz file")
    async with open_factory(settings) as factory:
        importer = PageImporter(factory, Tier(tier))
        for place in files:
            total = place.stat().st_size
            with place.open("rb") as file, progress_bar(total // MEGABYTE, place.name) as bar:
                await importer.take(file, _mover(bar, file))
    return importer.found


def _mover(bar: Any, file: BinaryIO) -> Any:
    return lambda: bar.update(bar.task_ids[0], completed=file.tell() // MEGABYTE)


@contextlib.contextmanager
def _written_whole(place: Path) -> Iterator[BinaryIO]:
    """A file that takes its name only when all of it is written."""
    import os
    import tempfile

    if not place.parent.is_dir():
        raise UsageError(f"there is no folder {place.parent} to write {place.name} in")
    if place.is_dir():
        raise UsageError(f"{place} is a folder; name a file in it, such as {place}/pages.warc.gz")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
    except OSError as problem:
        why = (problem.strerror or str(problem)).lower()
        raise UsageError(f"cannot write {place}: {why}") from None
    try:
        with os.fdopen(handle, "wb") as out:
            yield out
        Path(name).chmod(0o644)
        Path(name).replace(place)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _imported_json(imported: Imported) -> dict[str, Any]:
    return {
        "pages": imported.pages,
        "duplicates": imported.duplicates,
        "records": imported.records,
        "lowered": imported.lowered,
        "by_outcome": dict(imported.by_outcome),
        "skipped": dict(imported.skipped),
    }


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
