"""``spec queue add-batch, export, import``: many products at once, from and to files."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from specfactory import queue
from specfactory.entry import shapes
from specfactory.entry.cli.jobs.queue_add import intake_from
from specfactory.entry.cli.terminal import Reply, command, open_factory, out
from specfactory.errors import UnknownCategory, UsageError

if TYPE_CHECKING:
    from specfactory.orchestrate import Workbench
    from specfactory.settings import Settings

app = typer.Typer()

PAGE = 1000  # jobs read or written at once


@command(app, "add-batch")
async def add_batch(
    settings: Settings,
    as_json: bool,
    file: Annotated[Path, "--file FILE", "CSV (any usual form), JSON, JSON lines."],
    category: Annotated[str, "--category CATEGORY", "Where a line names none."] = "",
    priority: Annotated[
        int | None, "--priority", "Where a line names none.", {"min": 1, "max": 5}
    ] = None,
    tags: Annotated[list[str] | None, "--tag TAG", "For all lines; repeatable."] = None,
    quiet: Annotated[bool, "--quiet", "Only the lines that are wrong, and the summary."] = False,
) -> Reply:
    """Put all products of a file in the queue, and say line by line what became of each.

    Every good line is added, also when others are wrong (exit 1 then); a second time adds only
    what is not there. Columns: brand, model (or what the contract of --category names things by)
    and, if you like, category, variant, priority, priority_reason, tags, scheduled_for, urls,
    max_attempts, gtin, mpn, sku, asin.

    Example: spec queue add-batch --file products.csv --category mouse
    """
    intake = intake_from(
        settings, category=category.strip(), priority=priority, tags=tuple(tags or ()),
        added_by="cli_import",
    )  # fmt: skip
    if intake.category and intake.category not in intake.categories:
        raise UnknownCategory(intake.category, tuple(intake.categories))
    rules = intake.rules_of(intake.category) if intake.category else queue.PRODUCTS
    async with open_factory(settings) as factory:
        reports = queue.take_in(
            factory.database, queue.read_products(file, rules), intake, factory.clock.now()
        )
        counts = await (
            _print_lines_json(reports) if as_json else _print_lines(reports, file, quiet)
        )
        if counts["added"]:
            await factory.wake_workers()
    raise typer.Exit(1 if counts["wrong"] else 0)


async def _print_lines(
    reports: AsyncIterator[queue.LineReport], file: Path, quiet: bool
) -> Counter[str]:
    """Print what became of each line; on a terminal a bar stays below them."""
    from rich.text import Text

    from specfactory.model import job_name

    counts: Counter[str] = Counter()
    with out.progress_bar(_count_lines(file), file.name) as bar:
        beside = not bar.disable and out.on_terminal()
        async for report in reports:
            counts[report.outcome] += 1
            if not quiet or report.outcome in ("wrong", "note"):
                if report.outcome == "added":
                    said = f"added {job_name(report.job_id or 0)} {report.key}"
                elif report.outcome == "duplicate":
                    said = f"duplicate {report.key}: {report.reason}"
                else:
                    column = f" {report.column!r}" if report.column else ""
                    said = f"{report.outcome}{column}: {report.reason}"
                line = out.clean(f"line {report.line}: {said}")
                if beside:
                    bar.console.print(Text(line))
                else:
                    out.line(line)
            bar.update(bar.task_ids[0], completed=report.line)
    wrong = f"; {counts['wrong']} wrong" if counts["wrong"] else ""
    out.line(f"{counts['added']} added, {counts['duplicate']} there already{wrong}")
    return counts


async def _print_lines_json(reports: AsyncIterator[queue.LineReport]) -> Counter[str]:
    """Print one JSON document as it grows: a hundred thousand lines are never held."""
    counts: Counter[str] = Counter()
    out.write('{"lines": [')
    async for report in reports:
        line = shapes.jobs.BatchLine.of(report)
        out.write((",\n" if counts.total() else "\n") + out.json_text(line))
        counts[report.outcome] += 1
    totals = {name: counts[name] for name in ("added", "duplicate", "wrong", "note")}
    out.write("\n]," + out.json_text(totals)[1:] + "\n")
    return counts


def _count_lines(file: Path) -> int:
    """About how many lines there are; a file that cannot be read has none."""
    lines = 0
    try:
        with file.open("rb") as stream:
            while piece := stream.read(1 << 20):
                lines += piece.count(b"\n")
    except OSError:
        return 0
    return max(lines, 1)


@command(app, "export")
async def export_queue(
    factory: Workbench,
    output: Annotated[Path | None, "--output FILE", "Write there, else to stdout."] = None,
) -> None:
    """Write all product jobs in the form of product_queue.json.

    A file is written whole or not at all. What it holds can be imported here or elsewhere.

    Example: spec queue export --output product_queue.json
    """
    from specfactory.publish.exports import opened

    count = after = 0
    with opened(output or out.stdout()) as stream:  # entry by entry: a long queue is never held
        stream.write(out.json_text(queue.queue_json((), factory.clock.now())).removesuffix("]}"))
        while found := await factory.jobs.list(kind="product", limit=PAGE, after=after):
            for job in found:
                stream.write((",\n" if count else "\n") + out.json_text(queue.entry_json(job)))
                count += 1
            after = found[-1].id
        stream.write("\n]}\n")
    others = max((await factory.jobs.stats()).total - count, 0)
    left_out = f"; {others} jobs of other kinds have no place in this form" if others else ""
    out.note(f"{count} jobs" + (f" in {output}" if output else "") + left_out)


@command(app, "import")
async def import_queue(
    settings: Settings, file: Annotated[Path, "FILE", "A product_queue.json."]
) -> Reply:
    """Bring back the jobs of a product_queue.json as they were.

    Jobs that were in progress are queued. A second time brings back nothing twice; a product
    that is active here stays as it is. Wrong entries are told, the others come in (exit 1 then).

    Example: spec queue import product_queue.json
    """
    try:
        raw = file.read_bytes()
        encoding = "utf-16" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
        text = raw.decode(encoding)
    except OSError as problem:
        raise UsageError(f"cannot read {file}: {problem.strerror}") from None
    except UnicodeDecodeError as problem:
        raise UsageError(f"{file} is neither UTF-8 nor UTF-16: {problem.reason}") from None
    jobs, wrong = queue.read_queue(text)
    added = []
    async with open_factory(settings) as factory:
        for start in range(0, len(jobs), PAGE):
            some, now = jobs[start : start + PAGE], factory.clock.now()
            async with factory.database.transaction() as tx:
                added += await factory.jobs.restore(tx, some, now)
        new = sum(each.is_new for each in added)
        if new:
            await factory.wake_workers()
    imported = shapes.jobs.QueueImported.of(imported=new, duplicate=len(added) - new, wrong=wrong)

    def show(found: shapes.jobs.QueueImported) -> None:
        for each in found.wrong:
            out.line(f"entry {each.entry}: wrong {each.column or ''}: {each.reason}")
        told = f"; {len(found.wrong)} wrong" if found.wrong else ""
        out.line(f"{found.imported} imported, {found.duplicate} there already{told}")

    return Reply(imported, show, code=1 if wrong else 0)
