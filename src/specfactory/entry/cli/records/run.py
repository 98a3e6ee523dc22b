"""``spec run``: one product, without any queue."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import (
    Names,
    Reply,
    checked_url,
    command,
    named_words,
    open_factory,
    out,
    settings_from,
    spec_command,
)

if TYPE_CHECKING:
    from specfactory.model import Product
    from specfactory.orchestrate import AttemptResult, Workbench

app = typer.Typer()


@command(app, "run")
async def run(
    context: typer.Context,
    category: Annotated[str, "--category", "Which contract: see spec contract list."],
    as_json: bool,
    brand: Annotated[str, "--brand", "Who makes it."] = "",
    model: Annotated[str, "--model", "The model's name."] = "",
    variant: Annotated[str, "--variant", "What tells it from its siblings."] = "",
    names: Names = None,
    url: Annotated[list[str] | None, "--url URL", "A page you know; repeatable."] = None,
    dry_run: Annotated[bool, "--dry-run", "Show the plan and fetch nothing."] = False,
    refresh: Annotated[bool, "--refresh", "Ask pages again even if they are fresh."] = False,
    max_pages: Annotated[int | None, "--max-pages", "Pages at the most."] = None,
    max_seconds: Annotated[float | None, "--max-seconds", "Seconds at the most."] = None,
    max_model_calls: Annotated[int | None, "--max-model-calls", "Model calls at the most."] = None,
    max_model_cost_usd: Annotated[
        float | None, "--max-model-cost-usd", "Model cost at most."
    ] = None,
    language_model: Annotated[
        bool,
        "--language-model/--no-language-model",
        "Ask the language model, where one is set, for what stays open.",
    ] = True,
) -> Reply:
    """Make one product's record from several sources, every value with its proof.

    A second run is incremental: it starts from the evidence that is there and fetches only
    what may have changed or is missing; an unchanged record gets no new version.

    Example: spec run --category mouse --brand Razer --model "Viper V3 Pro" --variant Wireless
    """
    from specfactory.contract.text import named_product
    from specfactory.entry.cli.terminal import Board
    from specfactory.orchestrate import preview_attempt, run_attempt
    from specfactory.publish import ledger_json, record_json

    settings = settings_from(
        context,
        budget__max_pages=max_pages,
        budget__max_seconds=max_seconds,
        budget__max_model_calls=max_model_calls,
        budget__max_model_cost_usd=max_model_cost_usd,
    )
    words = {"brand": brand, "model": model, "variant": variant, **named_words(names)}
    urls = tuple(checked_url(one) for one in url or ())
    async with open_factory(settings, models=language_model and not dry_run) as bench:
        contract = bench.contract(category).contract
        product = named_product(category, contract.identity, words)
        if dry_run:
            preview = await preview_attempt(bench, product, urls)
            return Reply(
                shapes.records.PreviewShape.of(preview), partial(_print_preview, product.name)
            )
        if bench.proxies is not None:
            await bench.proxies.wait_until_ready(lambda line: out.note(f"spec: {line}"))
        async with Board({product.id: product.name}, quiet=as_json).showing(bench):
            result = await run_attempt(bench, product, urls=urls, refresh=refresh)
            if language_model and result.record is not None:
                result = await _ask_models(bench, product, result)
        decisions = await bench.reviews.history(product.id)
    attempt, record = result.attempt, result.record
    shape = shapes.records.RunResult.of(
        attempt,
        record=record_json(record, contract, decisions) if record else None,
        ledger=ledger_json(attempt),
        changed=result.changed,
        stopped=result.stop_reason,
        variants=result.variants,
    )
    failed = bool(attempt.error) or record is None
    return Reply(shape, lambda _: _print(result, product), code=1 if failed else 0)


async def _ask_models(bench: Workbench, product: Product, result: AttemptResult) -> AttemptResult:
    """Ask a language model for the fields that stay open; its failure does not fail the run."""
    from dataclasses import replace

    from specfactory.orchestrate.attempts import ask_models

    asked = await ask_models(bench, product)
    if asked.failure is not None:
        out.note(f"spec: language model: {asked.failure}; its fields stay open")
    return replace(
        result,
        attempt=asked.attempt or result.attempt,
        record=asked.record or result.record,
        changed=result.changed or asked.record is not None,
    )


def _print(result: AttemptResult, product: Product) -> None:
    """Print what a person wants to know after a run, and what to do next."""
    attempt, record, spec = result.attempt, result.record, spec_command()
    if attempt.error:
        out.note(f"spec: {attempt.error}; attempt {attempt.id} is kept")
        return
    if record is None:
        out.text(f"{attempt.status}: {result.stop_reason}; see: {spec} review list")
        if result.variants:
            out.line(f"Next: {spec} review show {product.id}   {spec} run … --variant VARIANT")
        return
    if not product.variant and result.variants:
        out.line(f"variants found: {' | '.join(one.name for one in result.variants)}")
    filled = [r for r in record.fields.values() if r.value is not None]
    flags = sum(bool(r.flags) for r in record.fields.values())
    mean = sum(r.confidence for r in filled) / len(filled) if filled else 0.0
    spent = attempt.spent
    state = f"version {record.version}" + ("" if result.changed else " (nothing new)")
    out.line(
        f"{product.name}: {state}, {len(filled)} of {len(record.fields)} fields filled "
        f"({len(filled) / len(record.fields):.0%}), mean confidence {mean:.2f}, {flags} to review"
    )
    out.line(
        f"{spent.pages} pages, {record.sources_used} sources, {spent.rounds} rounds, "
        f"{spent.seconds:.1f} s, ${spent.model_cost_usd:.2f}"
        + (f"; stopped: {result.stop_reason}" if result.stop_reason else "")
    )
    out.line(
        f"Next: {spec} record show {product.id}   {spec} explain {product.id} FIELD   "
        f"{spec} audit {product.id}"
    )


def _print_preview(name: str, preview: shapes.records.PreviewShape) -> None:
    out.line(
        f"{name}: {preview.already_filled} of {preview.total_fields} fields are "
        "filled already; nothing is fetched now"
    )
    out.table(
        ("round", "source", "tier", "page", "expected", "cost", "why"),
        (
            (f"{planned.round} {planned.name}", step.host, step.tier, step.url or "to be found",
             round(step.expected_fields, 1), round(step.expected_cost, 2), step.why)
            for planned in preview.rounds
            for step in planned.sources
        ),
        empty="no source to ask: every source is fresh, or none is known",
    )  # fmt: skip
    if preview.fresh_hosts:
        out.line(f"fresh, not asked again: {', '.join(preview.fresh_hosts)}")
    out.line(
        f"expected: {preview.expected_pages} pages, about {preview.expected_seconds:.0f} s, "
        f"${preview.expected_cost_usd:.2f}; then stop: {preview.stop_reason}"
    )
