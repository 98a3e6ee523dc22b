"""``spec export``: records and pages for others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import Category, command, day_instant, open_factory, out
from specfactory.errors import UsageError
from specfactory.publish.exports import Format

if TYPE_CHECKING:
    from specfactory.model import Contract, Instant
    from specfactory.orchestrate import Workbench
    from specfactory.settings import Settings

app = typer.Typer()

Documents = AsyncIterator[tuple[dict[str, Any], "Contract"]]


@command(app, "export")
async def export_records(
    settings: Settings,
    form: Annotated[
        Format,
        "--format",
        "jsonl: one a line; csv, xlsx, parquet: a table; jsonld: schema.org; seed: records as "
        "published, unknowns as unk.",
    ] = Format.JSONL,
    category: Category = None,
    since: Annotated[
        str | None, "--since DATE", "Only records made, or pages fetched, since (2026-02-12, UTC)."
    ] = None,
    pages: Annotated[
        bool, "--pages", "What pages gave by themselves, a page a line or a row."
    ] = False,
    only_published: Annotated[
        bool, "--only-published", "Leave out fields without a value."
    ] = False,
    output: Annotated[Path | None, "--output FILE", "Write there instead of to stdout."] = None,
    columns: Annotated[
        Path | None, "--columns FILE", "Describe a table's columns there, not beside the output."
    ] = None,
) -> None:
    """Write the newest record of every product, as lines or as a table.

    Units stand in the names of columns (weight_g) and beside values in JSON; a price has an
    amount and a currency; an unknown is an empty cell, or null with its reason. With a table
    comes a file that describes its columns: mice.columns.csv beside mice.csv. With --pages it is
    what page jobs read (spec queue pages). A file is written whole or not at all; cells that a
    spreadsheet would run are made harmless.

    Example: spec export --format csv --category mouse --output mice.csv
    """
    from specfactory.publish.exports import PAGE_HEAD, RECORD_HEAD, open_export, published_only

    _check(form, pages, category, output)
    begin = _since(since)
    target = out.stdout() if output is None else output
    if not form.is_table:
        columns = None
    elif columns is None and output is not None and (output.is_file() or not output.exists()):
        columns = output.with_suffix(".columns.csv")  # not beside a pipe or a device
    head = PAGE_HEAD if pages else RECORD_HEAD
    count = 0
    async with open_factory(settings) as factory:
        if category is not None and not await factory.records.count(category):
            factory.contract(category)  # says so when there is no such category
        wanted = (factory, category, begin)
        found = _pages(*wanted) if pages else _records(*wanted)
        with open_export(form, target, head, columns) as add:
            async for document, contract in found:
                add(published_only(document) if only_published else document, contract)
                count += 1
    words = out.quantity(count, "page" if pages else "record")
    places = [f" in {output}"] * (output is not None) + [f"columns in {columns}"] * bool(columns)
    out.note(words + ", ".join(places))


def _check(form: Format, pages: bool, category: str | None, output: Path | None) -> None:
    """Refuse what cannot be exported."""
    if form.is_binary and output is None:
        raise UsageError(f"--format {form.value} cannot go to the terminal; give --output FILE")
    if pages and category is None:
        raise UsageError("--pages needs --category CATEGORY: by which contract they were read")
    if pages and not form.is_of_pages:
        allowed = ", ".join(one.value for one in Format if one.is_of_pages)
        raise UsageError(f"--format is {form.value!r}; with --pages allowed: {allowed}")


def _since(words: str | None) -> Instant | None:
    try:
        return None if words is None else day_instant(words)
    except ValueError:
        raise UsageError(
            f"--since is {words!r}; allowed: a day or a time, such as 2026-02-12 or "
            "2026-02-12T10:35"
        ) from None


async def _records(factory: Workbench, category: str | None, since: Instant | None) -> Documents:
    """Every newest record as JSON, with the contract by which it was made."""
    from specfactory.publish import record_json

    contracts: dict[str, Contract] = {}
    async for record in factory.records.newest(category, since):
        if record.contract_digest not in contracts:
            contracts[record.contract_digest] = await factory.contract_of(record)
        contract = contracts[record.contract_digest]
        decided = await factory.reviews.history(record.product.id)
        yield record_json(record, contract, decided), contract


async def _pages(factory: Workbench, category: str | None, since: Instant | None) -> Documents:
    """Every page that was read for the category, as JSON, with the contract."""
    assert category is not None, "checked before"
    from specfactory.extract.answers import confidence_of
    from specfactory.publish.exports import page_document

    compiled = factory.contract(category)
    async for found in factory.readings.for_category(category):
        if since is None or found.fetched_at >= since:
            document = page_document(
                found, compiled.contract, lambda one: confidence_of(one, compiled)
            )
            yield document, compiled.contract
