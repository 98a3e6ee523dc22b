"""``spec daemon``: the factory at work day and night."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import (
    AsJson,
    Given,
    open_factory,
    perform,
    print_json,
    print_line,
    print_table,
    settings_from,
    spec_command,
)

if TYPE_CHECKING:
    from specfactory.entry.daemon_pid import Running
    from specfactory.settings import Settings

app = typer.Typer(help="Work on the queue day and night.")

START_SECONDS = 30.0
LOOK_SECONDS = 0.05
AFTER_GRACE_SECONDS = 20.0


@app.command("start")
def start(
    context: typer.Context,
    foreground: Annotated[
        bool, typer.Option("--foreground", help="Stay here, for systemd, Docker or pm2.")
    ] = False,
) -> None:
    """Work on the queue until stopped; in the background unless told otherwise.

    SIGTERM finishes the current products within daemon.grace_seconds and ends with 0; a second
    one gives them back at once. What a crash left behind is taken up again by itself.

    Example: spec daemon start
    """
    settings = settings_from(context)
    if foreground:
        _stay(settings)
    else:
        _leave(context, settings)


@app.command("stop")
def stop(
    context: typer.Context,
    now: Annotated[
        bool, typer.Option("--now", help="Give current products back instead of finishing them.")
    ] = False,
) -> None:
    """Stop the daemon, after its current products.

    Products that are not done within daemon.grace_seconds go back to the queue.

    Example: spec daemon stop
    """
    settings = settings_from(context)
    found = _running(settings)
    if found is None:
        print_line(f"no daemon is running ({settings.daemon.pid_file})")
        return
    if not _stopped(settings, found.pid, now):
        typer.echo(f"spec: process {found.pid} has not ended yet; try: --now", err=True)
        raise typer.Exit(1)
    print_line(f"stopped (process {found.pid})")


@app.command("status")
def show_status(context: typer.Context, as_json: AsJson = False) -> None:
    """Show whether the daemon runs, and what it is at; exit 1 when it does not.

    Example: spec daemon status --json
    """
    settings = settings_from(context)
    found = _running(settings)
    status = perform(_status(settings, found))
    if as_json:
        print_json(status)
    else:
        _print_status(settings, status)
    raise typer.Exit(0 if found else 1)


@app.command("logs")
def logs(
    context: typer.Context,
    tail: Annotated[int, typer.Option("--tail", min=0, help="How many lines.")] = 100,
    follow: Annotated[
        bool, typer.Option("--follow", help="Go on with new lines until Ctrl-C.")
    ] = False,
) -> None:
    """Show the last lines of the daemon's log.

    Example: spec daemon logs --tail 20 --follow
    """
    from itertools import chain

    from specfactory.entry.log_lines import last_lines, new_lines
    from specfactory.errors import UsageError

    file = Path(settings_from(context).daemon.log_file)
    if not file.exists() and not follow:
        raise UsageError(f"there is no log {file} yet; start the daemon: spec daemon start")
    following = new_lines(file) if follow else iter(())
    for line in chain(last_lines(file, tail), following):
        print_line(line)


def _running(settings: Settings) -> Running | None:
    from specfactory.entry.daemon_pid import running

    return running(Path(settings.daemon.pid_file))


def _stay(settings: Settings) -> None:
    from specfactory.entry.daemon import serve_daemon
    from specfactory.entry.daemon_logs import open_log
    from specfactory.entry.daemon_pid import PidFile

    file = Path(settings.daemon.log_file)
    with (
        PidFile(Path(settings.daemon.pid_file)) as held,
        open_log(settings, settings.daemon.log_level, file) as log,
    ):
        if settings.processing.mode == "distributed":
            log.info("daemon.distributed", meaning="jobs are left to: spec worker")
        perform(serve_daemon(settings, log, held.say_up))


def _leave(context: typer.Context, settings: Settings) -> None:
    """Start the daemon in a session of its own, and wait until it says that it is up."""
    import subprocess
    import sys

    from specfactory.errors import UsageError

    if found := _running(settings):
        raise UsageError(
            f"a daemon is running already: process {found.pid} holds {settings.daemon.pid_file}"
        )
    log = Path(settings.daemon.log_file)
    log.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "specfactory.entry.cli", *_given(context),
               "daemon", "start", "--foreground"]  # fmt: skip
    with log.open("ab") as output:
        place = output.tell()
        child = subprocess.Popen(  # noqa: S603 – ourselves, with what we were given
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            start_new_session=True,
        )  # fmt: skip
    if not _is_up(settings, child):
        typer.echo(
            f"spec: the daemon did not start; its last words:\n{_words(log, place)}", err=True
        )
        raise typer.Exit(1)
    print_line(f"the daemon is up (process {child.pid}); see: {spec_command()} daemon logs")


def _given(context: typer.Context) -> list[str]:
    """The options before the command, as they were given."""
    given = context.find_object(Given) or Given()
    config = ["--config", str(given.config)] if given.config else []
    return [*config, *(part for change in given.changes for part in ("--set", change))]


def _is_up(settings: Settings, child: Any) -> bool:
    import time

    patience = time.monotonic() + START_SECONDS
    while time.monotonic() < patience and child.poll() is None:
        found = _running(settings)
        if found and found.pid == child.pid and found.is_up:
            return True
        time.sleep(LOOK_SECONDS)
    return False


def _words(log: Path, place: int) -> str:
    from specfactory.entry.cli.terminal import clean

    with log.open("rb") as file:
        file.seek(place)
        lines = file.read(20_000).decode("utf-8", "replace").splitlines()
    return "\n".join(clean(line) for line in lines[-5:])


def _stopped(settings: Settings, pid: int, now: bool) -> bool:
    """Tell the process to end, and wait for it."""
    import os
    import signal
    import time

    os.kill(pid, signal.SIGTERM)
    patience = time.monotonic() + settings.daemon.grace_seconds + AFTER_GRACE_SECONDS
    told = not now
    while time.monotonic() < patience:
        time.sleep(LOOK_SECONDS)
        found = _running(settings)
        if found is None or found.pid != pid:
            return True
        if not told:
            os.kill(pid, signal.SIGTERM)
            told = True
    return False


async def _status(settings: Settings, found: Running | None) -> dict[str, Any]:
    status: dict[str, Any] = {
        "running": found is not None,
        "pid": found.pid if found else None,
        "state": "stopped" if not found else "up" if found.is_up else "starting",
        "mode": settings.processing.mode,
        "pid_file": settings.daemon.pid_file,
        "log_file": settings.daemon.log_file,
    }
    return {**status, **(await _at_work(settings) if found else {})}


async def _at_work(settings: Settings) -> dict[str, Any]:
    from specfactory.model import JobStatus

    async with open_factory(settings) as factory:
        jobs = await factory.jobs.list(status=JobStatus.IN_PROGRESS)
        stats = await factory.jobs.stats()
        workers = await factory.workers.list(factory.clock.now())
    return {
        "queue": {str(status): count for status, count in stats.by_status().items()},
        "in_progress": [
            {"job": job.name, "key": job.key, "round": job.round, "worker": job.lease_owner}
            for job in jobs
        ],
        "workers": [
            {"id": one.id, "pid": one.pid, "host": one.host, "status": one.status,
             "done": one.done, "failed": one.failed}
            for one in workers
            if one.status != "gone"
        ],
    }  # fmt: skip


def _print_status(settings: Settings, status: dict[str, Any]) -> None:
    if not status["running"]:
        start = f"{spec_command()} daemon start"
        print_line(f"no daemon is running ({settings.daemon.pid_file}); start: {start}")
        return
    print_line(f"the daemon is {status['state']}: process {status['pid']}, {status['mode']}")
    counts = ", ".join(f"{n} {name}" for name, n in status["queue"].items() if n)
    print_line(f"queue: {counts or 'empty'}")
    print_table(
        ("job", "subject", "round", "worker"),
        ((job["job"], job["key"], job["round"], job["worker"]) for job in status["in_progress"]),
        empty="nothing is in progress",
    )
