"""``spec daemon``: the factory at work day and night."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import Given, Reply, command, open_factory, out, spec_command
from specfactory.errors import UsageError
from specfactory.private_files import make_file

if TYPE_CHECKING:
    from specfactory.entry.daemon_pid import Running
    from specfactory.settings import Settings

app = typer.Typer(help="Work on the queue day and night.")

START_SECONDS = 30.0
LOOK_SECONDS = 0.05
AFTER_GRACE_SECONDS = 20.0


@command(app, "start")
def start(
    context: typer.Context,
    settings: Settings,
    foreground: Annotated[bool, "--foreground", "Stay here, for systemd, Docker or pm2."] = False,
) -> None:
    """Work on the queue until stopped; in the background unless told otherwise.

    SIGTERM finishes the current products within daemon.grace_seconds and ends with 0; a second
    one gives them back at once. What a crash left behind is taken up again by itself.

    Example: spec daemon start
    """
    if not foreground:
        _start_in_background(context, settings)
        return
    from specfactory.entry.daemon import serve_daemon
    from specfactory.entry.daemon_logs import open_log
    from specfactory.entry.daemon_pid import PidFile
    from specfactory.entry.event_loop import perform

    file = Path(settings.daemon.log_file)
    with (
        PidFile(Path(settings.daemon.pid_file)) as held,
        open_log(settings, settings.daemon.log_level, file) as log,
    ):
        if settings.processing.mode == "distributed":
            log.info("daemon.distributed", meaning="jobs are left to: spec worker")
        perform(serve_daemon(settings, log, held.say_up))


def _start_in_background(context: typer.Context, settings: Settings) -> None:
    """Start the daemon in a session of its own, and wait until it says that it is up."""
    import subprocess

    if found := _running(settings):
        raise UsageError(
            f"a daemon is running already: process {found.pid} holds {settings.daemon.pid_file}"
        )
    log = Path(settings.daemon.log_file)
    make_file(log)
    given = context.find_object(Given) or Given()
    config = ["--config", str(given.config)] if given.config else []
    changes = [part for change in given.changes for part in ("--set", change)]
    command = [sys.executable, "-m", "specfactory.entry.cli", *config, *changes,
               "daemon", "start", "--foreground"]  # fmt: skip
    with log.open("ab") as output:
        place = output.tell()
        child = subprocess.Popen(  # noqa: S603 – ourselves, with what we were given
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            start_new_session=True,
        )  # fmt: skip
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and child.poll() is None:
        found = _running(settings)
        if found and found.pid == child.pid and found.is_up:
            out.line(f"the daemon is up (process {child.pid}); see: {spec_command()} daemon logs")
            return
        time.sleep(LOOK_SECONDS)
    with log.open("rb") as file:
        file.seek(place)
        lines = file.read(20_000).decode("utf-8", "replace").splitlines()
    out.note("spec: the daemon did not start; its last words:")
    for line in lines[-5:]:
        out.note(line)
    raise typer.Exit(1)


def _running(settings: Settings) -> Running | None:
    from specfactory.entry.daemon_pid import running

    return running(Path(settings.daemon.pid_file))


@command(app, "stop")
def stop(
    settings: Settings,
    now: Annotated[bool, "--now", "Give current products back instead of finishing them."] = False,
) -> None:
    """Stop the daemon, after its current products.

    Products that are not done within daemon.grace_seconds go back to the queue.

    Example: spec daemon stop
    """
    found = _running(settings)
    if found is None:
        out.line(f"no daemon is running ({settings.daemon.pid_file})")
        return
    os.kill(found.pid, signal.SIGTERM)
    deadline = time.monotonic() + settings.daemon.grace_seconds + AFTER_GRACE_SECONDS
    again = now  # a second signal makes it give its jobs back; not at once, or both count as one
    while time.monotonic() < deadline:
        time.sleep(LOOK_SECONDS)
        still = _running(settings)
        if still is None or still.pid != found.pid:
            out.line(f"stopped (process {found.pid})")
            return
        if again:
            os.kill(found.pid, signal.SIGTERM)
            again = False
    out.note(f"spec: process {found.pid} has not ended yet; try: --now")
    raise typer.Exit(1)


@command(app, "status")
async def show_status(settings: Settings) -> Reply:
    """Show whether the daemon runs, and what it is at; exit 1 when it does not.

    Example: spec daemon status --json
    """
    from specfactory.model import JobStatus

    found = _running(settings)
    status = shapes.jobs.DaemonStatus(
        running=found is not None,
        pid=found.pid if found else None,
        state="stopped" if not found else "up" if found.is_up else "starting",
        mode=settings.processing.mode,
        pid_file=settings.daemon.pid_file,
        log_file=settings.daemon.log_file,
    )
    if found:
        async with open_factory(settings) as factory:
            jobs = await factory.jobs.list(status=JobStatus.IN_PROGRESS)
            stats = await factory.jobs.stats()
            workers = await factory.workers.list(
                factory.clock.now(), settings.queue.lost_after_seconds
            )
        status.queue = {str(state): count for state, count in stats.by_status().items()}
        status.in_progress = shapes.jobs.JobAtWork.all_of(jobs)
        status.workers = shapes.jobs.WorkerShape.all_of(
            one for one in workers if one.status != "gone"
        )

    def show(status: shapes.jobs.DaemonStatus) -> None:
        if not status.running:
            begin = f"{spec_command()} daemon start"
            out.line(f"no daemon is running ({status.pid_file}); start: {begin}")
            return
        out.line(f"the daemon is {status.state}: process {status.pid}, {status.mode}")
        counts = ", ".join(f"{n} {name}" for name, n in (status.queue or {}).items() if n)
        out.line(f"queue: {counts or 'empty'}")
        columns = ("job", ("subject", "key"), "round", "worker")
        out.table(columns, status.in_progress or (), empty="nothing is in progress")

    return Reply(status, show, code=0 if found else 1)


@command(app, "logs")
def logs(
    settings: Settings,
    tail: Annotated[int, "--tail", "How many lines.", {"min": 0}] = 100,
    follow: Annotated[bool, "--follow", "Go on with new lines until Ctrl-C."] = False,
) -> None:
    """Show the last lines of the daemon's log.

    Example: spec daemon logs --tail 20 --follow
    """
    from itertools import chain

    from specfactory.entry.daemon_logs import last_lines, new_lines

    file = Path(settings.daemon.log_file)
    if not file.exists() and not follow:
        raise UsageError(f"there is no log {file} yet; start the daemon: spec daemon start")
    following = new_lines(file) if follow else iter(())
    for line in chain(last_lines(file, tail), following):
        out.line(line)
