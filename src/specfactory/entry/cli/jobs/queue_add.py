"""``spec queue add, pages``: one product in words, or pages to be fetched and read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory import queue
from specfactory.entry import shapes
from specfactory.entry.cli.terminal import (
    Names,
    Reply,
    checked_url,
    command,
    named_words,
    open_factory,
    out,
)
from specfactory.errors import UnknownSubject, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from specfactory.settings import Settings


app = typer.Typer()

AT_ONCE = 1000  # jobs in one transaction
OPTIONS = {"scheduled_for": "--at", "urls": "--url", "priority_reason": "--reason", "tags": "--tag"}


@command(app, "add")
async def add(
    settings: Settings,
    category: Annotated[str, "--category CATEGORY", "See: spec contract list."],
    brand: Annotated[str, "--brand BRAND", "Who makes it."] = "",
    model: Annotated[str, "--model MODEL", "The model's name."] = "",
    variant: Annotated[str, "--variant VARIANT", "What tells it from its siblings."] = "",
    names: Names = None,
    priority: Annotated[
        int | None,
        "--priority",
        "1 urgent … 5 background; without it 3, or 2 for a monitored brand.",
        {"min": 1, "max": 5},
    ] = None,
    reason: Annotated[str, "--reason", "Why this priority, for whoever asks later."] = "",
    tags: Annotated[list[str] | None, "--tag TAG", "A word to find it by; repeatable."] = None,
    at: Annotated[str, "--at TIME", "Not before: 2026-02-12T08:00, UTC."] = "",
    urls: Annotated[list[str] | None, "--url URL", "A page you know; repeatable."] = None,
    budget_pages: Annotated[int | None, "--budget-pages", "Pages at the most.", {"min": 1}] = None,
    budget_seconds: Annotated[
        float | None, "--budget-seconds", "Seconds at the most.", {"min": 1}
    ] = None,
    budget_model_calls: Annotated[
        int | None, "--budget-model-calls", "Model calls at the most.", {"min": 0}
    ] = None,
    budget_model_cost_usd: Annotated[
        float | None, "--budget-model-cost-usd", "Model cost at most.", {"min": 0}
    ] = None,
    sources: Annotated[
        list[str] | None, "--source HOST", "Ask only this source; repeatable."
    ] = None,
    max_attempts: Annotated[
        int | None, "--max-attempts", "Tries at the most.", {"min": 1, "max": 100}
    ] = None,
) -> Reply:
    """Put one product in the queue.

    A product already queued or in progress is not added twice, however it is spelled; its job
    id is printed.

    Example: spec queue add --category mouse --brand Razer --model "Viper V3 Pro"
    """
    budget = {
        "max_pages": budget_pages,
        "max_seconds": budget_seconds,
        "max_model_calls": budget_model_calls,
        "max_model_cost_usd": budget_model_cost_usd,
    }
    budget = {name: value for name, value in budget.items() if value is not None}
    fields = {
        "category": category, "brand": brand, "model": model, "variant": variant,
        **named_words(names),
        "priority": priority, "priority_reason": reason, "tags": tags or [],
        "scheduled_for": at, "urls": urls or [], "max_attempts": max_attempts,
        "overrides": {
            **({"budget": budget} if budget else {}), **({"sources": sources} if sources else {})
        },
    }  # fmt: skip
    try:
        wanted = queue.product_job(fields, intake_from(settings, added_by="cli"))
    except queue.WrongColumn as wrong:  # named as its option, for there is no column here
        option = OPTIONS.get(wrong.column, f"--{wrong.column}")
        if wrong.column not in fields:
            option = f"--name {wrong.column}=WORDS"
        raise UsageError(f"{option} {wrong.reason}") from None
    async with open_factory(settings) as factory:
        factory.contract(wanted.category)
        async with factory.database.transaction() as tx:
            (added,) = await factory.jobs.add(tx, [wanted], factory.clock.now())
        if added.is_new:
            await factory.wake_workers()
        job = await factory.jobs.get(added.job_id)
        if job is None:  # finished and pruned in the meantime
            raise UnknownSubject("job", added.key, "it was added and is already done")
    if added.is_new:
        why = f" ({job.priority_reason})" if job.priority_reason else ""
        later = f", not before {shapes.moment(job.due_at)}" if job.due_at > job.added_at else ""
        said = f"{job.name} added: {job.key}, priority {job.priority}{why}{later}"
    else:
        said = f"{job.name} is about {job.key} already and is {job.status}; nothing was added"
    return Reply(shapes.jobs.AddedJob.of(job, added=added.is_new), said)


def intake_from(settings: Settings, **more: Any) -> queue.Intake:
    """Make the rules for products from the command line."""
    from functools import cache
    from pathlib import Path

    from specfactory.contract import categories, find_contract

    return queue.Intake(
        categories=categories(Path(settings.contracts_dir)),
        max_attempts=settings.queue.max_attempts,
        # Asked once a line: a file of many lines looks at its contract once.
        rules_of=cache(lambda category: find_contract(category, settings.contracts_dir).identity),
        monitored_brands=settings.queue.monitored_brands,
        **more,
    )


@command(app, "pages")
async def add_pages(
    settings: Settings,
    urls: Annotated[list[str] | None, "URL", "Pages to fetch."] = None,
    file: Annotated[Path | None, "--file FILE", "Their addresses, one a line; - for stdin."] = None,
    category: Annotated[str, "--category CATEGORY", "Read them by its contract."] = "",
    priority: Annotated[int, "--priority", "1 urgent.", {"min": 1, "max": 5}] = 3,
) -> Reply:
    """Put pages in the queue: each is fetched and kept, and read where a category is given.

    A page already queued or in progress is not added twice. What pages gave is written by
    spec export --pages. Selectors of your own go into the contract, under its sources.

    Example: spec queue pages --file urls.txt --category mouse
    """
    from specfactory.model import JobKind, NewJob

    wanted = list(dict.fromkeys((*map(checked_url, urls or ()), *_lines(file))))
    if not wanted:
        raise UsageError("no page is named; give addresses or --file FILE")
    purpose = {"category": category} if category else {}
    jobs = [
        NewJob(
            JobKind.PAGE, url, {"url": url, **purpose}, category, priority,
            added_by="cli", max_attempts=settings.queue.max_attempts,
        )
        for url in wanted
    ]  # fmt: skip
    added = 0
    async with open_factory(settings) as factory:
        if category:
            factory.contract(category)  # says so when there is no such category
        for start in range(0, len(jobs), AT_ONCE):
            some, now = jobs[start : start + AT_ONCE], factory.clock.now()
            async with factory.database.transaction() as tx:
                added += sum(one.is_new for one in await factory.jobs.add(tx, some, now))
        if added:
            await factory.wake_workers()
    known = len(wanted) - added
    there = f", {known} were queued already" if known else ""
    said = f"{out.quantity(added, 'page')} added{there}"
    return Reply(shapes.jobs.PagesAdded(added=added, known=known), said)


def _lines(file: Path | None) -> Iterator[str]:
    """The addresses in a file; empty lines and those behind a # are passed over."""
    if file is None:
        return
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"--file {file} cannot be read: {problem}") from None
    for number, line in enumerate(text.splitlines(), 1):
        if (words := line.strip()) and not words.startswith("#"):
            try:
                yield checked_url(words)
            except UsageError as problem:
                raise UsageError(f"--file {file}, line {number}: {problem}") from None
