"""``spec queue add-batch, export, import``: many products at once, from and to files."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import (
    AsJson,
    clean,
    json_text,
    on_terminal,
    open_factory,
    perform,
    print_json,
    print_line,
    progress_bar,
    settings_from,
)

if TYPE_CHECKING:
    from specfactory.model import Job
    from specfactory.orchestrate import Workbench
    from specfactory.queue import Intake, LineReport
    from specfactory.settings import Settings
    from specfactory.store import Added

app = typer.Typer()

PAGE = 1000


@app.command("add-batch")
def add_batch(
    context: typer.Context,
    file: Annotated[
        Path, typer.Option("--file", metavar="FILE", help="CSV (any usual form), JSON, JSON lines.")
    ],
    category: Annotated[
        str, typer.Option("--category", metavar="CATEGORY", help="Where a line names none.")
    ] = "",
    priority: Annotated[
        int | None, typer.Option("--priority", min=1, max=5, help="Where a line names none.")
    ] = None,
    tags: Annotated[
        list[str] | None, typer.Option("--tag", metavar="TAG", help="For all lines; repeatable.")
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Only the lines that are wrong, and the summary.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Put all products of a file in the queue, and say line by line what became of each.

    Every good line is added, also when others are wrong (exit 1 then); a second time adds only
    what is not there. Columns: brand, model and, if you like, category, variant, priority,
    priority_reason, tags, scheduled_for, urls, max_attempts, gtin, mpn, sku, asin.

    Example: spec queue add-batch --file products.csv --category mouse
    """
    from specfactory.entry.cli.jobs.queue_add import intake_from

    settings = settings_from(context)
    intake = intake_from(
        settings, category=category.strip(), priority=priority, tags=tuple(tags or ()),
        added_by="cli_import",
    )  # fmt: skip
    if category.strip() and category.strip() not in intake.categories:
        from specfactory.errors import UnknownCategory

        raise UnknownCategory(category.strip(), tuple(intake.categories))
    counts = perform(_add_batch(settings, file, intake, quiet, as_json))
    if counts["wrong"]:
        raise typer.Exit(1)


async def _add_batch(
    settings: Settings, file: Path, intake: Intake, quiet: bool, as_json: bool
) -> Counter[str]:
    from specfactory.ports import JOBS_CHANNEL
    from specfactory.queue import read_products, take_in

    async with open_factory(settings) as factory:
        now = factory.clock.now()
        reports = take_in(factory.database, read_products(file), intake, now)
        if as_json:
            counts = await _tell_json(reports)
        else:
            counts = await _tell(reports, file, quiet)
        if counts["added"]:
            await factory.wakeup.notify(JOBS_CHANNEL)
    return counts


async def _tell(reports: AsyncIterator[LineReport], file: Path, quiet: bool) -> Counter[str]:
    counts: Counter[str] = Counter()
    with _progress(file) as (say, advance):
        async for report in reports:
            counts[report.outcome] += 1
            if not quiet or report.outcome in ("wrong", "note"):
                say(report_line(report))
            advance(report.line)
    wrong = f"; {counts['wrong']} wrong" if counts["wrong"] else ""
    print_line(f"{counts['added']} added, {counts['duplicate']} there already{wrong}")
    return counts


def report_line(report: LineReport) -> str:
    """What became of one line, in words."""
    from specfactory.model import job_name

    where = f"line {report.line}"
    if report.outcome == "added":
        return f"{where}: added {job_name(report.job_id or 0)} {report.key}"
    if report.outcome == "duplicate":
        return f"{where}: duplicate {report.key}: {report.reason}"
    column = f" {report.column!r}" if report.column else ""
    return f"{where}: {report.outcome}{column}: {report.reason}"


async def _tell_json(reports: AsyncIterator[LineReport]) -> Counter[str]:
    """One JSON document, written as it grows: a hundred thousand lines are never held."""
    from specfactory.model import job_name

    counts: Counter[str] = Counter()
    typer.echo('{"lines": [', nl=False)
    async for report in reports:
        line = {
            "line": report.line,
            "outcome": str(report.outcome),
            "product_id": report.key or None,
            "job": None if report.job_id is None else job_name(report.job_id),
            "column": report.column or None,
            "reason": report.reason or None,
        }
        typer.echo((",\n" if counts.total() else "\n") + json_text(line), nl=False)
        counts[report.outcome] += 1
    totals = {name: counts[name] for name in ("added", "duplicate", "wrong", "note")}
    typer.echo("\n]," + json_text(totals)[1:])
    return counts


