"""spec run: one product, without any queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry.cli.terminal import (
    AsJson,
    open_factory,
    perform,
    settings_from,
    spec_command,
)

if TYPE_CHECKING:
    from specfactory.model import PlannedSource, Product
    from specfactory.orchestrate import AttemptResult, Preview, Workbench
    from specfactory.settings import Settings

app = typer.Typer()

Category = Annotated[str, typer.Option(help="Which contract: see spec contract list.")]
Brand = Annotated[str, typer.Option(help="Who makes it.")]
Model = Annotated[str, typer.Option(help="The model's name.")]
Variant = Annotated[str, typer.Option(help="What tells it from its siblings.")]
Urls = Annotated[list[str] | None, typer.Option(metavar="URL", help="A page you know; repeatable.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the plan and fetch nothing.")]
Refresh = Annotated[bool, typer.Option("--refresh", help="Ask pages again even if they are fresh.")]
MaxPages = Annotated[int | None, typer.Option(help="Pages at the most.")]
MaxSeconds = Annotated[float | None, typer.Option(help="Seconds at the most.")]
MaxCalls = Annotated[int | None, typer.Option(help="Model calls at the most.")]
MaxCost = Annotated[float | None, typer.Option(help="Model cost at most.")]
AskModel = Annotated[
    bool,
    typer.Option(
        "--language-model/--no-language-model",
        help="Ask the language model, where one is set, for what stays open.",
    ),
]


@app.command()
def run(
    context: typer.Context,
    category: Category,
    brand: Brand,
    model: Model,
    variant: Variant = "",
    url: Urls = None,
    dry_run: DryRun = False,
    refresh: Refresh = False,
    max_pages: MaxPages = None,
    max_seconds: MaxSeconds = None,
    max_model_calls: MaxCalls = None,
    max_model_cost_usd: MaxCost = None,
    language_model: AskModel = True,
    as_json: AsJson = False,
) -> None:
    """Make one product's record from several sources, every value with its proof.

    A second run is incremental: it starts from the evidence that is there and fetches only
    what may have changed or is missing; an unchanged record gets no new version.

    Example: spec run --category mouse --brand Razer --model "Viper V3 Pro" --variant Wireless
    """
    from specfactory.contract import make_product

    settings = settings_from(
        context,
        budget__max_pages=max_pages,
        budget__max_seconds=max_seconds,
        budget__max_model_calls=max_model_calls,
        budget__max_model_cost_usd=max_model_cost_usd,
    )
    product = make_product(category, brand, model, variant)
    urls = tuple(checked_url(one) for one in url or ())
    if dry_run:
        perform(_preview(settings, product, urls, as_json))
    else:
        perform(_run(settings, product, urls, refresh, language_model, as_json))


def checked_url(url: str) -> str:
    """A web address as it is; anything else is misuse."""
    from urllib.parse import urlsplit

    from specfactory.errors import UsageError

    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # an address in brackets that never close, a port past 65535
        sound = False
    if sound and "@" in parts.netloc:  # the password would be kept with the job
        raise UsageError(
            f"an address at {parts.hostname} has a user name or password; such pages are not"
            " fetched. Leave it out, and name the login in the settings: fetch.logins"
        )
    if not sound:
        raise UsageError(f"{url!r} is no web address; give one such as https://example.com/x")
    return url


async def _preview(
    settings: Settings, product: Product, urls: tuple[str, ...], as_json: bool
) -> None:
    from specfactory.orchestrate import preview_attempt

    async with open_factory(settings) as bench:
        bench.contract(product.category)
        preview = await preview_attempt(bench, product, urls)
    _show_preview(preview, as_json)


async def _run(
    settings: Settings,
    product: Product,
    urls: tuple[str, ...],
    refresh: bool,
    language_model: bool,
    as_json: bool,
) -> None:
    from specfactory.entry.cli.terminal import Board
    from specfactory.orchestrate import run_attempt

    async with open_factory(settings, models=language_model) as bench:
        bench.contract(product.category)
        if bench.proxies is not None:
            await bench.proxies.wait_until_ready(lambda line: typer.echo(f"spec: {line}", err=True))
        board = Board({product.id: product.name}, quiet=as_json)
        async with board.showing(bench):
            result = await run_attempt(bench, product, urls=urls, refresh=refresh)
            if language_model and result.record is not None:
                result = await _ask_models(bench, product, result)
        await _show_result(bench, product, result, as_json)
    if result.attempt.error or result.record is None:
        raise typer.Exit(1)


async def _ask_models(bench: Workbench, product: Product, result: AttemptResult) -> AttemptResult:
    """What a language model can point at for fields that stay open; a failure is only told."""
    from dataclasses import replace

    from specfactory.orchestrate.attempts import ask_models

    asked = await ask_models(bench, product)
    if asked.failure is not None:
        typer.echo(f"spec: language model: {asked.failure}; its fields stay open", err=True)
    return replace(
        result,
        attempt=asked.attempt or result.attempt,
        record=asked.record or result.record,
        changed=result.changed or asked.record is not None,
    )


async def _show_result(
    bench: Workbench, product: Product, result: AttemptResult, as_json: bool
) -> None:
    from specfactory.entry.cli.terminal import print_json, print_line

    if as_json:
        print_json(await _result_json(bench, product, result))
        return
    if result.attempt.error:
        typer.echo(f"spec: {result.attempt.error}; attempt {result.attempt.id} is kept", err=True)
        return
    if result.record is None:
        print_line(
            f"{result.attempt.status}: {result.stop_reason}; see: {spec_command()} review list"
        )
        return
    for line in summary(result, product):
        print_line(line)


async def _result_json(
    bench: Workbench, product: Product, result: AttemptResult
) -> dict[str, object]:
    from specfactory.publish import ledger_json, record_json

    contract = bench.contract(product.category).contract
    decisions = await bench.reviews.history(product.id)
    return {
        "record": record_json(result.record, contract, decisions) if result.record else None,
        "ledger": ledger_json(result.attempt),
        "status": result.attempt.status.value,
        "error": result.attempt.error,
        "changed": result.changed,
        "stopped": result.stop_reason,
    }


def summary(result: AttemptResult, product: Product) -> list[str]:
    """What a person wants to know after a run, and what to do next."""
    record = result.record
    assert record is not None
    filled = [r for r in record.fields.values() if r.value is not None]
    flags = sum(1 for r in record.fields.values() if r.flags)
    mean = sum(r.confidence for r in filled) / len(filled) if filled else 0.0
    spent, spec = result.attempt.spent, spec_command()
    state = f"version {record.version}" + ("" if result.changed else " (nothing new)")
    return [
        f"{product.name}: {state}, {len(filled)} of {len(record.fields)} fields filled "
        f"({len(filled) / len(record.fields):.0%}), mean confidence {mean:.2f}, {flags} to review",
        f"{spent.pages} pages, {record.sources_used} sources, {spent.rounds} rounds, "
        f"{spent.seconds:.1f} s, ${spent.model_cost_usd:.2f}"
        + (f"; stopped: {result.stop_reason}" if result.stop_reason else ""),
        f"Next: {spec} record show {product.id}   {spec} explain {product.id} FIELD   "
        f"{spec} audit {product.id}",
    ]


def _show_preview(preview: Preview, as_json: bool) -> None:
    from specfactory.entry.cli.terminal import print_json, print_line, print_table

    if as_json:
        print_json(preview_json(preview))
        return
    print_line(
        f"{preview.product.name}: {preview.already_filled} of {preview.total_fields} fields are "
        "filled already; nothing is fetched now"
    )
    print_table(
        ["round", "source", "tier", "page", "expected", "cost", "why"],
        [
            [f"{planned.round.number} {planned.round.name}", *_step_cells(step)]
            for planned in preview.rounds
            for step in planned.steps
        ],
        empty="no source to ask: every source is fresh, or none is known",
    )
    if preview.fresh_hosts:
        print_line(f"fresh, not asked again: {', '.join(preview.fresh_hosts)}")
    print_line(
        f"expected: {preview.pages} pages, about {preview.seconds:.0f} s, "
        f"${preview.cost_usd:.2f}; then stop: {preview.stop_reason}"
    )


def _step_cells(step: PlannedSource) -> list[object]:
    expected = (round(step.expected_fields, 1), round(step.expected_cost, 2))
    source = step.source
    return [source.host, source.tier.value, step.url or "to be found", *expected, step.why]


def preview_json(preview: Preview) -> dict[str, object]:
    """The plan for machines."""
    return {
        "product_id": preview.product.id,
        "already_filled": preview.already_filled,
        "total_fields": preview.total_fields,
        "rounds": [
            {
                "round": planned.round.number,
                "name": planned.round.name,
                "expected_filled": round(planned.expected_filled, 1),
                "sources": [_step_json(step) for step in planned.steps],
            }
            for planned in preview.rounds
        ],
        "fresh_hosts": list(preview.fresh_hosts),
        "expected_pages": preview.pages,
        "expected_seconds": round(preview.seconds, 1),
        "expected_cost_usd": preview.cost_usd,
        "stop_reason": preview.stop_reason,
    }


def _step_json(step: PlannedSource) -> dict[str, object]:
    return {
        "host": step.source.host,
        "tier": step.source.tier.value,
        "url": step.url,
        "expected_fields": round(step.expected_fields, 2),
        "expected_cost": round(step.expected_cost, 3),
        "why": step.why,
    }
