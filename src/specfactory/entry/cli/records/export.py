"""``spec export``: records for others."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import open_factory, perform, settings_from
from specfactory.errors import UsageError

if TYPE_CHECKING:
    from specfactory.model import Contract, Instant
    from specfactory.settings import Settings

app = typer.Typer()


class Format(StrEnum):
    """How records are written."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    JSONLD = "jsonld"


Form = Annotated[
    Format,
    typer.Option(
        "--format",
        help="jsonl: a record a line; csv, parquet: a product a row; jsonld: schema.org.",
    ),
]
Category = Annotated[str | None, typer.Option("--category", help="Only this category.")]
Since = Annotated[
    str | None,
    typer.Option("--since", metavar="DATE", help="Only records made since (2026-02-12, UTC)."),
]
OfPages = Annotated[
    bool, typer.Option("--pages", help="What pages gave by themselves, a page a line or a row.")
]
OnlyPublished = Annotated[
    bool, typer.Option("--only-published", help="Leave out fields without a value.")
]
Output = Annotated[
    Path | None,
    typer.Option("--output", metavar="FILE", help="Write there instead of to stdout."),
]


@app.command("export")
def export_records(
    context: typer.Context,
    form: Form = Format.JSONL,
    category: Category = None,
    since: Since = None,
    pages: OfPages = False,
    only_published: OnlyPublished = False,
    output: Output = None,
) -> None:
    """Write the newest record of every product as JSON lines, CSV, Parquet or JSON-LD.

    With --pages it is what page jobs read (spec queue pages), each value with its proof.
    A file is written whole or not at all; cells that a spreadsheet would run are made harmless.

    Example: spec export --format csv --category mouse --output mice.csv
    """
    if pages:
        return _export_pages(settings_from(context), form, category, output)
    if form is Format.PARQUET and output is None:
        raise UsageError("a Parquet file cannot go to the terminal; give --output FILE")
    found = perform(_documents(settings_from(context), category, _instant(since), only_published))
    _say_count(_write(form, found, output), "record", output)
    return None


def _export_pages(
    settings: Settings, form: Format, category: str | None, output: Path | None
) -> None:
    import sys

    from specfactory.publish import export_jsonl, export_page_rows

    if category is None:
        raise UsageError("--pages needs --category CATEGORY: by which contract they were read")
    if form not in (Format.JSONL, Format.CSV):
        raise UsageError(f"--format is {form.value!r}; with --pages allowed: jsonl, csv")
    documents, fields = perform(_page_documents(settings, category))
    out = output if output is not None else sys.stdout
    if form is Format.CSV:
        count = export_page_rows(documents, out, fields)
    else:
        count = export_jsonl(documents, out)
    _say_count(count, "page", output)


def _say_count(count: int, noun: str, output: Path | None) -> None:
    nouns = noun if count == 1 else f"{noun}s"
    typer.echo(f"{count} {nouns}" + (f" in {output}" if output else ""), err=True)


async def _page_documents(
    settings: Settings, category: str
) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    from specfactory.publish import page_document

    async with open_factory(settings) as factory:
        contract = factory.contract(category).contract
        found = [
            page_document(one, contract) async for one in factory.readings.for_category(category)
        ]
    return found, tuple(contract.fields)


def _write(form: Format, found: list[tuple[dict[str, Any], Contract]], output: Path | None) -> int:
    import sys

    from specfactory.publish import export_csv, export_jsonl, export_linked_data, export_parquet

    out = output if output is not None else sys.stdout
    documents = [document for document, _ in found]
    if form is Format.PARQUET and output is not None:
        return export_parquet(documents, [contract for _, contract in found], output)
    if form is Format.JSONLD:
        return export_linked_data(found, out)
    return (export_csv if form is Format.CSV else export_jsonl)(documents, out)


async def _documents(
    settings: Settings, category: str | None, since: Instant | None, only_published: bool
) -> list[tuple[dict[str, Any], Contract]]:
    from specfactory.publish import published_only, record_json

    documents = []
    async with open_factory(settings) as factory:
        found = await factory.records.list(category, since)
        if category is not None and not found:
            factory.contract(category)  # says so when there is no such category
        for published in found:
            record = await factory.records.latest(published.product_id)
            if record is None:
                continue
            contract = await factory.contract_of(record)
            decisions = await factory.reviews.decisions(published.product_id)
            documents.append((record_json(record, contract, decisions), contract))
    keep = published_only if only_published else dict
    return [(keep(document), contract) for document, contract in documents]


def _instant(day: str | None) -> Instant | None:
    from datetime import UTC, datetime

    if day is None:
        return None
    try:
        at = datetime.fromisoformat(day)
    except ValueError:
        raise UsageError(
            f"--since is {day!r}; allowed: a day or a time, such as 2026-02-12 or 2026-02-12T10:35"
        ) from None
    return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000)
