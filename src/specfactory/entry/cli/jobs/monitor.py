"""``spec monitor``: how the queue stands, once or again and again."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import Reply, as_typed, command, kinds_done_here, out

if TYPE_CHECKING:
    from specfactory.orchestrate import Workbench

app = typer.Typer()

ALERTS = (
    "level",
    ("alert", "name"),
    ("what", "message"),
    ("what to do", lambda a: as_typed(a.advice)),
)


@command(app, "monitor")
async def monitor(
    factory: Workbench,
    as_json: bool,
    run: Annotated[
        int | None, "--run RUN", "Only this run, by its number.", {"min": 1, "max": 2**62}
    ] = None,
    live: Annotated[bool, "--live", "Look again and again; q or Ctrl-C leaves."] = False,
    details: Annotated[bool, "--details", "Also what is being worked on, and the runs."] = False,
    alerts: Annotated[bool, "--alerts", "Only the alerts; exit 1 when there is one."] = False,
    export: Annotated[Path | None, "--export FILE", "Write the figures there as JSON."] = None,
    refreshes: Annotated[
        int | None, "--refreshes N", "With --live: leave after so many.", {"min": 1}
    ] = None,
) -> Reply:
    """Show how the queue stands: depth, workers, throughput, completion, failures, alerts.

    --live fills the terminal and keeps up with the queue; into a pipe it prints a block each
    time. When alerts are raised is said by the settings monitor.*.

    Example: spec monitor --live
    """
    from specfactory.entry.cli.jobs.monitor_views import keep_looking, print_health, shape
    from specfactory.observe import Watch
    from specfactory.publish.exports import opened

    if live:
        await keep_looking(factory, run, details, refreshes, as_json)
        raise typer.Exit
    watch = Watch(factory.database, factory.settings, kinds_done_here(), run)
    health = await watch.look(factory.clock.now())
    latest = await factory.runs.list(limit=10) if details else []
    runs = [(each, await factory.runs.progress(each.id)) for each in latest]
    if export is not None:
        with opened(export) as file:  # whole or not at all: others may read it at any moment
            file.write(out.json_text(shape(health), indent=2) + "\n")
        out.note(f"figures of {shapes.moment(health.at)} in {export}")
    if alerts:
        show = partial(out.table, ALERTS, health.alerts, empty="no alerts")
        code = 1 if health.alerts else 0
        return Reply(shape(health)["alerts"], lambda _: show(), code=code)
    if export is not None:
        return Reply(shape(health), lambda _: None)
    return Reply(shape(health), lambda _: print_health(health, details, runs))
