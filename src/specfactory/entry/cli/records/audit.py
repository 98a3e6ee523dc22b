"""``spec audit``: every published value is proven again, from the stored pages alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import (
    AsJson,
    find_record,
    open_factory,
    perform,
    print_json,
    print_line,
    print_table,
    progress_bar,
    settings_from,
    shown,
)

if TYPE_CHECKING:
    from specfactory.model import Record
    from specfactory.orchestrate import Workbench
    from specfactory.publish import AuditFailure
    from specfactory.settings import Settings

app = typer.Typer()


@app.command("audit")
def audit_command(
    context: typer.Context,
    product: Annotated[
        str | None,
        typer.Argument(metavar="PRODUCT", help="Its id, or words that name only it."),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="The newest record of each product.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Prove every published value again, from the stored pages only.

    Nothing is fetched. Exit 1 and the list when a value cannot be proven.

    Example: spec audit --all
    """
    from specfactory.errors import UsageError

    if (product is None) is not every:
        raise UsageError("say which record to audit: a PRODUCT, or --all")
    records, failures, proven = perform(_audit(settings_from(context), product))
    if as_json:
        print_json(_audit_json(records, failures, proven))
    else:
        _print_audit(records, failures, proven)
    if failures:
        raise typer.Exit(1)


async def _audit(settings: Settings, product: str | None) -> tuple[int, list[AuditFailure], int]:
    """How many records were looked at, what failed, how many values are proven."""
    async with open_factory(settings) as factory:
        if product is not None:
            record = await find_record(factory, product)
            return 1, *await audit_records(factory, [record])
        ids = [published.product_id for published in await factory.records.list()]
        failures: list[AuditFailure] = []
        proven = 0
        with progress_bar(len(ids), "proving") as bar:
            for product_id in ids:
                if newest := await factory.records.latest(product_id):
                    found, held = await audit_records(factory, [newest])
                    failures, proven = failures + found, proven + held
                bar.advance(bar.task_ids[0])
        return len(ids), failures, proven


async def audit_records(
    factory: Workbench, records: Sequence[Record]
) -> tuple[list[AuditFailure], int]:
    """What cannot be proven again, and how many published values are; failures become events."""
    failures: list[AuditFailure] = []
    proven = 0
    for record in records:
        found = await _prove(factory, record)
        failed = {failure.field for failure in found}
        proven += sum(
            1 for n, r in record.fields.items() if r.value is not None and n not in failed
        )
        failures += found
    await _tell(factory, failures)
    return failures, proven


async def _prove(factory: Workbench, record: Record) -> list[AuditFailure]:
    import asyncio

    from specfactory.publish import audit, load_cited_pages

    contract = await factory.contract_of(record)
    cited = await load_cited_pages(factory.pages, record)
    decisions = await factory.reviews.history(record.product.id)
    return await asyncio.to_thread(
        audit, record, contract, cited.views_of, decisions, cited.problems
    )


async def _tell(factory: Workbench, failures: Iterable[AuditFailure]) -> None:
    from specfactory.events import event

    now = factory.clock.now()
    events = [
        event("audit.failed", now, product_id=f.product_id, field=f.field, version=f.version,
              problem=f.problem)
        for f in failures
    ]  # fmt: skip
    if events:
        async with factory.database.transaction() as tx:
            await factory.outbox.append(tx, events)


def _print_audit(records: int, failures: list[AuditFailure], proven: int) -> None:
    if not failures:
        print_line(f"all {proven} published values of {records} records are proven")
        return
    print_table(
        ("product", "field", "value", "page", "problem"),
        ((f.product_id, f.field or "(page)", _value(f), f.url, f.problem) for f in failures),
    )
    print_line(f"{len(failures)} not proven, {proven} proven, in {records} records")


def _value(failure: AuditFailure) -> str:
    return shown(failure.value) if failure.field else ""


def _audit_json(records: int, failures: list[AuditFailure], proven: int) -> dict[str, Any]:
    from specfactory.contract import value_to_json

    return {
        "records": records,
        "proven": proven,
        "failures": [
            {
                "product_id": f.product_id,
                "version": f.version,
                "field": f.field,
                "value": value_to_json(f.value),
                "page_id": f.page_id,
                "url": f.url,
                "problem": f.problem,
            }
            for f in failures
        ],
    }
