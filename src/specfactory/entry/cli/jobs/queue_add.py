"""``spec queue add``: one product in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import Reply, command, open_factory, print_line
from specfactory.entry.shapes import moment
from specfactory.errors import UnknownSubject, UsageError

if TYPE_CHECKING:
    from specfactory.queue import Intake
    from specfactory.settings import Settings

app = typer.Typer()

OPTIONS = {"scheduled_for": "--at", "urls": "--url", "priority_reason": "--reason", "tags": "--tag"}


@command(app, "add")
async def add(
    settings: Settings,
    category: Annotated[
        str, typer.Option("--category", metavar="CATEGORY", help="See: spec contract list.")
    ],
    brand: Annotated[str, typer.Option("--brand", metavar="BRAND", help="Who makes it.")],
    model: Annotated[str, typer.Option("--model", metavar="MODEL", help="The model's name.")],
    variant: Annotated[
        str, typer.Option("--variant", metavar="VARIANT", help="What tells it from its siblings.")
    ] = "",
    priority: Annotated[
        int | None,
        typer.Option(
            "--priority",
            min=1,
            max=5,
            help="1 urgent … 5 background; without it 3, or 2 for a monitored brand.",
        ),
    ] = None,
    reason: Annotated[
        str, typer.Option("--reason", help="Why this priority, for whoever asks later.")
    ] = "",
    tags: Annotated[
        list[str] | None,
        typer.Option("--tag", metavar="TAG", help="A word to find it by; repeatable."),
    ] = None,
    at: Annotated[
        str, typer.Option("--at", metavar="TIME", help="Not before: 2026-02-12T08:00, UTC.")
    ] = "",
    urls: Annotated[
        list[str] | None, typer.Option("--url", metavar="URL", help="A page you know; repeatable.")
    ] = None,
    budget_pages: Annotated[
        int | None, typer.Option("--budget-pages", min=1, help="Pages at the most.")
    ] = None,
    budget_seconds: Annotated[
        float | None, typer.Option("--budget-seconds", min=1, help="Seconds at the most.")
    ] = None,
    budget_model_calls: Annotated[
        int | None, typer.Option("--budget-model-calls", min=0, help="Model calls at the most.")
    ] = None,
    budget_model_cost_usd: Annotated[
        float | None, typer.Option("--budget-model-cost-usd", min=0, help="Model cost at most.")
    ] = None,
    sources: Annotated[
        list[str] | None,
        typer.Option("--source", metavar="HOST", help="Ask only this source; repeatable."),
    ] = None,
    max_attempts: Annotated[
        int | None, typer.Option("--max-attempts", min=1, max=100, help="Tries at the most.")
    ] = None,
) -> Reply:
    """Put one product in the queue.

    A product already queued or in progress is not added twice, however it is spelled; its job
    id is printed.

    Example: spec queue add --category mouse --brand Razer --model "Viper V3 Pro"
    """
    from specfactory.entry.shapes import AddedJob
    from specfactory.ports import JOBS_CHANNEL
    from specfactory.queue import WrongColumn, product_job

    budget = {
        "max_pages": budget_pages,
        "max_seconds": budget_seconds,
        "max_model_calls": budget_model_calls,
        "max_model_cost_usd": budget_model_cost_usd,
    }
    budget = {name: value for name, value in budget.items() if value is not None}
    fields = {
        "category": category, "brand": brand, "model": model, "variant": variant,
        "priority": priority, "priority_reason": reason, "tags": tags or [],
        "scheduled_for": at, "urls": urls or [], "max_attempts": max_attempts,
        "overrides": {
            **({"budget": budget} if budget else {}), **({"sources": sources} if sources else {})
        },
    }  # fmt: skip
    try:
        wanted = product_job(fields, intake_from(settings, added_by="cli"))
    except WrongColumn as wrong:  # named as its option, for there is no column here
        option = OPTIONS.get(wrong.column, f"--{wrong.column}")
        raise UsageError(f"{option} {wrong.reason}") from None
    async with open_factory(settings) as factory:
        factory.contract(wanted.category)
        async with factory.database.transaction() as tx:
            (added,) = await factory.jobs.add(tx, [wanted], factory.clock.now())
        if added.is_new:
            await factory.wakeup.notify(JOBS_CHANNEL)
        job = await factory.jobs.get(added.job_id)
        if job is None:  # finished and pruned in the meantime
            raise UnknownSubject("job", added.key, "it was added and is already done")
    if added.is_new:
        why = f" ({job.priority_reason})" if job.priority_reason else ""
        later = f", not before {moment(job.due_at)}" if job.due_at > job.added_at else ""
        said = f"{job.name} added: {job.key}, priority {job.priority}{why}{later}"
    else:
        said = f"{job.name} is about {job.key} already and is {job.status}; nothing was added"
    return Reply(AddedJob.of(job, added=added.is_new), lambda _: print_line(said))


def intake_from(settings: Settings, **more: Any) -> Intake:
    """Make the rules for products from the command line."""
    from pathlib import Path

    from specfactory.contract import categories
    from specfactory.queue import Intake

    return Intake(
        categories=categories(Path(settings.contracts_dir)),
        max_attempts=settings.queue.max_attempts,
        monitored_brands=settings.queue.monitored_brands,
        **more,
    )
