"""``spec learn``: learn the layouts of a host."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import HostName, Reply, command, out, spec_command

if TYPE_CHECKING:
    from specfactory.orchestrate import Workbench
    from specfactory.orchestrate.learning import OnStep

app = typer.Typer()

QUOTE_WIDTH = 28
FIELDS = (
    "field",
    "accuracy",
    ("lower", "lower_bound"),
    "tried",
    ("fill", "fill_rate"),
    ("example", lambda f: out.shorten(f.quotes[0], QUOTE_WIDTH) if f.quotes else ""),
    ("another", lambda f: out.shorten(f.quotes[1], QUOTE_WIDTH) if len(f.quotes) > 1 else ""),
)


@command(app, "learn")
async def learn(
    factory: Workbench,
    host: HostName,
    category: Annotated[
        str | None, "--category", "Contract to learn [as its pages were read]."
    ] = None,
    samples: Annotated[
        int | None, "--samples", "Pages to learn from [learn.samples].", {"min": 3}
    ] = None,
    from_pages: Annotated[
        Path | None, "--from-pages DIR", "Learn from files: .html, or pages with truth."
    ] = None,
    by: Annotated[str, "--by WHO", "Who learns; your login name without it."] = "",
) -> Reply:
    """Learn where the values stand on the pages of a host.

    Stored pages are used, and more are fetched where they are few. A template that proves right
    on pages left out is adopted; beside one at work it is tried first; else a person is asked.
    A worker or the daemon then reads stored pages again by it.

    Example: spec learn shop.example --category mouse
    """
    from specfactory.fetch.addresses import typed_host
    from specfactory.orchestrate.learning import DomainLearner

    host = typed_host(host)
    with _progress(host) as on_step:
        result = await DomainLearner(factory, by, on_step).learn_domain(
            host, category=category, sample_count=samples, folder=from_pages
        )
    best = result.best.name if result.best else None
    return Reply(shapes.sites.LearnShape.of(result, template=best), _print)


@contextmanager
def _progress(host: str) -> Iterator[OnStep]:
    """Show the current step in one line on a terminal; nothing in a pipe."""
    from rich.console import Console
    from rich.markup import escape

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status(f"learning {escape(host)}") as status:
        yield lambda step: status.update(
            f"learning {escape(host)}: {escape(out.shorten(step, 60))}"
        )


def _print(found: shapes.sites.LearnShape) -> None:
    layouts = out.quantity(len(found.templates), "layout")
    out.line(f"{found.host} ({found.category}): {found.pages} pages, {layouts}")
    for why, count in found.left_out.items():
        out.line(f"  left out: {count} ({why})")
    if found.not_in_contract:
        out.line(f"  not in the contract: {', '.join(found.not_in_contract)}")
    for one in found.conflicts:
        said = "; ".join(
            f"{actor} says {', '.join(values) or 'nothing'}" for actor, values in one.said.items()
        )
        out.line(f"  contradiction about {one.field} on {one.page_id}: {said}")
    for template in found.templates:
        out.line()
        print_template(template)
    waiting = [one.template for one in found.templates if one.status == "proposed"]
    if waiting:
        out.line(f"Next: {spec_command()} templates approve {waiting[0]}")


def print_template(template: shapes.sites.TemplateShape) -> None:
    """Print a template's head and its table of fields."""
    out.heading(
        f"{template.template}: {template.host} {template.category}, layout {template.layout} "
        f"version {template.version}, {template.status}"
    )
    out.line(
        f"accuracy {template.accuracy:.3f}, lower bound {template.lower_bound:.3f}, "
        f"{template.sample_count} samples; {template.reason}"
    )
    read = [field for field in template.fields if not field.left_out]
    out.table(FIELDS, read, empty="no fields")
    left_out = [(field.field, field.left_out) for field in template.fields if field.left_out]
    out.section("", ("left out", "why"), left_out)
