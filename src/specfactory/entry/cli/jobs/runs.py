"""``spec runs``: what was asked for together, how far it is, and a person's word about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import Limit, Reply, Yes, ask_first, command, out, spec_command
from specfactory.errors import UnknownSubject, UsageError

if TYPE_CHECKING:
    from specfactory.model import Run
    from specfactory.orchestrate import Workbench

app = typer.Typer(help="Look at runs, cancel them and take them up again.")

Number = Annotated[int, "RUN", "The run, by its number.", {"min": 1, "max": 2**62}]
LEFT = ("queued", "in_progress", "paused")
RUNS = (
    "run",
    ("name", lambda run: run.config.get("name", "")),
    "status",
    ("since", "created_at"),
    ("ended", lambda run: run.finished_at or ""),
    ("left", lambda run: sum(run.jobs.get(status, 0) for status in LEFT)),
    ("done", lambda run: run.jobs.get("complete", 0)),
    ("failed", lambda run: run.jobs.get("failed", 0)),
)


@command(app, "list")
async def list_runs(
    factory: Workbench,
    status: Annotated[str, "--status STATUS", "open, complete, failed, cancelled …"] = "",
    limit: Limit = 20,
) -> Reply:
    """List runs, the latest first, with what is left of each.

    Example: spec runs list --status open
    """
    from specfactory.model import RunStatus

    words = status.strip().lower().replace("-", "_")
    if words and words not in [*RunStatus]:
        raise UsageError(f"--status is {status!r}; allowed: {', '.join(RunStatus)}")
    found = await factory.runs.list(RunStatus(words) if words else None, limit)
    runs = [await _state(factory, run) for run in found]
    empty = f"no runs; a file describes one: {spec_command()} coordinator --config run.yaml"
    return Reply(runs, RUNS, empty=empty)


@command(app, "show")
async def show_run(factory: Workbench, run: Number) -> Reply:
    """Show one run: what it was asked to do, how its jobs stand, and what went wrong.

    Example: spec runs show 17
    """
    found = await _find(factory, run)
    return Reply(await _state(factory, found, errors=await factory.runs.causes(run)), _print_run)


@command(app, "cancel")
async def cancel_run(factory: Workbench, run: Number, yes: Yes = False) -> Reply:
    """Cancel a run: what it has left to do is skipped, also what a worker is at.

    What was done stays. It asks first, or takes --yes; resume takes the run up again.

    Example: spec runs cancel 17 --yes
    """
    found, jobs = await _find(factory, run), await factory.runs.progress(run)
    left = sum(number for status, number in jobs.items() if status in LEFT)
    if found.finished_at is None:
        ask_first(f"skip {left:,} jobs of run {run}", yes)
    async with factory.database.transaction() as tx:
        if not await factory.runs.cancel(tx, run, factory.clock.now()):
            raise UsageError(f"run {run} is {found.status}; there is nothing to cancel")
    said = f"run {run} is cancelled, {left} jobs are skipped; {spec_command()} runs resume {run}"
    return Reply(await _state(factory, await _find(factory, run)), said)


@command(app, "resume")
async def resume_run(factory: Workbench, run: Number) -> Reply:
    """Take up a cancelled run where it was cancelled.

    Jobs that failed are another matter: spec deadletter retry-run.

    Example: spec runs resume 17
    """
    found = await _find(factory, run)
    async with factory.database.transaction() as tx:
        queued = await factory.runs.resume(tx, run, factory.clock.now())
    if not queued:
        again = f"for what failed: {spec_command()} deadletter retry-run {run}"
        raise UsageError(f"run {run} is {found.status}, with nothing to take up again; {again}")
    await factory.wake_workers()
    said = f"run {run} goes on: {queued} jobs are queued again"
    return Reply(await _state(factory, await _find(factory, run)), said)


async def _find(factory: Workbench, number: int) -> Run:
    if (run := await factory.runs.get(number)) is None:
        raise UnknownSubject("run", str(number), f"see: {spec_command()} runs list")
    return run


async def _state(factory: Workbench, run: Run, **more: Any) -> shapes.jobs.RunState:
    jobs = {str(status): n for status, n in (await factory.runs.progress(run.id)).items() if n}
    return shapes.jobs.RunState.of(run, jobs=jobs, **more)


def _print_run(run: shapes.jobs.RunState) -> None:
    out.heading(f"run {run.run}" + (f": {run.config['name']}" if run.config.get("name") else ""))
    ended = f", ended {run.finished_at}" if run.finished_at else ""
    out.line(f"  {run.status}, since {run.created_at}{ended}")
    jobs = ", ".join(f"{number} {status}" for status, number in run.jobs.items())
    out.line(f"  jobs: {jobs or 'none'}")
    for name, value in run.config.items():
        if name not in ("name", "contents") and value:
            asked = f"{len(value)}" if isinstance(value, list) else value
            out.line(f"  {name}: {out.shorten(str(asked), 100)}")
    if run.errors:
        out.line("  errors: " + ", ".join(f"{n} {cause}" for cause, n in run.errors.items()))
        out.line(f"see: {spec_command()} deadletter analyze --run {run.run}")
