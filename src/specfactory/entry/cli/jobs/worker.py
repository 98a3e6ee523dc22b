"""``spec worker``: take jobs from the queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import command, out, spec_command

if TYPE_CHECKING:
    from specfactory.settings import Settings

app = typer.Typer()


@command(app, "worker")
def work(
    settings: Settings,
    workers: Annotated[
        int | None, "--workers N", "Jobs at once [products_at_once].", {"min": 1, "max": 1000}
    ] = None,
    worker_id: Annotated[str, "--worker-id ID", "Its name in monitor and logs."] = "",
    kinds: Annotated[str, "--kinds KIND,…", "Only jobs of these kinds [all]."] = "",
    drain: Annotated[
        bool, "--drain", "Stop when nothing is left that is due within a minute."
    ] = False,
    with_learning: Annotated[
        bool, "--with-learning", "With --drain, also wait until hosts are learned."
    ] = False,
    max_jobs: Annotated[int | None, "--max-jobs N", "Stop after so many jobs.", {"min": 1}] = None,
    handlers: Annotated[
        str,
        "--handlers MODULE:FUNCTION",
        "Registers handlers for kinds of your own.",
        {"envvar": "SPEC_HANDLERS", "hidden": True},
    ] = "",
) -> None:
    """Take jobs from the queue until stopped; as many workers as you like share one database.

    SIGTERM finishes current jobs within daemon.grace_seconds and ends with 0; a second one gives
    them back at once. A worker that is killed loses nothing: others take its jobs over.
    Hosts are learned at quiet moments, in a share of the processor time (learn.cpu_share).

    Example: spec worker --workers 4 --kinds product,page
    """
    from specfactory.entry.daemon import serve_worker, worker_plan
    from specfactory.entry.daemon_logs import open_log
    from specfactory.entry.event_loop import perform
    from specfactory.orchestrate import standard_handlers

    known = standard_handlers(handlers)
    wanted = [kind.strip() for kind in kinds.split(",") if kind.strip()]
    plan = worker_plan(
        settings,
        worker_id,
        kinds=known.choose(wanted or None),
        slots=workers or settings.products_at_once,
        until_empty=drain,
        waits_for_learning=with_learning,
        max_jobs=max_jobs,
    )
    with open_log(settings, settings.daemon.log_level) as log:
        end = perform(serve_worker(settings, known, plan, log))
    out.line(f"{plan.id}: {end.done} done, {end.failed} failed, {end.lost} taken over by others")
    if end.next_due is not None:
        left = out.quantity(end.waiting, "job")
        out.line(f"{left} left for later, the next due at {shapes.moment(end.next_due)}")
    if end.to_learn:
        hosts = out.quantity(end.to_learn, "host")
        out.line(f"{hosts} left to learn: {spec_command()} worker --drain --with-learning")
