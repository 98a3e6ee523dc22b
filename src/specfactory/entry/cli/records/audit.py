"""``spec audit``: every published value is proven again, from the stored pages alone."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import Reply, command, find_record, out
from specfactory.errors import UsageError

if TYPE_CHECKING:
    from specfactory.model import Record
    from specfactory.orchestrate import Workbench
    from specfactory.publish import AuditFailure

app = typer.Typer()

# Elements of a page know their parents and children, so they wait for a full collection, which
# counts objects: by the hundred, memory stays the same for any number of them.
COLLECTED_TOGETHER = 100

FAILURES = (
    ("product", "product_id"),
    ("field", lambda f: f.field or "(page)"),
    ("value", lambda f: out.shown(f.value) if f.field else ""),
    ("page", "url"),
    "problem",
)


@command(app, "audit")
async def audit_command(
    factory: Workbench,
    product: Annotated[str | None, "PRODUCT", "Its id, or words that name only it."] = None,
    every: Annotated[bool, "--all", "The newest record of each product, by product id."] = False,
    limit: Annotated[
        int | None, "--limit N", "With --all: maximum number of records.", {"min": 1, "max": 2**62}
    ] = None,
    after: Annotated[str, "--after ID", "With --all: only products whose id comes after."] = "",
    pages: Annotated[bool, "--pages", "The rows that page jobs read, instead of records."] = False,
    category: Annotated[str | None, "--category CATEGORY", "With --pages: only its rows."] = None,
) -> Reply:
    """Prove every published value again, from the stored pages only.

    Nothing is fetched. Exit 1 and the list when a value cannot be proven. Part by part: --limit,
    and --after the id that is said at the end. With --pages it is what spec export --pages gives.

    Example: spec audit --all
    """
    if pages:
        if product is not None or every or limit is not None or after:
            raise UsageError("only --category goes with --pages")
        return await _audit_pages(factory, category)
    if category is not None:
        raise UsageError("--category goes with --pages")
    if (product is None) is not every:
        raise UsageError("say what to audit: a PRODUCT, --all, or --pages")
    if product is not None and (limit is not None or after):
        raise UsageError("--limit and --after go with --all")
    count, proven, last = 0, 0, ""
    failures: list[AuditFailure] = []
    if product is not None:
        count = 1
        failures, proven = await audit_records(factory, [await find_record(factory, product)])
    else:
        there = await factory.records.count(after=after)
        total = there if limit is None else min(limit, there)
        with out.progress_bar(total, "proving") as bar:
            async for newest in factory.records.newest(after=after, limit=total):
                found, held = await audit_records(factory, [newest])
                count, proven = count + 1, proven + held
                if count % COLLECTED_TOGETHER == 0:
                    gc.collect()
                failures += found
                last = newest.product.id if total < there else ""
                bar.advance(bar.task_ids[0])
    audited = shapes.records.AuditShape.of(records=count, proven=proven, failures=failures)

    def show(found: shapes.records.AuditShape) -> None:
        if not found.failures:
            out.line(f"all {found.proven} published values of {found.records} records are proven")
        else:
            out.table(FAILURES, found.failures)
            failed = len(found.failures)
            out.line(f"{failed} not proven, {found.proven} proven, in {found.records} records")
        if last:
            out.line(f"and more; go on with --after {last}")

    return Reply(audited, show, code=1 if failures else 0)


async def _audit_pages(factory: Workbench, category: str | None) -> Reply:
    """Prove the rows of pages again, each by the contract that read it."""
    import asyncio

    from specfactory.publish import audit_page, load_cited_pages

    count, proven = 0, 0
    failures: list[AuditFailure] = []
    readings = factory.readings
    names = await readings.categories()
    if category is not None and category not in names:
        factory.contract(category)  # refuses one that nobody knows
    with out.progress_bar(None, "proving") as bar:
        for name in names if category is None else [category]:
            async for row in readings.for_category(name):
                contract = await factory.contracts.get(row.reading.contract_digest)
                cited = await load_cited_pages(factory.pages, row)
                page_id = row.reading.page_id
                found = await asyncio.to_thread(
                    audit_page, row, contract or factory.contract(name).contract,
                    cited.views_of(page_id), cited.problems.get(page_id, ""),
                )  # fmt: skip
                count, failures = count + 1, failures + found
                if count % COLLECTED_TOGETHER == 0:
                    gc.collect()
                failed = {failure.field for failure in found}
                proven += sum(one.field not in failed for one in row.reading.candidates)
                bar.advance(bar.task_ids[0])
    await _tell(factory, failures)
    audited = shapes.records.PageAuditShape.of(pages=count, proven=proven, failures=failures)

    def show(found: shapes.records.PageAuditShape) -> None:
        if not found.failures:
            return out.line(f"all {found.proven} values of {found.pages} pages are proven")
        out.table(FAILURES[1:], found.failures)
        failed = len(found.failures)
        return out.line(f"{failed} not proven, {found.proven} proven, on {found.pages} pages")

    return Reply(audited, show, code=1 if failures else 0)


async def audit_records(
    factory: Workbench, records: Sequence[Record]
) -> tuple[list[AuditFailure], int]:
    """Prove published values again: the failures, emitted as events, and the number proven."""
    import asyncio

    from specfactory.publish import audit, load_cited_pages

    failures: list[AuditFailure] = []
    proven = 0
    for record in records:
        contract = await factory.contract_of(record)
        cited = await load_cited_pages(factory.pages, record)
        decisions = await factory.reviews.history(record.product.id)
        found = await asyncio.to_thread(
            audit, record, contract, cited.views_of, decisions, cited.problems
        )
        failed = {failure.field for failure in found}
        proven += sum(
            result.value is not None and name not in failed
            for name, result in record.fields.items()
        )
        failures += found
    await _tell(factory, failures)
    return failures, proven


async def _tell(factory: Workbench, failures: Sequence[AuditFailure]) -> None:
    from specfactory.declared_events import event

    now = factory.clock.now()
    events = [
        event("audit.failed", now, product_id=f.product_id, field=f.field, version=f.version,
              problem=f.problem, page_id=f.page_id)
        for f in failures
    ]  # fmt: skip
    if events:
        async with factory.database.transaction() as tx:
            await factory.outbox.append(tx, events)
