"""``spec export``: records for others."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.session import open_factory, perform, settings_from

if TYPE_CHECKING:
    from specfactory.model import Instant
    from specfactory.settings import Settings

app = typer.Typer()


class Format(StrEnum):
    """How records are written."""

    JSONL = "jsonl"
    CSV = "csv"


@app.command("export")
def export_records(
    context: typer.Context,
    form: Annotated[
        Format, typer.Option("--format", help="jsonl: a record a line; csv: a product a row.")
    ] = Format.JSONL,
    category: Annotated[str | None, typer.Option("--category", help="Only this category.")] = None,
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="DATE", help="Only records made since (2026-02-12, UTC)."),
    ] = None,
    only_published: Annotated[
        bool, typer.Option("--only-published", help="Leave out fields without a value.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="Write there instead of to stdout."),
    ] = None,
) -> None:
    """Write the newest record of every product as JSON lines or CSV.

    A file is written whole or not at all; cells that a spreadsheet would run are made harmless.

    Example: spec export --format csv --category mouse --output mice.csv
    """
    import sys

    from specfactory.publish import export_csv, export_jsonl

    documents = perform(
        _documents(settings_from(context), category, _instant(since), only_published)
    )
    write = export_csv if form is Format.CSV else export_jsonl
    count = write(documents, output if output is not None else sys.stdout)
    noun = "record" if count == 1 else "records"
    typer.echo(f"{count} {noun}" + (f" in {output}" if output else ""), err=True)


async def _documents(
    settings: Settings, category: str | None, since: Instant | None, only_published: bool
) -> list[dict[str, Any]]:
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
            documents.append(record_json(record, contract, decisions))
    return [published_only(each) for each in documents] if only_published else documents


def _instant(day: str | None) -> Instant | None:
    from datetime import UTC, datetime

    from specfactory.errors import UsageError

    if day is None:
        return None
    try:
        at = datetime.fromisoformat(day)
    except ValueError:
        raise UsageError(
            f"--since is {day!r}; allowed: a day or a time, such as 2026-02-12 or 2026-02-12T10:35"
        ) from None
    return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000)
