"""``spec queue pages``: pages to be fetched, and read for a category."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry.cli.terminal import (
    Reply,
    checked_url,
    command,
    open_factory,
    print_line,
    quantity,
)
from specfactory.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from specfactory.settings import Settings

app = typer.Typer()

AT_ONCE = 1000  # jobs in one transaction


@command(app, "pages")
async def add_pages(
    settings: Settings,
    urls: Annotated[list[str] | None, typer.Argument(metavar="URL", help="Pages to fetch.")] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", help="Their addresses, one a line; - for stdin."),
    ] = None,
    category: Annotated[
        str, typer.Option("--category", metavar="CATEGORY", help="Read them by its contract.")
    ] = "",
    priority: Annotated[int, typer.Option("--priority", min=1, max=5, help="1 urgent.")] = 3,
) -> Reply:
    """Put pages in the queue: each is fetched and kept, and read where a category is given.

    A page already queued or in progress is not added twice. What pages gave is written by
    spec export --pages. Selectors of your own go into the contract, under its sources.

    Example: spec queue pages --file urls.txt --category mouse
    """
    from specfactory.entry.shapes import PagesAdded
    from specfactory.model import JobKind, NewJob
    from specfactory.ports import JOBS_CHANNEL

    wanted = list(dict.fromkeys((*map(checked_url, urls or ()), *_lines(file))))
    if not wanted:
        raise UsageError("no page is named; give addresses or --file FILE")
    purpose = {"category": category} if category else {}
    jobs = [
        NewJob(
            JobKind.PAGE, url, {"url": url, **purpose}, category, priority,
            added_by="cli", max_attempts=settings.queue.max_attempts,
        )
        for url in wanted
    ]  # fmt: skip
    added = 0
    async with open_factory(settings) as factory:
        if category:
            factory.contract(category)  # says so when there is no such category
        for start in range(0, len(jobs), AT_ONCE):
            some, now = jobs[start : start + AT_ONCE], factory.clock.now()
            async with factory.database.transaction() as tx:
                added += sum(one.is_new for one in await factory.jobs.add(tx, some, now))
        if added:
            await factory.wakeup.notify(JOBS_CHANNEL)
    known = len(wanted) - added
    there = f", {known} were queued already" if known else ""
    said = f"{quantity(added, 'page')} added{there}"
    return Reply(PagesAdded(added=added, known=known), lambda _: print_line(said))


def _lines(file: Path | None) -> Iterator[str]:
    """The addresses in a file; empty lines and those behind a # are passed over."""
    if file is None:
        return
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"--file {file} cannot be read: {problem}") from None
    for number, line in enumerate(text.splitlines(), 1):
        if (words := line.strip()) and not words.startswith("#"):
            try:
                yield checked_url(words)
            except UsageError as problem:
                raise UsageError(f"--file {file}, line {number}: {problem}") from None
