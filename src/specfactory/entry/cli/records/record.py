"""``spec record``: what is published, and how it came to be so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.records.explain import no_such_field, quote_of
from specfactory.entry.cli.terminal import (
    AsJson,
    ProductWords,
    find_record,
    host_of,
    moment,
    open_factory,
    perform,
    print_heading,
    print_json,
    print_line,
    print_table,
    settings_from,
    shorten,
    shown,
    spec_command,
)

if TYPE_CHECKING:
    from specfactory.model import Contract, Decision, FieldResult, Record
    from specfactory.publish import Change
    from specfactory.settings import Settings
    from specfactory.store import Published

app = typer.Typer(help="Look at records, their quotes and their history.")

QUOTE_WIDTH = 60


@app.command("list")
def list_records(
    context: typer.Context,
    category: Annotated[str | None, typer.Option("--category", help="Only this category.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the newest record of every product.

    Coverage counts all fields of the contract, optional ones too.

    Example: spec record list --category mouse
    """
    rows = perform(_list(settings_from(context), category))
    if as_json:
        print_json(rows)
        return
    columns = ("product_id", "version", "generated_at", "filled", "total", "coverage", "confidence")
    print_table(
        columns,
        ([row[name] for name in columns] for row in rows),
        empty="no records yet; see: spec run --help",
    )


async def _list(settings: Settings, category: str | None) -> list[dict[str, Any]]:
    async with open_factory(settings) as factory:
        found = await factory.records.list(category)
        if category is not None and not found:
            factory.contract(category)  # says so when there is no such category
        return [_summary(published) for published in found]


def _summary(published: Published) -> dict[str, Any]:
    return {
        "product_id": published.product_id,
        "category": published.category,
        "version": published.version,
        "run_id": published.attempt_id,
        "generated_at": moment(published.generated_at),
        "filled": published.filled,
        "total": published.total,
        "coverage": round(published.filled / max(1, published.total), 3),
        "confidence": round(published.confidence, 3),
    }


