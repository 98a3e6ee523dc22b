"""``spec record``: what is published, and how it came to be so."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import (
    Category,
    LimitOrAll,
    ProductWords,
    Reply,
    RowStream,
    command,
    find_record,
    no_such_field,
    out,
    spec_command,
)

if TYPE_CHECKING:
    from specfactory.model import Contract, FieldResult, Record
    from specfactory.orchestrate import Workbench

app = typer.Typer(help="Look at records, their quotes and their history.")

QUOTE_WIDTH = 60
RECORDS = ("product_id", "version", "generated_at", "filled", "total", "coverage", "confidence")


@command(app, "list")
async def list_records(
    factory: Workbench,
    category: Category = None,
    limit: LimitOrAll = None,
    after: Annotated[str, "--after ID", "Only products whose id comes after this one."] = "",
) -> Reply:
    """List the newest record of every product, by product id.

    Coverage counts all fields of the contract, optional ones too. Page by page: --limit, and
    --after the last id.

    Example: spec record list --category mouse --limit 100
    """
    if category is not None and not await factory.records.count(category):
        factory.contract(category)  # says so when there is no such category
    rows = (
        shapes.records.RecordRow.of(one, coverage=round(one.filled / max(1, one.total), 3))
        async for one in factory.records.list(category, after)
    )
    stream = RowStream(rows, limit, lambda row: row.product_id)
    return Reply(stream, RECORDS, empty="no records yet; see: spec run --help")


@command(app, "show")
async def show_record(
    factory: Workbench,
    product: ProductWords,
    field: Annotated[str | None, "--field FIELD", "Only this field, in full."] = None,
    version: Annotated[int | None, "--version N", "An earlier version."] = None,
) -> Reply:
    """Show a product's record, every value with the words that prove it.

    Fields without a value stand at the end, each with its reason.

    Example: spec record show "viper v3 pro" --field weight
    """
    from specfactory.errors import UnknownSubject
    from specfactory.publish import record_json

    record = await find_record(factory, product)
    if version is not None and version != record.version:
        wanted = await factory.records.get(record.product.id, version)
        if wanted is None:
            raise UnknownSubject("version", str(version), f"the newest is {record.version}")
        record = wanted
    if field is not None and field not in record.fields:
        raise no_such_field(field, record.fields)
    contract = await factory.contract_of(record)
    document = record_json(record, contract, await factory.reviews.history(record.product.id))
    if field is not None:
        result = record.fields[field]
        return Reply(document["fields"][field], lambda _: _print_field(result, contract))
    return Reply(document, lambda _: _print_record(record, contract))


def _shown(result: FieldResult, contract: Contract) -> str:
    """A field's value with its unit; the contract may no longer have the field."""
    declared = contract.fields.get(result.field)
    return out.shown(result.value, declared.unit if declared else None)


def _print_record(record: Record, contract: Contract) -> None:
    identity, spent, results = record.identity, record.spent, record.fields.values()
    ids = ", ".join(f"{name} {value}" for name, value in identity.hard_ids.items())
    filled = [result for result in results if result.value is not None]
    out.line(f"{record.product.name} ({record.product.id})")
    out.line(
        f"version {record.version}, {shapes.moment(record.generated_at)}, run {record.attempt_id}, "
        f"contract {record.contract_version}"
    )
    out.line(
        f"identity {identity.verdict} {identity.confidence:.2f}" + (f" ({ids})" if ids else "")
    )
    out.line(
        f"{len(filled)} of {len(results)} fields filled from {record.sources_used} sources, "
        f"{spent.pages} pages, {spent.rounds} rounds, {spent.seconds:.1f} s, "
        f"${spent.model_cost_usd:.2f}"
        + ("" if record.accuracy is None else f"; accuracy {record.accuracy:.1%}")
    )

    def source(result: FieldResult) -> str:
        return out.host_of(result.chosen.evidence.url) if result.chosen else "a person"

    def quote(result: FieldResult) -> str:
        return (
            out.shorten(shapes.records.quote_of(result.chosen.evidence), QUOTE_WIDTH)
            if result.chosen
            else ""
        )

    out.section(
        "",
        ("field", ("value", partial(_shown, contract=contract)), "confidence",
         ("agreement", lambda r: r.agreement or ""), ("source", source), ("quote", quote)),
        filled,
        empty="no field is filled",
    )  # fmt: skip
    out.section(
        "Unknown",
        ("field", ("reason", lambda r: r.unknown_reason or ""),
         ("tried", lambda r: ", ".join(r.trace.sources_checked))),
        [result for result in results if result.value is None],
    )  # fmt: skip
    flags = [(result.field, flag) for result in results for flag in result.flags]
    out.section(f"To review ({spec_command()} review list)", ("field", "why"), flags)


def _print_field(result: FieldResult, contract: Contract) -> None:
    out.line(f"{result.field}: {_shown(result, contract)}")
    if result.value is None:
        tried = ", ".join(result.trace.sources_checked) or "nothing"
        reason = result.unknown_reason or "no reason given"
        out.line(f"{reason}; tried in {result.trace.rounds_attempted} rounds: {tried}")
    else:
        out.line(f"confidence {result.confidence:.2f}, {result.agreement or ''}")
    if result.chosen is None:
        for reason in result.reasons:
            out.line(f"        {reason}")
    else:
        evidence = result.chosen.evidence
        out.line(f"quote   {shapes.records.quote_of(evidence)}")
        out.line(f"page    {evidence.url}")
        out.line(f"        {evidence.tier}, {evidence.method}, {evidence.page_id}")
    for check in result.checks:
        out.line(f"check   {check.name}: {'passed' if check.passed else check.message}")
    for flag in (*result.remarks, *result.flags):
        out.line(f"flag    {flag}")


@command(app, "history")
async def show_history(factory: Workbench, product: ProductWords) -> Reply:
    """Show the versions of a record, what changed in each, and why.

    Nothing is overwritten: every version can be shown with record show --version.

    Example: spec record history "viper v3 pro"
    """
    from specfactory.publish import changes

    newest = await find_record(factory, product)
    versions, before = [], None
    for record in await factory.records.history(newest.product.id):
        shape = shapes.records.VersionShape.of(
            record,
            filled=sum(result.value is not None for result in record.fields.values()),
            total=len(record.fields),
            changes=changes(before, record),
        )
        versions.append(shape)
        before = record
    return Reply(
        shapes.records.History(product_id=newest.product.id, versions=versions), _print_history
    )


def _print_history(history: shapes.records.History) -> None:
    def cell(value: Any) -> str:
        return "" if value is None else out.shorten(out.shown(value), 30)

    for number, version in enumerate(history.versions):
        out.heading(
            f"version {version.version}, {version.generated_at}, run {version.run_id}: "
            f"{version.filled} of {version.total} fields filled"
        )
        out.table(
            ("field", ("what", "kind"), ("before", lambda c: cell(c.before)),
             ("after", lambda c: cell(c.after)), "why"),
            version.changes if number else [],
            empty="proofs or flags changed" if number else "the first version",
        )  # fmt: skip
