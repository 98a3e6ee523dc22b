"""``spec export``: records for others."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import Category, command, day_instant, open_factory, out
from specfactory.errors import UsageError

if TYPE_CHECKING:
    from specfactory.settings import Settings

app = typer.Typer()


class Format(StrEnum):
    """File format of exported records."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    JSONLD = "jsonld"


@command(app, "export")
async def export_records(
    settings: Settings,
    form: Annotated[
        Format,
        "--format",
        "jsonl: a record a line; csv, parquet: a product a row; jsonld: schema.org.",
    ] = Format.JSONL,
    category: Category = None,
    since: Annotated[
        str | None, "--since DATE", "Only records made since (2026-02-12, UTC)."
    ] = None,
    pages: Annotated[
        bool, "--pages", "What pages gave by themselves, a page a line or a row."
    ] = False,
    only_published: Annotated[
        bool, "--only-published", "Leave out fields without a value."
    ] = False,
    output: Annotated[Path | None, "--output FILE", "Write there instead of to stdout."] = None,
) -> None:
    """Write the newest record of every product as JSON lines, CSV, Parquet or JSON-LD.

    With --pages it is what page jobs read (spec queue pages), each value with its proof.
    A file is written whole or not at all; cells that a spreadsheet would run are made harmless.

    Example: spec export --format csv --category mouse --output mice.csv
    """
    if pages:
        words = out.quantity(await _export_pages(settings, form, category, output), "page")
    else:
        count = await _export(settings, form, category, since, only_published, output)
        words = out.quantity(count, "record")
    typer.echo(words + (f" in {output}" if output else ""), err=True)


async def _export(
    settings: Settings,
    form: Format,
    category: str | None,
    since: str | None,
    only_published: bool,
    output: Path | None,
) -> int:
    from specfactory.publish import (
        export_csv,
        export_jsonl,
        export_linked_data,
        export_parquet,
        published_only,
        record_json,
    )

    if form is Format.PARQUET and output is None:
        raise UsageError("a Parquet file cannot go to the terminal; give --output FILE")
    try:
        begin = None if since is None else day_instant(since)
    except ValueError:
        raise UsageError(
            f"--since is {since!r}; allowed: a day or a time, such as 2026-02-12 or "
            "2026-02-12T10:35"
        ) from None
    documents: list[dict[str, Any]] = []
    contracts = []
    async with open_factory(settings) as factory:
        found = await factory.records.list(category, begin)
        if category is not None and not found:
            factory.contract(category)  # says so when there is no such category
        for published in found:
            record = await factory.records.latest(published.product_id)
            if record is not None:
                contract = await factory.contract_of(record)
                decisions = await factory.reviews.decisions(published.product_id)
                document = record_json(record, contract, decisions)
                documents.append(published_only(document) if only_published else document)
                contracts.append(contract)
    if form is Format.PARQUET and output is not None:
        return export_parquet(documents, contracts, output)
    target = output if output is not None else sys.stdout
    if form is Format.JSONLD:
        return export_linked_data(list(zip(documents, contracts, strict=True)), target)
    return (export_csv if form is Format.CSV else export_jsonl)(documents, target)


async def _export_pages(
    settings: Settings, form: Format, category: str | None, output: Path | None
) -> int:
    from specfactory.publish import export_jsonl, export_page_rows, page_document

    if category is None:
        raise UsageError("--pages needs --category CATEGORY: by which contract they were read")
    if form not in (Format.JSONL, Format.CSV):
        raise UsageError(f"--format is {form.value!r}; with --pages allowed: jsonl, csv")
    async with open_factory(settings) as factory:
        contract = factory.contract(category).contract
        found = [
            page_document(one, contract) async for one in factory.readings.for_category(category)
        ]
    target = output if output is not None else sys.stdout
    if form is Format.CSV:
        return export_page_rows(found, target, tuple(contract.fields))
    return export_jsonl(found, target)
