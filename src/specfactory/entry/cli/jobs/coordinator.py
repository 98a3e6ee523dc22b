"""``spec coordinator``: one run, from a file to its summary."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import (
    AsJson,
    clean,
    on_terminal,
    open_factory,
    perform,
    print_json,
    print_line,
    settings_from,
    spec_command,
)

if TYPE_CHECKING:
    from specfactory.model import Run
    from specfactory.orchestrate import Workbench
    from specfactory.orchestrate.workers import Progress, RunPlan
    from specfactory.settings import Settings

app = typer.Typer()


@app.command("coordinator")
def coordinate(
    context: typer.Context,
    config: Annotated[
        Path,
        typer.Option("--config", metavar="FILE", help="What to do: products, files, urls (YAML)."),
    ],
    wait: Annotated[
        bool, typer.Option("--wait/--no-wait", help="Wait for the end and print the summary.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Open the run that a file describes, or join it, and wait until it is complete.

    The same file is the same run, wherever and however often it is started. With processing.mode
    single the work is done here; with distributed it is left to spec worker. Ctrl-C stops
    waiting, never the run. Exit 1 when jobs failed or lines were wrong.

    Example: spec coordinator --config run.yaml
    """
    from specfactory.contract import categories
    from specfactory.orchestrate.workers import read_run_plan

    settings = settings_from(context)
    known = categories(Path(settings.contracts_dir))
    plan = read_run_plan(config, known, settings.queue)
    for problem in plan.wrong:
        typer.echo(f"spec: {clean(problem)}; passed over", err=True)
    run, new = perform(_coordinate(settings, plan, wait, as_json))
    _show(run, new, plan, wait, as_json)
    if plan.wrong or (wait and _has_failed(run)):
        raise typer.Exit(1)


async def _coordinate(
    settings: Settings, plan: RunPlan, wait: bool, quiet: bool
) -> tuple[Run, int]:
    from specfactory.orchestrate.workers import join_run, wait_for_run

    async with open_factory(settings) as bench:
        run, new = await join_run(bench, plan)
        if not quiet:
            print_line(f"run {run.id}: {new} of {len(plan.jobs)} jobs are new")
        if not wait:
            return run, new
        if settings.processing.mode == "single":
            return await _work(bench, run, quiet), new
        return await wait_for_run(bench, run.id, Progressing(quiet)), new


async def _work(bench: Workbench, run: Run, quiet: bool) -> Run:
    """Do the work here, until the run is over or a signal ends it."""
    import asyncio

    from specfactory.assembly import heartbeat_database
    from specfactory.entry.daemon import obeying_signals, worker_plan
    from specfactory.orchestrate import Worker, standard_handlers
    from specfactory.orchestrate.workers import wait_for_run

    handlers = standard_handlers()
    plan = worker_plan(
        bench.settings, kinds=handlers.choose(), slots=bench.settings.products_at_once
    )
    worker = Worker(bench, handlers, plan, heartbeat_database(bench.settings))
    with obeying_signals(worker):
        working = asyncio.create_task(worker.run())
        waiting = asyncio.create_task(wait_for_run(bench, run.id, Progressing(quiet)))
        await asyncio.wait({working, waiting}, return_when=asyncio.FIRST_COMPLETED)
        worker.drain()
        await working
        if not waiting.done():
            waiting.cancel()
            return await bench.runs.get(run.id) or run
        return waiting.result()


class Progressing:
    """Says how far a run is, whenever that has changed."""

    def __init__(self, quiet: bool) -> None:
        self._quiet, self._last = quiet, ""

    def __call__(self, progress: Progress) -> None:
        line = ", ".join(f"{count} {status}" for status, count in progress.items() if count)
        if line == self._last or self._quiet:
            return
        self._last = line
        typer.echo(f"\r\x1b[K{line}" if on_terminal() else line, nl=not on_terminal())


def _show(run: Run, new: int, plan: RunPlan, wait: bool, as_json: bool) -> None:
    if as_json:
        print_json(
            {"run": run.id, "config_hash": run.config_hash, "status": run.status.value,
             "jobs": len(plan.jobs), "new": new, "wrong": list(plan.wrong),
             "summary": run.summary}
        )  # fmt: skip
        return
    if wait:
        if on_terminal():
            typer.echo()
        for line in _summary(run):
            print_line(line)


def _summary(run: Run) -> list[str]:
    summary: dict[str, Any] = run.summary if isinstance(run.summary, dict) else {}
    counts = summary.get("by_status", {})
    ended = ", ".join(f"{count} {status}" for status, count in counts.items())
    lines = [f"run {run.id} is {run.status}: {ended or 'not summed up'}"]
    if summary.get("seconds") is not None:
        lines[0] += f", in {summary['seconds']:.1f} s"
    if errors := summary.get("errors"):
        lines.append("errors: " + ", ".join(f"{count} {cause}" for cause, count in errors.items()))
        lines.append(f"see: {spec_command()} deadletter analyze --run {run.id}")
    return lines


def _has_failed(run: Run) -> bool:
    summary: dict[str, Any] = run.summary if isinstance(run.summary, dict) else {}
    return run.status != "complete" or bool(summary.get("by_status", {}).get("failed"))
