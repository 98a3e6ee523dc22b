"""``spec learn``: learn the layouts of a host."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import (
    AsJson,
    open_factory,
    perform,
    print_heading,
    print_json,
    print_line,
    print_table,
    settings_from,
    spec_command,
)

if TYPE_CHECKING:
    from specfactory.learn import Conflict
    from specfactory.model import FieldFigures, LearnedTemplate
    from specfactory.orchestrate.learning import LearnResult, OnStep
    from specfactory.settings import Settings

app = typer.Typer()

QUOTE_WIDTH = 28


@app.command()
def learn(
    context: typer.Context,
    host: Annotated[str, typer.Argument(metavar="HOST", help="Host, with its port if it has one.")],
    category: Annotated[
        str | None, typer.Option("--category", help="Contract to learn [as its pages were read].")
    ] = None,
    samples: Annotated[
        int | None, typer.Option("--samples", min=3, help="Pages to learn from [learn.samples].")
    ] = None,
    from_pages: Annotated[
        Path | None,
        typer.Option(
            "--from-pages", metavar="DIR", help="Learn from files: .html, or pages with truth."
        ),
    ] = None,
    by: Annotated[
        str, typer.Option("--by", metavar="WHO", help="Who learns; your login name without it.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Learn where the values stand on the pages of a host.

    Stored pages are used, and more are fetched where they are few. A template that proves right
    on pages left out is adopted; beside one at work it is tried first; else a person is asked.

    Example: spec learn shop.example --category mouse
    """
    result = perform(_learn(settings_from(context), host, category, samples, from_pages, by))
    if as_json:
        print_json(result_json(result))
    else:
        _print_result(result)


async def _learn(
    settings: Settings,
    host: str,
    category: str | None,
    samples: int | None,
    folder: Path | None,
    by: str,
) -> LearnResult:
    from specfactory.fetch.addresses import typed_host
    from specfactory.orchestrate.learning import DomainLearner

    host = typed_host(host)
    async with open_factory(settings) as factory:
        with _progress(host) as on_step:
            learner = DomainLearner(factory, by, on_step)
            return await learner.learn_domain(
                host, category=category, sample_count=samples, folder=folder
            )


@contextmanager
def _progress(host: str) -> Iterator[OnStep]:
    """What is being done, in one line on a terminal; nothing in a pipe."""
    from rich.console import Console
    from rich.markup import escape

    from specfactory.entry.cli.terminal import shorten

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status(f"learning {escape(host)}") as status:
        yield lambda step: status.update(f"learning {escape(host)}: {escape(shorten(step, 60))}")


def _print_result(result: LearnResult) -> None:
    print_line(
        f"{result.host} ({result.category}): {result.pages} pages, "
        f"{len(result.templates)} layout{'s' * (len(result.templates) != 1)}"
    )
    for why, count in result.left_out.items():
        print_line(f"  left out: {count} ({why})")
    if result.ignored:
        print_line(f"  not in the contract: {', '.join(result.ignored)}")
    for conflict in result.conflicts:
        print_line(f"  {conflict_words(conflict)}")
    for learned in result.templates:
        print_line()
        print_template(learned)
    waiting = [one.name for one in result.templates if one.status == "proposed"]
    if waiting:
        print_line(f"Next: {spec_command()} templates approve {waiting[0]}")


def conflict_words(conflict: Conflict) -> str:
    """Persons who contradict each other, in one line."""
    said = "; ".join(
        f"{actor} says {', '.join(values) or 'nothing'}" for actor, values in conflict.said
    )
    return f"contradiction about {conflict.field} on {conflict.page_id}: {said}"


def print_template(learned: LearnedTemplate) -> None:
    """A template's head and its table of fields."""
    print_heading(
        f"{learned.name}: {learned.host} {learned.category}, layout {learned.layout} "
        f"version {learned.version}, {learned.status}"
    )
    print_line(
        f"accuracy {learned.accuracy:.3f}, lower bound {learned.lower_bound:.3f}, "
        f"{learned.sample_count} samples; {learned.reason}"
    )
    print_table(
        ("field", "accuracy", "lower", "tried", "fill", "example", "another"),
        (_row(figures) for figures in learned.at_work),
        empty="no fields",
    )
    left_out = [figures for figures in learned.fields if figures.left_out]
    if left_out:
        print_line()
        print_table(("left out", "why"), ((one.field, one.left_out) for one in left_out))


def _row(figures: FieldFigures) -> tuple[object, ...]:
    from specfactory.entry.cli.terminal import shorten

    quotes = [shorten(quote, QUOTE_WIDTH) for quote in figures.quotes]
    return (
        figures.field,
        figures.accuracy,
        figures.lower_bound,
        figures.tried,
        figures.fill_rate,
        *[*quotes, "", ""][:2],
    )


def result_json(result: LearnResult) -> dict[str, Any]:
    """What learning came to, for machines."""
    return {
        "host": result.host,
        "category": result.category,
        "status": result.status,
        "accuracy": round(result.accuracy, 4),
        "template": result.best.name if result.best else None,
        "pages": result.pages,
        "left_out": dict(result.left_out),
        "conflicts": [
            {
                "page_id": one.page_id,
                "field": one.field,
                "said": {actor: list(values) for actor, values in one.said},
            }
            for one in result.conflicts
        ],
        "not_in_contract": list(result.ignored),
        "templates": [template_json(one) for one in result.templates],
    }


def template_json(learned: LearnedTemplate) -> dict[str, Any]:
    """A template with its figures, for machines."""
    from specfactory.entry.cli.terminal import moment

    reviewed = learned.reviewed_at
    return {
        "template": learned.name,
        "host": learned.host,
        "category": learned.category,
        "layout": learned.layout,
        "version": learned.version,
        "status": learned.status.value,
        "reason": learned.reason,
        "accuracy": round(learned.accuracy, 4),
        "lower_bound": round(learned.lower_bound, 4),
        "sample_count": learned.sample_count,
        "pages_read": learned.pages_read,
        "created_at": moment(learned.created_at),
        "created_by": learned.created_by,
        "reviewed_at": moment(reviewed) if reviewed is not None else None,
        "reviewed_by": learned.reviewed_by,
        "replaces": f"t{learned.replaces}" if learned.replaces else None,
        "drifted_at": moment(learned.drifted_at) if learned.drifted_at else None,
        "fields": [figures_json(figures) for figures in learned.fields],
    }


def figures_json(figures: FieldFigures) -> dict[str, Any]:
    """The figures of one field, for machines."""
    return {
        "field": figures.field,
        "accuracy": round(figures.accuracy, 4),
        "lower_bound": round(figures.lower_bound, 4),
        "tried": figures.tried,
        "fill_rate": round(figures.fill_rate, 4),
        "valid": figures.valid,
        "filled": figures.filled,
        "pages": figures.pages,
        "quotes": list(figures.quotes),
        "labels_from": list(figures.origins),
        "left_out": figures.left_out or None,
    }
