"""``spec coordinator``: one run, from a file to its summary."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import Reply, command, open_factory, out, spec_command
from specfactory.orchestrate import workers

if TYPE_CHECKING:
    from specfactory.model import Run
    from specfactory.orchestrate import Workbench
    from specfactory.settings import Settings

app = typer.Typer()


@command(app, "coordinator")
async def coordinate(
    settings: Settings,
    as_json: bool,
    config: Annotated[Path, "--config FILE", "What to do: products, files, urls (YAML)."],
    wait: Annotated[bool, "--wait/--no-wait", "Wait for the end and print the summary."] = True,
) -> Reply:
    """Open the run that a file describes, or join it, and wait until it is complete.

    The same file is the same run, wherever and however often it is started. With processing.mode
    single the work is done here; with distributed it is left to spec worker. Ctrl-C stops
    waiting, never the run. Exit 1 when jobs failed or lines were wrong.

    Example: spec coordinator --config run.yaml
    """
    from specfactory.contract import categories, find_contract

    plan = workers.read_run_plan(
        config, categories(Path(settings.contracts_dir)), settings.queue,
        lambda category: find_contract(category, settings.contracts_dir).identity,
    )  # fmt: skip
    for problem in plan.wrong:
        out.note(f"spec: {problem}; passed over")
    async with open_factory(settings) as bench:
        run, new = await workers.join_run(bench, plan)
        if not as_json:
            out.line(f"run {run.id}: {new} of {len(plan.jobs)} jobs are new")
        if wait and settings.processing.mode == "single":
            run = await _work(bench, run, as_json)
        elif wait:
            run = await workers.wait_for_run(bench, run.id, Progressing(as_json))
    summary: dict[str, Any] = run.summary if isinstance(run.summary, dict) else {}
    failed = run.status != "complete" or bool(summary.get("by_status", {}).get("failed"))
    return Reply(
        shapes.jobs.RunShape.of(run, jobs=len(plan.jobs), new=new, wrong=list(plan.wrong)),
        _print_summary if wait else lambda _: None,
        code=1 if plan.wrong or (wait and failed) else 0,
    )


async def _work(bench: Workbench, run: Run, quiet: bool) -> Run:
    """Do the work here, until the run is over or a signal ends it."""
    import asyncio

    from specfactory.assembly import heartbeat_database
    from specfactory.entry.daemon import obeying_signals, worker_plan
    from specfactory.orchestrate import Worker, standard_handlers

    handlers = standard_handlers()
    plan = worker_plan(
        bench.settings, kinds=handlers.choose(), slots=bench.settings.products_at_once
    )
    worker = Worker(bench, handlers, plan, heartbeat_database(bench.settings))
    with obeying_signals(worker):
        working = asyncio.create_task(worker.run())
        waiting = asyncio.create_task(workers.wait_for_run(bench, run.id, Progressing(quiet)))
        await asyncio.wait({working, waiting}, return_when=asyncio.FIRST_COMPLETED)
        worker.drain()
        await working
        if not waiting.done():
            waiting.cancel()
            return await bench.runs.get(run.id) or run
        return waiting.result()


class Progressing:
    """Prints the progress of a run whenever it has changed."""

    def __init__(self, quiet: bool) -> None:
        self._quiet, self._last = quiet, ""

    def __call__(self, progress: workers.Progress) -> None:
        line = ", ".join(f"{count} {status}" for status, count in progress.items() if count)
        if line == self._last or self._quiet:
            return
        self._last = line
        out.write_over(line)


def _print_summary(run: shapes.jobs.RunShape) -> None:
    summary: dict[str, Any] = run.summary if isinstance(run.summary, dict) else {}
    if out.on_terminal():
        out.line()  # ends the line of the progress
    counts = summary.get("by_status", {})
    ended = ", ".join(f"{count} {status}" for status, count in counts.items())
    took = "" if summary.get("seconds") is None else f", in {summary['seconds']:.1f} s"
    out.line(f"run {run.run} is {run.status}: {ended or 'not summed up'}{took}")
    if errors := summary.get("errors"):
        out.line("errors: " + ", ".join(f"{count} {cause}" for cause, count in errors.items()))
        out.line(f"see: {spec_command()} deadletter analyze --run {run.run}")