@app.command("show")
def show_record(
    context: typer.Context,
    product: ProductWords,
    field: Annotated[
        str | None, typer.Option("--field", metavar="FIELD", help="Only this field, in full.")
    ] = None,
    version: Annotated[
        int | None, typer.Option("--version", metavar="N", help="An earlier version.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show a product's record, every value with the words that prove it.

    Fields without a value stand at the end, each with its reason.

    Example: spec record show "viper v3 pro" --field weight
    """
    from specfactory.publish import record_json

    record, contract, decisions = perform(_load(settings_from(context), product, version))
    if field is not None:
        _require_field(record, field)
    if as_json:
        document = record_json(record, contract, decisions)
        print_json(document if field is None else document["fields"][field])
    elif field is None:
        _print_record(record, contract)
    else:
        _print_field(record.fields[field], contract)


async def _load(
    settings: Settings, words: str, version: int | None
) -> tuple[Record, Contract, list[Decision]]:
    from specfactory.errors import UnknownSubject

    async with open_factory(settings) as factory:
        record = await find_record(factory, words)
        if version is not None and version != record.version:
            wanted = await factory.records.get(record.product.id, version)
            if wanted is None:
                raise UnknownSubject("version", str(version), f"the newest is {record.version}")
            record = wanted
        contract = await factory.contract_of(record)
        return record, contract, await factory.reviews.decisions(record.product.id)


def _require_field(record: Record, field: str) -> None:
    if field not in record.fields:
        raise no_such_field(field, record.fields)


def unit_of(contract: Contract, field: str) -> str | None:
    """The unit of a field; None too when the contract no longer has it."""
    declared = contract.fields.get(field)
    return declared.unit if declared else None


def _print_record(record: Record, contract: Contract) -> None:
    for line in _head(record):
        print_line(line)
    filled = [result for result in record.fields.values() if result.value is not None]
    print_line()
    print_table(
        ("field", "value", "confidence", "agreement", "source", "quote"),
        (_row(result, contract) for result in filled),
        empty="no field is filled",
    )
    _print_unknowns(record)
    _print_flags(record)


def _head(record: Record) -> list[str]:
    identity, spent = record.identity, record.spent
    ids = ", ".join(f"{name} {value}" for name, value in identity.hard_ids.items())
    filled = sum(1 for result in record.fields.values() if result.value is not None)
    return [
        f"{record.product.name} ({record.product.id})",
        f"version {record.version}, {moment(record.generated_at)}, run {record.attempt_id}, "
        f"contract {record.contract_version}",
        f"identity {identity.verdict.value} {identity.confidence:.2f}" + (f" ({ids})" * bool(ids)),
        f"{filled} of {len(record.fields)} fields filled from {record.sources_used} sources, "
        f"{spent.pages} pages, {spent.rounds} rounds, {spent.seconds:.1f} s, "
        f"${spent.model_cost_usd:.2f}"
        + ("" if record.accuracy is None else f"; accuracy {record.accuracy:.1%}"),
    ]


def _row(result: FieldResult, contract: Contract) -> tuple[object, ...]:
    agreement = result.agreement.value if result.agreement else ""
    return (
        result.field,
        shown(result.value, unit_of(contract, result.field)),
        result.confidence,
        agreement,
        *source_and_quote(result),
    )


def source_and_quote(result: FieldResult) -> tuple[str, str]:
    """Where a result stands, in short; a person's value stands nowhere."""
    if result.chosen is None:
        return ("a person" if result.value is not None else "", "")
    evidence = result.chosen.evidence
    return host_of(evidence.url), shorten(quote_of(evidence), QUOTE_WIDTH)


def _print_unknowns(record: Record) -> None:
    unknown = [result for result in record.fields.values() if result.value is None]
    if unknown:
        print_line()
        print_heading("Unknown")
        print_table(
            ("field", "reason", "tried"),
            (
                (
                    result.field,
                    result.unknown_reason.value if result.unknown_reason else "",
                    ", ".join(result.trace.sources_checked),
                )
                for result in unknown
            ),
        )


def _print_flags(record: Record) -> None:
    flags = [(r.field, flag) for r in record.fields.values() for flag in r.flags]
    if flags:
        print_line()
        print_heading(f"To review ({spec_command()} review list)")
        print_table(("field", "why"), flags)


def _print_field(result: FieldResult, contract: Contract) -> None:
    print_line(f"{result.field}: {shown(result.value, unit_of(contract, result.field))}")
    if result.value is None:
        _print_why_unknown(result)
    else:
        agreement = result.agreement.value if result.agreement else ""
        print_line(f"confidence {result.confidence:.2f}, {agreement}")
    if result.chosen is None:
        for reason in result.reasons:
            print_line(f"        {reason}")
    else:
        evidence = result.chosen.evidence
        print_line(f"quote   {quote_of(evidence)}")
        print_line(f"page    {evidence.url}")
        print_line(f"        {evidence.tier.value}, {evidence.method.value}, {evidence.page_id}")
    for check in result.checks:
        print_line(f"check   {check.name}: {'passed' if check.passed else check.message}")
    for flag in result.flags:
        print_line(f"flag    {flag}")


def _print_why_unknown(result: FieldResult) -> None:
    reason = result.unknown_reason.value if result.unknown_reason else "no reason given"
    tried = ", ".join(result.trace.sources_checked) or "nothing"
    print_line(f"{reason}; tried in {result.trace.rounds_attempted} rounds: {tried}")


@app.command("history")
def show_history(context: typer.Context, product: ProductWords, as_json: AsJson = False) -> None:
    """Show the versions of a record, what changed in each, and why.

    Nothing is overwritten: every version can be shown with record show --version.

    Example: spec record history "viper v3 pro"
    """
    versions = perform(_versions(settings_from(context), product))
    if as_json:
        print_json(_history_json(versions))
    else:
        _print_history(versions)


async def _versions(settings: Settings, words: str) -> list[Record]:
    async with open_factory(settings) as factory:
        newest = await find_record(factory, words)
        return await factory.records.history(newest.product.id)


def _steps(versions: list[Record]) -> Iterator[tuple[Record, list[Change]]]:
    from specfactory.publish import changes

    before: Record | None = None
    for version in versions:
        yield version, changes(before, version)
        before = version


def _filled(record: Record) -> int:
    return sum(1 for result in record.fields.values() if result.value is not None)


def _history_json(versions: list[Record]) -> dict[str, Any]:
    from specfactory.contract import value_to_json

    return {
        "product_id": versions[0].product.id,
        "versions": [
            {
                "version": record.version,
                "generated_at": moment(record.generated_at),
                "run_id": record.attempt_id,
                "contract_version": record.contract_version,
                "filled": _filled(record),
                "total": len(record.fields),
                "changes": [
                    {
                        "field": change.field,
                        "kind": change.kind,
                        "before": value_to_json(change.before),
                        "after": value_to_json(change.after),
                        "why": change.why,
                    }
                    for change in found
                ],
            }
            for record, found in _steps(versions)
        ],
    }


def _print_history(versions: list[Record]) -> None:
    for record, found in _steps(versions):
        print_heading(
            f"version {record.version}, {moment(record.generated_at)}, run {record.attempt_id}: "
            f"{_filled(record)} of {len(record.fields)} fields filled"
        )
        print_table(
            ("field", "what", "before", "after", "why"),
            (
                (c.field, c.kind.value, _told(c.before), _told(c.after), c.why)
                for c in found
                if record.version > versions[0].version
            ),
            empty="the first version" if record is versions[0] else "proofs or flags changed",
        )


def _told(value: Any) -> str:
    return "" if value is None else shorten(shown(value), 30)