@contextmanager
def _progress(file: Path) -> Iterator[tuple[Any, Any]]:
    """How to say a line and how to move on; on a terminal a bar stays below the lines."""
    bar = progress_bar(_count_lines(file), file.name)
    with bar:
        beside = not bar.disable and on_terminal()
        (task,) = bar.task_ids
        say = _above(bar) if beside else print_line
        yield say, lambda line: bar.update(task, completed=line)


def _above(bar: Any) -> Callable[[object], None]:
    """Print above a bar on the same terminal."""
    from rich.text import Text

    return lambda text: bar.console.print(Text(clean(text)))


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


@app.command("export")
def export_queue(
    context: typer.Context,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Write there, else to stdout.")
    ] = None,
) -> None:
    """Write all product jobs in the form of product_queue.json.

    A file is written whole or not at all. What it holds can be imported here or elsewhere.

    Example: spec queue export --output product_queue.json
    """
    count, others = perform(_export(settings_from(context), output))
    left_out = f"; {others} jobs of other kinds have no place in this form" if others else ""
    typer.echo(f"{count} jobs" + (f" in {output}" if output else "") + left_out, err=True)


async def _export(settings: Settings, output: Path | None) -> tuple[int, int]:
    import sys

    async with open_factory(settings) as factory:
        if output is None:
            count = await _write_queue(factory, sys.stdout)
        else:
            count = await _write_file(factory, output)
        total = (await factory.jobs.stats()).total
        return count, max(total - count, 0)


async def _write_file(factory: Workbench, file: Path) -> int:
    import os

    draft = file.with_name(f".{file.name}.{os.getpid()}.draft")
    try:
        with draft.open("w", encoding="utf-8") as stream:
            count = await _write_queue(factory, stream)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    return count


async def _write_queue(factory: Workbench, stream: Any) -> int:
    """Entry by entry: a long queue is never held."""
    from specfactory.queue import entry_json, queue_json

    head = json_text(queue_json((), factory.clock.now())).removesuffix("]}")
    stream.write(head)
    count = 0
    async for job in _product_jobs(factory):
        stream.write((",\n" if count else "\n") + json_text(entry_json(job)))
        count += 1
    stream.write("\n]}\n")
    return count


async def _product_jobs(factory: Workbench) -> AsyncIterator[Job]:
    after = 0
    while found := await factory.jobs.list(kind="product", limit=PAGE, after=after):
        for job in found:
            yield job
        after = found[-1].id


@app.command("import")
def import_queue(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A product_queue.json.")],
    as_json: AsJson = False,
) -> None:
    """Bring back the jobs of a product_queue.json as they were.

    Jobs that were in progress are queued. A second time brings back nothing twice; a product
    that is active here stays as it is. Wrong entries are told, the others come in (exit 1 then).

    Example: spec queue import product_queue.json
    """
    counts = perform(_import(settings_from(context), file, as_json))
    if counts["wrong"]:
        raise typer.Exit(1)


async def _import(settings: Settings, file: Path, as_json: bool) -> dict[str, Any]:
    from specfactory.ports import JOBS_CHANNEL
    from specfactory.queue import read_queue

    jobs, wrong = read_queue(_text(file))
    async with open_factory(settings) as factory:
        added = [each async for each in _restore(factory, jobs)]
        if any(each.is_new for each in added):
            await factory.wakeup.notify(JOBS_CHANNEL)
    new = sum(1 for each in added if each.is_new)
    counts: dict[str, Any] = {
        "imported": new,
        "duplicate": len(added) - new,
        "wrong": [
            {"entry": w.entry, "column": w.column or None, "reason": w.reason} for w in wrong
        ],
    }
    if as_json:
        print_json(counts)
        return counts
    for each in wrong:
        print_line(f"entry {each.entry}: wrong {each.column}: {each.reason}")
    told = f"; {len(wrong)} wrong" if wrong else ""
    print_line(f"{new} imported, {len(added) - new} there already{told}")
    return counts


async def _restore(factory: Workbench, jobs: list[Job]) -> AsyncIterator[Added]:
    for start in range(0, len(jobs), PAGE):
        async with factory.database.transaction() as tx:
            added = await factory.jobs.restore(tx, jobs[start : start + PAGE], factory.clock.now())
        for each in added:
            yield each


def _text(file: Path) -> str:
    from specfactory.errors import UsageError

    try:
        raw = file.read_bytes()
        encoding = "utf-16" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
        return raw.decode(encoding)
    except OSError as problem:
        raise UsageError(f"cannot read {file}: {problem.strerror}") from None
    except UnicodeDecodeError as problem:
        raise UsageError(f"{file} is neither UTF-8 nor UTF-16: {problem.reason}") from None
